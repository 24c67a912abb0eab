import { brokenSums, type ToldLedger } from '../faults/harness/oracle.ts'
import type { ArrivalCounts } from './arrivals.ts'
import type { Destination } from './destinations.ts'
import { SeqRanges } from './seq-ranges.ts'

/** What is known of one life of an application when it is over. */
export interface LifeEnd {
  /** It said its last word; else it was killed, and what is known was told shortly before. */
  readonly told: boolean
  /** Every record below this was logged, and none above, if it was told. */
  readonly next: number
  /** The ledger of the destination that was told last. */
  readonly ledger: ToldLedger
  /** The ledger that was told last of a moment at which nothing waited, and which records had been logged then. */
  readonly settled: { readonly next: number; readonly ledger: ToldLedger } | undefined
}

/** A request that nobody will hear the answer of: what is sent twice in it is not counted any more. */
const UNCOUNTED = 512

/** What does not agree between the ledger of a life and what has arrived of it at a destination, in sentences. */
export function disagreementsOf(sink: Destination['sink'], end: LifeEnd, arrived: ArrivalCounts | undefined): string[] {
  const { told, ledger } = end
  const { notices, duplicates, again, late, seqs } = arrived ?? nothing
  const ranges = new SeqRanges(seqs)
  const there = ranges.size + notices
  const wrong = brokenSums(ledger)
  // Which process replays a record, and how often it is sent then, its own ledger does not know.
  if (sink === 'spool') return [...wrong, ...missing(end, there, ranges)]
  wrong.push(...missing(end, there, ranges))
  const uncounted = told || sink !== 'collector' ? 0 : UNCOUNTED
  if (duplicates > ledger.maybeDuplicated + uncounted)
    wrong.push(`${duplicates} records are doubled, ${ledger.maybeDuplicated} were counted: ${rangesText(again)}`)
  // A request without an answer may be read late.
  if (late > (sink === 'collector' ? ledger.unknown + uncounted : 0)) wrong.push(`${late} records are out of order`)
  if (told) wrong.push(...excess(end, ranges.last, there, notices))
  return wrong
}

function missing({ ledger: { written }, settled }: LifeEnd, there: number, ranges: SeqRanges): string[] {
  return [
    ...(there < written ? [`${written - there} of ${written} written records are missing`] : []),
    ...(settled === undefined ? [] : missingOf(settled, ranges)),
  ]
}

/** What is there although nobody said so. */
function excess({ next, ledger }: LifeEnd, last: number, there: number, notices: number): string[] {
  const { emitted, written, unknown, queued, dropped } = ledger
  // Taken without an answer, and refused when it was sent again: for the ledger it is what was said at last.
  const most = written + unknown + (dropped.byReason['rejected'] ?? 0)
  return [
    ...(queued === 0 ? [] : [`${queued} records are still queued`]),
    ...(there > most ? [`${there - most} more records are there than were written`] : []),
    ...(last >= next ? [`record ${last} is there, and ${next - 1} was the last one`] : []),
    // A notice is emitted as well, and may be lost.
    ...(emitted < next + notices ? [`${emitted} were emitted, of ${next} and ${notices} notices`] : []),
  ]
}

/** Of what had been settled, only that may be missing which was counted as missing. */
function missingOf({ next, ledger }: NonNullable<LifeEnd['settled']>, ranges: SeqRanges): string[] {
  const missing = ranges.missingBelow(next)
  const counted = ledger.filtered + ledger.dropped.total + ledger.unknown
  if (missing <= counted) return []
  const where = rangesText(ranges.gapsBelow(next))
  return [`${missing} of the first ${next} records are missing, ${counted} were counted: ${where}`]
}

/** How many torn lines the end of a life explains: a killed process leaves one, any other one only of what it counted. */
export function tornBy({ told, ledger }: LifeEnd): number {
  const { io_error: failed = 0, exit_deadline: late = 0, shutdown = 0 } = ledger.dropped.byReason
  const givenUp = failed + late + shutdown + ledger.unknown
  return told ? givenUp : givenUp + 1
}

const nothing: ArrivalCounts = { seqs: [], notices: 0, duplicates: 0, again: [], late: 0 }

function rangesText(ranges: ArrivalCounts['again']): string {
  const some = ranges.slice(0, 10).map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`))
  return `${some.join(', ')}${ranges.length > 10 ? ', …' : ''}`
}
