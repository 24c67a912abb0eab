/** Returns a number of seconds as a short duration for a message: `0.4ms`, `14ms`, `1.2s`. */
export function durationText(seconds: number): string {
  const millis = seconds * 1_000
  if (millis < 1) return `${Math.round(millis * 10) / 10}ms`
  return millis < 999.5 ? `${Math.round(millis)}ms` : `${Math.round(millis / 100) / 10}s`
}
