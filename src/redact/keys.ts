import { type KeyTest, testedKeyLength } from './key-test.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { keyPresets, type KeyPresetName } from './key-presets.ts'
import { patternCostProblem } from './pattern-cost.ts'

/**
 * Creates a test for the option `keys`. Strings are compared ignoring case, `-` and `_`. Regular expressions are copied, so that the flags
 * `g` and `y` keep no state between keys. They test only the first 256 characters of a key, because keys can be untrusted data and the
 * backtracking grows with the length; an expression that could take too many steps is rejected. If an expression throws, the member is
 * redacted. An array index is not a name.
 *
 * @param where - the option's path, for error messages
 * @returns undefined if there is nothing to match
 */
export function compileKeys(keys: unknown, where: string, problems: ConfigurationProblem[]): KeyTest | undefined {
  if (keys === undefined) return undefined
  if (isPreset(keys)) return presetTest(keys)
  if (!Array.isArray(keys)) {
    const message = `must be ${presetNames}, or an array of names, regular expressions and { preset: ${presetNames} }`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
    return undefined
  }
  const names = new Set<string>()
  const expressions: RegExp[] = []
  const presets: KeyTest[] = []
  for (const [i, key] of (keys as unknown[]).entries()) {
    const at = `${where}[${i}]`
    if (typeof key === 'string') {
      const message = addName(key, names)
      if (message !== undefined) problems.push({ code: 'SLUICE_KEY_NEVER_MATCHES', path: at, message })
      continue
    }
    const preset = presetOf(key)
    if (preset !== undefined) {
      presets.push(presetTest(preset))
      continue
    }
    const problem = addExpression(key, expressions)
    if (problem !== undefined) problems.push({ ...problem, path: at })
  }
  if (names.size === 0 && expressions.length === 0 && presets.length === 0) return undefined
  return (key) =>
    !isArrayIndex(key) &&
    (names.has(normalized(key)) ||
      presets.some((preset) => preset(key)) ||
      expressions.some((each) => matches(each, key)))
}

const presetNames = Object.keys(keyPresets)
  .map((name) => `'${name}'`)
  .join(', ')

function isPreset(name: unknown): name is KeyPresetName {
  return typeof name === 'string' && Object.hasOwn(keyPresets, name)
}

/** Returns the name in `{ preset: 'secrets' }`; undefined for anything else. */
function presetOf(key: unknown): KeyPresetName | undefined {
  try {
    if (typeof key !== 'object' || key === null || !Object.hasOwn(key, 'preset')) return undefined
    const { preset } = key as { preset: unknown }
    return isPreset(preset) && Object.keys(key).length === 1 ? preset : undefined
  } catch {
    return undefined // a proxy, or a getter that throws
  }
}

/** Returns the test of a preset. It tests as much of a key as expressions do, but from its end, where names have their meaning. */
function presetTest(name: KeyPresetName): KeyTest {
  const test = keyPresets[name]
  return (key) => test(key.length > testedKeyLength ? key.slice(-testedKeyLength) : key)
}

/** Returns whether a key is an array index. Such keys are matched only by paths. */
export function isArrayIndex(key: string): boolean {
  const first = key.charCodeAt(0)
  return first >= 48 && first <= 57 && /^(?:0|[1-9]\d{0,9})$/.test(key)
}

function addName(key: string, names: Set<string>): string | undefined {
  const name = normalized(key)
  if (name === '')
    return `key ${JSON.stringify(key)} is empty, because "-" and "_" are ignored; write a name, or the path **["${key}"]`
  if (isArrayIndex(key)) return `${key} is an array index, which keys do not match; write the path **[${key}]`
  names.add(name)
  return undefined
}

function addExpression(key: unknown, expressions: RegExp[]): Omit<ConfigurationProblem, 'path'> | undefined {
  const expression = copyOf(key)
  if (expression === undefined)
    return {
      code: 'SLUICE_OPTION_TYPE',
      message: `must be a string, a regular expression or { preset: ${presetNames} }`,
    }
  const problem = patternCostProblem(expression, testedKeyLength)
  if (problem === undefined) expressions.push(expression)
  return problem
}

function copyOf(key: unknown): RegExp | undefined {
  try {
    // Not instanceof, because the value may come from another realm. The built-in getter throws for a value that is not a RegExp.
    sourceOf.call(key)
    return new RegExp(key as RegExp)
  } catch {
    return undefined
  }
}

// oxlint-disable-next-line typescript/unbound-method
const sourceOf = Object.getOwnPropertyDescriptor(RegExp.prototype, 'source')!.get!

function normalized(key: string): string {
  const lower = key.toLowerCase()
  return lower.includes('-') || lower.includes('_') ? lower.replaceAll(/[-_]/g, '') : lower
}

function matches(expression: RegExp, key: string): boolean {
  expression.lastIndex = 0 // with g or y, test() would continue after the last match; with y, a match must begin at the start
  try {
    return expression.test(key.length > testedKeyLength ? key.slice(0, testedKeyLength) : key)
  } catch {
    return true // the engine's stack overflowed; it is safer to redact
  }
}
