import type { Query, QueryKey, QueryValue } from '../../read/query/query.ts'
import { fieldOf, type RecordField } from '../../read/query/record-field.ts'
import { isSearchedInIds } from '../../read/query/text-search.ts'
import { requiredLiteral } from '../../read/query/regexp-literal.ts'
import { longestLiteral } from '../../read/query/like-pattern.ts'
import { nestedText } from '../otlp/any-value.ts'
import { damageText } from '../otlp/otlp-record.ts'

/**
 * Returns texts of which the bytes of every matching record contain at least one: a necessary condition that is tested before records are
 * read. Returns undefined if no such texts are known. In the bytes of OTLP, texts are not escaped, and numbers are not texts.
 */
export function storedTexts(query: Query): readonly Buffer[] | undefined {
  switch (query.kind) {
    case 'and':
      return mostSelective(query.operands.map(storedTexts))
    case 'or':
      return ofAny(query.operands.map(storedTexts))
    case 'comparison':
      return query.operator === '=' ? ofValue(query.key, query.value) : undefined
    case 'in':
      return query.isNegated ? undefined : ofAny(query.values.map((value) => ofValue(query.key, value)))
    case 'contains':
      return query.isNegated ? undefined : ofPart(query.key, query.text)
    case 'like':
      return query.isNegated ? undefined : ofPart(query.key, longestLiteral(query.pattern))
    case 'regexp':
      return query.isNegated ? undefined : ofPart(query.key, requiredLiteral(query.source, query.flags))
    case 'text':
      return isSearchedInIds(query.text) ? ofId(query.text) : ofText(query.text)
    default:
      return undefined
  }
}

/** The parts of a record whose values are text in its bytes. */
const textFields: ReadonlySet<RecordField | undefined> = new Set(['message', 'body', 'eventName', undefined])
const maxTexts = 8

function ofValue(key: QueryKey, value: QueryValue): readonly Buffer[] | undefined {
  return typeof value === 'string' ? ofPart(key, value) : undefined
}

function ofPart({ path, isOptional }: QueryKey, text: string | undefined): readonly Buffer[] | undefined {
  return text === undefined || isOptional || !textFields.has(fieldOf(path)) ? undefined : ofText(text)
}

function ofText(text: string): readonly Buffer[] | undefined {
  if (text.length < 2 || isInNumbers(text) || otherTexts.some((other) => other.includes(text))) return undefined
  // Invalid UTF-8, and half of a surrogate pair, are replaced by this character.
  return text.isWellFormed() && !text.includes('\ufffd') ? [Buffer.from(text)] : undefined
}

/** Returns whether a text can be a part of a number, which the bytes do not contain as text. */
function isInNumbers(text: string): boolean {
  return /^[\d.e+-]+$/i.test(text)
}

/** Texts of values that the bytes do not contain. */
const otherTexts = ['true', 'false', 'NaN', '-Infinity', nestedText, damageText]

/** Returns the forms of some digits of an ID, which can be text, or bytes that begin with the first or the second digit. */
function ofId(digits: string): readonly Buffer[] {
  return [Buffer.from(digits), Buffer.from(digits, 'hex'), Buffer.from(digits.slice(1), 'hex')]
}

function mostSelective(all: readonly (readonly Buffer[] | undefined)[]): readonly Buffer[] | undefined {
  let best: readonly Buffer[] | undefined
  for (const texts of all) {
    if (texts === undefined) continue
    if (best === undefined || texts.length < best.length || (texts.length === best.length && isLonger(texts, best)))
      best = texts
  }
  return best
}

function isLonger(texts: readonly Buffer[], others: readonly Buffer[]): boolean {
  return Math.min(...texts.map(({ length }) => length)) > Math.min(...others.map(({ length }) => length))
}

function ofAny(all: readonly (readonly Buffer[] | undefined)[]): readonly Buffer[] | undefined {
  const texts: Buffer[] = []
  for (const each of all) {
    if (each === undefined) return undefined
    texts.push(...each)
  }
  return texts.length <= maxTexts ? texts : undefined
}
