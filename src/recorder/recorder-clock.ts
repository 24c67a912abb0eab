import type { LogRecord } from '../record/record.ts'

/**
 * The monotonic time of records, in whole ms since the clock was created. V8 stores such numbers in the objects that have them, and each
 * other number in an object of its own, which is a cache miss for each record.
 */
export class RecorderClock {
  private readonly monotonic: () => number
  private readonly start: number
  private readonly isSystemTime: boolean
  private lastTime = NaN
  private lastNow = 0

  /** @param isSystemTime - whether the time of records is that of the system, and not of a clock that may be stopped */
  constructor(monotonic: () => number, isSystemTime: boolean) {
    this.isSystemTime = isSystemTime
    this.monotonic = monotonic
    this.start = monotonic()
  }

  /** Reads the clock. */
  now(): number {
    return (this.lastNow = Math.trunc(this.monotonic() - this.start))
  }

  /** Returns the time of a record that is logged now. The clock is read once for all records of the same millisecond. */
  timeOf({ time }: LogRecord): number {
    if (time === this.lastTime && this.isSystemTime) return this.lastNow
    this.lastTime = time
    return this.now()
  }
}
