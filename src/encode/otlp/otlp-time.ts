/**
 * Returns a time in the form of OTLP: nanoseconds since the epoch, as decimal text (JS2, JS12). Returns undefined for a time that OTLP
 * cannot represent: the epoch and earlier times, and times beyond 64 bits, in the year 2554. A receiver would reject the whole request.
 *
 * @param millis - milliseconds since the epoch; a fraction counts to the microsecond, which is the precision of a double
 * @param nanos - nanoseconds beyond the whole milliseconds, if they are known
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

/** The last whole millisecond whose nanoseconds since the epoch are below 2^64. */
export const latestMillis = 18_446_744_073_708
