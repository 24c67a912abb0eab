import { nearest } from './nearest-name.ts'
import type { ConfigurationProblem } from './configuration-error.ts'

/** A check of an option. It adds the problems of `value`, whose path in the options is `where`, to `problems`. */
export type Check = (value: unknown, where: string, problems: ConfigurationProblem[]) => void

/** The known options, each with its check. An option that is missing or undefined is always valid, whatever its name. */
export type OptionSchema = Readonly<Record<string, Check>>

/**
 * Checks an options object for unknown names (`SLUICE_OPTION_UNKNOWN`, with the closest valid name), wrong types
 * (`SLUICE_OPTION_TYPE`) and wrong values (`SLUICE_OPTION_RANGE`).
 *
 * @param where - path of the object, '' for the outermost; the paths of problems are like `name`, or `redact.keys[2]`
 */
export function checkOptions(
  value: unknown,
  schema: OptionSchema,
  where: string,
  problems: ConfigurationProblem[],
): void {
  if (value === undefined) return
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: where,
      message: `must be an object with options, not ${typeName(value)}`,
    })
    return
  }
  for (const [name, given] of membersOf(value, where, problems)) {
    if (given === undefined) continue
    const path = where === '' ? name : `${where}.${name}`
    if (!Object.hasOwn(schema, name)) problems.push(unknownOption(name, path, Object.keys(schema)))
    else guarded(schema[name]!)(given, path, problems)
  }
}

/** Returns ` "word"` for a value that is a single word, or '' for any other value, which could be a secret. */
export function quotedWord(value: unknown): string {
  return typeof value === 'string' && /^[a-z]{1,12}$/i.test(value) ? ` ${JSON.stringify(value)}` : ''
}

/**
 * Returns the text of a problem with a name that is not known: `unknown level "inof"; did you mean "info"?`, or the valid names if none
 * is close enough. The name itself is contained only if it is a single word, because any other value could be a secret.
 *
 * @param kind - what the name is for, in the singular
 */
export function unknownName(kind: string, name: unknown, known: readonly string[]): string {
  const suggestion = typeof name === 'string' ? hint(name, known) : ''
  return `unknown ${kind}${quotedWord(name)}${suggestion === '' ? `; valid ${kind}s are ${known.join(', ')}` : suggestion}`
}

/** Returns the type of a value for a message, with its article. Never throws. */
export function typeName(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  try {
    return Array.isArray(value) ? 'an array' : 'an object'
  } catch {
    return 'an object' // A revoked proxy.
  }
}

/** Checks for a string; with `pattern`, for one that matches it, as described by `meaning`. */
export function text(pattern?: RegExp, meaning = `match ${String(pattern)}`): Check {
  return (value, where, problems) => {
    if (typeof value !== 'string') wrongType(where, 'a string', value, problems)
    else if (pattern !== undefined && !pattern.test(value)) outOfRange(where, meaning, problems)
  }
}

/** Checks for true or false. */
export const flag: Check = (value, where, problems) => {
  if (typeof value !== 'boolean') wrongType(where, 'true or false', value, problems)
}

/** Checks for a function. */
export const callback: Check = (value, where, problems) => {
  if (typeof value !== 'function') wrongType(where, 'a function', value, problems)
}

/** Checks for any object except an array. */
export const object: Check = (value, where, problems) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    wrongType(where, 'an object', value, problems)
}

/** Checks for an integer from `min` to `max`; with `max` Infinity (the default), Infinity itself is allowed. */
export function integer(min: number, max: number = Infinity): Check {
  const range = max === Infinity ? `of ${min} or more, or Infinity` : `from ${min} to ${max}`
  return (value, where, problems) => {
    if (typeof value !== 'number') wrongType(where, `an integer ${range}`, value, problems)
    else if (!(value >= min && value <= max && (Number.isInteger(value) || value === Infinity))) {
      outOfRange(where, `be an integer ${range}, not ${value}`, problems)
    }
  }
}

/** Checks for one of several words. */
export function choice(words: readonly string[]): Check {
  return (value, where, problems) => {
    if (typeof value !== 'string') return wrongType(where, `one of ${words.join(', ')}`, value, problems)
    if (!words.includes(value)) outOfRange(where, `be one of ${words.join(', ')}${hint(value, words)}`, problems)
  }
}

/** Checks for an array; each item is checked under `where[index]`. */
export function list(item: Check): Check {
  return (value, where, problems) => {
    if (!Array.isArray(value)) return wrongType(where, 'an array', value, problems)
    // Not forEach, which skips holes: a hole is an invalid item.
    for (let index = 0; index < value.length; index++) guarded(item)(value[index], `${where}[${index}]`, problems)
  }
}

/** Checks for an object with any names; each value is checked under `where.name`. */
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

/** Checks for an object with known names. */
export function options(schema: OptionSchema): Check {
  return (value, where, problems) => checkOptions(value, schema, where, problems)
}

/** Checks that a value passes one of several checks; `expected` describes it in the problem. */
export function either(expected: string, ...checks: readonly Check[]): Check {
  return (value, where, problems) => {
    const passes = checks.some((check) => {
      const found: ConfigurationProblem[] = []
      guarded(check)(value, where, found)
      return found.length === 0
    })
    if (passes) return
    // The problem names no type that is valid for another value.
    if (typeof value !== 'string' && typeof value !== 'number') wrongType(where, expected, value, problems)
    else problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be ${expected}` })
  }
}

/** Accepts anything: the option is checked where it is used. */
export const anything: Check = () => {}

/** Returns a check that does not throw: an exception of a getter or a proxy becomes a problem, which contains only the path. */
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

/** Returns the problem of a value that throws when it is read. */
export function unreadable(path: string): ConfigurationProblem {
  return { code: 'SLUICE_OPTION_TYPE', path, message: 'cannot be read, because a getter or proxy threw' }
}

function wrongType(where: string, expected: string, value: unknown, problems: ConfigurationProblem[]): void {
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be ${expected}, not ${typeName(value)}` })
}

function outOfRange(where: string, rule: string, problems: ConfigurationProblem[]): void {
  problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: `must ${rule}` })
}

function unknownOption(name: string, path: string, known: readonly string[]): ConfigurationProblem {
  const suggestion = hint(name, known)
  const message = `unknown option${suggestion === '' ? `; valid options are ${shortened(known)}` : suggestion}`
  return { code: 'SLUICE_OPTION_UNKNOWN', path, message }
}

/** Lists as many names as fit into a short message. */
function shortened(names: readonly string[]): string {
  const all = names.join(', ')
  return all.length <= maxNamesLength ? all : `${all.slice(0, all.lastIndexOf(', ', maxNamesLength))}, …`
}

/** The maximum length of a list of valid options, in characters. */
const maxNamesLength = 120

/** Returns `; did you mean "…"?` if one word is close enough, otherwise ''. */
function hint(word: string, known: readonly string[]): string {
  const suggestion = nearest(word, known)
  return suggestion === undefined ? '' : `; did you mean ${JSON.stringify(suggestion)}?`
}
