/**
 * The protocol between the writer process and its parent, one stream in each direction:
 *
 *     kind  id    value  length  payload
 *     u32   u32   u32    u32     length bytes
 *
 * All numbers are little endian, so the header has 16 bytes.
 *
 * To the writer process: a batch is any number of `part` frames and one `last` frame, all with the batch's id; `value` is the
 * number of records in the batch. `cancel` discards the `part` frames of a batch whose `last` frame was not sent. `finish`: the
 * parent is about to exit, so answer all batches before the time in the payload. `sync`: sync what is written to the disk.
 *
 * From the writer process: one answer (`accepted`, `retryable`, `rejected` or `unknown`) for each complete batch, in order; `value`
 * is how many bytes of the batch are written, counted from its start. `synced` answers `sync`, whether or not it succeeded.
 * `diagnostic`: JSON of a code and a message.
 */
export const FrameKind = {
  part: 1,
  last: 2,
  cancel: 3,
  finish: 4,
  sync: 5,
  accepted: 16,
  retryable: 17,
  rejected: 18,
  unknown: 19,
  synced: 20,
  diagnostic: 21,
} as const
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind]

/** A received frame. */
export interface Frame {
  /** A `FrameKind`, or an unknown number. */
  readonly kind: number
  readonly id: number
  readonly value: number
  /** The payload. The receiver owns these bytes. */
  readonly payload: Uint8Array
}

/** The length of a header in bytes. */
export const headerBytes = 16
const NO_BYTES = new Uint8Array(0)

/**
 * Returns the header of a frame.
 *
 * @param length - The length of the payload in bytes.
 */
export function encodeFrameHeader(kind: FrameKind, id: number, value: number, length: number): Uint8Array {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt32LE(kind, 0)
  header.writeUInt32LE(id, 4)
  header.writeUInt32LE(value, 8)
  header.writeUInt32LE(length, 12)
  return header
}

/** Returns a frame, header and payload. */
export function encodeFrame(kind: FrameKind, id = 0, value = 0, payload: Uint8Array = NO_BYTES): Uint8Array {
  return Buffer.concat([encodeFrameHeader(kind, id, value, payload.length), payload])
}

/** Reassembles frames from the chunks of a stream. */
export class FrameReader {
  private readonly onFrame: (frame: Frame) => void
  private readonly maxPayloadBytes: number
  private readonly header = Buffer.alloc(headerBytes)
  private payload: Uint8Array = NO_BYTES
  /** How many bytes of the current frame have been received, including its header. */
  private receivedBytes = 0

  /** @param maxPayloadBytes - The maximum length of a payload. */
  constructor(onFrame: (frame: Frame) => void, maxPayloadBytes: number = Infinity) {
    this.onFrame = onFrame
    this.maxPayloadBytes = maxPayloadBytes
  }

  /** Processes the next chunk, whose bytes may be reused afterwards. Throws a RangeError if a payload is too long. */
  push(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length;) {
      if (this.receivedBytes < headerBytes) offset += this.fill(this.header, this.receivedBytes, bytes, offset)
      else offset += this.fill(this.payload, this.receivedBytes - headerBytes, bytes, offset)
      if (this.receivedBytes === headerBytes) this.payload = this.allocatePayload(this.payloadLength)
      if (this.receivedBytes === headerBytes + this.payloadLength && this.receivedBytes >= headerBytes) this.complete()
    }
  }

  /** The payload's length, once the header is complete. */
  private get payloadLength(): number {
    return this.header.readUInt32LE(12)
  }

  private allocatePayload(length: number): Uint8Array {
    if (length > this.maxPayloadBytes) throw new RangeError('frame too long')
    return length === 0 ? NO_BYTES : Buffer.allocUnsafe(length)
  }

  /** Copies bytes of a chunk, from `offset` on, until `target` is full. Returns how many. */
  private fill(target: Uint8Array, start: number, bytes: Uint8Array, offset: number): number {
    const part = bytes.subarray(offset, offset + target.length - start)
    target.set(part, start)
    this.receivedBytes += part.length
    return part.length
  }

  /** Passes the current frame to `onFrame` and starts the next one. */
  private complete(): void {
    const { header, payload } = this
    this.receivedBytes = 0
    this.payload = NO_BYTES
    this.onFrame({ kind: header.readUInt32LE(0), id: header.readUInt32LE(4), value: header.readUInt32LE(8), payload })
  }
}
