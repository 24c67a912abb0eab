import type { RegExpNode, CharacterNode } from './nodes.ts'
import { expandClassStrings } from './class-strings.ts'

/** The maximum nesting depth of groups. */
const maxDepth = 100

/** The error for a pattern that is too large or too deeply nested to be analyzed. */
export class PatternTooLargeError extends Error {
  readonly position: number

  constructor(position: number) {
    super('the pattern is too large')
    this.position = position
  }
}

/** Parses an expression that the engine has accepted. Throws `PatternTooLargeError` if it is nested too deeply. */
export function parseRegExp({ source, flags }: RegExp): RegExpNode {
  return new Parser(source, flags).parseAlternatives(flags.replaceAll(/[^imsuv]/g, ''), 0)
}

const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y
const groupStart = /\?(?:(<?[=!])|<([^>]*)>|([ims]*)(?:-([ims]*))?:)/y
// The escapes of one character, without the backslash. In a Unicode expression, a surrogate pair is one character.
const unicodeEscape =
  /[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[^]/uy
const plainEscape = /u[\da-fA-F]{4}|x[\da-fA-F]{2}|[0-3][0-7]{0,2}|[4-7][0-7]?|[^]/y
const controlEscape = /c[a-zA-Z]/y

class Parser {
  private readonly source: string
  private readonly isUnicode: boolean
  private readonly hasNestedClasses: boolean
  /** Whether there are named groups, so that `\k` is a backreference even without a Unicode flag. */
  private readonly hasNames: boolean
  private readonly groupCount: number
  private at = 0
  private groupIndex = 0

  constructor(source: string, flags: string) {
    this.source = source
    this.hasNestedClasses = flags.includes('v')
    this.isUnicode = this.hasNestedClasses || flags.includes('u')
    const withoutClasses = source.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, '')
    this.hasNames = /\(\?<[^=!]/.test(withoutClasses)
    this.groupCount = withoutClasses.match(/\((?!\?)|\(\?<[^=!]/g)?.length ?? 0
  }

  parseAlternatives(flags: string, depth: number): RegExpNode {
    if (depth > maxDepth) throw new PatternTooLargeError(this.at)
    const all: RegExpNode[][] = [[]]
    while (this.at < this.source.length && this.source[this.at] !== ')') {
      if (this.source[this.at] === '|') {
        this.at++
        all.push([])
      } else all.at(-1)!.push(this.parseQuantified(this.parseAtom(flags, depth)))
    }
    const items = all.map((parts): RegExpNode => (parts.length === 1 ? parts[0]! : { kind: 'sequence', items: parts }))
    return items.length === 1 ? items[0]! : { kind: 'alternatives', items }
  }

  private parseAtom(flags: string, depth: number): RegExpNode {
    const character = this.source[this.at]!
    if (character === '(') return this.parseParenthesized(flags, depth)
    if (character === '^' || character === '$') {
      this.at++
      return { kind: 'assertion', symbol: character, flags }
    }
    const position = this.at
    if (character === '[') return this.parseClass(flags)
    if (character === '\\') return this.parseEscape(flags)
    this.at += this.isUnicode && this.source.codePointAt(position)! > 0xffff ? 2 : 1
    return this.characterNode(position, flags)
  }

  /** Returns the node of the text from `position` to the current position. */
  private characterNode(position: number, flags: string): CharacterNode {
    const source = this.source.slice(position, this.at)
    return { kind: 'character', source, flags: flags.replace('m', ''), position }
  }

  private parseParenthesized(flags: string, depth: number): RegExpNode {
    this.at++
    groupStart.lastIndex = this.at
    const [start, look, name, added, removed = ''] = groupStart.exec(this.source) ?? []
    this.at += start?.length ?? 0
    const isCapture = start === undefined || name !== undefined
    const index = isCapture ? ++this.groupIndex : 0
    const bodyFlags = new Set(Array.from(flags + (added ?? '')))
    for (const flag of removed) bodyFlags.delete(flag)
    const body = this.parseAlternatives([...bodyFlags].join(''), depth + 1)
    this.at++
    if (look !== undefined)
      return { kind: 'lookaround', body, isBehind: look.startsWith('<'), isNegated: look.endsWith('!') }
    return isCapture ? { kind: 'group', body, index, name } : body
  }

  private parseClass(flags: string): RegExpNode {
    const position = this.at++
    for (let depth = 1; depth > 0 && this.at < this.source.length; this.at++) {
      const character = this.source[this.at]
      if (character === '\\') this.at++
      else if (character === ']') depth--
      else if (character === '[' && this.hasNestedClasses) depth++
    }
    return expandClassStrings(this.characterNode(position, flags))
  }

  private parseEscape(flags: string): RegExpNode {
    const position = this.at++
    const letter = this.source[this.at]!
    if (letter === 'b' || letter === 'B') {
      this.at++
      return { kind: 'assertion', symbol: `\\${letter}`, flags }
    }
    const group = this.parseBackreference(letter)
    if (group !== undefined) return { kind: 'backreference', group, flags, position }
    // Without a Unicode flag, a backslash before `c` without a letter is a literal backslash.
    const isBackslash = letter === 'c' && !this.isUnicode && !matchesAt(controlEscape, this.source, this.at)
    if (isBackslash) return { ...this.characterNode(position, flags), source: String.raw`\\` }
    const form = letter === 'c' ? controlEscape : this.isUnicode ? unicodeEscape : plainEscape
    form.lastIndex = this.at
    form.test(this.source)
    this.at = form.lastIndex
    return expandClassStrings(this.characterNode(position, flags))
  }

  /** Returns the name or number of the referenced group; undefined for another escape. */
  private parseBackreference(letter: string): string | undefined {
    if (letter === 'k' && (this.isUnicode || this.hasNames)) {
      const end = this.source.indexOf('>', this.at)
      const name = this.source.slice(this.at + 2, end)
      this.at = end + 1
      return name
    }
    const number = /[1-9]\d*/y
    if (!matchesAt(number, this.source, this.at)) return undefined
    const text = this.source.slice(this.at, number.lastIndex)
    if (!this.isUnicode && Number(text) > this.groupCount) return undefined
    this.at = number.lastIndex
    return text
  }

  /** Adds the quantifier at the current position, if there is one, to a node. */
  private parseQuantified(body: RegExpNode): RegExpNode {
    const position = this.at
    quantifier.lastIndex = position
    const [text, symbol, from, comma, to, lazy] = quantifier.exec(this.source) ?? []
    if (text === undefined) return body
    this.at += text.length
    const min = symbol === undefined ? Number(from) : symbol === '+' ? 1 : 0
    let max = symbol === '?' ? 1 : Infinity
    if (symbol === undefined && (comma === '' || to !== '')) max = comma === '' ? min : Number(to)
    return { kind: 'repetition', body, min, max, isLazy: lazy === '?', position }
  }
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at
  return sticky.test(text)
}
