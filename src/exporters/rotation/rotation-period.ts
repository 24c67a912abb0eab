/** The period of a file: a number of ms counted from 1970 in UTC, or until the next full hour or midnight of local time. */
export type RotationInterval = number | 'hourly' | 'daily'

const HOUR_MILLIS = 3_600_000

/**
 * The period of wall-clock time that a file is used for. Its start and end depend only on the clock, so that processes that
 * share a file have the same period.
 *
 * If the clock jumps forward, a file is due for rotation once. If it jumps back, the period that contains the new time begins,
 * so that the file is not due before that period ends.
 */
export class RotationPeriod {
  private readonly interval: RotationInterval
  /** When the period starts, in ms since the Unix epoch. */
  private start = 0
  /** When the period ends. */
  private end = Infinity

  constructor(interval: RotationInterval) {
    this.interval = interval
  }

  /**
   * Begins the period that contains a time.
   *
   * @param time - In ms since the Unix epoch.
   */
  begin(time: number): void {
    const { interval } = this
    const [start, end] =
      interval === 'daily' ? localDay(time) : interval === 'hourly' ? localHour(time) : alignedPeriod(time, interval)
    this.start = start
    this.end = end
  }

  /**
   * Returns whether the period is over. If the time is before the period, the clock was set back and another period begins.
   *
   * @param now - In ms since the Unix epoch.
   */
  isOver(now: number): boolean {
    if (now < this.start) this.begin(now)
    return now >= this.end
  }
}

/** Returns the start and end of a period whose start is a multiple of its length. */
function alignedPeriod(time: number, length: number): [number, number] {
  const start = Math.floor(time / length) * length
  return [start, start + length]
}

/**
 * Returns the start and end of an hour of local time, always 60 minutes long: at the end of daylight saving time, the repeated
 * hour is two periods.
 */
function localHour(time: number): [number, number] {
  const offset = -new Date(time).getTimezoneOffset() * 60_000
  const [start, end] = alignedPeriod(time + offset, HOUR_MILLIS)
  return [start - offset, end - offset]
}

/**
 * Returns the start and end of a day of local time, from midnight to midnight, 23 to 25 hours long. If daylight saving time skips
 * midnight, the day starts at its first moment.
 */
function localDay(time: number): [number, number] {
  const date = new Date(time)
  const midnight = (days: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
  return [midnight(0), midnight(1)]
}
