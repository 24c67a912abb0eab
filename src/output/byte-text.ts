/** Text of ASCII characters that is built as bytes, which is faster than concatenating strings and encoding them. */
export class ByteText {
  readonly bytes: Uint8Array
  length = 0

  /** @param capacity - the maximum number of bytes. The caller adds no more */
  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity)
  }

  /** Adds a text. */
  add(text: Uint8Array): void {
    const { bytes } = this
    let at = this.length
    for (let index = 0; index < text.length; index++) bytes[at++] = text[index]!
    this.length = at
  }

  /** Adds a part of other bytes. */
  addPart(source: Uint8Array, start: number, end: number): void {
    const { bytes } = this
    let at = this.length
    for (let index = start; index < end; index++) bytes[at++] = source[index]!
    this.length = at
  }

  /** Adds a string of ASCII characters. */
  addString(text: string): void {
    const { bytes } = this
    let at = this.length
    for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index)
    this.length = at
  }

  /** Moves the bytes from a position on to the left. */
  moveLeft(from: number, distance: number): void {
    const { bytes, length } = this
    for (let at = from; at < length; at++) bytes[at - distance] = bytes[at]!
    this.length -= distance
  }
}
