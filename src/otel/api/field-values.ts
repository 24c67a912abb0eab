/** Returns a valid severity number of the data model (1 to 24), or 0 (unspecified) for any other value. */
export function severityNumberOf(given: unknown): number {
  return typeof given === 'number' && given > 0 && given <= 24 && Number.isInteger(given) ? given : 0
}

/** Returns the name of an event; undefined when it is empty or not a string. */
export function eventNameOf(given: unknown): string | undefined {
  return typeof given === 'string' && given !== '' ? given : undefined
}

/**
 * Returns a count of dropped attributes that OTLP can represent: an integer from 0 to 2^32 - 1 (uint32). Values that are not a
 * finite number, or that are less than 1, become 0.
 */
export function droppedCount(given: unknown): number {
  return Number.isFinite(given) ? Math.min(Math.max(0, Math.floor(given as number)), 4_294_967_295) : 0
}
