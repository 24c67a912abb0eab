import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { Dialect } from './dialect.ts'
import type { LongStrings } from '../json/long-line.ts'
import type { Bytes } from './members.ts'
import { escape, literal, quote, quoteNumber } from '../json/quote.ts'
import type { ShapeNode } from './shapes.ts'
import { Walk } from './walk.ts'

/**
 * Builds JSON text with as few concatenations as possible. The brace that opens an object is part of its first key; the quotes of a string
 * are part of its own key and of the text that follows. Attributes are members without braces.
 */
export class TextWalk extends Walk<string, string, string> {
  /** Strings that are escaped later; undefined if all strings are escaped at once. */
  private readonly later: LongStrings | undefined

  constructor(limits: ResolvedLimits, later?: LongStrings, patterns?: TextPatterns, dialect?: Dialect) {
    super(limits, dialect, patterns)
    this.later = later
  }

  override ofString(value: string): string {
    return quote(value)
  }
  override ofLong(value: string): string {
    const { later } = this
    return later === undefined || value.length <= later.usual ? quote(value) : '"' + later.keep(value) + '"'
  }
  override ofLines(value: string): string {
    return literal(value)
  }
  override ofNumber(value: number): string {
    return quoteNumber(value)
  }
  override ofBoolean(value: boolean): string {
    return value ? 'true' : 'false'
  }
  override ofBigInt(value: bigint): string {
    return '"' + value + '"'
  }
  override ofNull(): string {
    return 'null'
  }
  override ofBytes(value: Bytes): string {
    return '"' + value.text() + '"'
  }
  override object(): string {
    return ''
  }
  override withMember(object: string, node: ShapeNode, part: string, inText: boolean): string {
    return object === '' ? node.first + part : object + (inText ? node.after : node.next) + part
  }
  override withText(object: string, node: ShapeNode, value: string, inText: boolean): string {
    const text = escape(value)
    return object === '' ? node.firstText + text : object + (inText ? node.afterText : node.nextText) + text
  }
  override settled(object: string, inText: boolean): string {
    return inText ? object + '"' : object
  }
  override withEntry(object: string, key: string, part: string): string {
    return (object === '' ? '{' : object + ',') + quote(key) + ':' + part
  }
  override closeObject(object: string, inText: boolean): string {
    return object === '' ? '{}' : object + (inText ? '"}' : '}')
  }
  override array(): string {
    return '['
  }
  override withItem(array: string, part: string): string {
    return array === '[' ? '[' + part : array + ',' + part
  }
  override closeArray(array: string): string {
    return array + ']'
  }
  override inserted(part: string, json: boolean): string {
    const text = this.later === undefined || this.later.isEmpty ? part : this.later.expand(part)
    return !json && text.startsWith('"') ? (JSON.parse(text) as string) : text
  }
}
