/** When a file is due by the clock: every so many ms since 1970 in UTC, or at the local hour or midnight. */
export type RotationInterval = number | 'hourly' | 'daily'

const HOUR = 3_600_000

/**
 * The stretch of wall-clock time that a file is for. Its bounds depend on the clock alone, so that processes which share a
 * file agree on them.
 *
 * A clock that jumps ahead makes a file due once; one that jumps back begins the period anew, so that nothing is due before
 * the time is over that is then shown.
 */
export class RotationPeriod {
  private readonly interval: RotationInterval
  private start = 0
  private end = Infinity

  constructor(interval: RotationInterval) {
    this.interval = interval
  }

  /** Begins the period that holds the time `at`, in ms since the Unix epoch. */
  begin(at: number): void {
    const { interval } = this
    const [start, end] =
      interval === 'daily' ? localDay(at) : interval === 'hourly' ? localHour(at) : slice(at, interval)
    this.start = start
    this.end = end
  }

  /** Whether the period is over at `now`, in ms since the Unix epoch. */
  isOver(now: number): boolean {
    if (now < this.start) this.begin(now)
    return now >= this.end
  }
}

function slice(at: number, length: number): [number, number] {
  const start = Math.floor(at / length) * length
  return [start, start + length]
}

/** An hour that the clock shows, 60 minutes long: where summer time ends, the hour that comes twice is two. */
function localHour(at: number): [number, number] {
  const ahead = -new Date(at).getTimezoneOffset() * 60_000
  const [start, end] = slice(at + ahead, HOUR)
  return [start - ahead, end - ahead]
}

/** From midnight to midnight, 23 to 25 hours; where summer time skips midnight, from the first moment of the day. */
function localDay(at: number): [number, number] {
  const date = new Date(at)
  const midnight = (days: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
  return [midnight(0), midnight(1)]
}
