import type { Bytes } from './members.ts'
import { quote, quoteLines, quoteNumber } from './quote.ts'
import type { ShapeNode } from './shapes.ts'
import { Walk } from './walk.ts'

/** Builds JSON text by concatenation; an object or array on its way is its members without the braces. */
export class TextWalk extends Walk<string, string, string> {
  override ofString(value: string): string {
    return quote(value)
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
  override object(): string {
    return ''
  }
  override withMember(object: string, node: ShapeNode, part: string): string {
    return object === '' ? node.open + part : object + node.next + part
  }
  override withEntry(object: string, key: string, part: string): string {
    return object === '' ? quote(key) + ':' + part : object + ',' + quote(key) + ':' + part
  }
  override closeObject(object: string): string {
    return '{' + object + '}'
  }
  protected override array(): string {
    return ''
  }
  protected override withItem(array: string, part: string): string {
    return array === '' ? part : array + ',' + part
  }
  protected override closeArray(array: string): string {
    return '[' + array + ']'
  }
  override inserted(part: string, json: boolean): string {
    return !json && part.startsWith('"') ? (JSON.parse(part) as string) : part
  }
}
