import type { LongLine } from '../encode/json/long-line.ts'
import { BatchBuffer, pieceLength, type ByteBuffers, type RecordOwner } from './batch-buffer.ts'
import type { Counters } from './counters.ts'
import { LongRecordBuffer } from './long-record-buffer.ts'

/** The default maximum length of a batch, in UTF-16 units. Longer strings cost the garbage collector more. */
const defaultMaxLength = 68 * 1024

/**
 * A queue of records in order of arrival: the head, which is being exported, then closed batches, then the open batch. It counts
 * records and bytes, and the caller enforces the limits.
 *
 *     settle ← head ← closed[0] closed[1] … ← open ← add
 *
 * Invariant: the records of the head do not change, because a part of it may already have been sent.
 */
export class BoundedQueue {
  /** The size of all records in bytes; the open batch counts in UTF-16 units. */
  bytes = 0
  /** The number of all records. */
  records = 0
  private readonly buffers: ByteBuffers
  private readonly maxBatch: number
  private readonly maxLength: number
  private head: BatchBuffer | undefined
  private readonly closed: BatchBuffer[] = []
  private open: BatchBuffer

  /**
   * @param maxBatch - maximum number of records in a batch
   * @param maxLength - maximum length of a batch of several records, in UTF-16 units
   */
  constructor(buffers: ByteBuffers, maxBatch: number, maxLength: number = defaultMaxLength) {
    this.buffers = buffers
    this.maxBatch = maxBatch
    this.maxLength = maxLength
    this.open = new BatchBuffer(1, buffers)
  }

  /**
   * Returns whether the open batch has room for this many UTF-16 units. An empty batch accepts any length; any other must be cut
   * first.
   */
  fits(length: number): boolean {
    const { open } = this
    return open.openLength + length <= this.maxLength || open.total === 0
  }

  /** Adds a record. Returns whether the open batch is full and must be cut. No function is called after the record was added. */
  add(text: string | LongLine, severity: number, owner: RecordOwner): boolean {
    if (typeof text !== 'string') return this.addLong(text, severity, owner)
    const open = this.open
    open.add(text, severity, owner)
    this.bytes += text.length
    this.records++
    return open.openLength >= this.maxLength || open.total >= this.maxBatch
  }

  /** Adds a record as a separate batch, which is closed from the start. */
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

  /**
   * Returns the head. Without a head, the oldest closed batch becomes the head; with `all`, also the open batch if none is
   * closed.
   */
  take(all: boolean): BatchBuffer | undefined {
    if (this.head === undefined) {
      if (this.closed.length === 0 && all) this.cut()
      this.head = this.closed.shift()
    }
    return this.head
  }

  /** Removes the head. With `reuse` its bytes are released, because nothing reads them any longer. */
  settle(reuse: boolean): void {
    const head = this.head!
    this.head = undefined
    this.bytes -= head.heldBytes
    this.records -= head.count
    if (reuse) head.release()
  }

  /** Closes the open batch unless it is empty. Returns the sequence of the last batch that holds records added so far. */
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

  /**
   * Cuts or encodes the open batch between two turns, while the exporter is busy, so that no log call of the next turn has to.
   */
  prepare(): void {
    const { open } = this
    if (open.openLength + pieceLength > this.maxLength) this.cut()
    else open.prepare()
  }

  /** The sequence of the oldest batch in the queue. */
  get oldest(): number {
    return (this.head ?? this.firstClosed() ?? this.open).sequence
  }

  /** The sequence of the open batch. */
  get newest(): number {
    return this.open.sequence
  }

  /** The size of the batch that is being exported, in bytes. */
  get inFlightBytes(): number {
    return this.head?.heldBytes ?? 0
  }

  /** The number of records that are being exported. */
  get inFlightRecords(): number {
    return this.head?.count ?? 0
  }

  /**
   * Evicts the oldest records that are not being exported until `bytes` are free, at least one, all from the oldest such batch.
   * Returns false if there was none.
   */
  evictOldest(bytes: number, dropped: (owner: RecordOwner, severity: number) => void): boolean {
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
   * Evicts the least severe records that are not being exported: the oldest batch that has any is rewritten without them. Returns
   * false if no such record is less severe than `severity`.
   */
  evictLowest(severity: number, dropped: (owner: RecordOwner, severity: number) => void): boolean {
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

  /**
   * Returns the oldest closed batch. The length is checked because `[0]` of an empty array could read a polluted
   * `Array.prototype`.
   */
  private firstClosed(): BatchBuffer | undefined {
    return this.closed.length === 0 ? undefined : this.closed[0]
  }

  /**
   * Assigns the records that are counted in `counters` to another owner. Used when the counters are closed before the records
   * have left.
   */
  transferOwnership(counters: Counters, newOwner: RecordOwner): void {
    for (const buffer of [this.head, ...this.closed, this.open]) buffer?.transferOwnership(counters, newOwner)
  }
}
