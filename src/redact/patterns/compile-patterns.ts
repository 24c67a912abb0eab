import { anything, checkOptions, text, unknownNameMessage } from '../../options/option-checks.ts'
import { foreignNames } from '../../options/foreign-names.ts'
import { foreignPatternWords } from '../../options/foreign-values.ts'
import { copyOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { defaultReplacement } from '../censor.ts'
import { copyExpression, isBetweenSlashes } from '../expression-text.ts'
import type { TextPattern } from './text-pattern.ts'
import { patternPresets, type PatternPresetName } from './presets.ts'
import { createPresetPattern } from './text-patterns.ts'
import { createUserPattern } from './user-pattern.ts'

/** A pattern that is redacted in all text: the name of a preset, or a custom regular expression. */
export type RedactPattern = PatternPresetName | RegExp | RedactExpression

/** A custom pattern with its own replacement. An expression alone is the same as `{ pattern }`. */
export interface RedactExpression {
  /**
   * The name of the pattern, for readers of the configuration.
   *
   * @defaultValue none
   */
  readonly name?: string | undefined
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
    const example =
      typeof patterns === 'string' && Object.hasOwn(patternPresets, patterns) ? `['${patterns}']` : '[/…/]'
    const message = `must be an array of regular expressions and names of presets; write ${example}`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
    return []
  }
  const usualReplacement = typeof censor === 'string' ? censor : defaultReplacement
  return (patterns as unknown[]).flatMap((pattern, index) =>
    patternOf(pattern, usualReplacement, `${where}[${index}]`, problems),
  )
}

const presetNames = Object.keys(patternPresets)

/** Returns the pattern of one item of the option, or no pattern if the item is invalid. */
function patternOf(
  item: unknown,
  usualReplacement: string,
  path: string,
  problems: ConfigurationProblem[],
): readonly TextPattern[] {
  if (typeof item === 'string') {
    if (Object.hasOwn(patternPresets, item)) return [createPresetPattern(item as PatternPresetName, usualReplacement)]
    const message = isBetweenSlashes(item)
      ? 'must be a regular expression without quotes, such as /ORD-\\d{6}/'
      : unknownNameMessage('pattern', item, presetNames, foreignPatternWords)
    problems.push({ code: 'SLUICE_OPTION_RANGE', path, message })
    return []
  }
  const expression = copyExpression(item)
  if (expression !== undefined)
    return patternWithoutProblem(createUserPattern(expression, usualReplacement), path, problems)
  const before = problems.length
  const options = copyOptions(item, path, problems) as RedactExpression
  checkOptions(options, schema, path, problems, expressionNames)
  if (problems.length > before) return []
  return patternWithoutProblem(compileUserPattern(options, usualReplacement), `${path}.pattern`, problems)
}

/** Returns a compiled pattern in an array. If compiling it returned a problem, adds that to `problems` and returns an empty array. */
function patternWithoutProblem(
  compiled: ReturnType<typeof createUserPattern>,
  path: string,
  problems: ConfigurationProblem[],
): readonly TextPattern[] {
  if (!isProblem(compiled)) return [compiled]
  problems.push({ ...compiled, path })
  return []
}

function isProblem(
  result: TextPattern | Omit<ConfigurationProblem, 'path'>,
): result is Omit<ConfigurationProblem, 'path'> {
  return Object.hasOwn(result, 'code')
}

const schema = { name: text(), pattern: anything, censor: text() }
const expressionNames = foreignNames([
  ['regex regexp expression re match', 'write pattern: /…/'],
  ['replacement mask placeholder replaceWith', "write censor: '[REDACTED]'"],
  ['flags', 'write the flags after the expression: /…/i'],
])

function compileUserPattern(
  { pattern, censor }: RedactExpression,
  usualReplacement: string,
): ReturnType<typeof createUserPattern> {
  const expression = copyExpression(pattern)
  if (expression === undefined)
    return { code: 'SLUICE_OPTION_TYPE', message: 'must be a regular expression, such as /ORD-\\d{6}/' }
  return createUserPattern(expression, censor ?? usualReplacement)
}
