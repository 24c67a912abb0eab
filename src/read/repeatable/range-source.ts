import type { ByteSource } from '../input/byte-source.ts'
import type { ByteRange } from './random-access.ts'

/** Reads a range from its start to its end. */
export class RangeSource implements ByteSource {
  readonly #range: ByteRange
  #position: number

  constructor(range: ByteRange) {
    this.#range = range
    this.#position = range.start
  }

  read(target: Buffer, offset: number): number {
    const length = Math.min(target.length - offset, this.#range.end - this.#position)
    if (length <= 0) return 0
    const count = this.#range.bytes.read(target.subarray(offset, offset + length), this.#position)
    this.#position += count
    return count
  }

  close(): void {
    this.#position = this.#range.end
  }
}
