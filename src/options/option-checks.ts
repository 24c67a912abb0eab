import type { ConfigurationProblem, UnknownOptionProblem } from './configuration-error.ts'
import { normalizedName, type ForeignNames } from './foreign-names.ts'
import { nearestName } from './nearest-name.ts'
import { suggestedNumber } from './suggested-number.ts'

/** A check of an option. It adds the problems of `value`, whose path in the options is `where`, to `problems`. */
export type Check = (value: unknown, where: string, problems: ConfigurationProblem[]) => void

/** The known options, each with its check. An option that is missing or undefined is always valid, whatever its name. */
export type OptionSchema = Readonly<Record<string, Check>>

/**
 * Checks an options object for unknown names (`SLUICE_OPTION_UNKNOWN`, with what to write instead), wrong types
 * (`SLUICE_OPTION_TYPE`) and wrong values (`SLUICE_OPTION_RANGE`).
 *
 * @param where - the path of the object, '' for the outermost; it precedes the names in the paths of problems, such as `redact.keys[2]`
 * @param foreignNames - names that users bring from elsewhere; `suggestionText` defines their precedence
 */
export function checkOptions(
  value: unknown,
  schema: OptionSchema,
  where: string,
  problems: ConfigurationProblem[],
  foreignNames?: ForeignNames,
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
  for (const [name, option] of entriesOf(value, where, problems)) {
    if (option === undefined) continue
    const path = where === '' ? name : `${where}.${name}`
    if (!Object.hasOwn(schema, name)) problems.push(unknownOptionProblem(name, path, Object.keys(schema), foreignNames))
    else nonThrowing(schema[name]!)(option, path, problems)
  }
}

/** Returns ` "word"` for a value that is one word of at most 12 letters, or '' for any other value, which could be a secret. */
export function quotedWord(value: unknown): string {
  return typeof value === 'string' && /^[a-z]{1,12}$/i.test(value) ? ` ${JSON.stringify(value)}` : ''
}

/**
 * Returns the text of a problem with a name that is not known: `unknown level "inof"; did you mean "info"?`, or the valid names if none
 * is close enough. `quotedWord` decides whether the message contains the name itself.
 *
 * @param kind - a noun in the singular for what has the name, such as `level`
 */
export function unknownNameMessage(
  kind: string,
  name: unknown,
  known: readonly string[],
  foreignWords?: ForeignNames,
): string {
  const suggestion = typeof name === 'string' ? suggestionText(name, known, foreignWords) : ''
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

/** Checks for a string; with `pattern`, for one that matches it. `rule` is the text of the error after "must". */
export function text(pattern?: RegExp, rule = `match ${String(pattern)}`): Check {
  return (value, where, problems) => {
    if (typeof value !== 'string') addTypeProblem(where, 'a string', value, problems)
    else if (pattern !== undefined && !pattern.test(value)) addRangeProblem(where, rule, problems)
  }
}

/** Checks for true or false. */
export const flag: Check = (value, where, problems) => {
  if (typeof value !== 'boolean') addTypeProblem(where, 'true or false', value, problems)
}

/** Checks for a function. `example` is a function for the text of the error. */
export function functionLike(example: string): Check {
  const expected = example === '' ? 'a function' : `a function, such as ${example}`
  return (value, where, problems) => {
    if (typeof value !== 'function') addTypeProblem(where, expected, value, problems)
  }
}

/** Checks for a function. */
export const callback: Check = functionLike('')

/** Checks for any object except an array. `example` is an object for the text of the error. */
export function objectLike(example: string): Check {
  const expected = example === '' ? 'an object' : `an object, such as ${example}`
  return (value, where, problems) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      addTypeProblem(where, expected, value, problems)
  }
}

/** Checks for any object except an array. */
export const object: Check = objectLike('')

/** The maximum delay of a timer, in ms: Node treats a longer one as 1 ms. */
export const maxTimerMillis = 2_147_483_647

/** Checks for an integer from `min` to `max`; with `max` Infinity (the default), Infinity itself is allowed. */
export function integer(min: number, max: number = Infinity): Check {
  const range = max === Infinity ? `of ${min} or more, or Infinity` : `from ${min} to ${max}`
  const isInRange = (value: number) => value >= min && value <= max && (Number.isInteger(value) || value === Infinity)
  return (value, where, problems) => {
    if (typeof value === 'string') {
      const suggestion = suggestedNumber(value, where)
      const advice = suggestion !== undefined && isInRange(Number(suggestion)) ? `; write ${suggestion}` : ''
      const message = `must be an integer ${range}, not a string${advice}`
      problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
    } else if (typeof value !== 'number') addTypeProblem(where, `an integer ${range}`, value, problems)
    else if (!isInRange(value)) addRangeProblem(where, `be an integer ${range}, not ${value}`, problems)
  }
}

/**
 * Checks for one of several words.
 *
 * @param foreignWords - words that users bring from elsewhere, each with one of `words` or a text that contains what to write
 */
export function choice(words: readonly string[], foreignWords?: ForeignNames): Check {
  return (value, where, problems) => {
    if (typeof value !== 'string') return addTypeProblem(where, `one of ${words.join(', ')}`, value, problems)
    if (!words.includes(value))
      addRangeProblem(where, `be one of ${words.join(', ')}${suggestionText(value, words, foreignWords)}`, problems)
  }
}

/** Checks for an array; each item is checked under `where[index]`. */
export function list(itemCheck: Check): Check {
  return (value, where, problems) => {
    if (!Array.isArray(value)) {
      const itemProblems: ConfigurationProblem[] = []
      if (typeof value === 'string') nonThrowing(itemCheck)(value, where, itemProblems)
      const advice = typeof value === 'string' && itemProblems.length === 0 ? `; write [${JSON.stringify(value)}]` : ''
      const message = `must be an array, not ${typeName(value)}${advice}`
      problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
      return
    }
    // Not forEach, which skips holes: a hole is an invalid item.
    for (let index = 0; index < value.length; index++)
      nonThrowing(itemCheck)(value[index], `${where}[${index}]`, problems)
  }
}

/**
 * Checks for an object whose members can have any names; the value of each is checked under `where.name`. `example` is such an object, for
 * the text of the error.
 */
export function table(memberCheck: Check, example = ''): Check {
  return (value, where, problems) => {
    const before = problems.length
    objectLike(example)(value, where, problems)
    if (problems.length > before) return
    for (const [name, member] of entriesOf(value as object, where, problems)) {
      if (member !== undefined) nonThrowing(memberCheck)(member, `${where}.${name}`, problems)
    }
  }
}

/** Checks for an options object, as `checkOptions` does. */
export function options(schema: OptionSchema, foreignNames?: ForeignNames): Check {
  return (value, where, problems) => checkOptions(value, schema, where, problems, foreignNames)
}

/** Checks that a value passes one of several checks; `expected` describes all valid values, for the text of the error. */
export function either(expected: string, ...checks: readonly Check[]): Check {
  return (value, where, problems) => {
    const passes = checks.some((check) => {
      const foundProblems: ConfigurationProblem[] = []
      nonThrowing(check)(value, where, foundProblems)
      return foundProblems.length === 0
    })
    if (passes) return
    // For a string or number, do not add the received type, which can be right: "must be 'a' or 'b', not a string" would be misleading.
    if (typeof value !== 'string' && typeof value !== 'number') addTypeProblem(where, expected, value, problems)
    else problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be ${expected}` })
  }
}

/** Accepts anything, for an option that is checked where it is used. */
export const anything: Check = () => {}

/** Returns a check that does not throw: an exception of a getter or a proxy becomes a problem, which contains only the path. */
function nonThrowing(check: Check): Check {
  return (value, where, problems) => {
    try {
      check(value, where, problems)
    } catch {
      problems.push(unreadableProblem(where))
    }
  }
}

function entriesOf(value: object, where: string, problems: ConfigurationProblem[]): [string, unknown][] {
  try {
    return Object.entries(value)
  } catch {
    problems.push(unreadableProblem(where))
    return []
  }
}

/** Returns the problem of a value that throws when it is read, at `path`. */
export function unreadableProblem(path: string): ConfigurationProblem {
  return { code: 'SLUICE_OPTION_TYPE', path, message: 'cannot be read, because a getter or proxy threw' }
}

function addTypeProblem(where: string, expected: string, value: unknown, problems: ConfigurationProblem[]): void {
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be ${expected}, not ${typeName(value)}` })
}

function addRangeProblem(where: string, rule: string, problems: ConfigurationProblem[]): void {
  problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: `must ${rule}` })
}

function unknownOptionProblem(
  name: string,
  path: string,
  known: readonly string[],
  foreignNames: ForeignNames | undefined,
): ConfigurationProblem | UnknownOptionProblem {
  const suggestion = suggestionText(name, known, foreignNames)
  const problem = { code: 'SLUICE_OPTION_UNKNOWN', path, message: `unknown option${suggestion}` }
  return suggestion === '' ? { ...problem, validNames: known } : problem
}

/**
 * Returns `; did you mean "…"?` with the word that was probably meant, or `; ` and the text of `foreignWords`; otherwise ''. A word that
 * differs only in case, `-` or `_` takes precedence over `foreignWords`, and these over similar words.
 */
export function suggestionText(word: string, known: readonly string[], foreignWords?: ForeignNames): string {
  const normalized = normalizedName(word)
  const answer = foreignWords?.(normalized)
  if (answer !== undefined && !known.includes(answer) && !known.some((name) => normalizedName(name) === normalized))
    return `; ${answer}`
  const suggestion = known.find((name) => normalizedName(name) === normalized) ?? answer ?? nearestName(word, known)
  return suggestion === undefined ? '' : `; did you mean ${JSON.stringify(suggestion)}?`
}
