import type { EncodedRecord } from '../encode/encoding.ts'
import type { RecordOwner } from './batch-buffer.ts'

/** A producer of records on a pipeline: one logger with one of its exporters. */
export interface Producer {
  readonly owner: RecordOwner
  /** The number of this producer's dropped records that no queued or exported drop report includes. */
  readonly unreportedCount: number
  /**
   * Returns the record that reports the producer's drops in the log. Returns undefined while there are no drops to report,
   * while a report is queued or in flight, and after a report was dropped until the producer has accepted another record.
   */
  dropReport(): DropReport | undefined
}

/** A record that reports drops. */
export interface DropReport {
  readonly text: EncodedRecord
  readonly severity: number
  /** The owner, which counts the report for its producer. If the report does not arrive, its drops are reported again. */
  readonly owner: RecordOwner
  /** Called when the report has been queued, so that its drops count as reported. */
  onQueued(): void
}
