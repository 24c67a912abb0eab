import { levelSynonym, unknownLevel } from '../record/level-names.ts'
import { isBareLevel, type Directive, type Predicate } from './directive.ts'

/** The levels that directives can name. */
export interface KnownLevels {
  readonly names: readonly string[]
  /** Returns the lowest severity number that is logged at a level; undefined if there is no such level. */
  threshold(name: string): number | undefined
}

/** What is wrong in a text with directives, and where. */
export interface DirectiveProblem {
  /** Offset in the text, in UTF-16 units. */
  readonly position: number
  /** One sentence without a period: what is wrong and what to do. */
  readonly message: string
}

/** The result of `parseDirectives`. */
export interface ParsedDirectives {
  /** The valid directives, in the order of the text. */
  readonly directives: readonly Directive[]
  readonly problems: readonly DirectiveProblem[]
}

/** The maximum length of a text with directives, in UTF-16 units. */
export const maxDirectivesLength: number = 65_536

/** The maximum number of directives in a text, and of predicates in a directive. */
const maxDirectives = 1_000
const maxPredicates = 16

/** Returns whether a text has the syntax of directives and is not just the name of a level. */
export function hasDirectiveSyntax(text: string): boolean {
  return /[=,[\]"\n]/.test(text)
}

/**
 * Parses directives, which are separated by commas or line breaks. In lines that begin with `#`, everything is ignored. An invalid directive
 * is reported and omitted; the others are returned. The time is proportional to the length of the text. Never throws.
 */
export function parseDirectives(text: string, levels: KnownLevels): ParsedDirectives {
  if (text.length > maxDirectivesLength) {
    const message = `has ${text.length} characters; write at most ${maxDirectivesLength}`
    return { directives: [], problems: [{ position: maxDirectivesLength, message }] }
  }
  const directives: Directive[] = []
  const problems: DirectiveProblem[] = []
  const parser = new DirectiveParser(text, levels)
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

class DirectiveSyntaxError extends Error {
  readonly position: number

  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}

class DirectiveParser {
  position = 0
  private readonly text: string
  private readonly levels: KnownLevels

  constructor(text: string, levels: KnownLevels) {
    this.text = text
    this.levels = levels
  }

  /** Moves to the start of the next directive. Returns false at the end of the text. */
  skipSeparators(): boolean {
    this.match(separators)
    return this.position < this.text.length
  }

  /** Moves to the end of an invalid directive: the next comma or line break. */
  skipToSeparator(): void {
    this.match(/[^,\n]*/y)
  }

  directive(): Directive {
    const start = this.position
    const parsed = this.parts(start)
    return { ...parsed, text: this.text.slice(start, this.position).trim() }
  }

  private parts(start: number): Omit<Directive, 'text'> {
    const name = this.word(namePattern)
    const predicates = this.text[this.position] === '[' ? this.predicates() : []
    this.match(spaces)
    const hasEqualsSign = this.match(/=/y) !== ''
    if (!hasEqualsSign && predicates.length === 0 && !name.isQuoted) {
      const level = this.knownLevel(name.text)
      if (level !== undefined) return this.end({ pattern: undefined, predicates, ...level })
      const isNameOfLoggers = /[.*?:/]/.test(name.text)
      this.position = start
      if (name.text === '') this.fail('expected a level or the name of a logger')
      this.fail(isNameOfLoggers ? 'has no level; add one, such as =debug' : unknownLevel(name.text, this.levelNames()))
    }
    if (!hasEqualsSign) this.fail('has no level; add one, such as =debug')
    this.match(spaces)
    const levelPosition = this.position
    const { text: levelText } = this.word(levelPattern)
    const level = this.knownLevel(levelText)
    if (level === undefined) {
      this.position = levelPosition
      this.fail(levelText === '' ? 'expected a level after "="' : unknownLevel(levelText, this.levelNames()))
    }
    const pattern = name.text === '' && !name.isQuoted ? undefined : name.text
    if (pattern === undefined && predicates.length === 0) {
      this.position = start
      this.fail('expected the name of a logger before "="; remove "=" to set the level of all')
    }
    return this.end({ pattern, predicates, ...level })
  }

  private predicates(): Predicate[] {
    const opening = this.position++
    const predicates: Predicate[] = []
    do {
      this.match(spaces)
      const keyPosition = this.position
      const { text: key } = this.word(keyPattern)
      if (this.position === this.text.length) break
      if (key === '') this.fail('expected the name of an attribute, as in [tenant=acme]')
      if (predicates.some((predicate) => predicate.key === key)) {
        this.position = keyPosition
        this.fail('the attribute is tested twice; remove one of the two')
      }
      this.match(spaces)
      if (this.match(/=/y) === '') this.fail('expected "=" and a value, as in [tenant=acme]')
      this.match(spaces)
      const value = this.word(valuePattern)
      if (value.text === '' && !value.isQuoted) this.fail('expected a value; write "" for empty text')
      predicates.push({ key, value: value.text })
      if (predicates.length > maxPredicates) this.fail(`too many conditions; write at most ${maxPredicates}`)
      this.match(spaces)
    } while (this.match(/,/y) !== '')
    if (this.match(/\]/y) === '') {
      if (this.position === this.text.length) this.position = opening
      this.fail(this.position === opening ? '"[" is not closed; add "]"' : 'expected "," or "]"')
    }
    return predicates
  }

  /** Reads a word, which may be quoted: in quotes, `\` precedes a quote or another `\` of the word. */
  private word(pattern: RegExp): { readonly text: string; readonly isQuoted: boolean } {
    if (this.text[this.position] !== '"') return { text: this.match(pattern).trimEnd(), isQuoted: false }
    const quoted = this.match(/"(?:[^"\\\n]|\\.)*"/y)
    if (quoted === '') this.fail('the quote is not closed; add "')
    return { text: quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1'), isQuoted: true }
  }

  /** Checks that a separator or the end of the text follows. */
  private end(directive: Omit<Directive, 'text'>): Omit<Directive, 'text'> {
    this.match(spaces)
    const next = this.text[this.position]
    if (next === undefined || next === ',' || next === '\n' || next === '\r') return directive
    return this.fail('expected "," or the end')
  }

  private knownLevel(text: string): { readonly level: string; readonly threshold: number } | undefined {
    const lowerCase = text.toLowerCase()
    for (const level of [text, lowerCase, levelSynonym(lowerCase) ?? '']) {
      const threshold = this.levels.threshold(level)
      if (threshold !== undefined) return { level, threshold }
    }
    return undefined
  }

  private levelNames(): string[] {
    return [...this.levels.names, 'silent']
  }

  /** Returns the text that a sticky expression matches at the position, and moves after it; '' without a match. */
  private match(pattern: RegExp): string {
    pattern.lastIndex = this.position
    const matched = pattern.exec(this.text)?.[0] ?? ''
    this.position += matched.length
    return matched
  }

  private fail(message: string): never {
    throw new DirectiveSyntaxError(message, this.position)
  }
}

/** Commas, spaces, line breaks and lines of comments. */
const separators = /(?:[\s,]+|(?<=(?:^|\n)[ \t]*)#[^\n]*)*/y
const spaces = /[ \t]*/y
const namePattern = /[^[\]=,"\s]*/y
const keyPattern = /[^[\]=,"\n]*/y
const valuePattern = /[^[\]=,"\n]*/y
const levelPattern = /[^[\]=,"\s]*/y
