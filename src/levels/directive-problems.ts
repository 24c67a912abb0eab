import { excerptOf } from '../encode/pretty/excerpt.ts'
import { typeName } from '../options/option-checks.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import type { Directive } from './directive.ts'
import { unknownLevel } from '../record/level-names.ts'
import { hasDirectiveSyntax, parseDirectives } from './parse-directives.ts'
import type { LevelNames } from './resolve-level.ts'

/**
 * Parses directives that code has set. Problems are added to `problems`, with their positions.
 *
 * @param path - the option or parameter in the problems
 */
export function checkedDirectives(
  text: unknown,
  path: string,
  levels: LevelNames,
  problems: ConfigurationProblem[],
): readonly Directive[] {
  if (typeof text !== 'string') {
    const message = `must be a string with directives, not ${typeName(text)}; write 'info,db.*=debug'`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path, message })
    return []
  }
  const parsed = parseDirectives(text, levels)
  for (const { position, message } of parsed.problems)
    problems.push({
      code: 'SLUICE_LEVEL_SYNTAX',
      path,
      position,
      message,
      // A single word may be a secret that was passed in the wrong place.
      ...(hasDirectiveSyntax(text) && { excerpt: excerptOf(text, position) }),
    })
  if (parsed.directives.length === 0 && parsed.problems.length === 0)
    problems.push({ code: 'SLUICE_LEVEL_SYNTAX', path, message: "is empty; write a directive, such as 'db.*=debug'" })
  return parsed.directives
}

/** Returns what is wrong with the name of a level that is not known, where directives are possible too. */
export function unknownLevelOrDirective(name: string, levels: LevelNames): string {
  return parseDirectives(name, levels).problems[0]?.message ?? unknownLevelName(name, levels)
}

/** Returns what is wrong with the name of a level that is not known, where no directives are possible. */
export function unknownLevelName(name: string, { names }: LevelNames): string {
  // A call from JavaScript can pass any value, whose conversion to text can throw.
  return typeof name === 'string' && /[=:,;*[]/.test(name)
    ? 'must be the name of a level; write directives in the option level of createLogger, or set them with levelControl()'
    : unknownLevel(name, [...names, 'silent'])
}
