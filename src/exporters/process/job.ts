import { member } from '../../options/own-members.ts'
import type { EncodedBatch, ExportResult } from '../../pipeline/exporter.ts'
import type { WriterChild } from './child.ts'
import { encodeFrame, encodeFrameHeader, headerBytes, FrameKind, type Frame } from './writer-frames.ts'

/** The id of the batch that was sent last by any exporter of this thread. */
let lastId = 0

/**
 * A batch that is sent to a writer process. It is one frame; a very long record is one frame for each of its pieces, followed by
 * an empty one.
 */
export class ProcessJob {
  readonly batch: EncodedBatch
  /** The id in the frames. It is a new one for each writer process that the batch is sent to. */
  id = 0
  /** The writer process that the batch is sent to; undefined before, and after its answer, its end or `abandon`. */
  child: WriterChild | undefined
  /** Whether the socket has accepted the whole batch, or accepts the rest of it before anything else (see `abandon`). */
  isSent = false
  /** Whether a writer process ended without an answer after the whole batch was sent, so that it may have been written. */
  isOutcomeUnknown = false
  /** Whether creating a piece failed, so that the rest cannot be sent. */
  hasPieceFailed = false
  /** Whether the batch is written in this process. It is then no longer sent to a writer process. */
  isInline = false
  /** Whether a `finish` frame, which announces that this process is about to exit, was sent to the writer process. */
  isFinishSent = false
  /** The result, once it is known. */
  result: ExportResult | undefined
  signal: AbortSignal | undefined
  /** Resolves the pending `export`. */
  resolve: ((result: ExportResult) => void) | undefined

  /** The pieces of a very long record; undefined for other batches. */
  private pieces: Iterator<Uint8Array, void> | undefined
  /** The payload of the current frame of a batch in pieces; undefined for the empty last frame. */
  private piece: Uint8Array | undefined
  /** The header of the current frame; undefined between two frames. */
  private header: Uint8Array | undefined
  /** How many bytes of the current frame have been sent. */
  private sentBytes = 0

  constructor(batch: EncodedBatch) {
    this.batch = batch
  }

  /** Starts sending the batch from its beginning. */
  begin(child: WriterChild): void {
    this.child = child
    this.id = lastId = (lastId + 1) >>> 0
    this.isSent = this.isFinishSent = false
    this.header = undefined
    this.pieces = member(this.batch, 'pieces')?.call(this.batch)
    this.piece = undefined
    this.sentBytes = 0
  }

  /** Sends what the socket accepts of the current or next frame. Returns whether it accepted anything. */
  send(): boolean {
    const { child } = this
    if (child === undefined || this.isSent || this.hasPieceFailed) return false
    const header = (this.header ??= this.nextHeader())
    if (this.hasPieceFailed) return false
    const bytes = this.payload
    const sentBefore = this.sentBytes
    const parts =
      sentBefore < headerBytes ? [header.subarray(sentBefore), bytes] : [bytes.subarray(sentBefore - headerBytes)]
    this.sentBytes += child.write(parts)
    const isFrameSent = this.sentBytes === headerBytes + bytes.length
    const hasSentBytes = this.sentBytes > sentBefore
    if (isFrameSent) {
      this.isSent = this.piece === undefined
      this.header = undefined
      this.sentBytes = 0
    }
    return hasSentBytes
  }

  /**
   * Stops sending the batch, whose bytes become invalid. A frame that was sent in part is completed with a copy of the rest; a batch
   * in pieces is canceled.
   */
  abandon(): void {
    const { child, header } = this
    this.child = undefined
    if (child?.isAlive !== true || this.isSent) return
    if (header !== undefined && this.sentBytes > 0) {
      child.post(Buffer.concat([header, this.payload]).subarray(this.sentBytes))
      this.isSent = this.pieces === undefined
    }
    if (this.pieces !== undefined) child.post(encodeFrame(FrameKind.cancel))
  }

  /** Returns the result that an answer of the writer process contains. */
  resultOf({ kind, value }: Frame): ExportResult {
    const accepted = this.recordsIn(value)
    switch (kind) {
      case FrameKind.accepted:
        return { status: 'accepted' }
      case FrameKind.rejected:
        return { status: 'rejected', accepted, reason: 'io_error' }
      case FrameKind.retryable:
        return { status: 'retryable', accepted }
      default:
        return { status: 'unknown', accepted }
    }
  }

  /** Returns a result adjusted for `isOutcomeUnknown`: an earlier writer process may have written the batch as well. */
  adjustForUnknownOutcome(result: ExportResult): ExportResult {
    if (!this.isOutcomeUnknown) return result
    if (result.status === 'accepted') return { status: 'accepted', maybeDuplicated: this.batch.count }
    const { accepted } = result
    return { status: 'unknown', accepted, ...(accepted > 0 ? { maybeDuplicated: accepted } : {}) }
  }

  /** The payload of the current frame. */
  private get payload(): Uint8Array {
    if (this.pieces === undefined) return this.batch.bytes()
    return this.piece ?? new Uint8Array(0)
  }

  /** Starts the next frame and returns its header. */
  private nextHeader(): Uint8Array {
    const { id, batch } = this
    if (this.pieces === undefined) return encodeFrameHeader(FrameKind.last, id, batch.count, batch.byteLength)
    // If `next` throws, this remains true, because the iterator then has no more pieces.
    this.hasPieceFailed = true
    const { value, done } = this.pieces.next()
    this.hasPieceFailed = false
    this.piece = done === true ? undefined : value
    const kind = done === true ? FrameKind.last : FrameKind.part
    return encodeFrameHeader(kind, id, batch.count, this.piece?.length ?? 0)
  }

  /** Returns how many complete records the first bytes contain. A batch in pieces is one record, so a part of it contains none. */
  private recordsIn(bytes: number): number {
    return this.pieces === undefined ? this.batch.recordsIn(bytes) : 0
  }
}
