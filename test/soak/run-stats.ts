import { inconsistentSums, type ReportedStats } from '../faults/harness/oracle.ts'
import type { ArrivalCounts } from './arrivals.ts'
import type { Destination } from './destinations.ts'
import { SeqRanges } from './seq-ranges.ts'

/** The reported statistics of a process for one destination. */
export interface RunStats {
  /** Whether these are the statistics at exit. If the process was killed, they are older. */
  readonly isFinal: boolean
  /** The number of logged records, if `isFinal`, and otherwise a lower limit. */
  readonly next: number
  /** The last reported statistics of the destination. */
  readonly stats: ReportedStats
  /** The last reported statistics with an empty queue, and the number of records that were logged then. */
  readonly settled: { readonly next: number; readonly stats: ReportedStats } | undefined
}

/** The number of records in a request whose response is lost. Its duplicates are not counted. */
const UNCOUNTED = 512

/** Returns the mismatches between the statistics of a process and the records at a destination, as sentences. */
export function mismatchesOf(sink: Destination['sink'], end: RunStats, arrived: ArrivalCounts | undefined): string[] {
  const { isFinal, stats } = end
  const { dropReports, duplicates, repeated, late, sequences } = arrived ?? noArrivals
  const ranges = new SeqRanges(sequences)
  const found = ranges.size + dropReports
  const wrong = inconsistentSums(stats)
  // Another process may replay the records, so the statistics of this one do not include duplicates.
  if (sink === 'spool') return [...wrong, ...missing(end, found, ranges)]
  wrong.push(...missing(end, found, ranges))
  const uncounted = isFinal || sink !== 'collector' ? 0 : UNCOUNTED
  if (duplicates > stats.maybeDuplicated + uncounted)
    wrong.push(`${duplicates} records are duplicated, ${stats.maybeDuplicated} were counted: ${rangesText(repeated)}`)
  // A request without a response may be processed late.
  if (late > (sink === 'collector' ? stats.unknown + uncounted : 0)) wrong.push(`${late} records are out of order`)
  if (isFinal) wrong.push(...excess(end, ranges.last, found, dropReports))
  return wrong
}

function missing({ stats: { written }, settled }: RunStats, found: number, ranges: SeqRanges): string[] {
  return [
    ...(found < written ? [`${written - found} of ${written} written records are missing`] : []),
    ...(settled === undefined ? [] : missingOf(settled, ranges)),
  ]
}

/** Returns errors about records that were not reported as written. */
function excess({ next, stats }: RunStats, last: number, found: number, dropReports: number): string[] {
  const { emitted, written, unknown, queued, dropped } = stats
  // A request may be accepted without a response and rejected when it is repeated. Then its records count as rejected.
  const most = written + unknown + (dropped.byReason['rejected'] ?? 0)
  return [
    ...(queued === 0 ? [] : [`${queued} records are still queued`]),
    ...(found > most ? [`${found - most} more records arrived than were written`] : []),
    ...(last >= next ? [`record ${last} arrived, but ${next - 1} was the last one`] : []),
    // A drop report is also emitted, and may be lost.
    ...(emitted < next + dropReports ? [`${emitted} were emitted, of ${next} and ${dropReports} drop reports`] : []),
  ]
}

/** Of the settled records only those may be missing that were counted as dropped, filtered or unknown. */
function missingOf({ next, stats }: NonNullable<RunStats['settled']>, ranges: SeqRanges): string[] {
  const missing = ranges.missingBelow(next)
  const counted = stats.filtered + stats.dropped.total + stats.unknown
  if (missing <= counted) return []
  const where = rangesText(ranges.gapsBelow(next))
  return [`${missing} of the first ${next} records are missing, ${counted} were counted: ${where}`]
}

/** Returns how many torn lines a process may leave: one if it was killed, and one for each record that it abandoned and counted. */
export function allowedTornLines({ isFinal, stats }: RunStats): number {
  const { io_error: failed = 0, exit_deadline: late = 0, shutdown = 0 } = stats.dropped.byReason
  const abandoned = failed + late + shutdown + stats.unknown
  return isFinal ? abandoned : abandoned + 1
}

const noArrivals: ArrivalCounts = { sequences: [], dropReports: 0, duplicates: 0, repeated: [], late: 0 }

function rangesText(ranges: ArrivalCounts['repeated']): string {
  const some = ranges.slice(0, 10).map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`))
  return `${some.join(', ')}${ranges.length > 10 ? ', …' : ''}`
}
