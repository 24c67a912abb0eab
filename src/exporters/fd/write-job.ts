import { member } from '../../options/own-members.ts'
import type { EncodedBatch, ExportResult } from '../../pipeline/exporter.ts'

const NO_BYTES = new Uint8Array(0)
/** The length that is assumed for a record written in pieces, in bytes. The real one is unknown, but it is less for most such records. */
const ASSUMED_LONG_RECORD_BYTES = 1_048_576
const acceptedResult: ExportResult = Object.freeze({ status: 'accepted' })

/** The write progress of one batch. */
export class WriteJob {
  readonly batch: EncodedBatch
  /** The bytes of the batch, or of its current piece. Valid only until the batch has a result. */
  bytes: Uint8Array
  /** How many of these bytes have been written. */
  offset = 0
  /** Whether the line at `offset` has been written partially. */
  isInsideLine = false
  /** Whether creating a piece failed, so the rest of the batch cannot be written. */
  hasPieceFailed = false
  /** Resolves the pending `export`; undefined if none is pending. */
  resolve: ((result: ExportResult) => void) | undefined

  /** The remaining pieces of a batch that is written in pieces. */
  private readonly pieces: Iterator<Uint8Array, void> | undefined

  constructor(batch: EncodedBatch) {
    this.batch = batch
    this.pieces = member(batch, 'pieces')?.call(batch)
    this.bytes = this.pieces === undefined ? batch.bytes() : NO_BYTES
    if (this.pieces !== undefined) this.nextPiece()
  }

  /** Whether the batch is written in pieces; see `EncodedBatch.pieces`. */
  get isInPieces(): boolean {
    return this.pieces !== undefined
  }

  /** The minimum length to assume for a line, in bytes: more than 0 only if `bytes` is a piece of it. */
  get assumedLineBytes(): number {
    return this.isInPieces ? ASSUMED_LONG_RECORD_BYTES : 0
  }

  /** Whether all bytes of the batch have been written. */
  get isDone(): boolean {
    return this.offset === this.bytes.length && !this.hasPieceFailed
  }

  /** Adds the number of bytes that were written. After the last byte of a piece, reads the next piece. */
  advance(written: number): void {
    this.offset += written
    this.isInsideLine = this.bytes[this.offset - 1] !== 10
    if (this.isDone && this.pieces !== undefined) this.nextPiece()
  }

  /** Reads the bytes of the batch again. When the same batch is exported again, its buffer may have moved. */
  refresh(): void {
    if (this.pieces === undefined) this.bytes = this.batch.bytes()
  }

  acceptedResult(): ExportResult {
    return acceptedResult
  }

  /** Returns a result that allows an immediate retry, because the writer itself delays its attempts. */
  retryableResult(): ExportResult {
    return { status: 'retryable', accepted: this.countWrittenRecords(), retryAfterMillis: 0 }
  }

  rejectedResult(): ExportResult {
    return { status: 'rejected', accepted: this.countWrittenRecords(), reason: 'io_error' }
  }

  unknownResult(): ExportResult {
    return { status: 'unknown', accepted: this.countWrittenRecords() }
  }

  private countWrittenRecords(): number {
    if (this.pieces === undefined) return this.batch.recordsIn(this.offset)
    return this.isDone ? this.batch.count : 0
  }

  private nextPiece(): void {
    // If `next` throws, the generator is finished, and its remaining pieces are lost.
    this.hasPieceFailed = true
    const { value, done } = this.pieces!.next()
    this.hasPieceFailed = false
    if (done === true) return
    this.bytes = value
    this.offset = 0
  }
}
