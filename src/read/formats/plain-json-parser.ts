import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { emptyMap } from './json-values.ts'

/** A name of a member that was read before. Most lines have the same names in the same order. */
interface KnownName {
  readonly name: string
  /** The name as it is in the text, with the quotes and the colon. */
  readonly text: string
  /** The names that came after this one, the last one first. */
  next: KnownName | undefined
  otherNext: KnownName | undefined
}

/** The names of members can be data, so the number of names that are kept is limited. */
const maxNames = 4096
const maxNameLength = 64
/** A deeper object is left to `JSON.parse`. */
const maxDepth = 32
/** Integers of at most this many digits are exact. */
const maxDigits = 15

/**
 * Parses JSON objects in the form that loggers write, without spaces, as maps. This takes about half the time of `JSON.parse` and of converting
 * its result. Texts of another form, such as those with a number with an exponent, are not parsed.
 */
export class PlainJsonParser {
  private readonly names = new Map<string, KnownName>()
  private readonly start: KnownName = { name: '', text: '', next: undefined, otherNext: undefined }
  private last: KnownName = this.start
  private text = ''
  private at = 0
  private isPlain = true

  /**
   * Parses the object that begins at a position and ends before another.
   *
   * @param text - a text without control characters, and from the position on without backslashes, so that each quote begins or ends a text
   * @returns undefined if the object has another form, or is not valid
   */
  parse(text: string, start: number, end: number): AnyValueMap | undefined {
    this.text = text
    this.at = start
    this.last = this.start
    this.isPlain = true
    if (text.charCodeAt(start) !== openBrace) return undefined
    const members = this.object(1)
    const isWhole = this.isPlain && this.at === end
    this.text = ''
    return isWhole ? members : undefined
  }

  /** Reads from an open brace to the position after the closing one. */
  private object(depth: number): AnyValueMap {
    const { text } = this
    if (text.charCodeAt(++this.at) === closeBrace) {
      this.at++
      return emptyMap
    }
    const members = new Map<string, AnyValue>()
    do {
      const name = this.name()
      if (!this.isPlain) break
      members.set(name, this.value(depth))
    } while (this.hasNext(closeBrace))
    return members
  }

  private array(depth: number): AnyValue[] {
    const items: AnyValue[] = []
    if (this.text.charCodeAt(++this.at) === closeBracket) {
      this.at++
      return items
    }
    do items.push(this.value(depth))
    while (this.hasNext(closeBracket))
    return items
  }

  /** Moves after the comma or the end that follows a value. Returns whether it is a comma. */
  private hasNext(end: number): boolean {
    const code = this.text.charCodeAt(this.at++)
    if (code === comma) return this.isPlain
    if (code !== end) this.isPlain = false
    return false
  }

  private value(depth: number): AnyValue {
    const { text, at } = this
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = text.indexOf('"', at + 1)
      if (end < 0) return this.fail()
      this.at = end + 1
      return text.slice(at + 1, end)
    }
    if ((code >= digit0 && code <= digit9) || code === minus) return this.number()
    if (code === openBrace && depth < maxDepth) return this.object(depth + 1)
    if (code === openBracket && depth < maxDepth) return this.array(depth + 1)
    if (text.startsWith('true', at)) return this.word(4, true)
    if (text.startsWith('false', at)) return this.word(5, false)
    return text.startsWith('null', at) ? this.word(4, null) : this.fail()
  }

  private word(length: number, value: boolean | null): AnyValue {
    this.at += length
    return value
  }

  private fail(): null {
    this.isPlain = false
    return null
  }

  /** Reads a number without an exponent whose value a number of JavaScript keeps. */
  private number(): AnyValue {
    const { text, at } = this
    const isNegative = text.charCodeAt(at) === minus
    const first = isNegative ? at + 1 : at
    const end = this.digitsEnd(first)
    const digits = end - first
    // JSON has no numbers with leading zeros.
    if (digits === 0 || digits > maxDigits || (digits > 1 && text.charCodeAt(first) === digit0)) return this.fail()
    if (text.charCodeAt(end) !== point) {
      this.at = end
      if (isNegative) return Number(text.slice(at, end))
      let value = 0
      for (let index = first; index < end; index++) value = value * 10 + text.charCodeAt(index) - digit0
      return value
    }
    const fractionEnd = this.digitsEnd(end + 1)
    if (fractionEnd === end + 1) return this.fail()
    this.at = fractionEnd
    return Number(text.slice(at, fractionEnd))
  }

  private digitsEnd(start: number): number {
    const { text } = this
    let at = start
    for (let code = text.charCodeAt(at); code >= digit0 && code <= digit9; code = text.charCodeAt(at)) at++
    return at
  }

  /** Reads a name and the colon after it. The same string is returned each time, which maps find faster than a new one. */
  private name(): string {
    const { text, at, last } = this
    const { next, otherNext } = last
    let found = next
    if (next === undefined || !text.startsWith(next.text, at)) {
      if (otherNext !== undefined && text.startsWith(otherNext.text, at)) found = otherNext
      else if ((found = this.newName()) === undefined) return ''
      last.otherNext = next
      last.next = found
    }
    this.at = at + found!.text.length
    this.last = found!
    return found!.name
  }

  private newName(): KnownName | undefined {
    const { text, at, names } = this
    const end = text.indexOf('"', at + 1)
    const first = text.charCodeAt(at + 1)
    // `Object.keys` orders integers before other names.
    const isPlain =
      text.charCodeAt(at) === quote && text.charCodeAt(end + 1) === colon && !(first >= digit0 && first <= digit9)
    if (!isPlain || end < 0) {
      this.isPlain = false
      return undefined
    }
    const slice = text.slice(at + 1, end)
    const known = names.get(slice)
    if (known !== undefined) return known
    // A slice would keep the whole line in memory.
    const name = JSON.parse(`"${slice}"`) as string
    const created: KnownName = { name, text: `"${name}":`, next: undefined, otherNext: undefined }
    if (names.size < maxNames && name.length <= maxNameLength) names.set(name, created)
    return created
  }
}

const quote = 34
const comma = 44
const minus = 45
const point = 46
const digit0 = 48
const digit9 = 57
const colon = 58
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125
