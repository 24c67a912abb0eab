import { type KeyTest, maxTestedKeyLength } from './key-test.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { isArrayIndex } from './array-index.ts'
import { keyPresets, type KeyPresetName } from './key-presets.ts'
import { copyExpression, isBetweenSlashes, asKeyExpression, expressionForStars } from './expression-text.ts'
import { quotedPath, suggestedPath } from './path-forms.ts'
import { patternCostProblem } from './pattern-cost.ts'

/**
 * Creates a test for the option `keys`. Strings are compared ignoring case, `-`, `_` and spaces at both ends. Regular expressions are
 * copied, so that tests do not change `lastIndex` of the caller's. They test only the first 256 UTF-16 units of a key, because keys can be
 * untrusted data and the backtracking grows with the length; an expression that could take too many steps is rejected. If an expression
 * throws, the member is redacted. Array indexes never match.
 *
 * @param where - the option's path, for error messages
 * @returns undefined if there is nothing to match
 */
export function compileKeys(keys: unknown, where: string, problems: ConfigurationProblem[]): KeyTest | undefined {
  if (keys === undefined) return undefined
  if (isPresetName(keys)) return presetTest(keys)
  if (!Array.isArray(keys)) {
    const isName = typeof keys === 'string' && /^[\w-]{1,60}$/.test(keys) && addName(keys, new Set()) === undefined
    const advice = isName ? `; write ['${keys}']` : ''
    const message = `must be ${presetNames}, or an array of names, regular expressions and { preset: ${presetNames} }${advice}`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
    return undefined
  }
  const names = new Set<string>()
  const expressions: RegExp[] = []
  const presetTests: KeyTest[] = []
  for (const [i, key] of (keys as unknown[]).entries()) {
    const itemPath = `${where}[${i}]`
    if (typeof key === 'string') {
      const message = addName(key, names)
      if (message !== undefined) problems.push({ code: 'SLUICE_KEY_NEVER_MATCHES', path: itemPath, message })
      continue
    }
    const preset = presetNameOf(key)
    if (preset !== undefined) {
      presetTests.push(presetTest(preset))
      continue
    }
    const problem = addExpression(key, expressions)
    if (problem !== undefined) problems.push({ ...problem, path: itemPath })
  }
  if (names.size === 0 && expressions.length === 0 && presetTests.length === 0) return undefined
  return (key) =>
    !isArrayIndex(key) &&
    (names.has(normalizeName(key)) ||
      presetTests.some((test) => test(key)) ||
      expressions.some((expression) => expressionMatches(expression, key)))
}

/** The names of all presets, for messages. */
const presetNames = Object.keys(keyPresets)
  .map((name) => `'${name}'`)
  .join(', ')

function isPresetName(name: unknown): name is KeyPresetName {
  return typeof name === 'string' && Object.hasOwn(keyPresets, name)
}

/** Returns the name in `{ preset: 'secrets' }`; undefined for anything else. */
function presetNameOf(key: unknown): KeyPresetName | undefined {
  try {
    if (typeof key !== 'object' || key === null || !Object.hasOwn(key, 'preset')) return undefined
    const { preset } = key as { preset: unknown }
    return isPresetName(preset) && Object.keys(key).length === 1 ? preset : undefined
  } catch {
    return undefined // a proxy, or a getter that throws
  }
}

/** Returns the test of a preset. It tests the last 256 UTF-16 units of a key, because the end of a name decides whether it is secret. */
function presetTest(name: KeyPresetName): KeyTest {
  const test = keyPresets[name]
  return (key) => test(key.length > maxTestedKeyLength ? key.slice(-maxTestedKeyLength) : key)
}

/** Adds a string of the option `keys` to the names. Returns why it is rejected, or undefined. */
function addName(key: string, names: Set<string>): string | undefined {
  const name = normalizeName(key)
  const problem = problemOfNonName(key.trim())
  if (problem !== undefined) return problem
  if (name === '') {
    const path = `**[${JSON.stringify(key)}]`
    return `key ${JSON.stringify(key)} is empty, because "-", "_" and outer spaces are ignored; write a name, or the path ${path}`
  }
  if (isArrayIndex(key)) return `${key} is an array index, which keys do not match; write the path **[${key}]`
  names.add(name)
  return undefined
}

/** Returns the problem of a key in a form that is probably not a name: a path, a name with stars or the text of a regular expression. */
function problemOfNonName(key: string): string | undefined {
  const [message, expression] = isBetweenSlashes(key)
    ? ['a key is a name, not a regular expression in quotes or a path', asKeyExpression(key)]
    : key.includes('*')
      ? ['a key is a whole name, and * is not a wildcard', expressionForStars(key, 'i')]
      : /^\$[.[]/.test(key)
        ? ['a key is a name, not a path']
        : []
  if (message === undefined || key.length > maxShownLength) return message
  // No path is suggested for a text such as `/user(/i`: it is probably an invalid expression, although it is a JSON Pointer too.
  const path = isBetweenSlashes(key) && !/^[\w/-]+$/.test(key) ? undefined : suggestedPath(key)
  const advice = expression ?? (path === undefined ? undefined : `paths: [${quotedPath(path)}]`)
  return advice === undefined ? message : `${message}; write ${advice}`
}

/** The maximum length of a key in a message, in UTF-16 units. */
const maxShownLength = 60

/** Adds a copy of a regular expression. Returns why it is rejected, or undefined. */
function addExpression(key: unknown, expressions: RegExp[]): Omit<ConfigurationProblem, 'path'> | undefined {
  const expression = copyExpression(key)
  if (expression === undefined)
    return {
      code: 'SLUICE_OPTION_TYPE',
      message: `must be a string, a regular expression or { preset: ${presetNames} }`,
    }
  const problem = patternCostProblem(expression, maxTestedKeyLength)
  if (problem === undefined) expressions.push(expression)
  return problem
}

function normalizeName(key: string): string {
  const lower = key.toLowerCase().trim()
  return lower.includes('-') || lower.includes('_') ? lower.replaceAll(/[-_]/g, '') : lower
}

function expressionMatches(expression: RegExp, key: string): boolean {
  expression.lastIndex = 0 // with g or y, test() would continue after the last match; with y, a match must begin at the start
  try {
    return expression.test(key.length > maxTestedKeyLength ? key.slice(0, maxTestedKeyLength) : key)
  } catch {
    return true // the engine's stack overflowed; it is safer to redact
  }
}
