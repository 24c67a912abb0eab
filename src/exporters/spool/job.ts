import type { EncodedBatch, ExportResult, RejectedRecords } from '../../pipeline/exporter.ts'
import type { DestinationResult } from './destination.ts'
import type { SpoolPosition } from './write-loop.ts'
import { BorrowedBatch } from './borrowed-batch.ts'

/** A batch on its way to the destination or into files, and its result so far. */
export class SpoolJob {
  /** The batch of the pipeline. */
  readonly batch: EncodedBatch
  /** When attempts end if neither the destination nor the disk accepts it, in ms of the host's clock. */
  readonly deadline: number
  /** Resolves the pipeline's `export`; undefined if none is pending. */
  resolve: ((result: ExportResult) => void) | undefined
  private readonly whole: BorrowedBatch
  /** How many records from the front are settled. */
  private done = 0
  private rejected = 0
  private tooLarge = 0
  private duplicated = 0
  /** Records from here on were sent without an answer. */
  private unknownFrom: number | undefined
  /** Records from here on are in a file that may not be synced to the disk. */
  private unsyncedFrom: number | undefined
  private statusCode: number | undefined

  constructor(batch: EncodedBatch, deadline: number) {
    this.batch = batch
    this.deadline = deadline
    this.whole = new BorrowedBatch({ batch })
  }

  get isDone(): boolean {
    return this.done >= this.batch.count
  }

  /** Returns the records that are not settled. */
  rest(): EncodedBatch {
    return this.done === 0 ? this.whole : this.whole.slice(this.done)
  }

  /** Copies the batch, so that the queue may reclaim its bytes. */
  detach(): void {
    this.whole.detach()
  }

  /** Counts the destination's answer for the rest. */
  answered({ settled, rejected, tooLarge, inDoubt, maybeDuplicated, statusCode }: DestinationResult): void {
    this.done += settled
    this.rejected += rejected
    this.tooLarge += tooLarge
    this.duplicated += maybeDuplicated
    this.statusCode = statusCode ?? this.statusCode
    if (inDoubt) this.doubt()
  }

  /** Notes that the destination may have accepted the rest, or may still accept it. */
  doubt(): void {
    this.unknownFrom ??= this.done
  }

  /** Counts the records that were written to a file. */
  kept({ records, synced }: SpoolPosition): void {
    if (!synced) this.unsyncedFrom ??= this.done
    this.done += records
  }

  /** Counts the first record as too large, because it does not fit in a line. */
  refuseFirst(): void {
    this.done++
    this.tooLarge++
  }

  /** Returns the result for the pipeline. */
  result(): ExportResult {
    const { batch, done, statusCode } = this
    const refused: RejectedRecords[] = []
    if (this.rejected > 0) refused.push({ records: this.rejected, reason: 'rejected' })
    if (this.tooLarge > 0) refused.push({ records: this.tooLarge, reason: 'too_large' })
    const inDoubt = this.unknownFrom === undefined ? 0 : done - this.unknownFrom
    const maybeDuplicated = Math.max(inDoubt, this.duplicated)
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
    if (done >= batch.count) return { status: 'accepted', ...details }
    return this.unknownFrom === undefined
      ? { status: 'rejected', accepted: done, reason: 'io_error', ...details }
      : { status: 'unknown', accepted: done, ...details }
  }

  /** Returns the result for the pipeline while the batch is still being processed. */
  pending(): ExportResult {
    return { status: 'retryable', accepted: this.done }
  }
}
