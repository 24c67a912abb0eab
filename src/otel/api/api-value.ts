import { plainText } from '../../encode/plain.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { define } from '../../options/define-member.ts'

/**
 * Data as the OpenTelemetry API takes it, in a form that no SDK refuses: what sdk-logs finds invalid anywhere in an attribute
 * costs it the whole attribute (D8). A BigInt is a number where that is exact, else decimal text; a map is an object without
 * a prototype, and JSON text where a key is `constructor`, by which sdk-logs tells classes.
 */
export function apiValue(value: AnyValue): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map((item) => apiValue(item as AnyValue))
  const map = value as AnyValueMap
  return map.has('constructor') ? plainText(map, true) : apiAttributes(map)
}

/** Attributes as the API takes them. An own `__proto__` is a key like any other. */
export function apiAttributes(values: AnyValueMap): object {
  const attributes = Object.create(null) as Record<string, unknown>
  for (const [key, value] of values) {
    if (key === '__proto__') define(attributes, key, { value: apiValue(value), enumerable: true })
    else attributes[key] = apiValue(value)
  }
  return attributes
}
