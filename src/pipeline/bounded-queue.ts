import type { LongLine } from '../encode/json/long-line.ts'
import { BatchBuffer, pieceLength, type ByteBuffers, type RecordOwner } from './batch-buffer.ts'
import type { Counters } from './counters.ts'
import { LongRecordBuffer } from './long-record-buffer.ts'

/** How long a chunk's text may be where the exporter does not say: larger strings cost the collector. */
const defaultChunkLength = 68 * 1024

/**
 * Records in order of arrival: the head, which the exporter has, then closed chunks, then the open one. It counts all of
 * them; whoever adds decides whether there is room.
 *
 *     settle ← head ← closed[0] closed[1] … ← open ← add
 *
 * Invariant: the head does not change, since a part of it may be out already.
 */
export class BoundedQueue {
  /** What is here, in bytes; of the open chunk, in UTF-16 units. */
  bytes = 0
  /** What is here, in records. */
  records = 0
  private readonly buffers: ByteBuffers
  private readonly maxBatch: number
  private readonly chunkLength: number
  private head: BatchBuffer | undefined
  private readonly closed: BatchBuffer[] = []
  private open: BatchBuffer

  /** `maxBatch`: the most records of a chunk; `chunkLength`: the most UTF-16 units of several. */
  constructor(buffers: ByteBuffers, maxBatch: number, chunkLength: number = defaultChunkLength) {
    this.buffers = buffers
    this.maxBatch = maxBatch
    this.chunkLength = chunkLength
    this.open = new BatchBuffer(1, buffers)
  }

  /** Whether the open chunk has room for so many UTF-16 units; an empty one takes any. Else it wants to be cut first. */
  fits(length: number): boolean {
    const { open } = this
    return open.openLength + length <= this.chunkLength || open.total === 0
  }

  /** Adds a record. Returns whether the open chunk is full and wants to be cut. It calls nothing after it has added. */
  add(text: string | LongLine, severity: number, owner: RecordOwner): boolean {
    if (typeof text !== 'string') return this.addLong(text, severity, owner)
    const open = this.open
    open.add(text, severity, owner)
    this.bytes += text.length
    this.records++
    return open.openLength >= this.chunkLength || open.total >= this.maxBatch
  }

  /** Adds a record that has a chunk of its own, which is closed from the beginning. */
  private addLong(line: LongLine, severity: number, owner: RecordOwner): boolean {
    this.cut()
    const { sequence } = this.open
    const chunk = new LongRecordBuffer(sequence, line, severity, owner, this.buffers)
    const open = new BatchBuffer(sequence + 1, this.buffers)
    this.closed.push(chunk)
    this.open = open
    this.bytes += line.length
    this.records++
    return true
  }

  /** The head; if there is none, the oldest chunk becomes it, with `all` the open one too. */
  take(all: boolean): BatchBuffer | undefined {
    if (this.head === undefined) {
      if (this.closed.length === 0 && all) this.cut()
      this.head = this.closed.shift()
    }
    return this.head
  }

  /** Lets go of the head. `reuse`: nobody reads its bytes any more. */
  settle(reuse: boolean): void {
    const head = this.head!
    this.head = undefined
    this.bytes -= head.heldBytes
    this.records -= head.count
    if (reuse) head.release()
  }

  /** Closes the open chunk. Returns the sequence of the last chunk that holds what was added so far. */
  cut(): number {
    const { open } = this
    if (open.count > 0) {
      const { openLength: length } = open
      open.close()
      this.bytes += open.heldBytes - length
      this.closed.push(open)
      this.open = new BatchBuffer(open.sequence + 1, this.buffers)
    }
    return this.open.sequence - 1
  }

  /** Between two turns, while nothing is taken: does what a call of the next turn would have to do. */
  prepare(): void {
    const { open } = this
    if (open.openLength + pieceLength > this.chunkLength) this.cut()
    else open.prepare()
  }

  /** The sequence of the oldest chunk that is here. */
  get oldest(): number {
    return (this.head ?? this.firstClosed() ?? this.open).sequence
  }

  /** The sequence of the open chunk. */
  get newest(): number {
    return this.open.sequence
  }

  /** What the exporter has, in bytes. */
  get heldBytes(): number {
    return this.head?.heldBytes ?? 0
  }

  /** What the exporter has, in records. */
  get heldRecords(): number {
    return this.head?.count ?? 0
  }

  /** Drops the oldest waiting records until `bytes` are free, at least one. Returns false if there was none. */
  shedOldest(bytes: number, dropped: (owner: RecordOwner, severity: number) => void): boolean {
    if (this.closed.length === 0) this.cut()
    const buffer = this.firstClosed()
    if (buffer === undefined) return false
    const before = buffer.count
    this.bytes -= buffer.shift(Math.max(1, bytes), dropped)
    this.records -= before - buffer.count
    if (buffer.count === 0) this.closed.shift()!.release()
    return true
  }

  /**
   * Rewrites the oldest of the chunks that hold the least severe waiting records without these. Returns false if no
   * waiting record is less severe than `severity`.
   */
  shedLowest(severity: number, dropped: (owner: RecordOwner, severity: number) => void): boolean {
    let lowest = this.open.minSeverity
    for (const { minSeverity } of this.closed) if (minSeverity < lowest) lowest = minSeverity
    if (lowest >= severity) return false
    if (!this.closed.some(({ minSeverity }) => minSeverity === lowest)) this.cut()
    const at = this.closed.findIndex(({ minSeverity }) => minSeverity === lowest)
    const buffer = this.closed[at]!
    const kept = buffer.without(lowest, dropped)
    kept.close()
    this.bytes += kept.heldBytes - buffer.heldBytes
    this.records += kept.count - buffer.count
    buffer.release()
    if (kept.count > 0) {
      this.closed[at] = kept
    } else {
      kept.release()
      this.closed.splice(at, 1)
    }
    return true
  }

  /** Asked by length: an empty array has what stands under 0 on a prototype. */
  private firstClosed(): BatchBuffer | undefined {
    return this.closed.length === 0 ? undefined : this.closed[0]
  }

  /** Records of an account that is closed before they have left: from now on they count for `heir`. */
  transferOwnership(counters: Counters, heir: RecordOwner): void {
    for (const buffer of [this.head, ...this.closed, this.open]) buffer?.transferOwnership(counters, heir)
  }
}
