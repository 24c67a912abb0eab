/** The maximum distance from the epoch that a Date can represent, in ms (ECMA-262). */
const maxTime = 8.64e15

/** Returns a valid time in ms since the epoch: that of `clock`, or the system's time if it is invalid. Never throws. */
export function readClock(clock: () => number): number {
  try {
    const time = clock()
    if (typeof time === 'number' && time >= -maxTime && time <= maxTime) return time
  } catch {
    // A custom clock that throws must not lose the record.
  }
  return Date.now()
}

/**
 * A renderer of times as RFC 3339 in UTC with milliseconds. The text up to the second is cached, because records come in order
 * and `toISOString` costs about eight times as much as the rest.
 */
export class TimeText {
  private second = NaN
  private head = ''

  render(time: number): string {
    const whole = Math.floor(time)
    const second = Math.floor(whole / 1000)
    if (second !== this.second) {
      this.head = new Date(second * 1000).toISOString().slice(0, -4)
      this.second = second
    }
    const millis = whole - second * 1000
    return this.head + (millis < 10 ? '00' : millis < 100 ? '0' : '') + millis + 'Z'
  }
}
