import { anything, checkOptions, quotedWord, text } from '../../options/option-checks.ts'
import { ownOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { redacted } from '../censor.ts'
import type { TextPattern } from './text-pattern.ts'
import { patternPresets, type PatternPresetName } from './presets.ts'
import { presetPattern } from './text-patterns.ts'
import { userPattern } from './user-pattern.ts'

/** What is redacted in every text: the name of a preset, or a regular expression of yours. */
export type RedactPattern = PatternPresetName | RedactExpression

/** A pattern of your own. */
export interface RedactExpression {
  /** What problems call it. */
  readonly name: string
  /**
   * Each match is replaced. It may take at most 2,048 steps for each UTF-16 unit of a text, whatever the text is, which is
   * checked when the logger is created: `/token=\S+/` and `/\w{1,64}@\w{1,64}/` are accepted, `/\w+@\w+/` is refused with
   * `SLUICE_PATTERN_UNBOUNDED`.
   */
  readonly pattern: RegExp
  /** What stands in place of a match. Default: `censor` of the rules where that is a string, else `'[REDACTED]'`. */
  readonly censor?: string | undefined
}

/**
 * Compiles the option `patterns`. Never throws.
 *
 * @param censor - the option `censor` beside it
 * @param where - the option's path, for problems
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
  const usual = typeof censor === 'string' ? censor : redacted
  return (patterns as unknown[]).flatMap((pattern, index) => patternOf(pattern, usual, `${where}[${index}]`, problems))
}

const presetNames = Object.keys(patternPresets)

function patternOf(
  given: unknown,
  usual: string,
  path: string,
  problems: ConfigurationProblem[],
): readonly TextPattern[] {
  if (typeof given === 'string') {
    if (Object.hasOwn(patternPresets, given)) return [presetPattern(given as PatternPresetName, usual)]
    const message = `there is no pattern${quotedWord(given)}; known are ${presetNames.join(', ')}`
    problems.push({ code: 'SLUICE_OPTION_RANGE', path, message })
    return []
  }
  const before = problems.length
  const options = ownOptions(given, path, problems) as RedactExpression
  checkOptions(options, schema, path, problems)
  if (problems.length > before) return []
  const compiled = compiledOf(options, usual)
  if (isProblem(compiled)) problems.push({ ...compiled, path: `${path}.pattern` })
  return isProblem(compiled) ? [] : [compiled]
}

function isProblem(made: TextPattern | Omit<ConfigurationProblem, 'path'>): made is Omit<ConfigurationProblem, 'path'> {
  return Object.hasOwn(made, 'code')
}

const schema = { name: text(), pattern: anything, censor: text() }

function compiledOf({ pattern, censor }: RedactExpression, usual: string): ReturnType<typeof userPattern> {
  const expression = copyOf(pattern)
  if (expression === undefined)
    return { code: 'SLUICE_OPTION_TYPE', message: 'must be a regular expression, such as /ORD-\\d{6}/' }
  return userPattern(expression, censor ?? usual)
}

/** A plain expression that matches the same; undefined of what is none, or says its flags by throwing. */
function copyOf(pattern: RegExp): RegExp | undefined {
  try {
    // Not instanceof: it may come from another realm. Of what is none, the language's own getter throws.
    return new RegExp(sourceOf.call(pattern) as string, pattern.flags)
  } catch {
    return undefined
  }
}

// oxlint-disable-next-line typescript/unbound-method
const sourceOf = Object.getOwnPropertyDescriptor(RegExp.prototype, 'source')!.get!
