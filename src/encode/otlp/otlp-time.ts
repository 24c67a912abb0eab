/**
 * Returns a time in the form of OTLP: nanoseconds since the epoch, as decimal text. Returns undefined for a time that OTLP cannot
 * represent, for which a receiver may reject the whole request: the epoch, whose 0 means an unknown time; earlier times; and times that do
 * not fit into 64 bits, from the year 2554.
 *
 * @param millis - milliseconds since the epoch; a fraction is rounded to microseconds, because a double is not much more precise
 * @param nanos - nanoseconds beyond the whole milliseconds, if they are known
 */
export function nanosText(millis: number, nanos?: number): string | undefined {
  let wholeMillis = Math.floor(millis)
  let nanosOfMilli = nanos ?? Math.round((millis - wholeMillis) * 1_000) * 1_000
  if (nanosOfMilli === 1_000_000) {
    wholeMillis++
    nanosOfMilli = 0
  }
  if (!(wholeMillis >= 0 && wholeMillis <= latestMillis) || (wholeMillis === 0 && nanosOfMilli === 0)) return undefined
  if (nanosOfMilli === 0) return wholeMillis + '000000'
  return (wholeMillis === 0 ? '' : wholeMillis) + ('' + nanosOfMilli).padStart(wholeMillis === 0 ? 0 : 6, '0')
}

/** The last millisecond since the epoch of which all nanoseconds are below 2^64. */
export const latestMillis = 18_446_744_073_708
