import type { BoundedQueue } from './bounded-queue.ts'
import type { RecordOwner } from './batch-buffer.ts'
import type { OnFull } from './exporter.ts'

/** WARN: `dropLowest` reserves the last fifth of the queue for records of this severity or above. */
const reservedSeverity = 13
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
  now(): void
  /** Blocks for a limited time or until the destination has accepted something. Returns whether waiting longer can help. */
  wait(): boolean
}

/**
 * The policy that decides whether a record may be queued. Only `fitsWithoutReserve` is called for each record; everything else is for a queue
 * that is nearly full.
 */
export class OverflowPolicy {
  private readonly queue: BoundedQueue
  private readonly bounds: QueueLimits
  private readonly unreservedBytes: number
  private readonly unreservedRecords: number

  constructor(queue: BoundedQueue, bounds: QueueLimits) {
    this.queue = queue
    this.bounds = bounds
    const share = bounds.onFull === 'dropLowest' ? unreservedShare : 1
    this.unreservedBytes = bounds.maxBytes * share
    this.unreservedRecords = bounds.maxRecords * share
  }

  /** Returns whether there is room without the reserve, so that any record may be queued. */
  fitsWithoutReserve(length: number): boolean {
    return this.queue.bytes + length <= this.unreservedBytes && this.queue.records < this.unreservedRecords
  }

  /**
   * Frees space for a record according to the policy, and calls `dropped` for each evicted record. Returns whether the record may
   * be queued.
   */
  admit(
    length: number,
    severity: number,
    backpressure: Backpressure,
    dropped: (owner: RecordOwner, severity: number) => void,
  ): boolean {
    backpressure.now()
    switch (this.bounds.onFull) {
      case 'block':
        while (!this.fits(length)) if (!backpressure.wait()) return false
        return true
      case 'dropNewest':
        return this.fits(length)
      case 'dropOldest':
        if (!this.canFit(length)) return false
        while (!this.fits(length)) if (!this.queue.evictOldest(this.excess(length), dropped)) return false
        return true
      default:
        if (severity < reservedSeverity)
          return this.fitsWithoutReserve(length) || (this.queue.records === 0 && this.fits(length))
        if (!this.canFit(length)) return false
        while (!this.fits(length)) if (!this.queue.evictLowest(severity, dropped)) return false
        return true
    }
  }

  private fits(length: number): boolean {
    return this.queue.bytes + length <= this.bounds.maxBytes && this.queue.records < this.bounds.maxRecords
  }

  /** Returns whether the record would fit if all other records were evicted, except those that are being exported. */
  private canFit(length: number): boolean {
    const { inFlightBytes, inFlightRecords } = this.queue
    return inFlightBytes + length <= this.bounds.maxBytes && inFlightRecords < this.bounds.maxRecords
  }

  private excess(length: number): number {
    return this.queue.bytes + length - this.bounds.maxBytes
  }
}
