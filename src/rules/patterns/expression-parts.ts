import { anyChar, complement, escapeSet, ignoringCase, unionSet, type CharSet } from './char-set.ts'

/** A part of a regular expression with its repetition. */
export interface Part {
  /** What its first characters may be, or any of them where it is a group. */
  readonly set: CharSet
  /** Groups only: each alternative. */
  readonly alternatives: readonly (readonly Part[])[] | undefined
  readonly least: number
  readonly most: number
  /** Where it stands in the source, in UTF-16 units; `sign`: where its repetition does. */
  readonly position: number
  readonly sign: number
  /** It looks at characters and takes none. */
  readonly isAssertion: boolean
  /** It repeats what another part took. */
  readonly isBackreference: boolean
}

/** Reads an expression that JavaScript has accepted. Where it does not know a form, the part may be any character. */
export function expressionParts({ source, flags }: RegExp): readonly (readonly Part[])[] {
  return new PartReader(source, flags).alternatives()
}

const counts = /\{(\d+)(,(\d*))?\}/y
const groupKind = /\?(?:(<?[=!])|:|<[^>]*>|[-a-z]+:)/y

class PartReader {
  private readonly source: string
  private readonly ignoresCase: boolean
  private readonly hasNestedClasses: boolean
  private at = 0

  constructor(source: string, flags: string) {
    this.source = source
    // A group may ignore case by itself: `(?i:…)`.
    this.ignoresCase = flags.includes('i') || /\(\?[ms]*i/.test(source)
    this.hasNestedClasses = flags.includes('v')
  }

  alternatives(): Part[][] {
    const all: Part[][] = [[]]
    for (; this.at < this.source.length && this.source[this.at] !== ')';) {
      if (this.source[this.at] === '|') {
        this.at++
        all.push([])
      } else all.at(-1)!.push(this.repeated(this.part()))
    }
    return all
  }

  private part(): Omit<Part, 'least' | 'most' | 'sign'> {
    const position = this.at
    const first = this.source[this.at++]!
    if (first === '(') return this.group(position)
    const plain = { alternatives: undefined, position, isAssertion: false, isBackreference: false }
    if (first === '^' || first === '$') return { ...plain, set: [], isAssertion: true }
    if (first === '.') return { ...plain, set: anyChar }
    if (first === '[') return { ...plain, set: this.characterClass() }
    if (first !== '\\') return { ...plain, set: this.cased(codePoint(this.source, position, () => this.at++)) }
    const letter = this.source[this.at]!
    if (letter === 'b' || letter === 'B') {
      this.at++
      return { ...plain, set: [], isAssertion: true }
    }
    const isBackreference = /[1-9k]/.test(letter)
    return { ...plain, set: isBackreference ? this.unknown() : this.escaped(), isBackreference }
  }

  private group(position: number): Omit<Part, 'least' | 'most' | 'sign'> {
    groupKind.lastIndex = this.at
    const [kind = '', assertion] = groupKind.exec(this.source) ?? []
    this.at += kind.length
    const alternatives = this.alternatives()
    this.at++
    const isAssertion = assertion !== undefined
    const set = unionSet(alternatives.flat().map((part) => part.set))
    return { set, alternatives, position, isAssertion, isBackreference: false }
  }

  private characterClass(): CharSet {
    const isNegated = this.source[this.at] === '^'
    if (isNegated) this.at++
    const sets: CharSet[] = []
    let isKnown = true
    while (this.source[this.at] !== ']') {
      const isOperator = this.hasNestedClasses && /^(?:\[|--|&&|\\q)/.test(this.source.slice(this.at, this.at + 2))
      if (isOperator) isKnown = false
      if (isOperator && this.source[this.at] === '[') {
        this.at++
        this.characterClass()
        continue
      }
      const from = this.classUnit()
      const isRange = this.source[this.at] === '-' && this.source[this.at + 1] !== ']'
      if (!isRange || from.length !== 1 || from[0]![0] !== from[0]![1]) sets.push(from)
      else {
        this.at++
        const to = this.classUnit()
        sets.push([[from[0]![0], Math.max(from[0]![0], to.at(-1)?.[1] ?? 0)]])
      }
    }
    this.at++
    if (!isKnown) return anyChar
    const set = unionSet(sets)
    return isNegated ? complement(set) : this.ignoresCase ? ignoringCase(set) : set
  }

  private classUnit(): CharSet {
    const position = this.at++
    if (this.source[position] !== '\\') return codePoint(this.source, position, () => this.at++)
    if (this.source[this.at] !== 'b') return this.escaped()
    this.at++
    return [[8, 8]]
  }

  /** What stands behind a backslash. */
  private escaped(): CharSet {
    const letter = this.source[this.at]!
    const known = escapeSet(letter)
    if (known !== undefined) {
      this.at++
      return known
    }
    if (/[pPuxcq0]/.test(letter)) return this.unknown()
    const control = { n: 10, r: 13, t: 9, v: 11, f: 12 }[letter]
    if (control !== undefined) {
      this.at++
      return [[control, control]]
    }
    const position = this.at++
    return this.cased(codePoint(this.source, position, () => this.at++))
  }

  /** An escape of more than one letter: it may be any character. */
  private unknown(): CharSet {
    const form = /[pP]\{[^}]*\}|[pP]|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|q\{[^}]*\}|\d+|./isy
    form.lastIndex = this.at
    form.test(this.source)
    this.at = form.lastIndex
    return anyChar
  }

  private cased(set: CharSet): CharSet {
    return this.ignoresCase ? ignoringCase(set) : set
  }

  private repeated(part: Omit<Part, 'least' | 'most' | 'sign'>): Part {
    const sign = this.at
    let [least, most] = [1, 1]
    counts.lastIndex = sign
    const [text, from, upTo, to] = counts.exec(this.source) ?? []
    const mark = this.source[sign]
    if (text !== undefined) {
      least = Number(from)
      most = upTo === undefined ? least : to === '' ? Infinity : Number(to)
      this.at += text.length
    } else if (mark === '*' || mark === '+' || mark === '?') {
      least = mark === '+' ? 1 : 0
      most = mark === '?' ? 1 : Infinity
      this.at++
    } else return { ...part, least, most, sign }
    if (this.source[this.at] === '?') this.at++
    return { ...part, least, most, sign }
  }
}

/** One character; `more` is called where it has two units. */
function codePoint(source: string, at: number, more: () => void): CharSet {
  const code = source.codePointAt(at)!
  if (code > 0xffff) more()
  return [[code, code]]
}
