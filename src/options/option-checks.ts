import { nearest } from './nearest-name.ts'
import type { ConfigurationProblem } from './configuration-error.ts'

/** Adds what is wrong with `value`, which stands at `where` in the options, to `problems`. */
export type Check = (value: unknown, where: string, problems: ConfigurationProblem[]) => void

/** Which options there are, each with its check. An option that is absent or undefined is never wrong, whatever its name. */
export type OptionSchema = Readonly<Record<string, Check>>

/**
 * Finds everything that is wrong in an options object: unknown names (`SLUICE_OPTION_UNKNOWN`, with the name that was
 * probably meant), wrong types (`SLUICE_OPTION_TYPE`) and wrong values (`SLUICE_OPTION_RANGE`).
 *
 * @param where - the object's own path, '' for the outermost: paths read `name`, or `redact.keys[2]`
 */
export function checkOptions(
  value: unknown,
  schema: OptionSchema,
  where: string,
  problems: ConfigurationProblem[],
): void {
  if (value === undefined) return
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be an object with options' })
    return
  }
  for (const [name, given] of membersOf(value, where, problems)) {
    if (given === undefined) continue
    const path = where === '' ? name : `${where}.${name}`
    if (!Object.hasOwn(schema, name)) problems.push(unknownOption(name, path, Object.keys(schema)))
    else guarded(schema[name]!)(given, path, problems)
  }
}

/** ` "word"`, for a value that stands where a word is expected; '' for what may be anything else, such as a secret. */
export function quotedWord(value: unknown): string {
  return typeof value === 'string' && /^[a-z]{1,12}$/i.test(value) ? ` ${JSON.stringify(value)}` : ''
}

/** A string; with `pattern`, one that matches it, described by `meaning`. */
export function text(pattern?: RegExp, meaning = `match ${String(pattern)}`): Check {
  return (value, where, problems) => {
    if (typeof value !== 'string') wrongType(where, 'a string', problems)
    else if (pattern !== undefined && !pattern.test(value)) outOfRange(where, meaning, problems)
  }
}

/** true or false. */
export const flag: Check = (value, where, problems) => {
  if (typeof value !== 'boolean') wrongType(where, 'true or false', problems)
}

/** A function. */
export const callback: Check = (value, where, problems) => {
  if (typeof value !== 'function') wrongType(where, 'a function', problems)
}

/** Any object, an array excepted. */
export const object: Check = (value, where, problems) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) wrongType(where, 'an object', problems)
}

/** An integer from `min` to `max`; with `max` Infinity (the default), Infinity itself is allowed. */
export function integer(min: number, max: number = Infinity): Check {
  const range = max === Infinity ? `of ${min} or more, or Infinity` : `from ${min} to ${max}`
  return (value, where, problems) => {
    if (typeof value !== 'number') wrongType(where, `an integer ${range}`, problems)
    else if (!(value >= min && value <= max && (Number.isInteger(value) || value === Infinity))) {
      outOfRange(where, `be an integer ${range}`, problems)
    }
  }
}

/** One of some words. */
export function choice(words: readonly string[]): Check {
  return (value, where, problems) => {
    if (typeof value !== 'string') return wrongType(where, `one of ${words.join(', ')}`, problems)
    if (!words.includes(value)) outOfRange(where, `be one of ${words.join(', ')}${hint(value, words)}`, problems)
  }
}

/** An array, each item checked under `where[index]`. */
export function list(item: Check): Check {
  return (value, where, problems) => {
    if (!Array.isArray(value)) return wrongType(where, 'an array', problems)
    // Not forEach: a hole is an item that is wrong.
    for (let index = 0; index < value.length; index++) guarded(item)(value[index], `${where}[${index}]`, problems)
  }
}

/** An object with any names, each value checked under `where.name`. */
export function table(item: Check): Check {
  return (value, where, problems) => {
    const before = problems.length
    object(value, where, problems)
    if (problems.length > before) return
    for (const [name, given] of membersOf(value as object, where, problems)) {
      if (given !== undefined) guarded(item)(given, `${where}.${name}`, problems)
    }
  }
}

/** An object with known names. */
export function options(schema: OptionSchema): Check {
  return (value, where, problems) => checkOptions(value, schema, where, problems)
}

/** What passes one of several checks; `expected` names it when it passes none. */
export function either(expected: string, ...checks: readonly Check[]): Check {
  return (value, where, problems) => {
    const passes = checks.some((check) => {
      const found: ConfigurationProblem[] = []
      guarded(check)(value, where, found)
      return found.length === 0
    })
    if (!passes) wrongType(where, expected, problems)
  }
}

/** Anything: whoever uses the option checks it. */
export const anything: Check = () => {}

/** What a getter or a proxy throws inside a check is one more problem, of which nothing but the place is told. */
function guarded(check: Check): Check {
  return (value, where, problems) => {
    try {
      check(value, where, problems)
    } catch {
      problems.push(unreadable(where))
    }
  }
}

function membersOf(value: object, where: string, problems: ConfigurationProblem[]): [string, unknown][] {
  try {
    return Object.entries(value)
  } catch {
    problems.push(unreadable(where))
    return []
  }
}

/** Something in the options throws when it is read. */
export function unreadable(path: string): ConfigurationProblem {
  return { code: 'SLUICE_OPTION_TYPE', path, message: 'cannot be read: reading it threw' }
}

function wrongType(where: string, expected: string, problems: ConfigurationProblem[]): void {
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be ${expected}` })
}

function outOfRange(where: string, rule: string, problems: ConfigurationProblem[]): void {
  problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: `must ${rule}` })
}

function unknownOption(name: string, path: string, known: readonly string[]): ConfigurationProblem {
  const meant = hint(name, known)
  const message = `there is no such option${meant === '' ? `; there are ${known.join(', ')}` : meant}`
  return { code: 'SLUICE_OPTION_UNKNOWN', path, message }
}

/** `; did you mean "…"?` when one word is near enough, else ''. */
function hint(word: string, known: readonly string[]): string {
  const meant = nearest(word, known)
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
}
