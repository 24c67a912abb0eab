import { member } from '../../options/own-members.ts'
import type { EncodedBatch, ExportResult } from '../../pipeline/exporter.ts'
import type { WriterChild } from './child.ts'
import { frame, frameHeader, headerBytes, Kind, type Frame } from './writer-frames.ts'

let lastId = 0

/**
 * A batch that is sent to a writer process, frame by frame.
 *
 *     header bytes             one frame; for a very long record, one per piece followed by an empty one
 *        └ sent ┘
 */
export class ProcessJob {
  readonly batch: EncodedBatch
  id = 0
  /** The writer process that it is sent to; undefined if there is none. */
  child: WriterChild | undefined
  /** Whether the writer process has received all of it. */
  isSent = false
  /** Whether a writer process that had received all of it ended without an answer, so that it may have been written. */
  isOutcomeUnknown = false
  /** Whether creating a piece failed, so that the rest cannot be sent. */
  isBroken = false
  /** Whether it is written in this process. It is then no longer sent to a writer process. */
  isInline = false
  /** Whether the process is about to exit and the writer process was notified. */
  isFinishing = false
  /** The result, once it is known. */
  result: ExportResult | undefined
  signal: AbortSignal | undefined
  /** Resolves the pending `export`. */
  resolve: ((result: ExportResult) => void) | undefined

  private pieces: Iterator<Uint8Array, void> | undefined
  /** The payload of the current frame, for a batch in pieces. */
  private piece: Uint8Array | undefined
  private header: Uint8Array | undefined
  /** How many bytes of the current frame have been sent. */
  private sent = 0

  constructor(batch: EncodedBatch) {
    this.batch = batch
  }

  /** Starts sending the batch from its beginning. */
  begin(child: WriterChild): void {
    this.child = child
    this.id = lastId = (lastId + 1) >>> 0
    this.isSent = this.isFinishing = false
    this.header = undefined
    this.pieces = member(this.batch, 'pieces')?.call(this.batch)
    this.piece = undefined
    this.sent = 0
  }

  /** Sends what the socket accepts of the next frame. Returns whether it accepted anything. */
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

  /**
   * Abandons the batch, because its bytes are no longer valid. A frame that has been started is completed with a copy; a batch
   * in pieces is canceled.
   */
  abandon(): void {
    const { child, header } = this
    this.child = undefined
    if (child?.isAlive !== true || this.isSent) return
    if (header !== undefined && this.sent > 0) {
      child.post(Buffer.concat([header, this.payload]).subarray(this.sent))
      this.isSent = this.pieces === undefined
    }
    if (this.pieces !== undefined) child.post(frame(Kind.forget))
  }

  /** Returns the result that a frame contains. */
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

  /** Returns the result, adjusted for records that may have been written before without an answer. */
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
    // Set first: if the next line throws, there are no more pieces.
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
