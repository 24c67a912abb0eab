import { counted } from '../../options/counted.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { quote, truncate } from '../json/quote.ts'
import { numberText } from '../json/number-text.ts'
import { plainText } from '../plain-data.ts'
import { sgr, type Paint } from './colors.ts'
import { escapeForTerminal } from './visible.ts'
import { displayWidth, fittingLength } from './width.ts'

/** The characters of a string that is written without quotes. The first one is not `=`. */
const bareCharacters = /[\w.:/@+%~#?&,;=-]/
/** Whether a string of this UTF-16 unit is written without quotes. */
const isBareUnit: readonly boolean[] = Array.from({ length: 128 }, (_, unit) =>
  bareCharacters.test(String.fromCharCode(unit)),
)
/** Whether a string that begins with this UTF-16 unit could be read as another type. */
const isOtherTypeStart: readonly boolean[] = Array.from({ length: 128 }, (_, unit) =>
  /[-+.\dtfni]/i.test(String.fromCharCode(unit)),
)
/** A string that would be read as another type without quotes. */
const otherType = /^(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|true|false|null|NaN|-?Infinity)$/i

/** Returns the text of a value without members. */
export function scalarText(value: AnyValue): string {
  if (typeof value === 'string') return stringText(value)
  if (typeof value === 'number') return value - value === 0 ? numberText(value) : String(value)
  if (typeof value === 'boolean' || value === null) return String(value)
  return escapeForTerminal(plainText(value))
}

/** Returns a string, with quotes if it is not a single word or would be read as another type. */
function stringText(value: string): string {
  return isBareWord(value) ? value : escapeForTerminal(quote(value))
}

/** Returns whether a string is written without quotes, so that it has as many columns as UTF-16 units. */
export function isBareWord(value: string): boolean {
  const { length } = value
  if (length === 0 || value.charCodeAt(0) === equalsSign) return false
  for (let i = 0; i < length; i++) {
    const unit = value.charCodeAt(i)
    // A comparison first, because a read beyond the end of the array would be slow.
    if (unit > 127 || !isBareUnit[unit]!) return false
  }
  return !isOtherTypeStart[value.charCodeAt(0)]! || !otherType.test(value)
}

const equalsSign = 61

/** A name that is written without quotes. */
const bareName = /^[\w.:/@+%~#?&,;-]+$/

/** Returns the name of an attribute or a member, with quotes if it is not a single word, so that it cannot contain `name=value`. */
export function nameText(name: string): string {
  return bareName.test(name) ? name : escapeForTerminal(quote(name))
}

/** Returns whether a value has members or items. */
export function isContainer(value: AnyValue): value is AnyValueMap | readonly AnyValue[] {
  return value instanceof Map || Array.isArray(value)
}

/** A text without control characters but those of colors, with its width in columns. */
export interface MeasuredText {
  readonly text: string
  readonly width: number
}

/** The names of members can be data, so the cache has a limit. */
const maxCachedNames = 512

/** The texts around values, with their colors. */
export class InlineStyle {
  readonly paint: Paint
  readonly openBrace: string
  readonly openBracket: string
  readonly comma: string
  readonly closeBrace: string
  readonly closeBracket: string
  readonly emptyObject: string
  readonly emptyArray: string
  private readonly names = new Map<string, MeasuredText>()

  constructor(paint: Paint) {
    this.paint = paint
    this.openBrace = paint(sgr.dim, '{')
    this.openBracket = paint(sgr.dim, '[')
    this.comma = paint(sgr.dim, ', ')
    this.closeBrace = paint(sgr.dim, '}')
    this.closeBracket = paint(sgr.dim, ']')
    this.emptyObject = paint(sgr.dim, '{}')
    this.emptyArray = paint(sgr.dim, '[]')
  }

  /** Returns `name: `, cached, because most names occur in many records. */
  memberName(name: string): MeasuredText {
    const cached = this.names.get(name)
    if (cached !== undefined) return cached
    const plain = `${nameText(name)}: `
    const text = { text: this.paint(sgr.dim, plain), width: displayWidth(plain) }
    if (this.names.size < maxCachedNames) this.names.set(name, text)
    return text
  }
}

/** A text on one line that is built until it becomes too wide. */
export class InlineText {
  text = ''
  width = 0
  private readonly maxWidth: number
  private readonly style: InlineStyle

  /** @param maxWidth - the maximum width in columns */
  constructor(maxWidth: number, style: InlineStyle) {
    this.maxWidth = maxWidth
    this.style = style
  }

  /** Adds text that needs no escape. Returns whether it fits. */
  add(text: string): boolean {
    return this.addText(text, displayWidth(text))
  }

  /** Adds text whose width is known. Returns whether it fits. */
  addMeasured({ text, width }: MeasuredText): boolean {
    return this.addText(text, width)
  }

  /** Adds a value as `word`, `"a text"`, `{key: value}` or `[item, item]`. Returns whether it fits. */
  addValue(value: AnyValue): boolean {
    if (typeof value === 'number') {
      const text = scalarText(value)
      return this.addText(text, text.length)
    }
    if (!isContainer(value)) {
      // A column usually has at most two UTF-16 units, so the width of a longer string is not computed.
      if (typeof value === 'string' && value.length > this.maxWidth * 2) return false
      if (typeof value === 'string' && isBareWord(value)) return this.addText(value, value.length)
      return this.add(scalarText(value))
    }
    return value instanceof Map ? this.addMembers(value) : this.addItems(value as readonly AnyValue[])
  }

  private addText(text: string, width: number): boolean {
    this.text += text
    this.width += width
    return this.width <= this.maxWidth
  }

  private addMembers(object: AnyValueMap): boolean {
    const { style } = this
    if (object.size === 0) return this.addText(style.emptyObject, 2)
    let isFirst = true
    for (const [key, value] of object) {
      const separates = isFirst ? this.addText(style.openBrace, 1) : this.addText(style.comma, 2)
      if (!separates || !this.addMeasured(style.memberName(key)) || !this.addValue(value)) return false
      isFirst = false
    }
    return this.addText(style.closeBrace, 1)
  }

  private addItems(items: readonly AnyValue[]): boolean {
    const { style } = this
    if (items.length === 0) return this.addText(style.emptyArray, 2)
    let isFirst = true
    for (const item of items) {
      const separates = isFirst ? this.addText(style.openBracket, 1) : this.addText(style.comma, 2)
      if (!separates || !this.addValue(item)) return false
      isFirst = false
    }
    return this.addText(style.closeBracket, 1)
  }
}

/** The minimum number of columns of a text before a marker with the number of missing characters. */
const minColumnsWithCount = 8

/**
 * Returns a value without members cut to a width, with the number of characters that are missing if there is room for it. A value that
 * would become longer is not cut.
 */
export function cutScalar(value: AnyValue, maxWidth: number, paint: Paint): string {
  const text = typeof value === 'string' ? value : scalarText(value)
  // Two columns are for the quotes, and one is for the marker `…`.
  const roomWithCount = maxWidth - cutMarker(text.length).length - 2
  const hasCount = roomWithCount >= minColumnsWithCount
  const room = hasCount ? roomWithCount : Math.max(1, maxWidth - 3)
  const beginning = text.slice(0, room * 2)
  let length = fittingLength(beginning, room)
  let quoted = escapeForTerminal(quote(beginning.slice(0, length)))
  // Escapes make the text wider.
  for (let width = displayWidth(quoted) - 2; width > room && length > 1; width = displayWidth(quoted) - 2) {
    length = Math.max(1, Math.floor((length * room) / width))
    quoted = escapeForTerminal(quote(truncate(beginning, length)))
  }
  const kept = truncate(beginning, length).length
  const marker = hasCount ? cutMarker(text.length - kept) : '…'
  const cutWidth = displayWidth(quoted) + marker.length
  if (text.length <= cutWidth) {
    const whole = scalarText(value)
    if (displayWidth(whole) <= cutWidth) return whole
  }
  return quoted + paint(sgr.dim, marker)
}

/** The marker at the end of a text that is cut. */
function cutMarker(count: number): string {
  return `…[+${counted(count, 'character')}]`
}
