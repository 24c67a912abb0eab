import type { AnyValue } from '../record/any-value.ts'
import type { ResolvedLimits } from '../rules/limits.ts'
import type { Dialect } from './dialect.ts'
import type { Bytes } from './members.ts'
import { numberText } from './number-text.ts'
import { plainRules } from './plain.ts'
import { escapeWellFormed, quoteWellFormed } from './quote.ts'
import type { ShapeNode } from './shapes.ts'
import { noRules, Walk } from './walk.ts'

/** `{"kvlistValue":{"values":[{"key":"key","value":{"stringValue":"text"}}]}}` (OTLP/JSON, JS3). */
const otlpJson: Dialect = {
  slot: 1,
  opening: '{"kvlistValue":{"values":[',
  member: (key) => '{"key":' + quoteWellFormed(key) + ',"value":',
  comma: ',',
  text: '{"stringValue":"',
  closeText: '"}}',
}

/**
 * Builds the AnyValue of OTLP/JSON (JS1 to JS9): `{"stringValue":"text"}`. Attributes are KeyValues without brackets. An
 * object on its way is the list of its members; the last one may lack what closes its string.
 */
export class OtlpJsonWalk extends Walk<string, string, string> {
  constructor(limits: ResolvedLimits) {
    super(limits, otlpJson)
  }

  override ofString(value: string): string {
    return '{"stringValue":' + quoteWellFormed(value) + '}'
  }
  override ofLines(value: string): string {
    return this.ofString(value)
  }
  protected override ofNumber(value: number): string {
    // JS6: what a 64-bit integer holds is one. JS5: JSON has no number for NaN and the infinities.
    if (Number.isSafeInteger(value)) return '{"intValue":"' + numberText(value) + '"}'
    if (Number.isInteger(value) && value >= -two63 && value < two63) return '{"intValue":"' + BigInt(value) + '"}'
    return value - value === 0 ? '{"doubleValue":' + value + '}' : '{"doubleValue":"' + value + '"}'
  }
  protected override ofBoolean(value: boolean): string {
    return value ? '{"boolValue":true}' : '{"boolValue":false}'
  }
  protected override ofBigInt(value: bigint): string {
    return BigInt.asIntN(64, value) === value ? '{"intValue":"' + value + '"}' : '{"stringValue":"' + value + '"}'
  }
  protected override ofNull(): string {
    return '{}'
  }
  protected override ofBytes(value: Bytes): string {
    return '{"bytesValue":"' + value.text() + '"}'
  }
  override object(): string {
    return ''
  }
  override withMember(object: string, node: ShapeNode, part: string, inText: boolean): string {
    return (object === '' ? node.first : object + (inText ? node.after : node.next)) + part + '}'
  }
  override withText(object: string, node: ShapeNode, value: string, inText: boolean): string {
    const text = escapeWellFormed(value)
    return object === '' ? node.firstText + text : object + (inText ? node.afterText : node.nextText) + text
  }
  override settled(object: string, inText: boolean): string {
    return inText ? object + otlpJson.closeText : object
  }
  protected override withEntry(object: string, key: string, part: string): string {
    return (object === '' ? otlpJson.opening : object + ',') + otlpJson.member(key) + part + '}'
  }
  protected override closeObject(object: string, inText: boolean): string {
    return (object === '' ? otlpJson.opening : this.settled(object, inText)) + ']}}'
  }
  protected override array(): string {
    return ''
  }
  protected override withItem(array: string, part: string): string {
    return array === '' ? part : array + ',' + part
  }
  protected override closeArray(array: string): string {
    return '{"arrayValue":{"values":[' + array + ']}}'
  }
  /** Values that stand inside a message are shown as plain JSON has them: such a record is walked into data first. */
  override inserted(): string {
    return ''
  }
}

const two63 = 2 ** 63

let writer: OtlpJsonWalk | undefined

/** The AnyValue of data that went through rules before. */
function otlpJsonValue(value: AnyValue): string {
  writer ??= new OtlpJsonWalk({ ...plainRules.limits, recordBytes: Infinity })
  writer.begin()
  return writer.value(value, noRules, 1, '') ?? '{}'
}

/** The KeyValue of data that went through rules before. */
export function otlpJsonMember(key: string, value: AnyValue): string {
  return otlpJson.member(key) + otlpJsonValue(value) + '}'
}
