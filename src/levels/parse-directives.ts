import { isBareLevel, type Directive, type DirectiveProblem } from './directive.ts'
import { DirectiveParser } from './directive-parser.ts'
import { DirectiveSyntaxError } from './directive-words.ts'
import type { LevelNames } from './resolve-level.ts'

/** The result of `parseDirectives`. */
export interface ParsedDirectives {
  /** The valid directives, in the order of the text. */
  readonly directives: readonly Directive[]
  readonly problems: readonly DirectiveProblem[]
}

/** The maximum length of a text with directives, in UTF-16 units. */
export const maxDirectivesLength: number = 65_536

/** The maximum number of directives in a text. */
const maxDirectives = 1_000

/** Returns whether a text has the syntax of directives and is not just the name of a level. */
export function hasDirectiveSyntax(text: string): boolean {
  return /[=,[\]"\n]|[ \t]#/.test(text)
}

/**
 * Parses directives, which are separated by commas or line breaks. A `#` at the start of a line or after a space begins a comment, which
 * ends with the line. An invalid directive is reported and omitted; the others are returned. The time is proportional to the length of
 * the text. Never throws.
 *
 * @param keepsUnknownLevels - whether directives whose level is unknown are reported and returned, for loggers with this level that are
 * created later
 */
export function parseDirectives(text: string, levels: LevelNames, keepsUnknownLevels = false): ParsedDirectives {
  if (text.length > maxDirectivesLength) {
    const message = `has ${text.length} characters; write at most ${maxDirectivesLength}`
    return { directives: [], problems: [{ position: maxDirectivesLength, message }] }
  }
  const directives: Directive[] = []
  const problems: DirectiveProblem[] = []
  const parser = new DirectiveParser(text, levels, keepsUnknownLevels ? problems : undefined)
  while (parser.skipSeparators()) {
    if (directives.length === maxDirectives) {
      problems.push({ position: parser.position, message: `too many directives; write at most ${maxDirectives}` })
      break
    }
    try {
      directives.push(parser.directive())
    } catch (error) {
      if (!(error instanceof DirectiveSyntaxError)) throw error
      problems.push({ position: error.position, message: error.message })
      parser.skipToSeparator()
    }
  }
  return { directives, problems }
}

/** Returns the directives that name loggers or have predicates, and the level of the last directive without either, or undefined. */
export function separateBareLevel(directives: readonly Directive[]): {
  readonly bareLevel: string | undefined
  readonly targeted: readonly Directive[]
} {
  const bareLevel = directives.findLast(isBareLevel)?.level
  return { bareLevel, targeted: directives.filter((directive) => !isBareLevel(directive)) }
}
