import type { EncodedBatch, ExportResult, RejectedRecords } from '../../pipeline/exporter.ts'
import type { DestinationResult } from './destination.ts'
import type { StoredLine } from './write-loop.ts'
import { DetachableBatch } from './detachable-batch.ts'

/** A batch that is sent to the destination or written to files, and its result so far. */
export class SpoolJob {
  /** The batch of the pipeline. */
  readonly batch: EncodedBatch
  /** When attempts end if neither the destination nor the disk accepts the batch, in ms of the host's clock. */
  readonly deadline: number
  /** Resolves the pipeline's `export`; undefined if none is pending. */
  resolve: ((result: ExportResult) => void) | undefined
  private readonly wholeBatch: DetachableBatch
  /** How many records from the front are settled. */
  private settledCount = 0
  private rejected = 0
  private tooLarge = 0
  private maybeDuplicated = 0
  /** The index of the first record whose request got no response, if there is one. */
  private unknownFrom: number | undefined
  /** The index of the first record in a file that could not be synced to the disk, if there is one. */
  private unsyncedFrom: number | undefined
  private statusCode: number | undefined

  constructor(batch: EncodedBatch, deadline: number) {
    this.batch = batch
    this.deadline = deadline
    this.wholeBatch = new DetachableBatch({ batch })
  }

  get isDone(): boolean {
    return this.settledCount >= this.batch.count
  }

  /** How many records are not settled. */
  get restCount(): number {
    return Math.max(0, this.batch.count - this.settledCount)
  }

  /** Returns the records that are not settled. */
  rest(): EncodedBatch {
    return this.settledCount === 0 ? this.wholeBatch : this.wholeBatch.slice(this.settledCount)
  }

  /** Copies the batch, so that the queue may reclaim its bytes. */
  detach(): void {
    this.wholeBatch.detach()
  }

  /** Counts the destination's result for the records that `rest` returned. */
  addResult({ settled, rejected, tooLarge, isOutcomeUnknown, maybeDuplicated, statusCode }: DestinationResult): void {
    this.settledCount += settled
    this.rejected += rejected
    this.tooLarge += tooLarge
    this.maybeDuplicated += maybeDuplicated
    this.statusCode = statusCode ?? this.statusCode
    if (isOutcomeUnknown) this.markOutcomeUnknown()
  }

  /** Notes that the destination may have accepted the rest, or may still accept it. */
  markOutcomeUnknown(): void {
    this.unknownFrom ??= this.settledCount
  }

  /** Counts the records that were written to a file. */
  addStoredLine({ records, isDurable }: StoredLine): void {
    if (!isDurable) this.unsyncedFrom ??= this.settledCount
    this.settledCount += records
  }

  /** Settles the first record as too large, because it does not fit in a line. */
  dropFirstAsTooLarge(): void {
    this.settledCount++
    this.tooLarge++
  }

  /** Returns the result for the pipeline. A record that was sent without a response and then settled may have arrived twice. */
  result(): ExportResult {
    const { batch, settledCount, statusCode } = this
    const refused: RejectedRecords[] = []
    if (this.rejected > 0) refused.push({ records: this.rejected, reason: 'rejected' })
    if (this.tooLarge > 0) refused.push({ records: this.tooLarge, reason: 'too_large' })
    const sentAndSettled = this.unknownFrom === undefined ? 0 : settledCount - this.unknownFrom
    const maybeDuplicated = Math.max(sentAndSettled, this.maybeDuplicated)
    const details = {
      ...(refused.length > 0 ? { refused } : {}),
      ...(maybeDuplicated > 0 ? { maybeDuplicated } : {}),
      ...(statusCode === undefined ? {} : { statusCode }),
    }
    if (this.unsyncedFrom !== undefined) return { status: 'unknown', accepted: this.unsyncedFrom, ...details }
    if (this.rejected === batch.count) {
      const { refused: _, ...rest } = details
      return { status: 'rejected', accepted: 0, reason: 'rejected', ...rest }
    }
    if (settledCount >= batch.count) return { status: 'accepted', ...details }
    return this.unknownFrom === undefined
      ? { status: 'rejected', accepted: settledCount, reason: 'io_error', ...details }
      : { status: 'unknown', accepted: settledCount, ...details }
  }

  /** Returns the result for the pipeline while the batch is still being processed. */
  pendingResult(): ExportResult {
    return { status: 'retryable', accepted: this.settledCount }
  }
}
