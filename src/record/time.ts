/** The largest distance from the epoch that a Date can hold, in ms (ECMA-262). */
const maxTime = 8.64e15

/** A usable time in ms since the epoch: what `clock` says, or the system's time where that is none. Never throws. */
export function readClock(clock: () => number): number {
  try {
    const time = clock()
    if (typeof time === 'number' && time >= -maxTime && time <= maxTime) return time
  } catch {
    // an injected clock that throws is no reason to lose the record
  }
  return Date.now()
}

/**
 * Renders times as RFC 3339 in UTC with milliseconds. The text up to the second is kept, because records come in order
 * and `toISOString` costs some eight times what is left to do.
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
