/**
 * A count of dropped attributes, which anybody may have set, as OTLP can carry it: a whole number from 0 to 2^32 - 1 (uint32).
 * What is no finite number, or less than one, is 0.
 */
export function droppedCount(given: unknown): number {
  return Number.isFinite(given) ? Math.min(Math.max(0, Math.floor(given as number)), 4_294_967_295) : 0
}
