import { dataToJson } from '../../encode/plain-data.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { define } from '../../options/define-member.ts'

/**
 * Converts a value to the form that the OpenTelemetry API accepts, restricted to values that every SDK accepts: `sdk-logs` drops a
 * whole attribute when any part of it is invalid. A BigInt becomes a number if that is exact, else decimal text. A map becomes an
 * object without a prototype, or JSON text if it has the key `constructor`, because `sdk-logs` drops objects with that key as class
 * instances.
 */
export function toApiValue(value: AnyValue): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map((item) => toApiValue(item as AnyValue))
  const map = value as AnyValueMap
  return map.has('constructor') ? dataToJson(map) : toApiAttributes(map)
}

/** Converts attributes to an object for the API. `__proto__` is an ordinary key. */
export function toApiAttributes(values: AnyValueMap): object {
  const attributes = Object.create(null) as Record<string, unknown>
  for (const [key, value] of values) {
    if (key === '__proto__') define(attributes, key, { value: toApiValue(value), enumerable: true })
    else attributes[key] = toApiValue(value)
  }
  return attributes
}
