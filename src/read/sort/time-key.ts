import type { ReadRecord } from '../record.ts'

const nanosPerMilli = 1_000_000n

/** A time that records are sorted by: whole milliseconds since the Unix epoch, and the nanoseconds after them. */
export interface TimeKey {
  readonly millis: number
  readonly nanos: number
}

/** Returns a negative number if `left` is earlier than `right`, a positive one if it is later, and 0 if they are equal. */
export function compareTimes(left: TimeKey, right: TimeKey): number {
  // Not a subtraction only: the difference of two infinities is not a number.
  if (left.millis !== right.millis) return left.millis < right.millis ? -1 : 1
  return left.nanos - right.nanos
}

/** The time of the last record of an input. A record without a time takes that of the record before it. */
export class LastTime implements TimeKey {
  millis: number = -Infinity
  nanos = 0

  /** Sets the time to that of the next record, if it has one. */
  update(record: ReadRecord): void {
    const { timeUnixNano, time } = record
    if (timeUnixNano !== undefined) {
      // The milliseconds as a floating-point number are exact to a quarter of a microsecond only.
      const nanos = Number(timeUnixNano % nanosPerMilli)
      this.millis = Number(timeUnixNano / nanosPerMilli) - (nanos < 0 ? 1 : 0)
      this.nanos = nanos < 0 ? nanos + 1e6 : nanos
    } else if (time !== undefined && Number.isFinite(time)) {
      this.millis = Math.floor(time)
      this.nanos = Math.round((time - this.millis) * 1e6)
    }
  }

  set({ millis, nanos }: TimeKey): void {
    this.millis = millis
    this.nanos = nanos
  }
}
