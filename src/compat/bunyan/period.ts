type PeriodUnit = 'ms' | 'h' | 'd' | 'w' | 'm' | 'y'

/** How often a file is rotated: every `count` units of time. */
export interface Period {
  readonly count: number
  readonly unit: PeriodUnit
}

const periodsByWord: Readonly<Record<string, string>> = {
  hourly: '1h',
  daily: '1d',
  weekly: '1w',
  monthly: '1m',
  yearly: '1y',
}
const hourMillis = 3_600_000
const millisByUnit = { ms: 1, h: hourMillis, d: 24 * hourMillis, w: 7 * 24 * hourMillis }

/** Parses a period in bunyan's format: a number and h, d, w, m, y or (for tests) ms, or a word. Returns undefined for any other text. */
export function parsePeriod(text: string): Period | undefined {
  const word = Object.hasOwn(periodsByWord, text) ? periodsByWord[text]! : text
  const match = /^([1-9]\d*)([hdwmy]|ms)$/.exec(word)
  return match === null ? undefined : { count: Number(match[1]), unit: match[2] as PeriodUnit }
}

/**
 * Returns the next rotation time, in milliseconds since the epoch. The first is the end of the current UTC hour, day, week (which begins
 * on Sunday), month or year; later ones follow at intervals of the period. Periods in ms begin now.
 *
 * @param previous - the previous result; undefined for the first rotation
 */
export function nextRotationTime({ count, unit }: Period, now: number, previous: number | undefined): number {
  if (unit === 'm' || unit === 'y') return startOfPeriod(unit, now, previous === undefined ? 1 : count)
  const length = count * millisByUnit[unit]
  if (previous === undefined) return unit === 'ms' ? now + length : startOfPeriod(unit, now, 1)
  // Missed rotations are skipped, for example after the machine was suspended.
  return previous + length * Math.max(1, Math.ceil((now - previous) / length))
}

/** Returns when the current UTC hour, day, week, month or year began; for a period in ms, the current time. */
export function startOfCurrentPeriod({ unit }: Period, now: number): number {
  return unit === 'ms' ? now : startOfPeriod(unit, now, 0)
}

/** Returns when the UTC hour, day, week, month or year begins that is `offset` units after the current one. */
function startOfPeriod(unit: Exclude<PeriodUnit, 'ms'>, now: number, offset: number): number {
  const date = new Date(now)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  const day = date.getUTCDate()
  switch (unit) {
    case 'h':
      return Date.UTC(year, month, day, date.getUTCHours() + offset)
    case 'd':
      return Date.UTC(year, month, day + offset)
    case 'w':
      return Date.UTC(year, month, day - date.getUTCDay() + 7 * offset)
    case 'm':
      return Date.UTC(year, month + offset)
    default:
      return Date.UTC(year + offset, 0)
  }
}
