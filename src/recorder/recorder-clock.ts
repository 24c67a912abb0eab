import type { LogRecord } from '../record/record.ts'

/** The monotonic time of records, in ms. */
export class RecorderClock {
  private readonly monotonic: () => number
  private lastTime = NaN
  private lastNow = 0

  constructor(monotonic: () => number) {
    this.monotonic = monotonic
  }

  /** Reads the clock. */
  now(): number {
    return (this.lastNow = this.monotonic())
  }

  /** Returns the time of a record that is logged now. The clock is read once for all records of the same millisecond. */
  timeOf({ time }: LogRecord): number {
    if (time !== this.lastTime) {
      this.lastTime = time
      this.lastNow = this.monotonic()
    }
    return this.lastNow
  }
}
