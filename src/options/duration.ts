/** The forms of a duration, for messages. */
export const durationForms = '30s, 10m, 1h30m or 1d'

/**
 * Parses a duration such as `500ms`, `30s`, `10m`, `1h30m`, `1d` or `2w`.
 *
 * @returns milliseconds, which can have a fraction; undefined if the text is not a duration
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > maxLength || !durationPattern.test(text)) return undefined
  let millis = 0
  for (const [, number, unit] of text.matchAll(partPattern)) millis += Number(number) * unitMillis.get(unit!)!
  return millis
}

/** Returns a duration as text with at most two units: `1h 30m`, `10m`, `45s`. Less than a second is rounded up to `1s`. */
export function durationText(millis: number): string {
  const seconds = Math.max(1, Math.ceil(millis / 1_000))
  const parts: string[] = []
  let rest = seconds
  for (const [unit, length] of textUnits) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0) parts.push(`${count}${unit}`)
    // The unit after the largest one is the last one: `2d 5h` and not `2d 1m`.
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.join(' ')
}

const maxLength = 64
const durationPattern = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/
const partPattern = /(\d+(?:\.\d+)?)(ms|[smhdw])/g

const unitMillis: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
])

const textUnits = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const
