import type { Paint } from '../encode/pretty/colors.ts'
import { InlineStyle, isBareWord } from '../encode/pretty/inline.ts'
import type { ByteText } from './byte-text.ts'
import type { MemberNames } from './member-names.ts'

/** Adds values of simple JSON to a text, as the terminal format shows them, without parsing them. */
export class SimpleValues {
  /** The number of columns of what was added. */
  width = 0
  private readonly out: ByteText
  private readonly names: MemberNames
  private readonly style: Record<keyof Omit<InlineStyle, 'paint' | 'memberName'>, Uint8Array>
  /** The number of the last object, to recognize names that occur twice in one. */
  private objects = 0

  constructor(out: ByteText, names: MemberNames, paint: Paint) {
    this.out = out
    this.names = names
    const { openBrace, openBracket, comma, closeBrace, closeBracket, emptyObject, emptyArray } = new InlineStyle(paint)
    this.style = {
      openBrace: Buffer.from(openBrace),
      openBracket: Buffer.from(openBracket),
      comma: Buffer.from(comma),
      closeBrace: Buffer.from(closeBrace),
      closeBracket: Buffer.from(closeBracket),
      emptyObject: Buffer.from(emptyObject),
      emptyArray: Buffer.from(emptyArray),
    }
  }

  /** Returns a number for another object. */
  nextObject(): number {
    return ++this.objects
  }

  /** Adds a value. Returns the position after it; -1 if it cannot be shown without its value. */
  add(bytes: Buffer, start: number): number {
    const first = bytes[start]!
    if (first === openBrace) return this.addMembers(bytes, start)
    if (first === openBracket) return this.addItems(bytes, start)
    let end = start + 1
    if (first === quote) {
      while (bytes[end] !== quote) end++
      this.addString(bytes, start, ++end)
      return end
    }
    for (let unit = bytes[end]!; unit !== comma && unit !== closeBrace && unit !== closeBracket;) unit = bytes[++end]!
    this.width += end - start
    this.out.addPart(bytes, start, end)
    return end
  }

  private addString(bytes: Buffer, start: number, end: number): void {
    const quotes = isBare(bytes, start + 1, end - 1) ? 1 : 0
    this.width += end - start - 2 * quotes
    this.out.addPart(bytes, start + quotes, end - quotes)
  }

  private addMembers(bytes: Buffer, start: number): number {
    const { out, style, names } = this
    const object = this.nextObject()
    let at = start + 1
    if (bytes[at] === closeBrace) return this.addEmpty(style.emptyObject, at)
    out.add(style.openBrace)
    while (bytes[at] !== closeBrace) {
      if (bytes[at] === comma) {
        at++
        out.add(style.comma)
      }
      const name = names.read(bytes, at)
      // A name that is known from an inner object may occur only once, but that is rare.
      if (name === undefined || name.isSpecial || name.lastObject >= object) return -1
      name.lastObject = object
      out.add(name.member)
      // With the braces or the comma and a space.
      this.width += name.width + 4
      at = this.add(bytes, at + name.json.length)
      if (at < 0) return -1
    }
    out.add(style.closeBrace)
    return at + 1
  }

  private addItems(bytes: Buffer, start: number): number {
    const { out, style } = this
    let at = start + 1
    if (bytes[at] === closeBracket) return this.addEmpty(style.emptyArray, at)
    out.add(style.openBracket)
    while (bytes[at] !== closeBracket) {
      if (bytes[at] === comma) {
        at++
        out.add(style.comma)
      }
      this.width += 2
      at = this.add(bytes, at)
      if (at < 0) return -1
    }
    out.add(style.closeBracket)
    return at + 1
  }

  private addEmpty(text: Uint8Array, end: number): number {
    this.out.add(text)
    this.width += 2
    return end + 1
  }
}

/** Returns whether printable ASCII text is shown without quotes, as `isBareWord` does. */
export function isBare(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start]!
  if (end === start || first === equalsSign) return false
  for (let at = start; at < end; at++) if (isBareUnit[bytes[at]!] === 0) return false
  // Only these can be numbers and words such as `true`.
  const kind = startKind[first]!
  if (kind === anyStart) return true
  if (kind === wordStart && end - start > maxWordLength) return true
  if (kind === digitStart) for (let at = start; at < end; at++) if (isNumberUnit[bytes[at]!] === 0) return true
  return isBareWord(bytes.toString('latin1', start, end))
}

const quote = 34
const comma = 44
const equalsSign = 61
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

const anyStart = 0
const wordStart = 1
const digitStart = 2
const signStart = 3
/** The length of `Infinity`. */
const maxWordLength = 8

const isBareUnit: Uint8Array = Uint8Array.from({ length: 256 }, (_, unit) =>
  unit < 128 && isBareWord(`x${String.fromCharCode(unit)}`) ? 1 : 0,
)
const startKind: Uint8Array = Uint8Array.from({ length: 256 }, (_, unit) => {
  const text = String.fromCharCode(unit)
  if (/\d/.test(text)) return digitStart
  return /[tfni]/i.test(text) ? wordStart : /[-+.]/.test(text) ? signStart : anyStart
})
const isNumberUnit: Uint8Array = Uint8Array.from({ length: 256 }, (_, unit) =>
  /[\d.e+-]/i.test(String.fromCharCode(unit)) ? 1 : 0,
)
