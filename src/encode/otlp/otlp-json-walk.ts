import type { AnyValue } from '../../record/any-value.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { Dialect } from '../walk/dialect.ts'
import type { Bytes } from '../walk/members.ts'
import { numberText } from '../json/number-text.ts'
import { plainRules } from '../plain-data.ts'
import { escapeWellFormed, flattenString, quoteWellFormed } from '../json/quote.ts'
import type { ShapeNode } from '../walk/shapes.ts'
import { noRules, Walk } from '../walk/walk.ts'

/** The syntax of members in OTLP/JSON: `{"kvlistValue":{"values":[{"key":"key","value":{"stringValue":"text"}}]}}`. */
const otlpJsonDialect: Dialect = {
  sharedShapesIndex: 1,
  opening: '{"kvlistValue":{"values":[',
  memberPrefix: (key) => '{"key":' + quoteWellFormed(key) + ',"value":',
  comma: ',',
  openText: '{"stringValue":"',
  closeText: '"}}',
  requiresWellFormed: true,
  dialectsOfPair: undefined,
}

/**
 * Builds the AnyValues of OTLP/JSON, such as `{"stringValue":"text"}`. Attributes are KeyValues without brackets. An object under
 * construction is the list of its members; the closing quote of the last one, a string or an integer, may not be written yet.
 */
export class OtlpJsonWalk extends Walk<string, string, string> {
  constructor(limits: ResolvedLimits, patterns?: TextPatterns) {
    super(limits, otlpJsonDialect, patterns)
  }

  override ofString(value: string): string {
    return '{"stringValue":' + quoteWellFormed(value) + '}'
  }
  override ofMultilineString(value: string): string {
    return this.ofString(value)
  }
  override ofNumber(value: number): string {
    // A whole number that fits into 64 bits is an integer. NaN and the infinities are strings, because JSON has no numbers for them.
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
    return '{"bytesValue":"' + value.toBase64() + '"}'
  }
  override newObject(): string {
    return ''
  }
  override withMember(object: string, node: ShapeNode, builtValue: string, isQuoteOpen: boolean): string {
    return (
      (object === '' ? node.firstPrefix : object + (isQuoteOpen ? node.closingPrefix : node.nextPrefix)) +
      builtValue +
      '}'
    )
  }
  override withText(object: string, node: ShapeNode, value: string, isQuoteOpen: boolean): string {
    const text = escapeWellFormed(value)
    return object === ''
      ? node.firstTextPrefix + text
      : object + (isQuoteOpen ? node.closingTextPrefix : node.nextTextPrefix) + text
  }
  override readonly supportsWithScalar: boolean = true
  override leavesQuoteOpen(value: number | boolean): boolean {
    return Number.isSafeInteger(value)
  }
  /**
   * Adds a scalar, or returns undefined for numbers that `ofNumber` builds. The text before a number, and up to the end of a boolean, is
   * cached on the member, because each concatenation costs about 15 ns. The cache has three texts (first member, after a value whose quote
   * is open, after any other value) for each of integers, `true`, `false` and doubles.
   */
  override withScalar(
    object: string,
    node: ShapeNode,
    value: number | boolean,
    isQuoteOpen: boolean,
  ): string | undefined {
    const position = object === '' ? 0 : isQuoteOpen ? 1 : 2
    // An integer is closed by the same text as a string, so it is left open like one.
    if (Number.isSafeInteger(value))
      return object + cachedPrefix(node, position, '{"intValue":"') + numberText(value as number)
    if (value === true) return object + cachedPrefix(node, 3 + position, '{"boolValue":true}}')
    if (value === false) return object + cachedPrefix(node, 6 + position, '{"boolValue":false}}')
    // `ofNumber` builds the rest: whole numbers that may be 64-bit integers, and numbers that JSON does not have.
    if (Math.floor(value) === value || value - value !== 0) return undefined
    return object + cachedPrefix(node, 9 + position, '{"doubleValue":') + numberText(value) + '}}'
  }
  override withQuoteClosed(object: string, isQuoteOpen: boolean): string {
    return isQuoteOpen ? object + otlpJsonDialect.closeText : object
  }
  override withEntry(object: string, key: string, builtValue: string): string {
    return (
      (object === '' ? otlpJsonDialect.opening : object + ',') + otlpJsonDialect.memberPrefix(key) + builtValue + '}'
    )
  }
  override closeObject(object: string, isQuoteOpen: boolean): string {
    return (object === '' ? otlpJsonDialect.opening : this.withQuoteClosed(object, isQuoteOpen)) + ']}}'
  }
  override newArray(): string {
    return ''
  }
  override withItem(array: string, builtValue: string): string {
    return array === '' ? builtValue : array + ',' + builtValue
  }
  override closeArray(array: string): string {
    return '{"arrayValue":{"values":[' + array + ']}}'
  }
  /** False, because a message contains values as plain JSON, which another walk builds. */
  override readonly canInsertIntoMessages: boolean = false
  override textForMessage(): string {
    return ''
  }
}

const two63 = 2 ** 63

/**
 * Returns the text before a member's value, with the beginning of the value, and caches it on the member.
 *
 * @param index - the index in `node.cachedTexts`; modulo 3, it is 0 for the first member, 1 after a value whose quote is open, otherwise 2
 * @param opening - the text that begins the value; for a boolean, the whole value and the brace that closes the member
 */
function cachedPrefix(node: ShapeNode, index: number, opening: string): string {
  const known = node.cachedTexts?.[index]
  if (known !== undefined) return known
  const position = index % 3
  const text = flattenString(
    (position === 0 ? node.firstPrefix : position === 1 ? node.closingPrefix : node.nextPrefix) + opening,
  )
  node.cachedTexts ??= Array<string | undefined>(12).fill(undefined)
  node.cachedTexts[index] = text
  return text
}

let dataWalk: OtlpJsonWalk | undefined

/** Returns the AnyValue of data to which rules were already applied. */
export function otlpJsonValue(value: AnyValue): string {
  dataWalk ??= new OtlpJsonWalk({ ...plainRules.limits, recordBytes: Infinity })
  dataWalk.begin()
  return dataWalk.value(value, noRules, 1, '') ?? '{}'
}

/** Returns the KeyValue of data to which rules were already applied. */
export function otlpJsonMember(key: string, value: AnyValue): string {
  return otlpJsonDialect.memberPrefix(key) + otlpJsonValue(value) + '}'
}
