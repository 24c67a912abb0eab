import { countLines } from './count-lines.ts'
import type { LineChunk } from './line-chunk.ts'

/** Numbers the lines and bytes of the chunks of one input. */
export class ChunkCounter {
  /** The offset of the next chunk. */
  offset: number
  private line: number
  private isInsideLine = false

  /** @param isNumbered - Whether lines are numbered, which requires that the first chunk starts with the first line. */
  constructor(offset: number, isNumbered: boolean) {
    this.offset = offset
    this.line = isNumbered ? 1 : NaN
  }

  /** Returns the chunk of the next bytes. */
  next(bytes: Buffer, isEnd: boolean): LineChunk {
    const { offset, line: firstLine } = this
    const chunk = { bytes, firstLine, offset, isEnd }
    const continuesLine = this.isInsideLine
    this.offset += bytes.length
    if (bytes.length > 0) this.isInsideLine = bytes.at(-1) !== 10
    if (!Number.isNaN(firstLine)) this.line += countLines(bytes)
    return continuesLine ? { ...chunk, continuesLine } : chunk
  }

  /** Ends an incomplete line. The next chunk does not continue it. */
  endLine(): void {
    this.isInsideLine = false
  }
}
