import type { AnyValue } from '../../record/any-value.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { Dialect } from '../walk/dialect.ts'
import type { Bytes } from '../walk/members.ts'
import { plainRules } from '../plain-data.ts'
import {
  binaryText,
  bytesField,
  double,
  prefixesByLength,
  encodeUtf8,
  varint,
  varint64,
  varintLength,
} from './protobuf.ts'
import { flattenString } from '../json/quote.ts'
import type { ShapeNode } from '../walk/shapes.ts'
import { noRules, Walk } from '../walk/walk.ts'

/**
 * The syntax of members in protobuf. `memberPrefix` returns the beginning of a KeyValue: the whole key, and the tag of the value. The tag
 * of the KeyValue and its length, which depends on the value, precede that.
 */
const protobufDialect: Dialect = {
  sharedShapesIndex: 2,
  opening: '\x0a',
  memberPrefix: (key) => bytesField('\x0a', encodeUtf8(key)) + '\x12',
  comma: '',
  openText: '',
  closeText: '',
  requiresWellFormed: true,
  dialectsOfPair: undefined,
}

// The tags of KeyValues as fields of a KeyValueList and as fields of a LogRecord.
const listTag = '\x0a'
const attributesTag = '\x32'

/**
 * Builds the fields of an AnyValue message, as text with one byte in each character (opentelemetry-proto, common.proto). Attributes are
 * fields of a LogRecord. A message follows its length, so inner messages are finished before outer ones begin.
 *
 * The tags of an AnyValue: `\x0a` string, `\x10` boolean, `\x18` integer, `\x21` double, `\x2a` array, `\x32` map, `\x3a` bytes.
 */
export class OtlpProtobufWalk extends Walk<string, string, string> {
  constructor(limits: ResolvedLimits, patterns?: TextPatterns) {
    super(limits, protobufDialect, patterns)
  }

  override ofString(value: string): string {
    return textValue(encodeUtf8(value))
  }
  override ofMultilineString(value: string): string {
    return textValue(encodeUtf8(value))
  }
  override ofNumber(value: number): string {
    // A whole number that fits into 64 bits is an integer.
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
    return bytesField('\x3a', binaryText(value.bytes))
  }
  override newObject(): string {
    return ''
  }
  override withMember(object: string, node: ShapeNode, builtValue: string): string {
    // The text before a short value is cached on the member, by the length of the value, because each concatenation costs about 15 ns.
    return builtValue.length < cachedValueLimit
      ? object +
          (node.cachedTexts?.[builtValue.length] ?? cachePrefix(node, builtValue.length, builtValue.length)) +
          builtValue
      : object + tagOf(node) + keyValue(node.nextPrefix, builtValue)
  }
  override withText(object: string, node: ShapeNode, value: string): string {
    const text = encodeUtf8(value)
    const { length } = text
    return length < cachedTextLimit
      ? object +
          (node.cachedTexts?.[cachedValueLimit + length] ??
            cachePrefix(node, cachedValueLimit + length, length + 2, textPrefixes[length])) +
          text
      : object + tagOf(node) + keyValue(node.nextPrefix, textValue(text))
  }
  override readonly supportsWithScalar: boolean = true
  override withScalar(object: string, node: ShapeNode, value: number | boolean): string | undefined {
    if (typeof value === 'boolean') {
      const index = value ? trueIndex : trueIndex + 1
      return object + (node.cachedTexts?.[index] ?? cachePrefix(node, index, 2, value ? '\x10\x01' : '\x10\x00'))
    }
    if (Number.isSafeInteger(value) && value >= 0) {
      const text = varint(value)
      const index = integerBaseIndex + text.length
      return object + (node.cachedTexts?.[index] ?? cachePrefix(node, index, text.length + 1, '\x18')) + text
    }
    // `ofNumber` builds other whole numbers, which may be 64-bit integers.
    if (Math.floor(value) === value) return undefined
    return object + (node.cachedTexts?.[doubleIndex] ?? cachePrefix(node, doubleIndex, 9, '\x21')) + double(value)
  }
  override withQuoteClosed(object: string): string {
    return object
  }
  override withEntry(object: string, key: string, builtValue: string): string {
    return object + listTag + keyValue(protobufDialect.memberPrefix(key), builtValue)
  }
  override closeObject(object: string): string {
    return bytesField('\x32', object)
  }
  override newArray(): string {
    return ''
  }
  override withItem(array: string, builtValue: string): string {
    return array + bytesField('\x0a', builtValue)
  }
  override closeArray(array: string): string {
    return bytesField('\x2a', array)
  }
  /** False, because a message contains values as plain JSON, which another walk builds. */
  override readonly canInsertIntoMessages: boolean = false
  override textForMessage(): string {
    return ''
  }
}

const two63 = 2 ** 63

/** The varint of a length below this limit has one byte. */
const oneByteLengthLimit = 128
// The text before values, and before strings, with fewer bytes than these limits is cached. A number has at most eleven bytes.
const cachedValueLimit = 12
const cachedTextLimit = 52

// Further indexes in `cachedTexts`: of the whole member with true and, after it, with false; of the text before integers of 1 to 8 bytes,
// to whose base that length is added; and of the text before doubles.
const trueIndex = cachedValueLimit + cachedTextLimit
const integerBaseIndex = trueIndex + 1
const doubleIndex = integerBaseIndex + 9

/**
 * Returns the text before a value, with the beginning of the value, and caches it on the member.
 *
 * @param index - the index in `node.cachedTexts`
 * @param length - the size of the value in bytes, including `opening`
 * @param opening - the text that begins the value; for a boolean, the whole value
 */
function cachePrefix(node: ShapeNode, index: number, length: number, opening = ''): string {
  const { nextPrefix } = node
  const total = nextPrefix.length + varintLength(length) + length
  const prefix = flattenString(tagOf(node) + varint(total) + nextPrefix + varint(length) + opening)
  node.cachedTexts ??= Array<string | undefined>(doubleIndex + 1).fill(undefined)
  node.cachedTexts[index] = prefix
  return prefix
}

/** Returns the field of an AnyValue that is a string. */
export function textValue(text: string): string {
  const { length } = text
  return length < oneByteLengthLimit ? textPrefixes[length]! + text : bytesField('\x0a', text)
}

const textPrefixes = prefixesByLength((length) => '\x0a' + varint(length))

/**
 * Returns the tag of a KeyValue: that of an attribute of a record, or that of a member of a nested object. The two prefixes of an attribute
 * have the same length, because the first attribute has no opening text; the first member of a nested object has one.
 */
function tagOf(node: ShapeNode): string {
  return node.firstPrefix.length === node.nextPrefix.length ? attributesTag : listTag
}

/**
 * Returns a KeyValue message with its length before it.
 *
 * @param member - the message up to the tag of the value
 * @param value - the AnyValue, without its length
 */
function keyValue(member: string, value: string): string {
  const { length } = value
  return varint(member.length + varintLength(length) + length) + member + varint(length) + value
}

let dataWalk: OtlpProtobufWalk | undefined

/** Returns the KeyValue of data to which rules were already applied, as a field of a LogRecord, a resource or a scope. */
export function protobufMember(key: string, value: AnyValue, tag: string = attributesTag): string {
  return tag + keyValue(protobufDialect.memberPrefix(key), protobufValue(value))
}

/** Returns the AnyValue of data to which rules were already applied. */
export function protobufValue(value: AnyValue): string {
  dataWalk ??= new OtlpProtobufWalk({ ...plainRules.limits, recordBytes: Infinity })
  dataWalk.begin()
  return dataWalk.value(value, noRules, 1, '') ?? ''
}
