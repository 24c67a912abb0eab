/** The part of sluice's `stats()` that the demo checks, written down here again so that the checking side needs no src. */
export interface Stats {
  readonly emitted: number
  readonly exporters: readonly Account[]
}

export interface Account {
  readonly accepted: number
  readonly filtered: number
  readonly written: number
  readonly queued: number
  readonly unknown: number
  readonly dropped: { readonly total: number }
}

/** Where the books do not balance, or do not say what was called and what lies in the file. */
export function ledgerProblems(stats: Stats | undefined, calls: number, lines: number): readonly string[] {
  const account = stats?.exporters[0]
  if (stats === undefined || account === undefined) return ['the logger reported no ledger']
  const { accepted, filtered, written, queued, unknown, dropped } = account
  const equations: readonly (readonly [string, number, number])[] = [
    ['emitted = calls', stats.emitted, calls],
    ['emitted = accepted + filtered', stats.emitted, accepted + filtered],
    ['accepted = written + queued + unknown + dropped', accepted, written + queued + unknown + dropped.total],
    ['written = lines in the file', written, lines],
    ['queued = 0 after shutdown', queued, 0],
  ]
  return equations
    .filter(([, left, right]) => left !== right)
    .map(([rule, left, right]) => `${rule} does not hold: ${left} and ${right}`)
}
