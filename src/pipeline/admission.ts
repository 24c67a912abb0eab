import type { BoundedQueue } from './bounded-queue.ts'
import type { Origin } from './chunk.ts'
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

/** Decides whether a record may enter a queue. Only called where the queue is nearly full: nothing here is hot. */
export class Admission {
  private readonly queue: BoundedQueue
  private readonly bounds: Bounds
  /** Below both, every record may enter. */
  readonly easyBytes: number
  readonly easyRecords: number

  constructor(queue: BoundedQueue, bounds: Bounds) {
    this.queue = queue
    this.bounds = bounds
    const share = bounds.onFull === 'dropLowest' ? reservedFrom : 1
    this.easyBytes = bounds.maxBytes * share
    this.easyRecords = bounds.maxRecords * share
  }

  /**
   * Makes room for a record by the policy. `relieve` writes what the destination takes without blocking; `wait` blocks
   * until it took something and returns whether that can still be hoped for. Returns whether the record may enter.
   */
  admit(
    length: number,
    severity: number,
    relieve: () => void,
    wait: () => boolean,
    dropped: (origin: Origin, severity: number) => void,
  ): boolean {
    relieve()
    switch (this.bounds.onFull) {
      case 'block':
        while (!this.fits(length)) if (!wait()) return false
        return true
      case 'dropNewest':
        return this.fits(length)
      case 'dropOldest':
        while (!this.fits(length)) if (!this.queue.shedOldest(this.excess(length), dropped)) return false
        return true
      case 'dropLowest':
        if (severity < reservedFor) return this.isEasy(length)
        while (!this.fits(length)) if (!this.queue.shedLowest(severity, dropped)) return false
        return true
    }
  }

  /** Whether there is room without the reserve. */
  isEasy(length: number): boolean {
    return this.queue.bytes + length <= this.easyBytes && this.queue.records < this.easyRecords
  }

  private fits(length: number): boolean {
    return this.queue.bytes + length <= this.bounds.maxBytes && this.queue.records < this.bounds.maxRecords
  }

  private excess(length: number): number {
    return this.queue.bytes + length - this.bounds.maxBytes
  }
}
