import { maskPassword } from '../../redact/url-password.ts'

const readers: Readonly<Record<string, (value: never) => unknown>> = {
  Date: (value) => (Number.isNaN(time.call(value)) ? 'Invalid Date' : isoText.call(value)),
  RegExp: (value) => regExpText.call(value),
  String: (value) => stringValue.call(value),
  Number: (value) => numberValue.call(value),
  Boolean: (value) => booleanValue.call(value),
  BigInt: (value) => bigintValue.call(value),
  Symbol: (value) => symbolValue.call(value),
  URL: (value: { href: string }) => maskPassword(value.href),
  URLSearchParams: String,
}

const { getTime: time, toISOString: isoText } = Date.prototype
const regExpText = RegExp.prototype.toString
const stringValue = String.prototype.valueOf
const numberValue = Number.prototype.valueOf
const booleanValue = Boolean.prototype.valueOf
const bigintValue = BigInt.prototype.valueOf
const symbolValue = Symbol.prototype.valueOf

/**
 * Returns the value that is logged for an object that represents a single value; undefined for all others. A Date is RFC 3339 text,
 * wrapper objects are unwrapped, and RegExp, URL and Temporal are text. An object that only has the tag of a Date, RegExp or wrapper
 * object is not treated as one. For the other types the tag is sufficient.
 *
 * @param tag - the type as `Object.prototype.toString` reports it, without `[object ]`
 * @throws what `toString` of an object with a Temporal tag throws
 */
export function scalarOf(value: object, tag: string): unknown {
  if (tag.startsWith('Temporal.')) return (value as { toString(): string }).toString()
  if (!Object.hasOwn(readers, tag)) return undefined
  try {
    return readers[tag]!(value as never)
  } catch {
    return undefined
  }
}
