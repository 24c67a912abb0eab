/**
 * What the writer process and its parent say to each other, in one stream for each direction:
 *
 *     kind  id    value  length  payload
 *     u8…   u32   u32    u32     length bytes        16 bytes in front, little endian
 *
 * To the writer: a batch is any number of `part` and one `last`, all with its id; `value` is how many records it has.
 * `forget` takes back a batch whose `last` has not come. `finish`: the process ends; settle what there is until the time in
 * the payload. `sync`: put onto the disk what is written.
 *
 * From the writer: one answer for each batch, in order, `value` is how many of its bytes are written for good. `synced`
 * answers `sync`, whatever came of it. `problem`: JSON of a code and a message.
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

/** A frame that has come. */
export interface Frame {
  readonly kind: number
  readonly id: number
  readonly value: number
  /** Belongs to whoever gets it. */
  readonly payload: Uint8Array
}

export const headerBytes = 16
const none = new Uint8Array(0)

/** What stands in front of a payload of so many bytes. */
export function frameHeader(kind: Kind, id: number, value: number, length: number): Uint8Array {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt32LE(kind, 0)
  header.writeUInt32LE(id, 4)
  header.writeUInt32LE(value, 8)
  header.writeUInt32LE(length, 12)
  return header
}

/** A whole frame. */
export function frame(kind: Kind, id = 0, value = 0, payload: Uint8Array = none): Uint8Array {
  return Buffer.concat([frameHeader(kind, id, value, payload.length), payload])
}

/** Puts frames together again from the pieces in which a stream brings them. */
export class FrameReader {
  private readonly took: (frame: Frame) => void
  private readonly longest: number
  private readonly header = Buffer.alloc(headerBytes)
  private payload: Uint8Array = none
  /** How many bytes of the frame at hand are here, its header included. */
  private have = 0

  /** `longest`: the most bytes of a payload. */
  constructor(took: (frame: Frame) => void, longest: number = Infinity) {
    this.took = took
    this.longest = longest
  }

  /** Takes the next bytes; they may be reused afterwards. Throws where a frame is longer than it may be. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.have < headerBytes) at += this.fill(this.header, this.have, bytes, at)
      else at += this.fill(this.payload, this.have - headerBytes, bytes, at)
      if (this.have === headerBytes) this.payload = this.payloadFor(this.length)
      if (this.have === headerBytes + this.length && this.have >= headerBytes) this.complete()
    }
  }

  private get length(): number {
    return this.header.readUInt32LE(12)
  }

  private payloadFor(length: number): Uint8Array {
    if (length > this.longest) throw new RangeError('a frame is too long')
    return length === 0 ? none : Buffer.allocUnsafe(length)
  }

  private fill(target: Uint8Array, from: number, bytes: Uint8Array, at: number): number {
    const part = bytes.subarray(at, at + target.length - from)
    target.set(part, from)
    this.have += part.length
    return part.length
  }

  private complete(): void {
    const { header, payload } = this
    this.have = 0
    this.payload = none
    this.took({ kind: header.readUInt32LE(0), id: header.readUInt32LE(4), value: header.readUInt32LE(8), payload })
  }
}
