import { longestLiteral } from './like-pattern.ts'
import { otherKeyOf } from './other-keys.ts'
import { requiredLiteral } from './regexp-literal.ts'
import type { Query, QueryPath, QueryValue } from './query.ts'
import { fieldOf, type RecordField } from './record-field.ts'
import { formsOfDigits } from './id-digits.ts'
import { isSearchedInIds } from './text-search.ts'

/**
 * Returns texts of which the lines of every matching record contain at least one: a necessary condition that can be tested with the bytes,
 * before they are parsed. Returns undefined if no such texts are known.
 *
 * The texts have only characters that no writer of JSON has to escape, and no spaces, colons or parentheses, with which readers join
 * messages and stack traces from several members. The condition is not for lines in which a reader decodes or joins texts in other ways:
 * access logs, whose message has other parts than the line, lines that a container runtime split, and messages that are arrays.
 */
export function requiredText(query: Query): readonly string[] | undefined {
  switch (query.kind) {
    case 'and':
      return mostSelective(query.operands.map(requiredText))
    case 'or':
      return anyOfAll(query.operands.map(requiredText))
    case 'comparison':
      return query.operator === '=' && !query.key.isOptional ? ofValue(query.key.path, query.value) : undefined
    case 'in':
      if (query.isNegated || query.key.isOptional) return undefined
      return anyOfAll(query.values.map((value) => ofValue(query.key.path, value)))
    case 'contains':
      return query.isNegated || query.key.isOptional ? undefined : ofPart(query.key.path, query.text)
    case 'like':
      return query.isNegated || query.key.isOptional ? undefined : ofPart(query.key.path, longestLiteral(query.pattern))
    case 'regexp':
      if (query.isNegated || query.key.isOptional) return undefined
      return ofPart(query.key.path, requiredLiteral(query.source, query.flags))
    case 'text':
      return isSearchedInIds(query.text) ? ofId(query.text) : ofText(query.text)
    default:
      return undefined
  }
}

/** The maximum number of texts: each is searched in all bytes. */
const maxTexts = 8
/** Shorter texts are in most lines. */
const minTextLength = 2

/** The parts of a record whose values are not in the line, or not in the same form. IDs can be decimal numbers or UUIDs in the line. */
const derivedFields: ReadonlySet<RecordField> = new Set([
  'level',
  'severityNumber',
  'severityText',
  'time',
  'format',
  'file',
  'container',
  'stream',
  'traceId',
  'spanId',
])

function ofValue(path: QueryPath, value: QueryValue): readonly string[] | undefined {
  const field = fieldOf(path)
  if (field === 'traceId' || field === 'spanId') return ofId(String(value).toLowerCase())
  if (typeof value === 'number') return isPlainInteger(value) ? ofPart(path, String(value)) : undefined
  return typeof value === 'string' && !isOtherNumber(value) ? ofPart(path, value) : undefined
}

/**
 * Returns the forms of the last digits of a trace ID or span ID, which are not interrupted if it is written as a UUID, and of the decimal
 * number as which Datadog writes 64 bits.
 */
function ofId(id: string): readonly string[] | undefined {
  if (!/^[\da-f]{16}(?:[\da-f]{16})?$/.test(id)) return undefined
  const isDecimal = id.length === 16 || id.startsWith('0'.repeat(16))
  return [...formsOfDigits(id.slice(-12)), ...(isDecimal ? formsOfDigits(String(BigInt(`0x${id.slice(-16)}`))) : [])]
}

/** Returns the text that is required for a value that contains a text. */
function ofPart(path: QueryPath, text: string | undefined): readonly string[] | undefined {
  const field = fieldOf(path)
  if (text === undefined || (field !== undefined && derivedFields.has(field))) return undefined
  // A reader joins a scope that is an array with dots.
  const isScope = field === 'scope' || fieldOf(otherKeyOf(path) ?? path) === 'scope'
  return ofText(isScope ? text.replaceAll('.', ' ') : text)
}

function ofText(text: string): readonly string[] | undefined {
  const part = longestSafePart(text)
  return part === undefined ? undefined : [part]
}

/** Integers that all writers write with their digits only. */
function isPlainInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1e15
}

/** Returns whether a text is also a number that can have another form in the line, such as `1.50` or `1e3`. */
function isOtherNumber(text: string): boolean {
  return Number.isFinite(Number(text)) && text.trim() !== '' && !/^-?[1-9]\d{0,14}$|^0$/.test(text)
}

/** Returns the longest part of a text that the line must contain unchanged; undefined without such a part. */
function longestSafePart(text: string): string | undefined {
  let longest = ''
  for (const [part] of text.matchAll(/[\w.,;@#%+*~!?[\]{}|^$-]+/g))
    if (part.length > longest.length && !addedWords.includes(part)) longest = part
  return longest.length >= minTextLength ? longest : undefined
}

/** Words that readers add to stack traces. */
const addedWords = 'Caused by Error at <anonymous>'

function mostSelective(all: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  return all
    .filter((texts) => texts !== undefined)
    .reduce<readonly string[] | undefined>(
      (best, texts) => (best === undefined || isBetter(texts, best) ? texts : best),
      undefined,
    )
}

/** Fewer texts are searched faster; of equally many, the longer ones are in fewer lines. */
function isBetter(a: readonly string[], b: readonly string[]): boolean {
  return a.length < b.length || (a.length === b.length && minLength(a) > minLength(b))
}

function minLength(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length))
}

function anyOfAll(all: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const texts = new Set<string>()
  for (const each of all) {
    if (each === undefined) return undefined
    for (const text of each) texts.add(text)
    if (texts.size > maxTexts) return undefined
  }
  return [...texts]
}
