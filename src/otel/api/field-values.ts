/** A severity number of the data model, which anybody may have set; anything else is 0, unspecified. */
export function severityNumberOf(given: unknown): number {
  return typeof given === 'number' && given > 0 && given <= 24 && Number.isInteger(given) ? given : 0
}

/** An event's name; undefined where there is none. */
export function eventNameOf(given: unknown): string | undefined {
  return typeof given === 'string' && given !== '' ? given : undefined
}

/**
 * A count of dropped attributes, which anybody may have set, as OTLP can carry it: a whole number from 0 to 2^32 - 1 (uint32).
 * What is no finite number, or less than one, is 0.
 */
export function droppedCount(given: unknown): number {
  return Number.isFinite(given) ? Math.min(Math.max(0, Math.floor(given as number)), 4_294_967_295) : 0
}
