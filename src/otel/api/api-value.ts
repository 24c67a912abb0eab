import { plainText } from '../../encode/plain.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { define } from '../../options/define-member.ts'

/**
 * Converts a value to the form that the OpenTelemetry API accepts, restricted to values that every SDK accepts: sdk-logs drops a
 * whole attribute when any part of it is invalid (D8). A BigInt becomes a number when that is exact, else decimal text. A map
 * becomes an object without a prototype, or JSON text when it has the key `constructor`, which sdk-logs uses to detect class
 * instances.
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

/** Converts attributes to an object for the API. An own `__proto__` is treated as an ordinary key. */
export function apiAttributes(values: AnyValueMap): object {
  const attributes = Object.create(null) as Record<string, unknown>
  for (const [key, value] of values) {
    if (key === '__proto__') define(attributes, key, { value: apiValue(value), enumerable: true })
    else attributes[key] = apiValue(value)
  }
  return attributes
}
