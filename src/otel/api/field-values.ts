/** Returns a severity number of the data model (1 to 24), or 0 (unspecified) for any other value. */
export function validSeverityNumber(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= 24 && Number.isInteger(value) ? value : 0
}

/** Returns the name of an event; undefined if it is empty or not a string. */
export function validEventName(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Returns a count of dropped attributes that OTLP can represent: an integer from 0 to 2^32 - 1 (uint32). Values that are not a
 * finite number, or that are less than 1, become 0.
 */
export function validDroppedCount(value: unknown): number {
  return Number.isFinite(value) ? Math.min(Math.max(0, Math.floor(value as number)), 4_294_967_295) : 0
}
