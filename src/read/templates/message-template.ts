import {
  classOf,
  digit,
  hex,
  isDigit,
  isHexDigit,
  isJoiner,
  isWordCharacter,
  joiner,
  letter,
} from './character-classes.ts'
import { hasSign, ipv6End, isUuid, joinedKind, uuidLength } from './value-forms.ts'
import { valueKinds } from './value-kinds.ts'
import { minHexLength, wordKind } from './word-kind.ts'

/** The character that represents a value in the key of a template. */
export const valueMark = '\0'

/** The longest key of a template, in UTF-16 units. */
export const maxKeyLength = 400

/** Messages that differ only in their values. */
export interface MessageTemplate {
  /** A number that no other template has. */
  readonly id: number
  readonly key: string
  /** The kinds of the values that occurred in each place. */
  readonly kinds: number[]
}

/** A message whose values are replaced. */
export interface ScannedMessage {
  /** The text of the message with `valueMark` in place of each value. Messages of one template have the same key. */
  readonly key: string
  /** The kind of each value, in order. */
  readonly kinds: readonly number[]
}

/**
 * Replaces the values in a message: numbers, hexadecimal and other ids, UUIDs, IP addresses, dates and times, quoted text, e-mail
 * addresses and the query of a URL. Only the first line of the message is read. The time is linear in its length.
 */
export function scanMessage(message: string): ScannedMessage {
  return new MessageScanner(message).scan()
}

class MessageScanner {
  private readonly text: string
  private readonly end: number
  private readonly kinds: number[] = []
  private key = ''
  /** The end of the part of the text that is in the key. */
  private copied = 0
  /** Whether the last value is in a list in brackets. */
  private isInList = false
  /** Whether the last words are joined by colons. */
  private hasColons = false
  /** Whether the last words have a decimal digit, or at least as many hexadecimal digits as an id. */
  private mayHaveValues = false
  /** The quotation marks that do not occur in the rest of the text. */
  private missingQuotes = ''

  constructor(message: string) {
    this.text = message
    const lineEnd = message.indexOf('\n', 1)
    this.end = lineEnd < 0 ? message.length : lineEnd
  }

  scan(): ScannedMessage {
    const { text, end } = this
    for (let at = 0; at < end && this.key.length <= maxKeyLength;) {
      if (isWordCharacter(text, at)) at = this.scanChunk(at)
      else {
        const code = text.charCodeAt(at)
        if (code === 0x22 || code === 0x27 || code === 0x60) at = this.scanQuoted(at, text.charAt(at))
        else if (code === 0x3f) at = this.scanQuery(at)
        else at++
      }
    }
    this.key += this.literal(end)
    if (this.key.length > maxKeyLength) this.key = `${this.key.slice(0, maxKeyLength)}…`
    return { key: this.key, kinds: this.kinds }
  }

  /** Returns the text that is not in the key yet. It does not contain the mark of a value, which is counted. */
  private literal(end: number): string {
    const text = this.text.slice(this.copied, end)
    return text.includes(valueMark) ? text.replaceAll(valueMark, '\u0001') : text
  }

  /** Adds a value to the key. */
  private addValue(start: number, end: number, kind: number): void {
    const before = this.literal(start)
    this.copied = end
    if (this.isNextInList(before, kind)) {
      this.kinds[this.kinds.length - 1]! |= kind // Lists of any length have the same template.
      return
    }
    this.isInList = before.endsWith('[')
    this.key += before + valueMark
    this.kinds.push(kind)
  }

  /** Returns whether a value belongs to the list of the last one: `[1, 2]`, `["a", "b"]`, `1,2`. Members of JSON objects do not. */
  private isNextInList(before: string, kind: number): boolean {
    const last = this.kinds.at(-1)
    if (last === undefined || (last === valueKinds.quoted) !== (kind === valueKinds.quoted)) return false
    return this.isInList ? before === ',' || before === ', ' : before === ',' && kind !== valueKinds.quoted
  }

  /** Reads quoted text. Returns the position after it, or after a quotation mark that is an apostrophe. */
  private scanQuoted(start: number, quote: string): number {
    const { text, end } = this
    if (isWordCharacter(text, start - 1) || this.missingQuotes.includes(quote)) return start + 1
    let close = text.indexOf(quote, start + 1)
    while (close > 0 && text.charAt(close - 1) === '\\') close = text.indexOf(quote, close + 1)
    if (close < 0 || close >= end) {
      this.missingQuotes += quote
      return start + 1
    }
    if (isWordCharacter(text, close + 1)) return start + 1
    this.addValue(start, close + 1, valueKinds.quoted)
    return close + 1
  }

  /** Reads the query of a URL, such as `?q=shoes&page=2`. */
  private scanQuery(start: number): number {
    const { text, end } = this
    let at = start + 1
    while (isWordCharacter(text, at) || isJoiner(text, at)) at++
    if (at === start + 1 || text.charAt(at) !== '=') return start + 1
    while (at < end && !' "\'`<>()[]{}'.includes(text.charAt(at))) at++
    this.addValue(start + 1, at, valueKinds.query)
    return at
  }

  /** Reads words that are joined by single joiners (or `::`), such as `2026-11-21T09:56:03Z`. Returns the position after them. */
  private scanChunk(start: number): number {
    const { text } = this
    const end = this.chunkEnd(start)
    if (text.charAt(end) === '@' && isWordCharacter(text, end + 1)) {
      const emailEnd = this.chunkEnd(end + 1)
      this.addValue(start, emailEnd, valueKinds.email)
      return emailEnd
    }
    if (!this.mayHaveValues) return end
    const addressEnd = this.hasColons ? ipv6End(text, start, end) : start
    if (addressEnd > start) {
      this.addValue(start, addressEnd, valueKinds.ip)
      return addressEnd
    }
    let at = start
    while (at < end) at = isJoiner(text, at) ? at + 1 : this.scanWord(at, start, end)
    return end
  }

  private chunkEnd(start: number): number {
    const { text, end } = this
    let at = start
    let classes = 0
    let hexDigits = 0
    this.hasColons = false
    this.mayHaveValues = false
    for (; at < end; at++) {
      const characterClass = classOf(text, at)
      if ((characterClass & (letter | digit)) !== 0) {
        classes |= characterClass
        hexDigits = (characterClass & hex) === 0 ? 0 : hexDigits + 1
        if (hexDigits >= minHexLength) this.mayHaveValues = true
        continue
      }
      if (characterClass !== joiner) break
      const isColon = text.charCodeAt(at) === 0x3a
      if (!isWordCharacter(text, at + 1)) {
        if (!isColon || text.charCodeAt(at + 1) !== 0x3a || !isHexDigit(text, at + 2)) break
        at++
      }
      hexDigits = 0
      this.hasColons ||= isColon
    }
    this.mayHaveValues ||= (classes & digit) !== 0
    return at
  }

  /** Reads a word and, if it is a value, the values that are joined to it. Returns the position after them. */
  private scanWord(start: number, chunkStart: number, chunkEnd: number): number {
    const { text } = this
    if (isUuid(text, start, chunkEnd)) {
      this.addValue(start, start + uuidLength, valueKinds.uuid)
      return start + uuidLength
    }
    let end = this.wordEnd(start, chunkEnd)
    const kind = wordKind(text, start, end)
    if (kind === 'literal') return end
    let valueStart = start
    if (kind === 'prefixed number') while (!isDigit(text, valueStart)) valueStart++
    let bits: number = kind === 'hex' ? valueKinds.hex : kind === 'id' ? valueKinds.id : valueKinds.num
    let isNumeric = kind === 'number' || kind === 'prefixed number'
    for (let next = this.nextWord(end, chunkEnd); next < chunkEnd; next = this.nextWord(end, chunkEnd)) {
      if (isUuid(text, next, chunkEnd)) break
      const nextEnd = this.wordEnd(next, chunkEnd)
      const nextKind = wordKind(text, next, nextEnd)
      if (nextKind !== 'number' && nextKind !== 'hex') break
      if (nextKind !== 'number') isNumeric = false
      if (nextKind === 'hex') bits |= valueKinds.hex
      end = nextEnd
    }
    if (start === chunkStart && kind !== 'prefixed number' && hasSign(text, start)) valueStart--
    this.addValue(valueStart, end, joinedKind(text.slice(valueStart, end)) ?? (isNumeric ? valueKinds.num : bits))
    return end
  }

  private wordEnd(start: number, chunkEnd: number): number {
    let at = start + 1
    while (at < chunkEnd && isWordCharacter(this.text, at)) at++
    return at
  }

  private nextWord(start: number, chunkEnd: number): number {
    let at = start
    while (at < chunkEnd && isJoiner(this.text, at)) at++
    return at
  }
}
