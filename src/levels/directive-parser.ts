import { unknownLevel } from '../record/level-names.ts'
import type { Directive, DirectiveProblem, Predicate } from './directive.ts'
import { WordReader, type Word } from './directive-words.ts'
import { isKnownLevel, type LevelNames } from './resolve-level.ts'

/** The maximum number of predicates in a directive. */
const maxPredicates = 16

/** Parses directives one after the other. Throws `DirectiveSyntaxError` for an invalid one. */
export class DirectiveParser extends WordReader {
  private readonly levels: LevelNames
  private readonly unknownLevels: DirectiveProblem[] | undefined

  /** @param unknownLevels - where unknown levels are reported, if directives with them are returned too; otherwise these are invalid */
  constructor(text: string, levels: LevelNames, unknownLevels?: DirectiveProblem[]) {
    super(text)
    this.levels = levels
    this.unknownLevels = unknownLevels
  }

  /** Moves to the start of the next directive. Returns false at the end of the text. */
  skipSeparators(): boolean {
    this.match(separators)
    return this.position < this.text.length
  }

  /** Moves to the end of an invalid directive: the next comma, comment or line break. */
  skipToSeparator(): void {
    this.match(/(?:(?!(?<=[ \t])#)[^,\n])*/y)
  }

  directive(): Directive {
    const start = this.position
    const parsed = this.parts(start)
    return { ...parsed, text: this.text.slice(start, this.position).trim() }
  }

  private parts(start: number): Omit<Directive, 'text'> {
    const name = this.word('name')
    const predicates = this.text[this.position] === '[' ? this.predicates() : []
    this.match(spaces)
    if (this.text[this.position] === '[') this.fail('conditions are in one pair of brackets, as in [a=1,b=2]')
    const hasEqualsSign = this.match(/=/y) !== ''
    if (!hasEqualsSign && predicates.length === 0 && !name.isQuoted) return this.bareLevel(name)
    if (!hasEqualsSign) this.fail('has no level; add one, such as =debug')
    this.match(spaces)
    const level = this.level(name)
    const pattern = name.text === '' && !name.isQuoted ? undefined : name.text
    if (pattern === undefined && predicates.length === 0)
      this.failAt(start, 'expected the name of a logger before "="; remove "=" to set the level of all')
    return this.end({ pattern, predicates, level })
  }

  /** Returns the directive of a level without a name. */
  private bareLevel({ text, position }: Word): Omit<Directive, 'text'> {
    if (isKnownLevel(text, this.levels)) return this.end({ pattern: undefined, predicates: [], level: text })
    if (text === '') this.failAt(position, 'expected a level or the name of a logger')
    const colon = text.lastIndexOf(':')
    if (isKnownLevel(text.slice(colon + 1), this.levels))
      this.failAt(position + colon, 'write "=" before the level, as in db=debug')
    const isNameOfLoggers = /[.*?:/]/.test(text)
    if (isNameOfLoggers) this.failAt(position, 'has no level; add one, such as =debug')
    return this.end({ pattern: undefined, predicates: [], level: this.unknownLevel(text, position) })
  }

  /** Reads the level after a name and conditions. */
  private level(name: Word): string {
    const { text, position } = this.word('level')
    if (isKnownLevel(text, this.levels)) return text
    if (text === '') this.failAt(position, 'expected a level after "="')
    if (this.text[this.position] === '=')
      this.failAt(name.position, 'write conditions in brackets, as in [tenant=acme]=debug')
    return this.unknownLevel(text, position)
  }

  private predicates(): Predicate[] {
    const opening = this.position++
    const predicates: Predicate[] = []
    do {
      this.match(spaces)
      const { text: key, position } = this.word('key')
      if (this.position === this.text.length) break
      if (key === '') this.fail('expected the name of an attribute, as in [tenant=acme]')
      if (predicates.some((predicate) => predicate.key === key))
        this.failAt(position, 'the attribute is tested twice; remove one of the two')
      this.match(spaces)
      if (this.match(/=/y) === '') this.fail('expected "=" and a value, as in [tenant=acme]')
      this.match(spaces)
      const value = this.word('value')
      if (value.text === '' && !value.isQuoted) this.fail('expected a value; write "" for empty text')
      predicates.push({ key, value: value.text })
      if (predicates.length > maxPredicates) this.fail(`too many conditions; write at most ${maxPredicates}`)
      this.match(spaces)
    } while (this.match(/,/y) !== '')
    if (this.match(/\]/y) === '') {
      if (this.position === this.text.length) this.failAt(opening, '"[" is not closed; add "]"')
      this.fail('expected "," or "]"')
    }
    return predicates
  }

  /** Checks that a separator or the end of the text follows. */
  private end(directive: Omit<Directive, 'text'>): Omit<Directive, 'text'> {
    this.match(spaces)
    const next = this.text[this.position]
    if (next === undefined || next === ',' || next === '\n' || next === '\r') return directive
    if (next === '#' && /[ \t]/.test(this.text[this.position - 1]!)) return directive
    return this.fail('expected "," or the end')
  }

  /** Reports a level that no logger has yet. */
  private unknownLevel(text: string, position: number): string {
    const message = unknownLevel(text, [...this.levels.names, 'silent'])
    if (this.unknownLevels === undefined || !/^[\w$]+$/.test(text)) return this.failAt(position, message)
    this.unknownLevels.push({ position, message })
    return text
  }
}

/** Commas, spaces, line breaks and comments, which begin with `#` at the start of a line or after a space. */
const separators = /(?:[\s,]+|(?<=^|[\n \t])#[^\n]*)*/y
const spaces = /[ \t]*/y
