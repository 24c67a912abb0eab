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

/** The fields of a KeyValue: the whole key, and the tag of the value. The text before them depends on the value. */
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

// The tags of KeyValues as fields of a KeyValueList and as fields of a LogRecord.
const listTag = '\x0a'
const attributesTag = '\x32'

/**
 * Builds the fields of an AnyValue message, in binary text (opentelemetry-proto, common.proto). Attributes are fields of a LogRecord. A
 * message follows its length, so inner messages are finished before outer ones begin.
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
    // A number that fits into a 64-bit integer is one (JS6).
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
    // The text before a short value is cached on the member, by the length of the value, because each concatenation costs about 15 ns.
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
    // Other whole numbers may be 64-bit integers (JS6).
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
  /** A message contains values as plain JSON, so another walk inserts them. */
  override readonly canInsert: boolean = false
  override inserted(): string {
    return ''
  }
}

const two63 = 2 ** 63

/** A length below this limit takes one byte. */
const short = 128
// The text before values and texts shorter than these limits is cached. Numbers have at most eleven bytes.
const keptValues = 12
const keptTexts = 52

// The following cache slots: the whole text of true and false, and the text before integers of 1 to 8 bytes and before doubles.
const scalarForms = keptValues + keptTexts
const integerForms = scalarForms + 1
const doubleForm = integerForms + 9

/** Returns the text before a value of `length` bytes, including its `tag`, and caches it on the member. */
function keep(node: ShapeNode, index: number, length: number, tag = ''): string {
  const { next } = node
  const total = next.length + varintLength(length) + length
  const form = flat(tagOf(node) + varint(total) + next + varint(length) + tag)
  node.forms ??= Array<string | undefined>(doubleForm + 1).fill(undefined)
  node.forms[index] = form
  return form
}

/** Returns the field of an AnyValue that is a string. */
export function textValue(text: string): string {
  const { length } = text
  return length < short ? textTags[length]! + text : bytesField('\x0a', text)
}

const textTags = prefixes((length) => '\x0a' + varint(length))

/** Returns the tag of a member. For attributes, the text before the first member is the same as before any other member. */
function tagOf(node: ShapeNode): string {
  return node.first.length === node.next.length ? attributesTag : listTag
}

/** Returns a KeyValue message after its length. `member` is the message without the value and the length of the value. */
function keyValue(member: string, value: string): string {
  const { length } = value
  return varint(member.length + varintLength(length) + length) + member + varint(length) + value
}

let writer: OtlpProtobufWalk | undefined

/** Returns a KeyValue of data that rules were already applied to, as a field of a LogRecord, a resource or a scope. */
export function protobufMember(key: string, value: AnyValue, tag: string = attributesTag): string {
  writer ??= new OtlpProtobufWalk({ ...plainRules.limits, recordBytes: Infinity })
  writer.begin()
  return tag + keyValue(protobuf.member(key), writer.value(value, noRules, 1, '') ?? '')
}
