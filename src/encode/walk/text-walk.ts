import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { Dialect } from './dialect.ts'
import type { LongStrings } from '../json/long-line.ts'
import type { Bytes } from './members.ts'
import { escape, quoteTextNeedingEscapes, quote, numberToJson } from '../json/quote.ts'
import type { ShapeNode } from './shapes.ts'
import { Walk } from './walk.ts'

/**
 * Builds JSON text with as few concatenations as possible. The brace that opens an object is part of its first key; the quotes of a string
 * are part of its own key and of the text that follows. Attributes are members without braces.
 */
export class TextWalk extends Walk<string, string, string> {
  /** Long strings that are escaped when the line is written; undefined if all strings are escaped immediately. */
  private readonly deferredStrings: LongStrings | undefined

  constructor(limits: ResolvedLimits, deferredStrings?: LongStrings, patterns?: TextPatterns, dialect?: Dialect) {
    super(limits, dialect, patterns)
    this.deferredStrings = deferredStrings
  }

  override ofString(value: string): string {
    return quote(value)
  }
  override ofLongString(value: string): string {
    const { deferredStrings } = this
    return deferredStrings === undefined || value.length <= deferredStrings.maxImmediateLength
      ? quote(value)
      : '"' + deferredStrings.add(value) + '"'
  }
  override ofMultilineString(value: string): string {
    return quoteTextNeedingEscapes(value)
  }
  override ofNumber(value: number): string {
    return numberToJson(value)
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
    return '"' + value.toBase64() + '"'
  }
  override newObject(): string {
    return ''
  }
  override withMember(object: string, node: ShapeNode, builtValue: string, isQuoteOpen: boolean): string {
    return object === ''
      ? node.firstPrefix + builtValue
      : object + (isQuoteOpen ? node.closingPrefix : node.nextPrefix) + builtValue
  }
  override withText(object: string, node: ShapeNode, value: string, isQuoteOpen: boolean): string {
    const text = escape(value)
    return object === ''
      ? node.firstTextPrefix + text
      : object + (isQuoteOpen ? node.closingTextPrefix : node.nextTextPrefix) + text
  }
  override withQuoteClosed(object: string, isQuoteOpen: boolean): string {
    return isQuoteOpen ? object + '"' : object
  }
  override withEntry(object: string, key: string, builtValue: string): string {
    return (object === '' ? '{' : object + ',') + quote(key) + ':' + builtValue
  }
  override closeObject(object: string, isQuoteOpen: boolean): string {
    return object === '' ? '{}' : object + (isQuoteOpen ? '"}' : '}')
  }
  override newArray(): string {
    return '['
  }
  override withItem(array: string, builtValue: string): string {
    return array === '[' ? '[' + builtValue : array + ',' + builtValue
  }
  override closeArray(array: string): string {
    return array + ']'
  }
  override textForMessage(builtValue: string, asJson: boolean): string {
    const text =
      this.deferredStrings === undefined || this.deferredStrings.isEmpty
        ? builtValue
        : this.deferredStrings.expand(builtValue)
    return !asJson && text.startsWith('"') ? (JSON.parse(text) as string) : text
  }
}
