import { Chunk, type ByteBuffers, type Origin } from './chunk.ts'

/** A chunk is closed when its text is this long: a pipe takes as much at once, and larger strings cost the collector. */
const chunkLength = 65_536

/**
 * Records in order of arrival: closed chunks, then the open one. It counts what waits, what was taken for export and not
 * yet given back included; whoever adds decides whether there is room.
 *
 *     taken ← closed[0] closed[1] … ← open ← add
 */
export class BoundedQueue {
  /** What waits or is taken, in bytes; of the open chunk, in UTF-16 units. */
  bytes = 0
  /** What waits or is taken, in records. */
  records = 0
  private readonly buffers: ByteBuffers
  private readonly maxBatch: number
  private readonly closed: Chunk[] = []
  private sequence = 1
  private open = new Chunk(this.sequence)

  /** `maxBatch`: the most records of a chunk. */
  constructor(buffers: ByteBuffers, maxBatch: number) {
    this.buffers = buffers
    this.maxBatch = maxBatch
  }

  /** Adds a record. Returns whether the open chunk is full and wants to be cut. It calls nothing after it has added. */
  add(text: string, severity: number, origin: Origin): boolean {
    const open = this.open
    open.add(text, severity, origin)
    this.bytes += text.length
    this.records++
    return open.open.length >= chunkLength || open.total >= this.maxBatch
  }

  /** The oldest chunk, to be given back by `settle` or `untake`; with `all` the open one too. */
  take(all: boolean): Chunk | undefined {
    if (this.closed.length === 0 && all) this.cut()
    return this.closed.shift()
  }

  /** Gives back a chunk that is to be taken again. */
  untake(chunk: Chunk): void {
    this.closed.unshift(chunk)
  }

  /** Lets go of a chunk that was taken. */
  settle(chunk: Chunk): void {
    this.bytes -= chunk.byteLength
    this.records -= chunk.count
    chunk.release(this.buffers)
  }

  /** Closes the open chunk. Returns the sequence of the last chunk that holds what was added so far. */
  cut(): number {
    if (this.open.count > 0) {
      const length = this.open.open.length
      this.open.close(this.buffers)
      this.bytes += this.open.byteLength - length
      this.closed.push(this.open)
      this.open = new Chunk(++this.sequence)
    }
    return this.sequence - 1
  }

  /** The sequence of the oldest chunk that waits. */
  get oldest(): number {
    return (this.closed[0] ?? this.open).sequence
  }

  /** Drops the oldest waiting records until `bytes` are free, at least one. Returns false if there was none. */
  shedOldest(bytes: number, dropped: (origin: Origin, severity: number) => void): boolean {
    if (this.closed.length === 0) this.cut()
    const chunk = this.closed[0]
    if (chunk === undefined) return false
    const before = chunk.count
    this.bytes -= chunk.shift(Math.max(1, bytes), dropped)
    this.records -= before - chunk.count
    if (chunk.count === 0) this.closed.shift()!.release(this.buffers)
    return true
  }

  /**
   * Rewrites the oldest chunk that holds records less severe than `severity`, without its least severe ones. Returns false
   * if there was none.
   */
  shedLowest(severity: number, dropped: (origin: Origin, severity: number) => void): boolean {
    let at = this.closed.findIndex((chunk) => chunk.minSeverity < severity)
    if (at < 0) {
      if (this.open.minSeverity >= severity) return false
      this.cut()
      at = this.closed.length - 1
    }
    const chunk = this.closed[at]!
    const kept = new Chunk(chunk.sequence)
    const texts = chunk.records()
    let index = 0
    chunk.each(0, chunk.count, (origin, recordSeverity) => {
      const { text } = texts[index++]!
      if (recordSeverity === chunk.minSeverity) dropped(origin, recordSeverity)
      else kept.add(text, recordSeverity, origin)
    })
    kept.close(this.buffers)
    this.bytes += kept.byteLength - chunk.byteLength
    this.records += kept.count - chunk.count
    chunk.release(this.buffers)
    if (kept.count > 0) this.closed[at] = kept
    else this.closed.splice(at, 1)
    if (kept.count === 0) kept.release(this.buffers)
    return true
  }
}
