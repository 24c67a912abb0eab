type Scope = 'ms' | 'h' | 'd' | 'w' | 'm' | 'y'

/** How often a file is rotated. */
export interface Period {
  readonly units: number
  readonly scope: Scope
}

const words: Readonly<Record<string, string>> = { hourly: '1h', daily: '1d', weekly: '1w', monthly: '1m', yearly: '1y' }
const hour = 3_600_000
const lengths = { ms: 1, h: hour, d: 24 * hour, w: 7 * 24 * hour }

/** Parses a period in bunyan's format: a number and h, d, w, m or y, or a word. Returns undefined for any other text. */
export function parsePeriod(text: string): Period | undefined {
  const word = Object.hasOwn(words, text) ? words[text]! : text
  const match = /^([1-9]\d*)([hdwmy]|ms)$/.exec(word)
  return match === null ? undefined : { units: Number(match[1]), scope: match[2] as Scope }
}

/**
 * Returns the next rotation time, in milliseconds since the epoch. The first is the end of the current UTC hour, day, week (which begins
 * on Sunday), month or year; later ones follow at the period.
 */
export function nextRotation({ units, scope }: Period, now: number, last: number | undefined): number {
  if (scope === 'm' || scope === 'y') return startOf(scope, now, last === undefined ? 1 : units)
  const length = units * lengths[scope]
  if (last === undefined) return scope === 'ms' ? now + length : startOf(scope, now, 1)
  // Missed rotations are skipped, for example after the machine was suspended.
  return last + length * Math.max(1, Math.ceil((now - last) / length))
}

/** Returns when the current hour, day, week, month or year began. */
export function periodStart({ scope }: Period, now: number): number {
  return scope === 'ms' ? now : startOf(scope, now, 0)
}

function startOf(scope: Exclude<Scope, 'ms'>, now: number, further: number): number {
  const date = new Date(now)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  const day = date.getUTCDate()
  switch (scope) {
    case 'h':
      return Date.UTC(year, month, day, date.getUTCHours() + further)
    case 'd':
      return Date.UTC(year, month, day + further)
    case 'w':
      return Date.UTC(year, month, day - date.getUTCDay() + 7 * further)
    case 'm':
      return Date.UTC(year, month + further)
    default:
      return Date.UTC(year + further, 0)
  }
}
