import { findMismatches, countSequence, type SinkContents, type ReportedStats } from './oracle.ts'

/** The observable result of a process. */
export interface ProcessOutcome {
  readonly pid: number
  /** How many records the process had to log. */
  readonly logged: number
  readonly contents: SinkContents
  /** undefined: the logger has no statistics. */
  readonly stats: ReportedStats | undefined
  readonly stderr: string
  /** Errors that the logger passed to the program by an event, a callback or a rejection. */
  readonly errors: readonly string[]
}

/** The effects that a fault may have. */
export interface AllowedEffects {
  /**
   * `nothing` (default): every record is in the sink. `reported`: records may be missing if that is reported. A logger with
   * statistics reports how many and why in the statistics, in drop reports and on standard error.
   */
  readonly losses?: 'nothing' | 'reported'
  /** The allowed drop reasons of a logger that has drop reasons. */
  readonly reasons?: readonly string[]
  /** How many lines may be torn. Default 0. */
  readonly torn?: number
  /** The process continued after the fault, so drop reports must include all losses. Default false. */
  readonly recovered?: boolean
}

/** Returns everything that is wrong with the result of a process, as sentences. */
export function checkOutcome(outcome: ProcessOutcome, allowed: AllowedEffects): string[] {
  const { pid, contents, stats } = outcome
  return stats === undefined
    ? checkWithoutStats(outcome, allowed)
    : [
        ...findMismatches(contents, new Map([[pid, stats]]), allowed.torn),
        ...checkStats(stats, outcome, allowed),
        ...(stats.dropped.total === 0 ? [] : checkDropReports(stats, outcome, allowed)),
      ]
}

function checkStats(
  { emitted, unknown, dropped, queued }: ReportedStats,
  outcome: ProcessOutcome,
  allowed: AllowedEffects,
): string[] {
  const { losses = 'nothing', reasons = [] } = allowed
  const others = Object.entries(dropped.byReason).filter(([reason, count]) => count > 0 && !reasons.includes(reason))
  return [
    ...(emitted >= outcome.logged ? [] : [`${outcome.logged - emitted} of ${outcome.logged} were not counted`]),
    ...(queued === 0 ? [] : [`${queued} were still queued at exit`]),
    ...(losses === 'nothing' && dropped.total + unknown > 0
      ? [`${dropped.total} of ${outcome.logged} dropped, ${unknown} unknown: ${JSON.stringify(dropped.byReason)}`]
      : others.map(([reason, count]) => `${count} dropped for ${reason}`)),
  ]
}

/** Losses must be in drop reports if the process continued, and otherwise in drop reports or on standard error. */
function checkDropReports(
  { dropped }: ReportedStats,
  { contents, stderr }: ProcessOutcome,
  { recovered = false }: AllowedEffects,
): string[] {
  const inStream = contents.dropReports.reduce((sum, { dropped }) => sum + dropped, 0)
  if (!recovered) {
    const atEnd = lostAtEnd(stderr)
    return inStream + atEnd >= dropped.total
      ? []
      : [`${dropped.total} dropped, ${inStream} of them reported in the stream and ${atEnd} at exit`]
  }
  const wrong = Object.entries(dropped.byReason).filter(([reason, count]) => {
    return contents.dropReports.reduce((sum, { byReason }) => sum + (byReason[reason] ?? 0), 0) !== count
  })
  const records = [...contents.sequences.values()].reduce((sum, sequences) => sum + sequences.length, 0)
  return [
    ...wrong.map(([reason, count]) => `no drop report for the ${count} dropped for ${reason}`),
    ...((contents.dropReports.at(-1)?.recordsBefore ?? 0) < records
      ? []
      : ['the drop reports are only at the end of the stream']),
  ]
}

/** Uses the last report, which is complete: a signal may cause an earlier one. */
function lostAtEnd(stderr: string): number {
  const [, atEnd = 0, before = 0] =
    [...stderr.matchAll(/(\d+) records?(?:.*; (\d+) (?:was|were) lost earlier)?/g)].at(-1) ?? []
  return Number(atEnd) + Number(before)
}

/** A logger without statistics must write everything or report the loss. */
function checkWithoutStats(
  { pid, logged, contents, stderr, errors }: ProcessOutcome,
  allowed: AllowedEffects,
): string[] {
  const { unique, duplicates, disorder } = countSequence(contents, pid)
  const { losses = 'nothing', torn = 0 } = allowed
  const lost = logged - unique
  // An error of the program itself is not a report of the logger.
  const isReported = errors.length > 0 || (stderr.trim() !== '' && !stderr.includes('Error: mine'))
  return [
    ...(lost > 0 && !(losses === 'reported' && isReported)
      ? [`${formatCount(lost)} of ${formatCount(logged)} lost${isReported ? '' : ' without a report'}`]
      : []),
    ...(duplicates > 0 ? [`${formatCount(duplicates)} written twice`] : []),
    ...(disorder > 0 ? [`${formatCount(disorder)} out of order`] : []),
    ...(contents.torn.length > torn
      ? [`${formatCount(contents.torn.length)} ${contents.torn.length === 1 ? 'line' : 'lines'} torn`]
      : []),
  ]
}

/** Formats a count with thousands separators. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

const late = 'too late: '

/** Marks a sentence about a delay, which a busy machine may cause. */
export function tooLate(what: string): string {
  return `${late}${what}`
}

export function isLate(wrong: string): boolean {
  return wrong.startsWith(late)
}
