/** OpenTelemetry's severity number (1 to 24) of a level: 10 is TRACE (1), 20 DEBUG (5), 30 INFO (9), and so on by tens. */
export function severityOf(level: number): number {
  if (!(level > 0)) return 1
  return Math.min(24, Math.max(1, Math.round((level - 10) * 0.4) + 1))
}
