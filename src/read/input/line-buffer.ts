const NEWLINE = 10

/**
 * A buffer that bytes are read into, and from which whole lines are taken. Only the incomplete line at its end is ever copied.
 */
export class LineBuffer {
  /** Bytes are read into it from `end` on. */
  bytes: Buffer
  /** Where the free space starts. */
  end = 0
  /** The start of the bytes that were not taken. */
  private start = 0
  /** The bytes from `start` up to here contain no newline. */
  private searched = 0
  private readonly size: number
  private readonly isReused: boolean

  /** @param isReused - Whether the lines that were taken are not used any more when `makeRoom` is called. */
  constructor(size: number, isReused: boolean) {
    this.size = size
    this.isReused = isReused
    this.bytes = Buffer.allocUnsafeSlow(size)
  }

  /** The number of bytes that were read and not taken. */
  get length(): number {
    return this.end - this.start
  }

  /** The bytes that were read and not taken. They are valid until more are read. */
  get rest(): Buffer {
    return this.bytes.subarray(this.start, this.end)
  }

  /** Makes free space at the end, where bytes are read into next. */
  makeRoom(): void {
    const { length, size, bytes } = this
    if (this.isReused && length === 0 && bytes.length === size) {
      this.start = this.end = this.searched = 0
      return
    }
    if (bytes.length - this.end > size / 4) return
    if (this.start === 0) this.grow()
    else this.move()
  }

  /** Takes all whole lines. Returns undefined without a whole line. */
  takeLines(): Buffer | undefined {
    const newline = this.bytes.subarray(this.searched, this.end).lastIndexOf(NEWLINE)
    if (newline === -1) {
      this.searched = this.end
      return undefined
    }
    return this.takeTo(this.searched + newline + 1)
  }

  /** Takes all bytes, including those of an incomplete line. */
  takeAll(): Buffer {
    return this.takeTo(this.end)
  }

  private takeTo(end: number): Buffer {
    const taken = this.bytes.subarray(this.start, end)
    this.start = end
    this.searched = this.end
    return taken
  }

  /** Enlarges the buffer for a line that does not fit. Nothing was taken from it, so no other code refers to its memory. */
  private grow(): void {
    const { bytes } = this
    this.bytes = Buffer.allocUnsafeSlow(bytes.length * 2)
    bytes.copy(this.bytes)
    // Free the memory now, and not in a later garbage collection, because a long line needs much of it.
    ;(bytes.buffer as ArrayBuffer).transfer(0)
  }

  /** Moves the incomplete line to the start of a buffer. */
  private move(): void {
    const { bytes, start, end, length, size } = this
    if (this.isReused && length < bytes.length / 2 && bytes.length === size) bytes.copyWithin(0, start, end)
    else {
      const next = Buffer.allocUnsafeSlow(Math.max(size, length * 2))
      bytes.copy(next, 0, start, end)
      this.bytes = next
    }
    this.searched -= start
    this.start = 0
    this.end = length
  }
}
