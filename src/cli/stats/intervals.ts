const units: ReadonlyMap<string, number> = new Map([
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
])

/** Lengths of intervals. Each is a multiple of the one before, so that counts can be merged. */
const ladder = lengthsOf('1ms 2ms 10ms 20ms 100ms 200ms 1s 2s 10s 30s 1m 2m 10m 30m 1h 2h 6h 12h 1d')

/** Lengths of intervals that are easy to read. */
const readable = lengthsOf(
  `1ms 2ms 5ms 10ms 20ms 50ms 100ms 200ms 500ms 1s 2s 5s 10s 15s 30s 1m 2m 5m 10m 15m 30m
  1h 2h 3h 6h 12h 1d 2d 5d 7d 10d 14d 30d 60d 90d 180d 365d`,
)

function lengthsOf(texts: string): readonly number[] {
  return texts.split(/\s+/).map((text) => parseInt(text) * units.get(text.replace(/^\d+/, ''))!)
}

/** Returns the next longer interval that is easy to read and a multiple of another one. */
export function longerReadableInterval(interval: number, multipleOf: number): number {
  return (
    readable.find((length) => length > interval && length % multipleOf === 0) ?? longerMultiple(interval, multipleOf)
  )
}

function longerMultiple(interval: number, multipleOf: number): number {
  return Math.ceil((interval * 2) / multipleOf) * multipleOf
}

/** Returns the next longer interval. It is a multiple of the given one. */
export function longerInterval(interval: number): number {
  return ladder.find((length) => length > interval && length % interval === 0) ?? interval * 2
}

/** Returns a length of time in the largest unit that divides it, such as `30s` or `2m`. */
export function intervalText(interval: number): string {
  for (const [unit, length] of units) {
    if (interval >= length && interval % length === 0) return `${interval / length}${unit}`
  }
  return `${interval}ms`
}
