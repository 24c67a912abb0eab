/** The part of sluice's `stats()` that the demo checks. It is declared here so that the checks do not import sluice. */
export interface Stats {
  readonly emitted: number
  readonly exporters: readonly ExporterStats[]
}

export interface ExporterStats {
  readonly accepted: number
  readonly filtered: number
  readonly written: number
  readonly queued: number
  readonly unknown: number
  readonly dropped: { readonly total: number }
}

/** Returns inconsistencies in the statistics, and between them, the log calls and the lines in the file. */
export function deliveryErrors(stats: Stats | undefined, calls: number, lines: number): readonly string[] {
  const exporterStats = stats?.exporters[0]
  if (stats === undefined || exporterStats === undefined) return ['the logger reported no statistics']
  const { accepted, filtered, written, queued, unknown, dropped } = exporterStats
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
