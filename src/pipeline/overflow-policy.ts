import type { RecordQueue } from './record-queue.ts'
import type { RecordOwner } from './batch-buffer.ts'
import type { OnFull } from './exporter.ts'

/** The severity number of WARN. With `dropLowest`, a part of the queue is reserved for records of this severity or above. */
const reservedSeverity = 13
/** The part of the queue that is not reserved with `dropLowest`. With other policies, no part is reserved. */
const unreservedShare = 0.8

/** The limits of a queue, and what happens when they are reached. */
export interface QueueLimits {
  readonly maxBytes: number
  readonly maxRecords: number
  readonly onFull: OnFull
}

/** Ways to free space in a full queue without dropping records. */
export interface Backpressure {
  /** Writes what the destination accepts without blocking. */
  writeWithoutBlocking(): void
  /** Writes queued records and blocks meanwhile, for a limited time. Returns whether blocking again can free more space. */
  blockAndWrite(): boolean
}

/**
 * The policy that decides whether a record may be queued. Only `fitsUnreservedPart` is called for each record; everything else is
 * for a queue that is full, or nearly full with `dropLowest`.
 */
export class OverflowPolicy {
  private readonly queue: RecordQueue
  private readonly limits: QueueLimits
  private readonly unreservedBytes: number
  private readonly unreservedRecords: number

  constructor(queue: RecordQueue, limits: QueueLimits) {
    this.queue = queue
    this.limits = limits
    const share = limits.onFull === 'dropLowest' ? unreservedShare : 1
    this.unreservedBytes = limits.maxBytes * share
    this.unreservedRecords = limits.maxRecords * share
  }

  /**
   * Returns whether a record of this length fits the part of the queue that is not reserved (see `reservedSeverity`), so that it may be
   * queued whatever its severity.
   */
  fitsUnreservedPart(length: number): boolean {
    return this.queue.heldBytes + length <= this.unreservedBytes && this.queue.recordCount < this.unreservedRecords
  }

  /**
   * Frees space for a record according to the policy, and calls `onEvicted` for each evicted record. Returns whether the record may
   * be queued.
   */
  admit(
    length: number,
    severity: number,
    backpressure: Backpressure,
    onEvicted: (owner: RecordOwner, severity: number) => void,
  ): boolean {
    backpressure.writeWithoutBlocking()
    switch (this.limits.onFull) {
      case 'block':
        while (!this.fitsLimits(length)) if (!backpressure.blockAndWrite()) return false
        return true
      case 'dropNewest':
        return this.fitsLimits(length)
      case 'dropOldest':
        if (!this.fitsAfterEviction(length)) return false
        while (!this.fitsLimits(length)) if (!this.queue.evictOldest(this.excessBytes(length), onEvicted)) return false
        return true
      default:
        // An empty queue also accepts a less severe record that is longer than the unreserved part.
        if (severity < reservedSeverity)
          return this.fitsUnreservedPart(length) || (this.queue.recordCount === 0 && this.fitsLimits(length))
        if (!this.fitsAfterEviction(length)) return false
        while (!this.fitsLimits(length)) if (!this.queue.evictLowest(severity, onEvicted)) return false
        return true
    }
  }

  /** Returns whether a record of this length fits within the limits of the queue. */
  private fitsLimits(length: number): boolean {
    return this.queue.heldBytes + length <= this.limits.maxBytes && this.queue.recordCount < this.limits.maxRecords
  }

  /** Returns whether a record of this length would fit if every queued record were evicted except those that are being exported. */
  private fitsAfterEviction(length: number): boolean {
    const { inFlightBytes, inFlightRecords } = this.queue
    return inFlightBytes + length <= this.limits.maxBytes && inFlightRecords < this.limits.maxRecords
  }

  /** Returns how many bytes must be freed for a record of this length; 0 or less if only the number of records is too high. */
  private excessBytes(length: number): number {
    return this.queue.heldBytes + length - this.limits.maxBytes
  }
}
