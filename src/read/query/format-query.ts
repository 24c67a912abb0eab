import { bareName, bareValue, bareNumberOf, isReservedWord } from './query-syntax.ts'
import type { Query, QueryKey, QueryPath, QueryValue } from './query.ts'

/**
 * Returns the text of a query. `parseQuery` parses it to an equal query.
 *
 * @param query - a query that `parseQuery` has returned, or that your program has created
 */
export function formatQuery(query: Query): string {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.operands.map((operand) => formatOperand(operand, query.kind)).join(` ${query.kind} `)
    case 'not':
      return `not ${formatOperand(query.operand, 'not')}`
    case 'comparison':
      return `${formatKey(query.key)} ${query.operator} ${formatValue(query.value)}`
    case 'in':
      return `${formatKey(query.key)} ${negation(query)}in (${query.values.map(formatValue).join(', ')})`
    case 'regexp':
      return `${formatKey(query.key)} ${query.isNegated ? '!~' : '~'} ${formatRegExp(query.source, query.flags)}`
    case 'contains':
      return `${formatKey(query.key)} ${negation(query)}contains ${quoted(query.text)}`
    case 'like':
      return `${formatKey(query.key)} ${negation(query)}like ${rawQuoted(query.pattern)}`
    case 'exists':
      return `exists(${formatPath(query.path)})`
    default:
      return quoted(query.text)
  }
}

/** Returns the text of an operand, in parentheses if the operator would otherwise apply to a part of it. */
function formatOperand(operand: Query, parent: 'and' | 'or' | 'not'): string {
  const needsParentheses = operand.kind === 'or' || (operand.kind === 'and' && parent !== 'or')
  return needsParentheses ? `(${formatQuery(operand)})` : formatQuery(operand)
}

function negation({ isNegated }: { readonly isNegated: boolean }): string {
  return isNegated ? 'not ' : ''
}

function formatKey({ path, isOptional }: QueryKey): string {
  return formatPath(path) + (isOptional ? '?' : '')
}

/** Returns the text of a key. */
export function formatPath(path: QueryPath): string {
  return path
    .map((segment, index) => {
      if (typeof segment === 'number') return `[${segment}]`
      return (index > 0 ? '.' : '') + (isBare(segment, bareName) ? segment : quoted(segment))
    })
    .join('')
}

/** Returns the text of a value. */
export function formatValue(value: QueryValue): string {
  if (typeof value !== 'string') return String(value)
  const isBareText =
    isBare(value, bareValue) && bareNumberOf(value) === undefined && !['true', 'false', 'null'].includes(value)
  return isBareText ? value : quoted(value)
}

/** Returns whether a text is parsed as itself without quotes. */
function isBare(text: string, expression: RegExp): boolean {
  expression.lastIndex = 0
  return expression.test(text) && expression.lastIndex === text.length && !isReservedWord(text) && !unsafe.test(text)
}

const unsafe = /[^\u0020-\u007e\p{L}\p{N}]/u

/** Returns a text in quotes, with escape sequences. */
function quoted(text: string): string {
  const escaped = text.replaceAll(/[\\'\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) =>
    character === '\\' || character === "'" ? `\\${character}` : unicodeEscape(character),
  )
  return `'${escaped}'`
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns a regular expression in quotes; between slashes if it has flags or both kinds of quotes. */
function formatRegExp(source: string, flags: string): string {
  const isQuotable = flags === '' && (!hasUnescaped(source, "'") || !hasUnescaped(source, '"'))
  if (isQuotable) return rawQuoted(source)
  const withEscapedSlashes = source.replaceAll(escapeClassOrSlash, (part) => (part === '/' ? String.raw`\/` : part))
  return `/${withEscapedSlashes}/${flags}`
}

/** A slash in a class needs no escape. */
const escapeClassOrSlash = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\//g

/** Returns a text whose backslashes are kept in quotes that it does not contain. */
function rawQuoted(text: string): string {
  if (!hasUnescaped(text, "'")) return `'${text}'`
  return hasUnescaped(text, '"')
    ? `'${text.replaceAll(/\\[^]|'/g, (part) => (part === "'" ? String.raw`\'` : part))}'`
    : `"${text}"`
}

/** Returns whether a character occurs in a text without a backslash before it. */
function hasUnescaped(text: string, character: string): boolean {
  return text.replaceAll(/\\[^]/g, '').includes(character)
}
