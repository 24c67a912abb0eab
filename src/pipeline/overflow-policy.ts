import type { BoundedQueue } from './bounded-queue.ts'
import type { RecordOwner } from './batch-buffer.ts'
import type { OnFull } from './exporter.ts'

/** WARN: `dropLowest` keeps the last fifth of the queue for it and what is worse. */
const reservedFor = 13
const reservedFrom = 0.8

/** How much may wait, and what happens at the bound. */
export interface Bounds {
  readonly maxBytes: number
  readonly maxRecords: number
  readonly onFull: OnFull
}

/** How a full queue gets room without giving records up. */
export interface Backpressure {
  /** Writes what the destination takes without blocking. */
  now(): void
  /** Blocks until the destination took something. Returns whether that can still be hoped for. */
  wait(): boolean
}

/** Decides whether a record may enter a queue. Only `isEasy` is asked for each record; all else is for a queue that is nearly full. */
export class OverflowPolicy {
  private readonly queue: BoundedQueue
  private readonly bounds: Bounds
  private readonly easyBytes: number
  private readonly easyRecords: number

  constructor(queue: BoundedQueue, bounds: Bounds) {
    this.queue = queue
    this.bounds = bounds
    const share = bounds.onFull === 'dropLowest' ? reservedFrom : 1
    this.easyBytes = bounds.maxBytes * share
    this.easyRecords = bounds.maxRecords * share
  }

  /** Whether there is room without the reserve: every record may enter. */
  isEasy(length: number): boolean {
    return this.queue.bytes + length <= this.easyBytes && this.queue.records < this.easyRecords
  }

  /** Makes room for a record by the policy, telling each record that gives way. Returns whether the record may enter. */
  admit(
    length: number,
    severity: number,
    relief: Backpressure,
    dropped: (owner: RecordOwner, severity: number) => void,
  ): boolean {
    relief.now()
    switch (this.bounds.onFull) {
      case 'block':
        while (!this.fits(length)) if (!relief.wait()) return false
        return true
      case 'dropNewest':
        return this.fits(length)
      case 'dropOldest':
        if (!this.canFit(length)) return false
        while (!this.fits(length)) if (!this.queue.shedOldest(this.excess(length), dropped)) return false
        return true
      default:
        if (severity < reservedFor) return this.isEasy(length) || (this.queue.records === 0 && this.fits(length))
        if (!this.canFit(length)) return false
        while (!this.fits(length)) if (!this.queue.shedLowest(severity, dropped)) return false
        return true
    }
  }

  private fits(length: number): boolean {
    return this.queue.bytes + length <= this.bounds.maxBytes && this.queue.records < this.bounds.maxRecords
  }

  /** Whether it would fit if everything gave way that can: what the exporter has cannot. */
  private canFit(length: number): boolean {
    const { heldBytes, heldRecords } = this.queue
    return heldBytes + length <= this.bounds.maxBytes && heldRecords < this.bounds.maxRecords
  }

  private excess(length: number): number {
    return this.queue.bytes + length - this.bounds.maxBytes
  }
}
