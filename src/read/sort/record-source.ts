import type { ReadRecord } from '../record.ts'
import { compareTimes, type TimeKey } from './time-key.ts'

/** A record with the time that it is sorted by. */
export interface TimedRecord extends TimeKey {
  readonly record: ReadRecord
  /** The number of the input. Among records with the same time, those of a lower number come first. */
  readonly input: number
}

/** Records in order, of one input or of several. */
export interface RecordSource {
  /** Among records with the same time of the same input, those of the source with the lower rank come first. */
  readonly rank: number
  /** The current record; undefined before the first call of `next` and after the last record. */
  readonly current: TimedRecord | undefined
  /** Moves to the next record if it is in memory already, and returns whether it is. */
  next(): boolean
  /** Reads more records, moves to the next one, and returns whether there is one. */
  fill(): Promise<boolean>
  /** Ends reading. */
  close(): Promise<void>
}

/** Compares the current records of two sources: by time, then by input, then by rank. */
export function compareSources(left: RecordSource, right: RecordSource): number {
  const a = left.current!
  const b = right.current!
  return compareTimes(a, b) || a.input - b.input || left.rank - right.rank
}
