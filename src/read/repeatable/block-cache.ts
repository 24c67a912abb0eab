import type { ByteRange } from './random-access.ts'

const blockBytes = 16_384
const maxBlocks = 512

/**
 * The blocks of inputs that were read last, 8 MiB of them, for reading many short pieces. Records that are sorted by time are mostly in
 * a few runs of each file, so the next one is usually in a block that was read before.
 */
export class BlockCache {
  readonly #ranges: readonly ByteRange[]
  /** Blocks by source and number, the one that was used last at the end. */
  readonly #blocks = new Map<number, Buffer>()

  constructor(ranges: readonly ByteRange[]) {
    this.#ranges = ranges
  }

  /** Returns `length` bytes of a range, or fewer at its end. The result is a copy, which later reads do not change. */
  read(range: number, offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    if (length > blockBytes) return bytes.subarray(0, this.#readRange(range, bytes, offset))
    let copied = 0
    while (copied < length) {
      const position = offset + copied
      const block = this.#block(range, Math.floor(position / blockBytes))
      const count = block.copy(bytes, copied, position % blockBytes)
      if (count === 0) break
      copied += count
    }
    return bytes.subarray(0, copied)
  }

  #block(range: number, number: number): Buffer {
    const key = number * this.#ranges.length + range
    let block = this.#blocks.get(key)
    if (block === undefined) {
      block = this.#newBlock()
      block = block.subarray(0, this.#readRange(range, block, number * blockBytes))
    } else this.#blocks.delete(key)
    this.#blocks.set(key, block)
    return block
  }

  #readRange(range: number, into: Uint8Array, offset: number): number {
    const { bytes, start } = this.#ranges[range]!
    return bytes.read(into, start + offset)
  }

  /** Returns memory for a block: that of the block that was not used for longest, if the cache is full. */
  #newBlock(): Buffer {
    if (this.#blocks.size < maxBlocks) return Buffer.allocUnsafeSlow(blockBytes)
    const [oldest] = this.#blocks
    this.#blocks.delete(oldest![0])
    return Buffer.from(oldest![1].buffer)
  }
}
