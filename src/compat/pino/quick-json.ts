import { numberText } from '../../encode/json/number-text.ts'
import { escapeHighControls } from '../../encode/json/quote.ts'
import { isOnEveryObject } from '../../options/own-members.ts'

/**
 * Returns the result of `JSON.stringify`, with DEL and C1 controls escaped. Returns null if it throws, or if another library added `toJSON`
 * to `Object.prototype`, which `JSON.stringify` would call.
 */
export function quickJson(value: unknown): string | null | undefined {
  if (isOnEveryObject('toJSON')) return null
  try {
    return escapeHighControls(JSON.stringify(value))
  } catch {
    return null
  }
}

/** Returns a scalar as JSON. NaN and infinite numbers are null. */
export function scalarJson(value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return value - value === 0 ? numberText(value) : 'null'
}
