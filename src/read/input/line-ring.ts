import { countLines } from './count-lines.ts'
import type { LineChunk } from './line-chunk.ts'

/** The last lines of an input that is read from its start. Memory is limited by the length of these lines, and one chunk. */
export class LineRing {
  private readonly maxLines: number
  private chunks: LineChunk[] = []
  private lineCounts: number[] = []
  private lines = 0

  constructor(maxLines: number) {
    this.maxLines = maxLines
  }

  /** Adds a chunk, whose bytes must not be reused, and discards chunks that are not needed any more. */
  add(chunk: LineChunk): void {
    const { bytes } = chunk
    if (bytes.length === 0) return
    // An incomplete last line is a line.
    const count = countLines(bytes) + (bytes.at(-1) === 10 ? 0 : 1)
    this.chunks.push(chunk)
    this.lineCounts.push(count)
    this.lines += count
    while (this.chunks.length > 1 && this.lines - this.lineCounts[0]! >= this.maxLines) {
      this.chunks.shift()
      this.lines -= this.lineCounts.shift()!
    }
  }

  /** Adds the last chunk, and returns the last lines. The last chunk is returned even if it contains none of these lines. */
  takeWith(last: LineChunk): LineChunk[] {
    this.add(last)
    const chunks = this.maxLines === 0 ? [] : this.lastChunks()
    return last.bytes.length > 0 && chunks.length > 0
      ? chunks
      : [...chunks, { ...last, bytes: last.bytes.subarray(0, 0) }]
  }

  private lastChunks(): LineChunk[] {
    const [first, ...rest] = this.chunks
    if (first === undefined) return []
    let start = 0
    let { firstLine } = first
    for (let excess = this.lines - this.maxLines; excess > 0; excess--) {
      start = first.bytes.indexOf(10, start) + 1
      firstLine++
    }
    return [{ ...first, bytes: first.bytes.subarray(start), offset: first.offset + start, firstLine }, ...rest]
  }
}
