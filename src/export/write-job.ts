import type { EncodedBatch, ExportResult } from '../pipeline/exporter.ts'

const ACCEPTED: ExportResult = Object.freeze({ status: 'accepted' })

/** A batch on its way out, byte by byte. */
export class WriteJob {
  readonly batch: EncodedBatch
  /** The batch's bytes; only valid while the batch is at hand. */
  bytes: Uint8Array
  /** How many bytes the destination has taken. */
  offset = 0
  /** The destination has taken a part of the line at `offset`. */
  insideLine = false
  /** Answers the pending `export`; undefined when none is pending. */
  resolve: ((result: ExportResult) => void) | undefined

  constructor(batch: EncodedBatch) {
    this.batch = batch
    this.bytes = batch.bytes()
  }

  get isDone(): boolean {
    return this.offset === this.bytes.length
  }

  advance(written: number): void {
    this.offset += written
    this.insideLine = this.bytes[this.offset - 1] !== 10
  }

  accepted(): ExportResult {
    return ACCEPTED
  }

  /** May come again at once: the waiting is done by the writer. */
  retryable(): ExportResult {
    return { status: 'retryable', accepted: this.wholeRecords(), retryAfterMillis: 0 }
  }

  rejected(): ExportResult {
    return { status: 'rejected', accepted: this.wholeRecords(), reason: 'io_error' }
  }

  unknown(): ExportResult {
    return { status: 'unknown', accepted: this.wholeRecords() }
  }

  private wholeRecords(): number {
    return this.batch.recordsIn(this.offset)
  }
}
