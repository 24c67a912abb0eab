import { disagreements, tally, type Found, type ToldLedger } from './oracle.ts'

/** What a process leaves behind. */
export interface Remains {
  readonly pid: number
  /** How many records it was told to log. */
  readonly logged: number
  readonly found: Found
  /** Undefined where the logger counts nothing. */
  readonly ledger: ToldLedger | undefined
  readonly stderr: string
  /** Errors that the logger told the program by an event, a callback or a rejection. */
  readonly told: readonly string[]
}

/** What may have become of the records. */
export interface Allowed {
  /**
   * `nothing` (default): every record is there. `told`: records may be missing, and somebody is told. Where the logger counts,
   * its ledger, the notices in the stream and the count on the standard error say how many and why.
   */
  readonly losses?: 'nothing' | 'told'
  /** Why records may be missing, of a logger that says so. */
  readonly reasons?: readonly string[]
  /** How many lines the fault may tear. Default 0. */
  readonly torn?: number
  /** The process went on after the fault, so the stream itself must tell all losses. Default false. */
  readonly recovered?: boolean
}

/** All that is wrong with what a process left behind, in sentences. */
export function judge(remains: Remains, allowed: Allowed): string[] {
  const { pid, found, ledger } = remains
  return ledger === undefined
    ? judgeWithoutLedger(remains, allowed)
    : [
        ...disagreements(found, new Map([[pid, ledger]]), allowed.torn),
        ...judgeLedger(ledger, remains, allowed),
        ...(ledger.dropped.total === 0 ? [] : judgeNotices(ledger, remains, allowed)),
      ]
}

function judgeLedger({ emitted, unknown, dropped, queued }: ToldLedger, remains: Remains, allowed: Allowed): string[] {
  const { losses = 'nothing', reasons = [] } = allowed
  const others = Object.entries(dropped.byReason).filter(([reason, count]) => count > 0 && !reasons.includes(reason))
  return [
    ...(emitted >= remains.logged ? [] : [`${remains.logged - emitted} of ${remains.logged} were not counted`]),
    ...(queued === 0 ? [] : [`${queued} were still queued at the end`]),
    ...(losses === 'nothing' && dropped.total + unknown > 0
      ? [`${dropped.total} of ${remains.logged} dropped, ${unknown} unknown: ${JSON.stringify(dropped.byReason)}`]
      : others.map(([reason, count]) => `${count} dropped for ${reason}`)),
  ]
}

/** What was lost stands in the stream when that goes on, and what was lost at the end on the standard error. */
function judgeNotices({ dropped }: ToldLedger, { found, stderr }: Remains, { recovered = false }: Allowed): string[] {
  const inStream = found.losses.reduce((sum, { dropped }) => sum + dropped, 0)
  if (!recovered) {
    const atEnd = lostAtEnd(stderr)
    return inStream + atEnd >= dropped.total
      ? []
      : [`${dropped.total} dropped, ${inStream} of them told in the stream and ${atEnd} at the end`]
  }
  const wrong = Object.entries(dropped.byReason).filter(([reason, count]) => {
    return found.losses.reduce((sum, { byReason }) => sum + (byReason[reason] ?? 0), 0) !== count
  })
  const records = [...found.seqs.values()].reduce((sum, seqs) => sum + seqs.length, 0)
  return [
    ...wrong.map(([reason, count]) => `the stream does not tell the ${count} dropped for ${reason}`),
    ...((found.losses.at(-1)?.behind ?? 0) < records ? [] : ['the stream tells losses only at its very end']),
  ]
}

/** The last count is the whole one: a signal may tell before the exit does. */
function lostAtEnd(stderr: string): number {
  const [, atEnd = 0, before = 0] = [...stderr.matchAll(/(\d+) records(?:.*; (\d+) were lost earlier)?/g)].at(-1) ?? []
  return Number(atEnd) + Number(before)
}

/** Of a logger that counts nothing everything is expected, or a word. */
function judgeWithoutLedger({ pid, logged, found, stderr, told }: Remains, allowed: Allowed): string[] {
  const { unique, duplicates, disorder } = tally(found, pid)
  const { losses = 'nothing', torn = 0 } = allowed
  const lost = logged - unique
  // An error of the program's own is no word about records.
  const isTold = told.length > 0 || (stderr.trim() !== '' && !stderr.includes('Error: mine'))
  return [
    ...(lost > 0 && !(losses === 'told' && isTold)
      ? [`${counted(lost)} of ${counted(logged)} lost${isTold ? '' : ' without a word'}`]
      : []),
    ...(duplicates > 0 ? [`${counted(duplicates)} written twice`] : []),
    ...(disorder > 0 ? [`${counted(disorder)} out of order`] : []),
    ...(found.torn.length > torn
      ? [`${counted(found.torn.length)} ${found.torn.length === 1 ? 'line' : 'lines'} torn`]
      : []),
  ]
}

/** A count as people read it. */
export function counted(count: number): string {
  return count.toLocaleString('en-US')
}

const late = 'too late: '

/** A sentence that a busy machine may be to blame for. */
export function tooLate(what: string): string {
  return `${late}${what}`
}

export function isLate(wrong: string): boolean {
  return wrong.startsWith(late)
}
