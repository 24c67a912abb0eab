/**
 * A time as OTLP says it: nanoseconds since the epoch, as decimal text (JS2, JS12). undefined for one that OTLP has no
 * word for: at the epoch or before it, or past what 64 bits hold, in the year 2554. A reader would refuse the whole request.
 *
 * @param millis - milliseconds since the epoch; a fraction counts to the microsecond, which is what a double can tell
 * @param nanos - nanoseconds beyond the whole milliseconds, where they are known
 */
export function nanosText(millis: number, nanos?: number): string | undefined {
  let whole = Math.floor(millis)
  let beyond = nanos ?? Math.round((millis - whole) * 1_000) * 1_000
  if (beyond === 1_000_000) {
    whole++
    beyond = 0
  }
  if (!(whole >= 0 && whole <= latestMillis) || (whole === 0 && beyond === 0)) return undefined
  if (beyond === 0) return whole + '000000'
  return (whole === 0 ? '' : whole) + ('' + beyond).padStart(whole === 0 ? 0 : 6, '0')
}

/** The last whole millisecond whose nanoseconds are fewer than 2^64. */
export const latestMillis = 18_446_744_073_708
