import { member } from '../../options/own-members.ts'
import type { EncodedBatch, ExportResult } from '../../pipeline/exporter.ts'

const NO_BYTES = new Uint8Array(0)
/** The room in a file that is reserved for a record of unknown length, in bytes. Most records need less. */
const LONG_RECORD = 1_048_576
const ACCEPTED: ExportResult = Object.freeze({ status: 'accepted' })

/** The write progress of one batch. */
export class WriteJob {
  readonly batch: EncodedBatch
  /** The bytes of the batch, or of its current piece. Valid only until the batch is answered. */
  bytes: Uint8Array
  /** How many of these bytes have been written. */
  offset = 0
  /** Whether the line at `offset` has been written partially. */
  insideLine = false
  /** Whether creating a piece failed, so the rest of the batch cannot be written. */
  isBroken = false
  /** Resolves the pending `export`; undefined if none is pending. */
  resolve: ((result: ExportResult) => void) | undefined

  /** The remaining pieces. */
  private readonly pieces: Iterator<Uint8Array, void> | undefined

  constructor(batch: EncodedBatch) {
    this.batch = batch
    this.pieces = member(batch, 'pieces')?.call(batch)
    this.bytes = this.pieces === undefined ? batch.bytes() : NO_BYTES
    if (this.pieces !== undefined) this.nextPiece()
  }

  /** Whether the batch is written in pieces, with event-loop turns between them. */
  get isLong(): boolean {
    return this.pieces !== undefined
  }

  /** The minimum room that a line needs, in bytes. */
  get lineRoom(): number {
    return this.isLong ? LONG_RECORD : 0
  }

  get isDone(): boolean {
    return this.offset === this.bytes.length && !this.isBroken
  }

  advance(written: number): void {
    this.offset += written
    this.insideLine = this.bytes[this.offset - 1] !== 10
    if (this.isDone && this.pieces !== undefined) this.nextPiece()
  }

  /** Reads the bytes again: when the same batch is exported again, its buffer may have moved. */
  refresh(): void {
    if (this.pieces === undefined) this.bytes = this.batch.bytes()
  }

  accepted(): ExportResult {
    return ACCEPTED
  }

  /** Returns a result that allows an immediate retry, because the writer itself does the waiting. */
  retryable(): ExportResult {
    return { status: 'retryable', accepted: this.writtenRecords(), retryAfterMillis: 0 }
  }

  rejected(): ExportResult {
    return { status: 'rejected', accepted: this.writtenRecords(), reason: 'io_error' }
  }

  unknown(): ExportResult {
    return { status: 'unknown', accepted: this.writtenRecords() }
  }

  private writtenRecords(): number {
    if (this.pieces === undefined) return this.batch.recordsIn(this.offset)
    return this.isDone ? this.batch.count : 0
  }

  private nextPiece(): void {
    // Set first: if the next line throws, there are no more pieces.
    this.isBroken = true
    const { value, done } = this.pieces!.next()
    this.isBroken = false
    if (done === true) return
    this.bytes = value
    this.offset = 0
  }
}
