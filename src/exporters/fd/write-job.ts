import { member } from '../../options/own-members.ts'
import type { EncodedBatch, ExportResult } from '../../pipeline/exporter.ts'

const none = new Uint8Array(0)
/** How much room in a file a record finds whose length is not known beforehand, in bytes: most of them need less. */
const LONG_RECORD = 1_048_576
const ACCEPTED: ExportResult = Object.freeze({ status: 'accepted' })

/** A batch on its way out, byte by byte. */
export class WriteJob {
  readonly batch: EncodedBatch
  /** The batch's bytes, or the piece of them that is to be written; only valid while the batch is at hand. */
  bytes: Uint8Array
  /** How many of these the destination has taken. */
  offset = 0
  /** The destination has taken a part of the line at `offset`. */
  insideLine = false
  /** A piece could not be made, so the rest will never come. */
  isBroken = false
  /** Answers the pending `export`; undefined when none is pending. */
  resolve: ((result: ExportResult) => void) | undefined

  /** The pieces that follow. */
  private readonly pieces: Iterator<Uint8Array, void> | undefined

  constructor(batch: EncodedBatch) {
    this.batch = batch
    this.pieces = member(batch, 'pieces')?.call(batch)
    this.bytes = this.pieces === undefined ? batch.bytes() : none
    if (this.pieces !== undefined) this.nextPiece()
  }

  /** Written in pieces, with turns of the event loop between them. */
  get isLong(): boolean {
    return this.pieces !== undefined
  }

  /** How much room a line must find at least, in bytes. */
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

  /** The batch has come again: its bytes may lie elsewhere. */
  refresh(): void {
    if (this.pieces === undefined) this.bytes = this.batch.bytes()
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
    if (this.pieces === undefined) return this.batch.recordsIn(this.offset)
    return this.isDone ? this.batch.count : 0
  }

  private nextPiece(): void {
    // What throws in the next line has ended the pieces.
    this.isBroken = true
    const { value, done } = this.pieces!.next()
    this.isBroken = false
    if (done === true) return
    this.bytes = value
    this.offset = 0
  }
}
