/** A list of bits that grows at its end. */
export class BitList {
  #bytes = new Uint8Array(1024)
  #length = 0

  /** The number of bits. */
  get length(): number {
    return this.#length
  }

  push(bit: boolean): void {
    const index = this.#length++
    if (index >> 3 === this.#bytes.length) {
      const bytes = new Uint8Array(2 * this.#bytes.length)
      bytes.set(this.#bytes)
      this.#bytes = bytes
    }
    if (bit) this.#bytes[index >> 3]! |= 1 << (index & 7)
  }

  /** Returns the bit at an index; false for an index after the end. */
  at(index: number): boolean {
    return (this.#bytes[index >> 3]! & (1 << (index & 7))) !== 0
  }
}
