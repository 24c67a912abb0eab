import type { EncodedRecord } from '../encode/encoding.ts'
import type { RecordOwner } from './batch-buffer.ts'

/** Somebody who puts records into a pipeline. */
export interface Producer {
  readonly owner: RecordOwner
  /** How many of its records were lost without a word in the stream. */
  readonly unreported: number
  /**
   * The record that reports the lane's losses in the stream; undefined while there are none to report, while one is queued or
   * in flight, and after one was dropped until the lane has accepted another record.
   */
  dropReport(): DropReport | undefined
}

/** A record that tells losses. */
export interface DropReport {
  readonly text: EncodedRecord
  readonly severity: number
  /** Counts it for its lane, and is told whether it arrived: what a lost notice told is told again. */
  readonly owner: RecordOwner
  /** The notice has entered the queue: what it tells is told. */
  entered(): void
}
