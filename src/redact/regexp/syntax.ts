import type { RegExpNode, CharacterNode } from './nodes.ts'
import { withStrings } from './class-strings.ts'

/** The maximum nesting depth. */
const maxDepth = 100

/** The error for a pattern that is too large or too deeply nested to be analyzed. */
export class PatternTooLarge extends Error {
  readonly position: number

  constructor(position: number) {
    super('the pattern is too large')
    this.position = position
  }
}

/** Parses an expression that the engine has accepted. Throws `PatternTooLarge` if it is nested too deeply. */
export function parseRegExp({ source, flags }: RegExp): RegExpNode {
  return new Parser(source, flags).alternatives(flags.replaceAll(/[^imsuv]/g, ''), 0)
}

const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y
const groupStart = /\?(?:(<?[=!])|<([^>]*)>|([ims]*)(?:-([ims]*))?:)/y
// The escapes of one character, without the backslash. In a Unicode expression, a surrogate pair is one character.
const unicodeEscape =
  /[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[^]/uy
const plainEscape = /u[\da-fA-F]{4}|x[\da-fA-F]{2}|[0-3][0-7]{0,2}|[4-7][0-7]?|[^]/y
const control = /c[a-zA-Z]/y

class Parser {
  private readonly source: string
  private readonly isUnicode: boolean
  private readonly hasNestedClasses: boolean
  /** Whether `\k` is a backreference. */
  private readonly hasNames: boolean
  private readonly groups: number
  private at = 0
  private group = 0

  constructor(source: string, flags: string) {
    this.source = source
    this.hasNestedClasses = flags.includes('v')
    this.isUnicode = this.hasNestedClasses || flags.includes('u')
    const withoutClasses = source.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, '')
    this.hasNames = /\(\?<[^=!]/.test(withoutClasses)
    this.groups = withoutClasses.match(/\((?!\?)|\(\?<[^=!]/g)?.length ?? 0
  }

  alternatives(flags: string, depth: number): RegExpNode {
    if (depth > maxDepth) throw new PatternTooLarge(this.at)
    const all: RegExpNode[][] = [[]]
    while (this.at < this.source.length && this.source[this.at] !== ')') {
      if (this.source[this.at] === '|') {
        this.at++
        all.push([])
      } else all.at(-1)!.push(this.quantified(this.atom(flags, depth)))
    }
    const items = all.map((parts): RegExpNode => (parts.length === 1 ? parts[0]! : { kind: 'sequence', items: parts }))
    return items.length === 1 ? items[0]! : { kind: 'alternatives', items }
  }

  private atom(flags: string, depth: number): RegExpNode {
    const sign = this.source[this.at]!
    if (sign === '(') return this.parenthesized(flags, depth)
    if (sign === '^' || sign === '$') {
      this.at++
      return { kind: 'assertion', sign, flags }
    }
    const position = this.at
    if (sign === '[') return this.characterClass(flags)
    if (sign === '\\') return this.escape(flags)
    this.at += this.isUnicode && this.source.codePointAt(position)! > 0xffff ? 2 : 1
    return this.character(position, flags)
  }

  private character(position: number, flags: string): CharacterNode {
    const source = this.source.slice(position, this.at)
    return { kind: 'character', source, flags: flags.replace('m', ''), position }
  }

  private parenthesized(flags: string, depth: number): RegExpNode {
    this.at++
    groupStart.lastIndex = this.at
    const [start, look, name, added, removed = ''] = groupStart.exec(this.source) ?? []
    this.at += start?.length ?? 0
    const isCapture = start === undefined || name !== undefined
    const index = isCapture ? ++this.group : 0
    const changed = new Set(Array.from(flags + (added ?? '')))
    for (const flag of removed) changed.delete(flag)
    const body = this.alternatives([...changed].join(''), depth + 1)
    this.at++
    if (look !== undefined)
      return { kind: 'lookaround', body, isBehind: look.startsWith('<'), isNegated: look.endsWith('!') }
    return isCapture ? { kind: 'group', body, index, name } : body
  }

  private characterClass(flags: string): RegExpNode {
    const position = this.at++
    for (let depth = 1; depth > 0 && this.at < this.source.length; this.at++) {
      const sign = this.source[this.at]
      if (sign === '\\') this.at++
      else if (sign === ']') depth--
      else if (sign === '[' && this.hasNestedClasses) depth++
    }
    return withStrings(this.character(position, flags))
  }

  private escape(flags: string): RegExpNode {
    const position = this.at++
    const letter = this.source[this.at]!
    if (letter === 'b' || letter === 'B') {
      this.at++
      return { kind: 'assertion', sign: `\\${letter}`, flags }
    }
    const to = this.backreference(letter)
    if (to !== undefined) return { kind: 'backreference', to, flags, position }
    // Without a Unicode flag, a backslash before `c` without a letter is a literal backslash.
    const isBare = letter === 'c' && !this.isUnicode && !matchesAt(control, this.source, this.at)
    if (isBare) return { ...this.character(position, flags), source: String.raw`\\` }
    const form = letter === 'c' ? control : this.isUnicode ? unicodeEscape : plainEscape
    form.lastIndex = this.at
    form.test(this.source)
    this.at = form.lastIndex
    return withStrings(this.character(position, flags))
  }

  private backreference(letter: string): string | undefined {
    if (letter === 'k' && (this.isUnicode || this.hasNames)) {
      const end = this.source.indexOf('>', this.at)
      const name = this.source.slice(this.at + 2, end)
      this.at = end + 1
      return name
    }
    const number = /[1-9]\d*/y
    if (!matchesAt(number, this.source, this.at)) return undefined
    const text = this.source.slice(this.at, number.lastIndex)
    if (!this.isUnicode && Number(text) > this.groups) return undefined
    this.at = number.lastIndex
    return text
  }

  private quantified(body: RegExpNode): RegExpNode {
    const position = this.at
    quantifier.lastIndex = position
    const [text, sign, from, comma, to, lazy] = quantifier.exec(this.source) ?? []
    if (text === undefined) return body
    this.at += text.length
    const least = sign === undefined ? Number(from) : sign === '+' ? 1 : 0
    let most = sign === '?' ? 1 : Infinity
    if (sign === undefined && (comma === '' || to !== '')) most = comma === '' ? least : Number(to)
    return { kind: 'repetition', body, least, most, isLazy: lazy === '?', position }
  }
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at
  return sticky.test(text)
}
