import { comparisonProblem, orderProblem } from './check-comparison.ts'
import { regExpProblem } from './check-regexp.ts'
import { isAtOperandEnd } from './connectives.ts'
import { formatPath } from './format-query.ts'
import { parsePath } from './parse-key.ts'
import { parseValue, takeBareText, takeRawText } from './parse-value.ts'
import type { ComparisonOperator, Query, QueryKey, QueryPath, QueryValue } from './query.ts'
import type { QueryError } from './query-error.ts'
import type { QueryScanner } from './query-scanner.ts'
import { comparisonSymbols, wordOperators } from './query-syntax.ts'
import { expectClosing, maxQuotedLength, unexpected } from './syntax-error.ts'

/** Parses a key, an operator and the value or the pattern that the key is compared with. */
export function parseComparison(scanner: QueryScanner): Query {
  const path = parsePath(scanner)
  scanner.skipSpace()
  const key: QueryKey = { path, isOptional: scanner.take('?') }
  scanner.skipSpace()
  const operatorPosition = scanner.position
  if (scanner.take('=~') || (scanner.peek() === '~' && scanner.take('~'))) return parseRegExp(scanner, key, false)
  if (scanner.take('!~')) return parseRegExp(scanner, key, true)
  const symbol = comparisonSymbols.find((each) => scanner.take(each))
  if (symbol !== undefined) return parseValueComparison(scanner, key, symbol === '==' ? '=' : symbol, operatorPosition)

  const isNegated = scanner.takeWord('not')
  scanner.skipSpace()
  const operator = wordOperators.get(scanner.peekWord())
  if (operator === undefined && isAtOperandEnd(scanner)) throw missingOperator(scanner, path)
  if (operator === undefined)
    throw unexpected(scanner, isNegated ? negatedOperators : operators, [...wordOperators.keys()])
  scanner.position += scanner.peekWord().length
  if (operator === 'in') return { kind: 'in', key, isNegated, values: parseList(scanner, key) }
  if (operator === 'regexp') return parseRegExp(scanner, key, isNegated)
  return operator === 'like' ? parseLike(scanner, key, isNegated) : parseContains(scanner, key, isNegated)
}

function parseValueComparison(
  scanner: QueryScanner,
  key: QueryKey,
  operator: ComparisonOperator,
  operatorPosition: number,
): Query {
  scanner.skipSpace()
  const valuePosition = scanner.position
  const value = parseValue(scanner, key)
  if (operator !== '=' && operator !== '!=') {
    const reason = orderProblem(operator, value)
    if (reason !== undefined) throw scanner.error(operatorPosition, ['=', '!='], reason)
  }
  check(scanner, comparisonProblem(key.path, operator, value), valuePosition)
  return { kind: 'comparison', key, operator, value }
}

function parseList(scanner: QueryScanner, key: QueryKey): QueryValue[] {
  scanner.skipSpace()
  const open = scanner.position
  if (!scanner.take('(')) throw unexpected(scanner, ['('])
  const values: QueryValue[] = []
  do {
    scanner.skipSpace()
    const position = scanner.position
    const value = parseValue(scanner, key)
    check(scanner, comparisonProblem(key.path, '=', value), position)
    values.push(value)
    scanner.skipSpace()
  } while (scanner.take(','))
  expectClosing(scanner, open, [','])
  return values
}

function parseRegExp(scanner: QueryScanner, key: QueryKey, isNegated: boolean): Query {
  scanner.skipSpace()
  const start = scanner.position
  const literal = scanner.takeRegExp()
  const source = literal?.text ?? takeRawText(scanner, 'a regular expression in quotes')
  const flags = literal?.flags ?? ''
  check(scanner, comparisonProblem(key.path, '~', source), start)
  check(scanner, regExpProblem(source, flags), start)
  return { kind: 'regexp', key, isNegated, source, flags }
}

function parseContains(scanner: QueryScanner, key: QueryKey, isNegated: boolean): Query {
  scanner.skipSpace()
  const start = scanner.position
  const text = scanner.takeQuoted()?.text ?? takeBareText(scanner, 'a text')
  check(scanner, comparisonProblem(key.path, 'contains', text), start)
  return { kind: 'contains', key, isNegated, text }
}

function parseLike(scanner: QueryScanner, key: QueryKey, isNegated: boolean): Query {
  scanner.skipSpace()
  const start = scanner.position
  const pattern = takeRawText(scanner, 'a pattern in quotes')
  check(scanner, comparisonProblem(key.path, 'like', pattern), start)
  return { kind: 'like', key, isNegated, pattern }
}

function check(scanner: QueryScanner, reason: string | undefined, position: number): void {
  if (reason !== undefined) throw scanner.error(position, [], reason)
}

function missingOperator(scanner: QueryScanner, path: QueryPath): QueryError {
  const key = formatPath(path)
  return scanner.error(
    scanner.position,
    operators,
    key.length > maxQuotedLength
      ? `expected ${operators[0]} after this key`
      : `${key} alone is not a condition; write exists(${key}), or '${key}' in quotes to search the text`,
  )
}

const negatedOperators = ['in', 'contains', 'like', 'matches']
const operators = ['an operator such as =, >=, ~ or in']
