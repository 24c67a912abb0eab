import type { AnyValue } from '../../record/any-value.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { Dialect } from '../walk/dialect.ts'
import type { Bytes } from '../walk/members.ts'
import { plainRules } from '../plain.ts'
import { binary, bytesField, double, prefixes, utf8, varint, varint64, varintLength } from './protobuf.ts'
import { flat } from '../json/quote.ts'
import type { ShapeNode } from '../walk/shapes.ts'
import { noRules, Walk } from '../walk/walk.ts'

/** The fields of a KeyValue: its key whole, and the tag of its value. What stands in front of them depends on the value. */
const protobuf: Dialect = {
  slot: 2,
  opening: '\x0a',
  member: (key) => bytesField('\x0a', utf8(key)) + '\x12',
  comma: '',
  text: '',
  closeText: '',
  wellFormed: true,
  pair: undefined,
}

/** The field that KeyValues are of a KeyValueList, and the one that they are of a LogRecord. */
const listTag = '\x0a'
const attributesTag = '\x32'

/**
 * Builds the fields of an AnyValue message, in binary text (opentelemetry-proto, common.proto). Attributes are fields of a
 * LogRecord. A message is written behind its length: inner ones are finished before the outer ones begin.
 */
export class OtlpProtobufWalk extends Walk<string, string, string> {
  constructor(limits: ResolvedLimits, patterns?: TextPatterns) {
    super(limits, protobuf, patterns)
  }

  override ofString(value: string): string {
    return textValue(utf8(value))
  }
  override ofLines(value: string): string {
    return textValue(utf8(value))
  }
  override ofNumber(value: number): string {
    // JS6: what a 64-bit integer holds is one.
    return Number.isInteger(value) && value >= -two63 && value < two63
      ? '\x18' + varint64(value)
      : '\x21' + double(value)
  }
  override ofBoolean(value: boolean): string {
    return value ? '\x10\x01' : '\x10\x00'
  }
  override ofBigInt(value: bigint): string {
    return BigInt.asIntN(64, value) === value ? '\x18' + varint64(value) : this.ofString('' + value)
  }
  override ofNull(): string {
    return ''
  }
  override ofBytes(value: Bytes): string {
    return bytesField('\x3a', binary(value.bytes))
  }
  override object(): string {
    return ''
  }
  override withMember(object: string, node: ShapeNode, part: string): string {
    // What stands in front of a short value is kept with the member, by the value's length: each concatenation costs some 15 ns.
    return part.length < keptValues
      ? object + (node.forms?.[part.length] ?? keep(node, part.length, part.length)) + part
      : object + tagOf(node) + keyValue(node.next, part)
  }
  override withText(object: string, node: ShapeNode, value: string): string {
    const text = utf8(value)
    const { length } = text
    return length < keptTexts
      ? object +
          (node.forms?.[keptValues + length] ?? keep(node, keptValues + length, length + 2, textTags[length])) +
          text
      : object + tagOf(node) + keyValue(node.next, textValue(text))
  }
  override readonly hasScalars: boolean = true
  override withScalar(object: string, node: ShapeNode, value: number | boolean): string | undefined {
    if (typeof value === 'boolean') {
      const index = value ? scalarForms : scalarForms + 1
      return object + (node.forms?.[index] ?? keep(node, index, 2, value ? '\x10\x01' : '\x10\x00'))
    }
    if (Number.isSafeInteger(value) && value >= 0) {
      const text = varint(value)
      const index = integerForms + text.length
      return object + (node.forms?.[index] ?? keep(node, index, text.length + 1, '\x18')) + text
    }
    // The others are integers of 64 bits perhaps (JS6).
    if (Math.floor(value) === value) return undefined
    return object + (node.forms?.[doubleForm] ?? keep(node, doubleForm, 9, '\x21')) + double(value)
  }
  override settled(object: string): string {
    return object
  }
  override withEntry(object: string, key: string, part: string): string {
    return object + listTag + keyValue(protobuf.member(key), part)
  }
  override closeObject(object: string): string {
    return bytesField('\x32', object)
  }
  override array(): string {
    return ''
  }
  override withItem(array: string, part: string): string {
    return array + bytesField('\x0a', part)
  }
  override closeArray(array: string): string {
    return bytesField('\x2a', array)
  }
  /** A message contains values as plain JSON: another walk inserts them. */
  override readonly canInsert: boolean = false
  override inserted(): string {
    return ''
  }
}

const two63 = 2 ** 63

/** Lengths below this have one byte. */
const short = 128
/** What stands in front of shorter values and texts is kept: numbers have eleven bytes at most. */
const keptValues = 12
const keptTexts = 52

/** Behind these: what says true and false whole, and what stands in front of integers of 1 to 8 bytes, and of doubles. */
const scalarForms = keptValues + keptTexts
const integerForms = scalarForms + 1
const doubleForm = integerForms + 9

/** What stands in front of a value of so many bytes, which begins with `tag`. */
function keep(node: ShapeNode, index: number, length: number, tag = ''): string {
  const { next } = node
  const total = next.length + varintLength(length) + length
  const form = flat(tagOf(node) + varint(total) + next + varint(length) + tag)
  node.forms ??= Array<string | undefined>(doubleForm + 1).fill(undefined)
  node.forms[index] = form
  return form
}

/** The field of an AnyValue that is a text. */
export function textValue(text: string): string {
  const { length } = text
  return length < short ? textTags[length]! + text : bytesField('\x0a', text)
}

const textTags = prefixes((length) => '\x0a' + varint(length))

/** Attributes have no opening: their node leads to a first member as it leads to any other. */
function tagOf(node: ShapeNode): string {
  return node.first.length === node.next.length ? attributesTag : listTag
}

/** A KeyValue message behind its length. `member` is all of it but the length of its value and the value. */
function keyValue(member: string, value: string): string {
  const { length } = value
  return varint(member.length + varintLength(length) + length) + member + varint(length) + value
}

let writer: OtlpProtobufWalk | undefined

/** A KeyValue of data that went through rules before, as a field of a LogRecord, a Resource or a scope. */
export function protobufMember(key: string, value: AnyValue, tag: string = attributesTag): string {
  writer ??= new OtlpProtobufWalk({ ...plainRules.limits, recordBytes: Infinity })
  writer.begin()
  return tag + keyValue(protobuf.member(key), writer.value(value, noRules, 1, '') ?? '')
}
