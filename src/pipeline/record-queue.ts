import type { LongLine } from '../encode/json/long-line.ts'
import { BatchBuffer, pieceLength, type ByteBuffers, type RecordOwner } from './batch-buffer.ts'
import type { Counters } from './counters.ts'
import { LongRecordBuffer } from './long-record-buffer.ts'

/** The default maximum length of a batch of several records, in UTF-16 units. Longer strings cost the garbage collector more. */
const defaultMaxBatchLength = 68 * 1024

/**
 * A queue of records in order of arrival: the head, which is being exported, then closed batches, then the open batch, to which
 * records are added. The queue counts its records and bytes but has no limit: `OverflowPolicy` enforces the limits.
 *
 *     removeHead ← head ← closedBatches[0] closedBatches[1] … ← openBatch ← add
 *
 * Invariant: the records of the head do not change, because some of them may already have been sent.
 */
export class RecordQueue {
  /** The size of all records in bytes. Records of the open batch, and `LongLine`s, count one byte for each UTF-16 unit. */
  heldBytes = 0
  /** The number of all records. */
  recordCount = 0
  private readonly buffers: ByteBuffers
  private readonly maxBatchRecords: number
  private readonly maxBatchLength: number
  private head: BatchBuffer | undefined
  private readonly closedBatches: BatchBuffer[] = []
  private openBatch: BatchBuffer

  /**
   * @param maxBatchRecords - maximum number of records in a batch
   * @param maxBatchLength - maximum length of a batch of several records, in UTF-16 units
   */
  constructor(buffers: ByteBuffers, maxBatchRecords: number, maxBatchLength: number = defaultMaxBatchLength) {
    this.buffers = buffers
    this.maxBatchRecords = maxBatchRecords
    this.maxBatchLength = maxBatchLength
    this.openBatch = new BatchBuffer(1, buffers)
  }

  /**
   * Returns whether the open batch has room for a record of this many UTF-16 units. If not, close the batch before adding the
   * record. An empty batch has room for a record of any length.
   */
  fitsOpenBatch(length: number): boolean {
    const { openBatch } = this
    return openBatch.openLength + length <= this.maxBatchLength || openBatch.addedCount === 0
  }

  /**
   * Adds a record. Returns whether a batch is full and can be exported after `closeOpenBatch`. No function is called after the
   * record was added, because a call throws if the stack is exhausted.
   */
  add(text: string | LongLine, severity: number, owner: RecordOwner): boolean {
    if (typeof text !== 'string') return this.addLong(text, severity, owner)
    const openBatch = this.openBatch
    openBatch.add(text, severity, owner)
    this.heldBytes += text.length
    this.recordCount++
    return openBatch.openLength >= this.maxBatchLength || openBatch.addedCount >= this.maxBatchRecords
  }

  /** Closes the open batch, and adds a record as a separate closed batch. */
  private addLong(line: LongLine, severity: number, owner: RecordOwner): boolean {
    this.closeOpenBatch()
    const { sequence } = this.openBatch
    const longBatch = new LongRecordBuffer(sequence, line, severity, owner, this.buffers)
    const openBatch = new BatchBuffer(sequence + 1, this.buffers)
    this.closedBatches.push(longBatch)
    this.openBatch = openBatch
    this.heldBytes += line.length
    this.recordCount++
    return true
  }

  /**
   * Returns the head. If there is no head, the oldest closed batch becomes the head. If no batch is closed either, the open batch is
   * closed and becomes the head, unless it is empty.
   */
  selectHead(): BatchBuffer | undefined {
    if (this.head === undefined) {
      if (this.closedBatches.length === 0) this.closeOpenBatch()
      this.head = this.closedBatches.shift()
    }
    return this.head
  }

  /** Returns the head. If there is no head, the oldest closed batch becomes the head, but the open batch does not. */
  selectClosedHead(): BatchBuffer | undefined {
    if (this.head === undefined) this.head = this.closedBatches.shift()
    return this.head
  }

  /** Removes and returns the head. The caller releases it if nothing reads its bytes any longer. */
  removeHead(): BatchBuffer {
    const head = this.head!
    this.head = undefined
    this.heldBytes -= head.heldBytes
    this.recordCount -= head.count
    return head
  }

  /**
   * Closes the open batch unless it is empty. Returns the sequence number of the last batch that was closed: all records are in that batch
   * or before it.
   */
  closeOpenBatch(): number {
    const { openBatch } = this
    if (openBatch.count > 0) {
      const { openLength: length } = openBatch
      openBatch.close()
      this.heldBytes += openBatch.heldBytes - length
      this.closedBatches.push(openBatch)
      this.openBatch = new BatchBuffer(openBatch.sequence + 1, this.buffers)
    }
    return this.openBatch.sequence - 1
  }

  /**
   * Closes the open batch if it is nearly full; otherwise encodes the text that it has so far. Called between two turns while the
   * exporter is busy, so that no log call of the next turn has to do it.
   */
  encodeEarly(): void {
    const { openBatch } = this
    if (openBatch.openLength + pieceLength > this.maxBatchLength) this.closeOpenBatch()
    else openBatch.encodeEarly()
  }

  /** The sequence of the oldest batch in the queue; that of the open batch if there is no other. */
  get oldestSequence(): number {
    return (this.head ?? this.oldestClosed() ?? this.openBatch).sequence
  }

  /** The sequence of the open batch. */
  get openSequence(): number {
    return this.openBatch.sequence
  }

  /** The size of the head in bytes; 0 if there is no head. */
  get inFlightBytes(): number {
    return this.head?.heldBytes ?? 0
  }

  /** The number of records in the head; 0 if there is no head. */
  get inFlightRecords(): number {
    return this.head?.count ?? 0
  }

  /**
   * Evicts records from the front of the oldest batch that is not being exported: at least one, and until `bytes` bytes are freed or
   * that batch is empty. Returns false if all records are being exported.
   */
  evictOldest(bytes: number, onEvicted: (owner: RecordOwner, severity: number) => void): boolean {
    if (this.closedBatches.length === 0) this.closeOpenBatch()
    const buffer = this.oldestClosed()
    if (buffer === undefined) return false
    const countBefore = buffer.count
    this.heldBytes -= buffer.dropFromFront(Math.max(1, bytes), onEvicted)
    this.recordCount -= countBefore - buffer.count
    if (buffer.count === 0) this.closedBatches.shift()!.release()
    return true
  }

  /**
   * Evicts the least severe of the records that are not being exported, but only from the oldest batch that has records of that
   * severity. Returns false, and evicts nothing, if none is less severe than `severity`.
   */
  evictLowest(severity: number, onEvicted: (owner: RecordOwner, severity: number) => void): boolean {
    let lowestSeverity = this.openBatch.minSeverity
    for (const { minSeverity } of this.closedBatches) if (minSeverity < lowestSeverity) lowestSeverity = minSeverity
    if (lowestSeverity >= severity) return false
    if (!this.closedBatches.some(({ minSeverity }) => minSeverity === lowestSeverity)) this.closeOpenBatch()
    const index = this.closedBatches.findIndex(({ minSeverity }) => minSeverity === lowestSeverity)
    const buffer = this.closedBatches[index]!
    const remaining = buffer.copyWithout(lowestSeverity, onEvicted)
    remaining.close()
    this.heldBytes += remaining.heldBytes - buffer.heldBytes
    this.recordCount += remaining.count - buffer.count
    buffer.release()
    if (remaining.count > 0) {
      this.closedBatches[index] = remaining
    } else {
      remaining.release()
      this.closedBatches.splice(index, 1)
    }
    return true
  }

  /**
   * Returns the oldest closed batch. The length is checked because `[0]` of an empty array could read a polluted
   * `Array.prototype`.
   */
  private oldestClosed(): BatchBuffer | undefined {
    return this.closedBatches.length === 0 ? undefined : this.closedBatches[0]
  }

  /**
   * Assigns the records that are counted in `counters` to another owner. Used when a producer is removed while its records are
   * still queued.
   */
  transferOwnership(counters: Counters, newOwner: RecordOwner): void {
    for (const buffer of [this.head, ...this.closedBatches, this.openBatch])
      buffer?.transferOwnership(counters, newOwner)
  }
}
