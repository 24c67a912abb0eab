import { member } from '../../options/own-members.ts'
import type { EncodedBatch, ExportResult } from '../../pipeline/exporter.ts'
import type { WriterChild } from './child.ts'
import { frame, frameHeader, headerBytes, Kind, type Frame } from './writer-frames.ts'

let lastId = 0

/**
 * A batch on its way to a writer process, frame by frame.
 *
 *     header bytes             one frame, or for a very long record one for each piece and an empty one behind them
 *        └ sent ┘
 */
export class ProcessJob {
  readonly batch: EncodedBatch
  id = 0
  /** The writer process that it goes to; undefined while there is none. */
  child: WriterChild | undefined
  /** The writer has all of it. */
  isSent = false
  /** A writer ended that had all of it and did not answer: it may have been written. */
  isOutcomeUnknown = false
  /** A piece could not be made, so the rest will never come. */
  isBroken = false
  /** It is written in this process: no writer process gets it any more. */
  isInline = false
  /** The process is about to end, and the writer knows. */
  isFinishing = false
  /** What became of it. */
  result: ExportResult | undefined
  signal: AbortSignal | undefined
  /** Answers the pending `export`. */
  resolve: ((result: ExportResult) => void) | undefined

  private pieces: Iterator<Uint8Array, void> | undefined
  /** The frame at hand, of a batch in pieces. */
  private piece: Uint8Array | undefined
  private header: Uint8Array | undefined
  /** How many bytes of the frame at hand are sent. */
  private sent = 0

  constructor(batch: EncodedBatch) {
    this.batch = batch
  }

  /** Begins to send it, from its beginning. */
  begin(child: WriterChild): void {
    this.child = child
    this.id = lastId = (lastId + 1) >>> 0
    this.isSent = this.isFinishing = false
    this.header = undefined
    this.pieces = member(this.batch, 'pieces')?.call(this.batch)
    this.piece = undefined
    this.sent = 0
  }

  /** Sends what the socket takes of the next frame. Returns whether it took anything. */
  send(): boolean {
    const { child } = this
    if (child === undefined || this.isSent || this.isBroken) return false
    const header = (this.header ??= this.nextHeader())
    if (this.isBroken) return false
    const bytes = this.payload
    const { sent } = this
    const parts = sent < headerBytes ? [header.subarray(sent), bytes] : [bytes.subarray(sent - headerBytes)]
    this.sent += child.write(parts)
    const isWhole = this.sent === headerBytes + bytes.length
    const tookAny = this.sent > sent
    if (isWhole) {
      this.isSent = this.piece === undefined
      this.header = undefined
      this.sent = 0
    }
    return tookAny
  }

  /** Its bytes are not valid any more. The frame that is begun is made whole by a copy; a batch in pieces is taken back. */
  forsake(): void {
    const { child, header } = this
    this.child = undefined
    if (child?.isAlive !== true || this.isSent) return
    if (header !== undefined && this.sent > 0) {
      child.post(Buffer.concat([header, this.payload]).subarray(this.sent))
      this.isSent = this.pieces === undefined
    }
    if (this.pieces !== undefined) child.post(frame(Kind.forget))
  }

  /** What a frame says of it. */
  answerOf({ kind, value }: Frame): ExportResult {
    const accepted = this.recordsIn(value)
    switch (kind) {
      case Kind.accepted:
        return { status: 'accepted' }
      case Kind.rejected:
        return { status: 'rejected', accepted, reason: 'io_error' }
      case Kind.retryable:
        return { status: 'retryable', accepted }
      default:
        return { status: 'unknown', accepted }
    }
  }

  /** The answer with what is to be said of records that were written before without an answer. */
  withDoubt(result: ExportResult): ExportResult {
    if (!this.isOutcomeUnknown) return result
    if (result.status === 'accepted') return { status: 'accepted', maybeDuplicated: this.batch.count }
    const { accepted } = result
    return { status: 'unknown', accepted, ...(accepted > 0 ? { maybeDuplicated: accepted } : {}) }
  }

  private get payload(): Uint8Array {
    if (this.pieces === undefined) return this.batch.bytes()
    return this.piece ?? new Uint8Array(0)
  }

  private nextHeader(): Uint8Array {
    const { id, batch } = this
    if (this.pieces === undefined) return frameHeader(Kind.last, id, batch.count, batch.byteLength)
    // What throws in the next line has ended the pieces.
    this.isBroken = true
    const { value, done } = this.pieces.next()
    this.isBroken = false
    this.piece = done === true ? undefined : value
    const kind = done === true ? Kind.last : Kind.part
    return frameHeader(kind, id, batch.count, this.piece?.length ?? 0)
  }

  private recordsIn(bytes: number): number {
    return this.pieces === undefined ? this.batch.recordsIn(bytes) : 0
  }
}
