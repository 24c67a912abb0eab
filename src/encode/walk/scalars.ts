import { maskUrlPassword } from '../../redact/url-password.ts'
import { getter } from './collections.ts'

/** Reads the value of an object by its tag. Throws if the object only has the tag of a Date or wrapper object. */
const readers: Readonly<Record<string, (value: never) => unknown>> = {
  Date: (value) => (Number.isNaN(getTime.call(value)) ? 'Invalid Date' : toISOString.call(value)),
  RegExp: regExpText,
  String: (value) => stringValueOf.call(value),
  Number: (value) => numberValueOf.call(value),
  Boolean: (value) => booleanValueOf.call(value),
  BigInt: (value) => bigintValueOf.call(value),
  Symbol: (value) => symbolValueOf.call(value),
  URL: (value: { href: string }) => maskUrlPassword(value.href),
  URLSearchParams: String,
}

const { getTime, toISOString } = Date.prototype
const sourceGetter = getter(RegExp.prototype, 'source')
const flagGetters = (
  [
    ['d', 'hasIndices'],
    ['g', 'global'],
    ['i', 'ignoreCase'],
    ['m', 'multiline'],
    ['s', 'dotAll'],
    ['u', 'unicode'],
    ['v', 'unicodeSets'],
    ['y', 'sticky'],
  ] as const
).map(([flag, name]) => [flag, getter(RegExp.prototype, name)] as const)
const stringValueOf = String.prototype.valueOf
const numberValueOf = Number.prototype.valueOf
const booleanValueOf = Boolean.prototype.valueOf
const bigintValueOf = BigInt.prototype.valueOf
const symbolValueOf = Symbol.prototype.valueOf

/** Returns the text of a RegExp. Its own method reads `source` and `flags` of any object. */
function regExpText(value: object): string {
  let text = `/${sourceGetter.call(value) as string}/`
  for (const [flag, hasFlag] of flagGetters) if (hasFlag.call(value) === true) text += flag
  return text
}

/**
 * Returns the value that is logged for an object that represents a single value; undefined for all others. A Date is RFC 3339 text,
 * wrapper objects are unwrapped, and RegExp, URL, URLSearchParams and Temporal are text. An object that only has the tag of a Date or
 * wrapper object is not treated as one. For the other types the tag is sufficient, unless reading the object throws.
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
