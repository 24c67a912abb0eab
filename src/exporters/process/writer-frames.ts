/**
 * The protocol between the writer process and its parent, one stream in each direction:
 *
 *     kind  id    value  length  payload
 *     u8…   u32   u32    u32     length bytes        16 bytes in front, little endian
 *
 * To the writer: a batch is any number of `part` frames and one `last`, all with its id; `value` is its number of records.
 * `forget` cancels a batch whose `last` was not sent. `finish`: the parent exits; settle everything until the time in the
 * payload. `sync`: sync what is written to the disk.
 *
 * From the writer: one answer for each batch, in order; `value` is how many of its bytes are written permanently. `synced`
 * answers `sync`, whether or not it succeeded. `problem`: JSON of a code and a message.
 */
export const Kind = {
  part: 1,
  last: 2,
  forget: 3,
  finish: 4,
  sync: 5,
  accepted: 16,
  retryable: 17,
  rejected: 18,
  unknown: 19,
  synced: 20,
  problem: 21,
} as const
export type Kind = (typeof Kind)[keyof typeof Kind]

/** A received frame. */
export interface Frame {
  readonly kind: number
  readonly id: number
  readonly value: number
  /** The payload. The receiver owns these bytes. */
  readonly payload: Uint8Array
}

export const headerBytes = 16
const NO_BYTES = new Uint8Array(0)

/**
 * Returns the header of a frame.
 *
 * @param length - The length of the payload in bytes.
 */
export function frameHeader(kind: Kind, id: number, value: number, length: number): Uint8Array {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt32LE(kind, 0)
  header.writeUInt32LE(id, 4)
  header.writeUInt32LE(value, 8)
  header.writeUInt32LE(length, 12)
  return header
}

/** Returns a complete frame. */
export function frame(kind: Kind, id = 0, value = 0, payload: Uint8Array = NO_BYTES): Uint8Array {
  return Buffer.concat([frameHeader(kind, id, value, payload.length), payload])
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

  /** Processes the next chunk, whose bytes may be reused afterwards. Throws if a frame is too long. */
  push(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length;) {
      if (this.receivedBytes < headerBytes) offset += this.fill(this.header, this.receivedBytes, bytes, offset)
      else offset += this.fill(this.payload, this.receivedBytes - headerBytes, bytes, offset)
      if (this.receivedBytes === headerBytes) this.payload = this.payloadFor(this.length)
      if (this.receivedBytes === headerBytes + this.length && this.receivedBytes >= headerBytes) this.complete()
    }
  }

  private get length(): number {
    return this.header.readUInt32LE(12)
  }

  private payloadFor(length: number): Uint8Array {
    if (length > this.maxPayloadBytes) throw new RangeError('frame too long')
    return length === 0 ? NO_BYTES : Buffer.allocUnsafe(length)
  }

  private fill(target: Uint8Array, from: number, bytes: Uint8Array, offset: number): number {
    const part = bytes.subarray(offset, offset + target.length - from)
    target.set(part, from)
    this.receivedBytes += part.length
    return part.length
  }

  private complete(): void {
    const { header, payload } = this
    this.receivedBytes = 0
    this.payload = NO_BYTES
    this.onFrame({ kind: header.readUInt32LE(0), id: header.readUInt32LE(4), value: header.readUInt32LE(8), payload })
  }
}
