import type { AnyValue } from '../../record/any-value.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { Dialect } from '../walk/dialect.ts'
import type { Bytes } from '../walk/members.ts'
import { numberText } from '../json/number-text.ts'
import { plainRules } from '../plain.ts'
import { escapeWellFormed, flat, quoteWellFormed } from '../json/quote.ts'
import type { ShapeNode } from '../walk/shapes.ts'
import { noRules, Walk } from '../walk/walk.ts'

/** The syntax of OTLP/JSON (JS3): `{"kvlistValue":{"values":[{"key":"key","value":{"stringValue":"text"}}]}}`. */
const otlpJson: Dialect = {
  slot: 1,
  opening: '{"kvlistValue":{"values":[',
  member: (key) => '{"key":' + quoteWellFormed(key) + ',"value":',
  comma: ',',
  text: '{"stringValue":"',
  closeText: '"}}',
  wellFormed: true,
  pair: undefined,
}

/**
 * Builds OTLP/JSON AnyValues (JS1 to JS9), such as `{"stringValue":"text"}`. Attributes are KeyValues without brackets. An object under
 * construction is the list of its members; the string of the last one may not be closed yet.
 */
export class OtlpJsonWalk extends Walk<string, string, string> {
  constructor(limits: ResolvedLimits, patterns?: TextPatterns) {
    super(limits, otlpJson, patterns)
  }

  override ofString(value: string): string {
    return '{"stringValue":' + quoteWellFormed(value) + '}'
  }
  override ofLines(value: string): string {
    return this.ofString(value)
  }
  override ofNumber(value: number): string {
    // A number that fits into a 64-bit integer is one (JS6). JSON has no number for NaN and the infinities (JS5).
    if (Number.isSafeInteger(value)) return '{"intValue":"' + numberText(value) + '"}'
    if (Number.isInteger(value) && value >= -two63 && value < two63) return '{"intValue":"' + BigInt(value) + '"}'
    return value - value === 0 ? '{"doubleValue":' + value + '}' : '{"doubleValue":"' + value + '"}'
  }
  override ofBoolean(value: boolean): string {
    return value ? '{"boolValue":true}' : '{"boolValue":false}'
  }
  override ofBigInt(value: bigint): string {
    return BigInt.asIntN(64, value) === value ? '{"intValue":"' + value + '"}' : '{"stringValue":"' + value + '"}'
  }
  override ofNull(): string {
    return '{}'
  }
  override ofBytes(value: Bytes): string {
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
  override readonly hasScalars: boolean = true
  override leavesOpen(value: number | boolean): boolean {
    return Number.isSafeInteger(value)
  }
  /** Adds a scalar. The text before the value, or all of it, is cached on the member, because each concatenation costs about 15 ns. */
  override withScalar(object: string, node: ShapeNode, value: number | boolean, inText: boolean): string | undefined {
    const position = object === '' ? 0 : inText ? 1 : 2
    // An integer is closed by the same text as a string.
    if (Number.isSafeInteger(value)) return object + form(node, position, '{"intValue":"') + numberText(value as number)
    if (value === true) return object + form(node, 3 + position, '{"boolValue":true}}')
    if (value === false) return object + form(node, 6 + position, '{"boolValue":false}}')
    // A value that is not a fraction may be a 64-bit integer (JS6), or may not be a JSON number (JS5).
    if (Math.floor(value) === value || value - value !== 0) return undefined
    return object + form(node, 9 + position, '{"doubleValue":') + numberText(value) + '}}'
  }
  override settled(object: string, inText: boolean): string {
    return inText ? object + otlpJson.closeText : object
  }
  override withEntry(object: string, key: string, part: string): string {
    return (object === '' ? otlpJson.opening : object + ',') + otlpJson.member(key) + part + '}'
  }
  override closeObject(object: string, inText: boolean): string {
    return (object === '' ? otlpJson.opening : this.settled(object, inText)) + ']}}'
  }
  override array(): string {
    return ''
  }
  override withItem(array: string, part: string): string {
    return array === '' ? part : array + ',' + part
  }
  override closeArray(array: string): string {
    return '{"arrayValue":{"values":[' + array + ']}}'
  }
  /** A message contains values as plain JSON, so another walk inserts them. */
  override readonly canInsert: boolean = false
  override inserted(): string {
    return ''
  }
}

const two63 = 2 ** 63

/** Returns the cached text before a member's value, for the first member, after an open string, or after any other member. */
function form(node: ShapeNode, index: number, opening: string): string {
  const kept = node.forms?.[index]
  if (kept !== undefined) return kept
  const position = index % 3
  const text = flat((position === 0 ? node.first : position === 1 ? node.after : node.next) + opening)
  node.forms ??= Array<string | undefined>(12).fill(undefined)
  node.forms[index] = text
  return text
}

let writer: OtlpJsonWalk | undefined

/** Returns the AnyValue of data that rules were already applied to. */
function otlpJsonValue(value: AnyValue): string {
  writer ??= new OtlpJsonWalk({ ...plainRules.limits, recordBytes: Infinity })
  writer.begin()
  return writer.value(value, noRules, 1, '') ?? '{}'
}

/** Returns the KeyValue of data that rules were already applied to. */
export function otlpJsonMember(key: string, value: AnyValue): string {
  return otlpJson.member(key) + otlpJsonValue(value) + '}'
}
