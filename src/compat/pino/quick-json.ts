import { numberText } from '../../encode/json/number-text.ts'
import { escapedJson } from '../../encode/json/quote.ts'
import { isOnEveryObject } from '../../options/own-members.ts'

/** The JSON of a value by `JSON.stringify`; null where that throws, or would call a `toJSON` of `Object.prototype`. */
export function quickJson(value: unknown): string | null | undefined {
  if (isOnEveryObject('toJSON')) return null
  try {
    return escapedJson(JSON.stringify(value))
  } catch {
    return null
  }
}

/** A scalar as JSON has it: there is no number for NaN. */
export function scalarText(value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return value - value === 0 ? numberText(value) : 'null'
}
