import { member } from '../options/own-members.ts'

/** Longer values are cut in sentences about them. */
const mostShown = 200

/**
 * Where a value of JSON is not what was expected, a sentence each; none where it is. A RegExp is looked for in text, a function
 * and an asymmetric matcher decide by themselves, a Date or a BigInt stands for the text that is written for it, objects may
 * have more members, and lists have the same length.
 *
 * @param where - how the value is called
 */
export function differencesOf(value: unknown, expected: unknown, where: string): string[] {
  const decide = deciderOf(expected)
  if (decide !== undefined) return decide(value) ? [] : [difference(value, expected, where)]
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return [difference(value, expected, where)]
    return expected.flatMap((item, index) => differencesOf(value[index], item, `${where}[${index}]`))
  }
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(value, expected) ? [] : [difference(value, expected, where)]
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [difference(value, expected, where)]
  return Object.entries(expected).flatMap(([key, wanted]) => {
    const own = Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined
    return differencesOf(own, wanted, `${where}.${key}`)
  })
}

/** A value as it is shown in a sentence, on one line. */
export function shown(value: unknown): string {
  const text = wholeText(value)
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

/** How what is no data is compared; undefined for data. */
function deciderOf(expected: unknown): ((value: unknown) => boolean) | undefined {
  if (typeof expected === 'function') return (value) => value !== undefined && expected(value) === true
  if (typeof expected === 'bigint') return (value) => value === String(expected)
  // `search` reads no lastIndex, so that a RegExp with the flag g finds the same each time.
  if (isA(expected, 'RegExp')) return (value) => typeof value === 'string' && value.search(expected as RegExp) >= 0
  if (isA(expected, 'Date')) return (value) => value === (expected as Date).toJSON()
  return asymmetric(expected)
}

/** `expect.any(Number)` and its like are objects that both runners ask in the same way. */
function asymmetric(expected: unknown): ((value: unknown) => boolean) | undefined {
  if (typeof expected !== 'object' || expected === null) return undefined
  const matcher = expected as { asymmetricMatch?: (value: unknown) => unknown }
  const matches = member(matcher, 'asymmetricMatch')
  if (typeof matches !== 'function') return undefined
  return (value) => matches.call(matcher, value) === true
}

/** A test runner's files have built-in classes of their own, so `instanceof` would miss some. */
function isA(value: unknown, name: string): boolean {
  return typeof value === 'object' && Object.prototype.toString.call(value) === `[object ${name}]`
}

function difference(value: unknown, expected: unknown, where: string): string {
  return `${where}: expected ${shown(expected)}, got ${value === undefined ? 'none' : shown(value)}`
}

function wholeText(value: unknown): string {
  return textOf(value) ?? JSON.stringify(value, (_key, part: unknown) => textOf(part) ?? part) ?? 'none'
}

/** What JSON has no text for. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'function') return value.name === '' ? 'what a function takes' : `what ${value.name}() takes`
  if (typeof value === 'bigint') return String(value)
  if (isA(value, 'RegExp')) return RegExp.prototype.toString.call(value)
  const toAsymmetricMatcher = member(Object(value) as { toAsymmetricMatcher?: () => string }, 'toAsymmetricMatcher')
  return typeof toAsymmetricMatcher === 'function' ? toAsymmetricMatcher.call(value) : undefined
}
