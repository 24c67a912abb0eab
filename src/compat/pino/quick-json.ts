import { numberText } from '../../encode/json/number-text.ts'
import { escapedJson } from '../../encode/json/quote.ts'
import { isOnEveryObject } from '../../options/own-members.ts'

/** Returns the result of `JSON.stringify`; null if it throws, or would call a `toJSON` of a polluted `Object.prototype`. */
export function quickJson(value: unknown): string | null | undefined {
  if (isOnEveryObject('toJSON')) return null
  try {
    return escapedJson(JSON.stringify(value))
  } catch {
    return null
  }
}

/** Returns a scalar as JSON. NaN and infinite numbers are null. */
export function scalarText(value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return value - value === 0 ? numberText(value) : 'null'
}
