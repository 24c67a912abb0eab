import { QueryError } from './query-error.ts'
import { bareName, bareValue } from './query-syntax.ts'

/** A text in quotes, or the source of a regular expression. */
export interface ScannedText {
  readonly text: string
  readonly position: number
}

/** Reads the parts of a query from left to right. The parser decides which kind of part it reads next. */
export class QueryScanner {
  readonly text: string
  position = 0

  constructor(text: string) {
    this.text = text
  }

  /** The character at the current position; '' at the end. */
  peek(): string {
    return this.text.charAt(this.position)
  }

  skipSpace(): void {
    this.position += this.matchLength(space)
  }

  /** Reads a symbol, if it is next. */
  take(symbol: string): boolean {
    if (!this.text.startsWith(symbol, this.position)) return false
    this.position += symbol.length
    return true
  }

  /** Returns the word at the current position in lowercase, without reading it; '' without a word. */
  peekWord(): string {
    return this.text.slice(this.position, this.position + this.matchLength(word)).toLowerCase()
  }

  /** Reads a word, in any case, if it is next. */
  takeWord(expected: string): boolean {
    if (this.peekWord() !== expected) return false
    this.position += expected.length
    return true
  }

  /** Reads a part of a key without quotes; returns '' if no name is next. */
  takeBareName(): string {
    return this.takeMatch(bareName)
  }

  /** Reads a value without quotes; returns '' if no value is next. */
  takeBareValue(): string {
    return this.takeMatch(bareValue)
  }

  /** Reads the digits of an index; returns '' if no digit is next. */
  takeDigits(): string {
    return this.takeMatch(digits)
  }

  /** Reads a text in quotes, whose escape sequences are replaced; returns undefined if no quote is next. */
  takeQuoted(): ScannedText | undefined {
    const raw = this.takeRawQuoted()
    return raw && { text: this.unescape(raw), position: raw.position }
  }

  /** Reads a text in quotes exactly as written, with its backslashes; returns undefined if no quote is next. */
  takeRawQuoted(): ScannedText | undefined {
    const quote = this.peek()
    if (quote !== "'" && quote !== '"') return undefined
    const position = this.position + 1
    for (let at = position; at < this.text.length; at++) {
      const character = this.text[at]
      if (character === '\\') at++
      else if (character === quote) {
        this.position = at + 1
        return { text: this.text.slice(position, at), position }
      }
    }
    throw this.error(this.position, [quote], `this text has no closing ${quote}; add it`)
  }

  /** Reads a regular expression between slashes, with its flags; returns undefined if no slash is next. */
  takeRegExp(): (ScannedText & { readonly flags: string }) | undefined {
    if (this.peek() !== '/') return undefined
    const position = this.position + 1
    let isInClass = false
    for (let at = position; at < this.text.length; at++) {
      const character = this.text[at]
      if (character === '\\') at++
      else if (character === '[') isInClass = true
      else if (character === ']') isInClass = false
      else if (character === '/' && !isInClass) {
        this.position = at + 1
        return { text: this.text.slice(position, at), position, flags: this.takeMatch(letters) }
      }
    }
    throw this.error(this.position, ['/'], 'this regular expression has no closing /; add it, or put it in quotes')
  }

  error(position: number, expected: readonly string[], reason: string): QueryError {
    return new QueryError(this.text, { position, expected, reason })
  }

  private takeMatch(expression: RegExp): string {
    const from = this.position
    this.position += this.matchLength(expression)
    return this.text.slice(from, this.position)
  }

  private matchLength(expression: RegExp): number {
    expression.lastIndex = this.position
    return expression.test(this.text) ? expression.lastIndex - this.position : 0
  }

  private unescape({ text, position }: ScannedText): string {
    return text.replaceAll(escape, (whole: string, hex: string | undefined, offset: number) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      const character = escapedCharacters.get(whole.slice(1))
      if (character !== undefined) return character
      const reason = String.raw`${whole} is not an escape sequence; write \\ for a backslash`
      throw this.error(position + offset, [String.raw`\\`], reason)
    })
  }
}

const space = /\s+/y
const digits = /\d+/y
const letters = /[a-zA-Z]*/y
/** A whole word of the characters of names, so that `order` is not `or`, and `not.x` is not `not`. */
const word = /[^\s'"`()[\],=!<>~?|&]+/y
const escape = /\\(?:u([\da-fA-F]{4})|[^])/g
const escapedCharacters: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['/', '/'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
])
