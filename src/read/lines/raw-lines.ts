/** The bytes of the lines of one record. Lines that follow each other in a chunk are not copied. */
export class RawLines {
  /** The number of bytes. */
  length: number
  private readonly pieces: Uint8Array[]

  constructor(bytes: Uint8Array) {
    this.pieces = [bytes]
    this.length = bytes.length
  }

  /** Adds a line. */
  add(bytes: Uint8Array): void {
    const { pieces } = this
    const last = pieces.at(-1)!
    this.length += bytes.length
    if (last.buffer === bytes.buffer && last.byteOffset + last.length === bytes.byteOffset)
      pieces[pieces.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + bytes.length)
    else pieces.push(bytes)
  }

  /** Adds the lines of another record. */
  addAll(other: RawLines): void {
    for (const piece of other.pieces) this.add(piece)
  }

  /** Returns the bytes of all lines. */
  bytes(): Uint8Array {
    return this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces, this.length)
  }

  /** Copies the bytes, so that the buffer they were read into can be reused. */
  detach(): void {
    const copy = Buffer.concat(this.pieces, this.length)
    this.pieces.length = 0
    this.pieces.push(copy)
  }
}
