import type { ResolvedLimits } from '../rules/limits.ts'
import { longString, type LongStrings } from './long-line.ts'
import type { Bytes } from './members.ts'
import { quote, quoteLines, quoteNumber } from './quote.ts'
import type { ShapeNode } from './shapes.ts'
import { Walk } from './walk.ts'

/**
 * Builds JSON text by concatenation. Attributes are members without braces; an object or array on its way has its opening
 * one, which is part of its first key: one concatenation less.
 */
export class TextWalk extends Walk<string, string, string> {
  /** Strings that are to be escaped later; undefined where all are escaped at once. */
  private readonly later: LongStrings | undefined

  constructor(limits: ResolvedLimits, later?: LongStrings) {
    super(limits)
    this.later = later
  }

  override ofString(value: string): string {
    return quote(value)
  }
  protected override ofLong(value: string): string {
    const cut = this.cut(value)
    return this.later === undefined || cut.length <= longString ? quote(cut) : '"' + this.later.keep(cut) + '"'
  }
  override ofLines(value: string): string {
    return quoteLines(value)
  }
  protected override ofNumber(value: number): string {
    return quoteNumber(value)
  }
  protected override ofBoolean(value: boolean): string {
    return value ? 'true' : 'false'
  }
  protected override ofBigInt(value: bigint): string {
    return '"' + value + '"'
  }
  protected override ofNull(): string {
    return 'null'
  }
  protected override ofBytes(value: Bytes): string {
    return '"' + value.text() + '"'
  }
  override attributes(): string {
    return ''
  }
  override withAttribute(attributes: string, node: ShapeNode, part: string): string {
    return attributes === '' ? node.open + part : attributes + node.next + part
  }
  protected override object(): string {
    return '{'
  }
  protected override withMember(object: string, node: ShapeNode, part: string): string {
    return object === '{' ? node.first + part : object + node.next + part
  }
  protected override withEntry(object: string, key: string, part: string): string {
    return (object === '{' ? '{' : object + ',') + quote(key) + ':' + part
  }
  protected override closeObject(object: string): string {
    return object + '}'
  }
  protected override array(): string {
    return '['
  }
  protected override withItem(array: string, part: string): string {
    return array === '[' ? '[' + part : array + ',' + part
  }
  protected override closeArray(array: string): string {
    return array + ']'
  }
  override inserted(part: string, json: boolean): string {
    const text = this.later === undefined || this.later.isEmpty ? part : this.later.expand(part)
    return !json && text.startsWith('"') ? (JSON.parse(text) as string) : text
  }
}
