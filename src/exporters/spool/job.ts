import type { EncodedBatch, ExportResult, RejectedRecords } from '../../pipeline/exporter.ts'
import type { DestinationAnswer } from './destination.ts'
import type { SpoolPosition } from './intake.ts'
import { BorrowedBatch } from './borrowed-batch.ts'

/** A batch on its way, to the destination or into files, and what has become of it so far. */
export class SpoolJob {
  /** As the pipeline knows it. */
  readonly batch: EncodedBatch
  /** Until when it is tried where neither takes it, in ms of the host's clock. */
  readonly deadline: number
  /** Answers the pipeline's `export`; undefined while nobody waits. */
  resolve: ((result: ExportResult) => void) | undefined
  private readonly whole: BorrowedBatch
  /** How many records from the front are settled. */
  private done = 0
  private rejected = 0
  private tooLarge = 0
  private duplicated = 0
  /** From here on records were sent without an answer. */
  private doubtFrom: number | undefined
  /** From here on records are in a file of which nobody knows whether the disk has it. */
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

  /** What has no answer yet. */
  rest(): EncodedBatch {
    return this.done === 0 ? this.whole : this.whole.slice(this.done)
  }

  /** The queue may take its bytes back. */
  detach(): void {
    this.whole.detach()
  }

  /** Counts what the destination said of the rest. */
  answered({ settled, rejected, tooLarge, inDoubt, maybeDuplicated, statusCode }: DestinationAnswer): void {
    this.done += settled
    this.rejected += rejected
    this.tooLarge += tooLarge
    this.duplicated += maybeDuplicated
    this.statusCode = statusCode ?? this.statusCode
    if (inDoubt) this.doubt()
  }

  /** The destination may have the rest, or may yet take it. */
  doubt(): void {
    this.doubtFrom ??= this.done
  }

  /** Counts what a file has taken of the rest. */
  kept({ records, synced }: SpoolPosition): void {
    if (!synced) this.unsyncedFrom ??= this.done
    this.done += records
  }

  /** The first record is longer than any line. */
  refuseFirst(): void {
    this.done++
    this.tooLarge++
  }

  /** What the pipeline is told. */
  result(): ExportResult {
    const { batch, done, statusCode } = this
    const refused: RejectedRecords[] = []
    if (this.rejected > 0) refused.push({ records: this.rejected, reason: 'rejected' })
    if (this.tooLarge > 0) refused.push({ records: this.tooLarge, reason: 'too_large' })
    const inDoubt = this.doubtFrom === undefined ? 0 : done - this.doubtFrom
    const maybeDuplicated = Math.max(inDoubt, this.duplicated)
    const notes = {
      ...(refused.length > 0 ? { refused } : {}),
      ...(maybeDuplicated > 0 ? { maybeDuplicated } : {}),
      ...(statusCode === undefined ? {} : { statusCode }),
    }
    if (this.unsyncedFrom !== undefined) return { status: 'unknown', accepted: this.unsyncedFrom, ...notes }
    if (this.rejected === batch.count) {
      const { refused: _, ...rest } = notes
      return { status: 'rejected', accepted: 0, reason: 'rejected', ...rest }
    }
    if (done >= batch.count) return { status: 'accepted', ...notes }
    return this.doubtFrom === undefined
      ? { status: 'rejected', accepted: done, reason: 'io_error', ...notes }
      : { status: 'unknown', accepted: done, ...notes }
  }

  /** What the pipeline is told when the batch goes on. */
  pending(): ExportResult {
    return { status: 'retryable', accepted: this.done }
  }
}
