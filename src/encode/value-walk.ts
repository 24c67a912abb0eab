import type { AnyValue } from '../record/any-value.ts'
import type { Rules } from '../rules/rules.ts'
import type { Bytes } from './members.ts'
import type { ShapeNode } from './shapes.ts'
import { plainText } from './plain.ts'
import { Walk } from './walk.ts'

/** Builds data: what a snapshot keeps, and what several formats are written from. */
export class ValueWalk extends Walk<AnyValue, Map<string, AnyValue>, AnyValue[]> {
  constructor({ limits, redaction }: Pick<Rules, 'limits' | 'redaction'>) {
    super(limits, undefined, redaction.patterns)
  }

  override ofLines(value: string): AnyValue {
    return value
  }
  override ofString(value: string): AnyValue {
    return value
  }
  protected override ofNumber(value: number): AnyValue {
    return value
  }
  protected override ofBoolean(value: boolean): AnyValue {
    return value
  }
  protected override ofBigInt(value: bigint): AnyValue {
    return value
  }
  protected override ofNull(): AnyValue {
    return null
  }
  protected override ofBytes(value: Bytes): AnyValue {
    return value.bytes.slice()
  }
  override object(): Map<string, AnyValue> {
    return new Map()
  }
  override withMember(object: Map<string, AnyValue>, node: ShapeNode, part: AnyValue): Map<string, AnyValue> {
    return object.set(node.name, part)
  }
  override withText(object: Map<string, AnyValue>, node: ShapeNode, value: string): Map<string, AnyValue> {
    return object.set(node.name, value)
  }
  override settled(object: Map<string, AnyValue>): Map<string, AnyValue> {
    return object
  }
  protected override withEntry(object: Map<string, AnyValue>, key: string, part: AnyValue): Map<string, AnyValue> {
    return object.set(key, part)
  }
  protected override closeObject(object: Map<string, AnyValue>): AnyValue {
    return object
  }
  protected override array(): AnyValue[] {
    return []
  }
  protected override withItem(array: AnyValue[], part: AnyValue): AnyValue[] {
    array.push(part)
    return array
  }
  protected override closeArray(array: AnyValue[]): AnyValue {
    return array
  }
  override inserted(part: AnyValue, json: boolean): string {
    return typeof part === 'string' && !json ? part : plainText(part, json)
  }
}
