import { member } from '../options/own-members.ts'

/** The maximum length of a value in a message, in UTF-16 units. */
const maxLength = 200

/**
 * Returns the differences between a JSON value and the expected one, one sentence each. A RegExp is searched for in text, functions
 * and asymmetric matchers are called, and a Date or BigInt equals the text that is logged for it. Objects may have additional
 * members; arrays must have the same length.
 *
 * @param where - the name of the value in messages
 */
export function differencesOf(value: unknown, expected: unknown, where: string): string[] {
  const compare = comparisonOf(expected)
  if (compare !== undefined) return compare(value) ? [] : [difference(value, expected, where)]
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return [difference(value, expected, where)]
    return expected.flatMap((item, index) => differencesOf(value[index], item, `${where}[${index}]`))
  }
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(value, expected) ? [] : [difference(value, expected, where)]
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [difference(value, expected, where)]
  return Object.entries(expected).flatMap(([key, expectedMember]) => {
    const actual = Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined
    return differencesOf(actual, expectedMember, `${where}.${key}`)
  })
}

/** Formats a value for a message, on one line. */
export function formatValue(value: unknown): string {
  const text = fullText(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Returns the comparison for an expected value that is not plain data; undefined for data. */
function comparisonOf(expected: unknown): ((value: unknown) => boolean) | undefined {
  if (typeof expected === 'function') return (value) => value !== undefined && expected(value) === true
  if (typeof expected === 'bigint') return (value) => value === String(expected)
  // `search` ignores lastIndex, so a RegExp with the flag g always gives the same result.
  if (isA(expected, 'RegExp')) return (value) => typeof value === 'string' && value.search(expected as RegExp) >= 0
  if (isA(expected, 'Date')) return (value) => value === (expected as Date).toJSON()
  return asymmetricComparison(expected)
}

/** Returns the comparison of an asymmetric matcher, such as `expect.any(Number)`, which works the same in Jest and Vitest. */
function asymmetricComparison(expected: unknown): ((value: unknown) => boolean) | undefined {
  if (typeof expected !== 'object' || expected === null) return undefined
  const matcher = expected as { asymmetricMatch?: (value: unknown) => unknown }
  const matches = member(matcher, 'asymmetricMatch')
  if (typeof matches !== 'function') return undefined
  return (value) => matches.call(matcher, value) === true
}

/**
 * Returns whether a value is an instance of a built-in class. `instanceof` is not enough, because test runners run files in realms
 * with their own built-in classes.
 */
export function isA(value: unknown, name: string): boolean {
  return typeof value === 'object' && Object.prototype.toString.call(value) === `[object ${name}]`
}

function difference(value: unknown, expected: unknown, where: string): string {
  return `${where}: expected ${formatValue(expected)}, got ${value === undefined ? 'none' : formatValue(value)}`
}

function fullText(value: unknown): string {
  return textOf(value) ?? JSON.stringify(value, (_key, part: unknown) => textOf(part) ?? part) ?? 'none'
}

/** Returns the text of a value that JSON cannot represent; undefined for other values. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'function')
    return value.name === '' ? 'a value accepted by a function' : `a value accepted by ${value.name}()`
  if (typeof value === 'bigint') return String(value)
  if (isA(value, 'RegExp')) return RegExp.prototype.toString.call(value)
  const toAsymmetricMatcher = member(Object(value) as { toAsymmetricMatcher?: () => string }, 'toAsymmetricMatcher')
  return typeof toAsymmetricMatcher === 'function' ? toAsymmetricMatcher.call(value) : undefined
}
