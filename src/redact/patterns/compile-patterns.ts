import { anything, checkOptions, text, unknownName } from '../../options/option-checks.ts'
import { ownOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { redacted } from '../censor.ts'
import type { TextPattern } from './text-pattern.ts'
import { patternPresets, type PatternPresetName } from './presets.ts'
import { presetPattern } from './text-patterns.ts'
import { userPattern } from './user-pattern.ts'

/** A pattern that is redacted in all text: the name of a preset, or a custom regular expression. */
export type RedactPattern = PatternPresetName | RedactExpression

/** A custom pattern. */
export interface RedactExpression {
  /** The name of the pattern in error messages. */
  readonly name: string
  /**
   * The expression whose matches are replaced. It may take at most 2,048 steps for each UTF-16 unit of any text, which is checked when the
   * logger is created: `/token=\S+/` and `/\w{1,64}@\w{1,64}/` are accepted; `/\w+@\w+/` is rejected with `SLUICE_PATTERN_UNBOUNDED`.
   */
  readonly pattern: RegExp
  /**
   * The replacement of a match.
   *
   * @defaultValue the option `censor` if it is a string, otherwise `'[REDACTED]'`
   */
  readonly censor?: string | undefined
}

/**
 * Compiles the option `patterns`. Never throws.
 *
 * @param censor - the option `censor` of the same rules
 * @param where - the option's path, for error messages
 */
export function compilePatterns(
  patterns: unknown,
  censor: unknown,
  where: string,
  problems: ConfigurationProblem[],
): readonly TextPattern[] {
  if (patterns === undefined) return []
  if (!Array.isArray(patterns)) {
    const message = `must be an array of ${presetNames.join(', ')}, or of objects with name and pattern`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
    return []
  }
  const defaultCensor = typeof censor === 'string' ? censor : redacted
  return (patterns as unknown[]).flatMap((pattern, index) =>
    patternOf(pattern, defaultCensor, `${where}[${index}]`, problems),
  )
}

const presetNames = Object.keys(patternPresets)

function patternOf(
  given: unknown,
  defaultCensor: string,
  path: string,
  problems: ConfigurationProblem[],
): readonly TextPattern[] {
  if (typeof given === 'string') {
    if (Object.hasOwn(patternPresets, given)) return [presetPattern(given as PatternPresetName, defaultCensor)]
    const message = unknownName('pattern', given, presetNames)
    problems.push({ code: 'SLUICE_OPTION_RANGE', path, message })
    return []
  }
  const before = problems.length
  const options = ownOptions(given, path, problems) as RedactExpression
  checkOptions(options, schema, path, problems)
  if (problems.length > before) return []
  const compiled = compiledOf(options, defaultCensor)
  if (isProblem(compiled)) problems.push({ ...compiled, path: `${path}.pattern` })
  return isProblem(compiled) ? [] : [compiled]
}

function isProblem(
  result: TextPattern | Omit<ConfigurationProblem, 'path'>,
): result is Omit<ConfigurationProblem, 'path'> {
  return Object.hasOwn(result, 'code')
}

const schema = { name: text(), pattern: anything, censor: text() }

function compiledOf({ pattern, censor }: RedactExpression, defaultCensor: string): ReturnType<typeof userPattern> {
  const expression = copyOf(pattern)
  if (expression === undefined)
    return { code: 'SLUICE_OPTION_TYPE', message: 'must be a regular expression, such as /ORD-\\d{6}/' }
  return userPattern(expression, censor ?? defaultCensor)
}

/** Returns a plain copy of an expression; undefined for a value that is not an expression, or whose `flags` getter throws. */
function copyOf(pattern: RegExp): RegExp | undefined {
  try {
    // Not instanceof, because the value may come from another realm. The built-in getter throws for a value that is not a RegExp.
    return new RegExp(sourceOf.call(pattern) as string, pattern.flags)
  } catch {
    return undefined
  }
}

// oxlint-disable-next-line typescript/unbound-method
const sourceOf = Object.getOwnPropertyDescriptor(RegExp.prototype, 'source')!.get!
