/** The maximum distance from the epoch that a Date can represent, in ms (ECMA-262). */
const maxDateMillis = 8.64e15

/** Returns a time in ms since the Unix epoch: that of `clock`, or that of the system if `clock` throws or its time is invalid. */
export function readClock(clock: () => number): number {
  try {
    const time = clock()
    if (typeof time === 'number' && time >= -maxDateMillis && time <= maxDateMillis) return time
  } catch {
    // A custom clock that throws must not lose the record.
  }
  return Date.now()
}

/**
 * Renders times as RFC 3339 text in UTC with milliseconds. The text up to the second is cached, because consecutive records often
 * have the same second, and `toISOString` costs about eight times as much as the rest.
 */
export class TimeRenderer {
  private cachedSecond = NaN
  /** The text of `cachedSecond` up to the decimal point. */
  private cachedText = ''

  /** Returns the text of a time in ms since the Unix epoch, which must be a time that a Date can represent. */
  render(time: number): string {
    const wholeMillis = Math.floor(time)
    const second = Math.floor(wholeMillis / 1000)
    if (second !== this.cachedSecond) {
      this.cachedText = new Date(second * 1000).toISOString().slice(0, -4)
      this.cachedSecond = second
    }
    const millis = wholeMillis - second * 1000
    return this.cachedText + (millis < 10 ? '00' : millis < 100 ? '0' : '') + millis + 'Z'
  }
}
