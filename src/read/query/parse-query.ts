import { formatPath } from './format-query.ts'
import { nearestName } from '../../options/nearest-name.ts'
import { comparisonProblem, orderProblem } from './check-comparison.ts'
import { regExpProblem } from './check-regexp.ts'
import type { QueryError } from './query-error.ts'
import { QueryScanner } from './query-scanner.ts'
import { comparisonSymbols, isReservedWord, bareNumberOf, wordOperators } from './query-syntax.ts'
import { isTextField } from './record-field.ts'
import type { ComparisonOperator, Query, QueryKey, QueryPath, QueryValue } from './query.ts'

/**
 * Parses a query, such as `level>=warn and http.response.status_code>=500`.
 *
 * @throws QueryError if the syntax is invalid, with the position of the problem and what was expected
 */
export function parseQuery(text: string): Query {
  return new QueryParser(text).parse()
}

/** The maximum length of a query, in UTF-16 units. */
export const maxQueryLength = 65_536

/** The maximum nesting depth of parentheses and `not`. */
export const maxQueryDepth = 100

/** The maximum number of segments of a key. */
const maxPathLength = 64

/** A parser by operator precedence: `or` binds less than `and`, which binds less than `not`. */
class QueryParser {
  private readonly scanner: QueryScanner
  private depth = 0

  constructor(text: string) {
    this.scanner = new QueryScanner(text)
  }

  parse(): Query {
    const { scanner } = this
    if (scanner.text.length > maxQueryLength)
      throw scanner.error(maxQueryLength, [], `the query is longer than ${maxQueryLength} characters; shorten it`)
    const query = this.parseBinary(bindingPowers.or)
    if (scanner.position < scanner.text.length) throw this.unexpected(['and', 'or'], connectives)
    return query
  }

  /** Parses operands that are joined by operators of at least a binding power. */
  private parseBinary(minPower: number): Query {
    let left = this.parseOperand()
    for (;;) {
      const kind = this.peekConnective()
      if (kind === undefined || bindingPowers[kind] < minPower) return left
      const operands = [left]
      while (this.takeConnective(kind)) operands.push(this.parseBinary(bindingPowers[kind] + 1))
      left = { kind, operands }
    }
  }

  private peekConnective(): 'and' | 'or' | undefined {
    const { scanner } = this
    scanner.skipSpace()
    if (scanner.text.startsWith('&&', scanner.position)) return 'and'
    if (scanner.text.startsWith('||', scanner.position)) return 'or'
    const word = scanner.peekWord()
    return word === 'and' || word === 'or' ? word : undefined
  }

  private takeConnective(kind: 'and' | 'or'): boolean {
    if (this.peekConnective() !== kind) return false
    return this.scanner.take(kind === 'and' ? '&&' : '||') || this.scanner.takeWord(kind)
  }

  private parseOperand(): Query {
    const { scanner } = this
    scanner.skipSpace()
    if (scanner.peek() === '(') return this.nested(() => this.parseParenthesized())
    if (scanner.takeWord('not') || scanner.take('!'))
      return this.nested(() => ({ kind: 'not', operand: this.parseOperand() }))
    if (scanner.peek() === "'" || scanner.peek() === '"') return this.parseTextOrComparison()
    const word = scanner.peekWord()
    if (word === '' || isReservedWord(word)) throw this.unexpected(operandStarts)
    return this.parseFunction() ?? this.parseComparison()
  }

  private parseParenthesized(): Query {
    const { scanner } = this
    const open = scanner.position
    scanner.position++
    const query = this.parseBinary(bindingPowers.or)
    this.expectClosing(open, ['and', 'or'], connectives)
    return query
  }

  /** Parses `exists(key)`; returns undefined if the next word is not followed by a parenthesis. */
  private parseFunction(): Query | undefined {
    const { scanner } = this
    const start = scanner.position
    const name = scanner.takeBareName()
    scanner.skipSpace()
    if (scanner.peek() !== '(') {
      scanner.position = start
      return undefined
    }
    const open = scanner.position
    if (name.toLowerCase() !== 'exists') throw this.unknownFunction(name, start)
    scanner.position++
    scanner.skipSpace()
    const path = this.parsePath()
    scanner.skipSpace()
    if (scanner.peek() === '?')
      throw scanner.error(scanner.position, [')'], 'exists() does not accept an optional key; remove the ?')
    this.expectClosing(open)
    return { kind: 'exists', path }
  }

  /** Parses a text that is searched, or a comparison whose key begins with a quoted name. */
  private parseTextOrComparison(): Query {
    const { scanner } = this
    const start = scanner.position
    const { text } = scanner.takeQuoted()!
    if (!this.isKeyContinued()) return { kind: 'text', text }
    scanner.position = start
    return this.parseComparison()
  }

  /** Returns whether a quoted text before the current position is the beginning of a key. */
  private isKeyContinued(): boolean {
    const { scanner } = this
    const end = scanner.position
    if (scanner.peek() === '.' || scanner.peek() === '[') return true
    scanner.skipSpace()
    const word = scanner.peekWord()
    const isNegation = scanner.take('!') && (scanner.peek() === '=' || scanner.peek() === '~')
    const isOperator = isNegation || (scanner.peek() !== '' && '?=<>~'.includes(scanner.peek()))
    scanner.position = end
    return isOperator || word === 'not' || wordOperators.has(word)
  }

  private parseComparison(): Query {
    const { scanner } = this
    const path = this.parsePath()
    scanner.skipSpace()
    const key: QueryKey = { path, isOptional: scanner.take('?') }
    scanner.skipSpace()
    const operatorPosition = scanner.position
    if (scanner.take('=~') || (scanner.peek() === '~' && scanner.take('~'))) return this.parseRegExp(key, false)
    if (scanner.take('!~')) return this.parseRegExp(key, true)
    const symbol = comparisonSymbols.find((each) => scanner.take(each))
    if (symbol !== undefined) return this.parseValueComparison(key, symbol === '==' ? '=' : symbol, operatorPosition)

    const isNegated = scanner.takeWord('not')
    scanner.skipSpace()
    const operator = wordOperators.get(scanner.peekWord())
    if (operator === undefined && this.isAtOperandEnd()) throw this.missingOperator(path)
    if (operator === undefined)
      throw this.unexpected(isNegated ? negatedOperators : operators, [...wordOperators.keys()])
    scanner.position += scanner.peekWord().length
    if (operator === 'in') return { kind: 'in', key, isNegated, values: this.parseList(key) }
    if (operator === 'regexp') return this.parseRegExp(key, isNegated)
    return operator === 'like' ? this.parseLike(key, isNegated) : this.parseContains(key, isNegated)
  }

  private parseValueComparison(key: QueryKey, operator: ComparisonOperator, operatorPosition: number): Query {
    const { scanner } = this
    scanner.skipSpace()
    const valuePosition = scanner.position
    const value = this.parseValue(key)
    if (operator !== '=' && operator !== '!=') {
      const reason = orderProblem(operator, value)
      if (reason !== undefined) throw scanner.error(operatorPosition, ['=', '!='], reason)
    }
    this.check(comparisonProblem(key.path, operator, value), valuePosition)
    return { kind: 'comparison', key, operator, value }
  }

  private parseList(key: QueryKey): QueryValue[] {
    const { scanner } = this
    scanner.skipSpace()
    const open = scanner.position
    if (!scanner.take('(')) throw this.unexpected(['('])
    const values: QueryValue[] = []
    do {
      scanner.skipSpace()
      const position = scanner.position
      const value = this.parseValue(key)
      this.check(comparisonProblem(key.path, '=', value), position)
      values.push(value)
      scanner.skipSpace()
    } while (scanner.take(','))
    this.expectClosing(open, [','])
    return values
  }

  private parseRegExp(key: QueryKey, isNegated: boolean): Query {
    const { scanner } = this
    scanner.skipSpace()
    const start = scanner.position
    const literal = scanner.takeRegExp()
    const source = literal?.text ?? this.takeRawText('a regular expression in quotes')
    const flags = literal?.flags ?? ''
    this.check(comparisonProblem(key.path, '~', source), start)
    this.check(regExpProblem(source, flags), start)
    return { kind: 'regexp', key, isNegated, source, flags }
  }

  private parseContains(key: QueryKey, isNegated: boolean): Query {
    const { scanner } = this
    scanner.skipSpace()
    const start = scanner.position
    const text = scanner.takeQuoted()?.text ?? this.takeBareText('a text')
    this.check(comparisonProblem(key.path, 'contains', text), start)
    return { kind: 'contains', key, isNegated, text }
  }

  private parseLike(key: QueryKey, isNegated: boolean): Query {
    const { scanner } = this
    scanner.skipSpace()
    const start = scanner.position
    const pattern = this.takeRawText('a pattern in quotes')
    this.check(comparisonProblem(key.path, 'like', pattern), start)
    return { kind: 'like', key, isNegated, pattern }
  }

  private parseValue({ path }: QueryKey): QueryValue {
    const quoted = this.scanner.takeQuoted()
    if (quoted !== undefined) return quoted.text
    const text = this.takeBareText('a value')
    if (isTextField(path)) return text
    const literal = literals.get(text)
    return literal === undefined ? (bareNumberOf(text) ?? text) : literal
  }

  private takeRawText(expected: string): string {
    return this.scanner.takeRawQuoted()?.text ?? this.takeBareText(expected)
  }

  private takeBareText(expected: string): string {
    const { scanner } = this
    const text = isReservedWord(scanner.peekWord()) ? '' : scanner.takeBareValue()
    if (text === '') throw this.unexpected([expected])
    return text
  }

  private parsePath(): QueryPath {
    const { scanner } = this
    const path: (string | number)[] = [this.parseName()]
    for (;;) {
      if (path.length > maxPathLength)
        throw scanner.error(scanner.position, [], `the key has more than ${maxPathLength} parts; shorten it`)
      const hasDot = scanner.take('.')
      if (scanner.peek() === '[') path.push(this.parseBracket())
      else if (hasDot) path.push(this.parseName())
      else return path
    }
  }

  private parseName(): string {
    const { scanner } = this
    const quoted = scanner.takeQuoted()
    const name = quoted?.text ?? scanner.takeBareName()
    if (name === '' && quoted === undefined) throw this.unexpected(['a key'])
    return name
  }

  private parseBracket(): string | number {
    const { scanner } = this
    const open = scanner.position
    scanner.position++
    const start = scanner.position
    const digits = scanner.takeDigits()
    if (digits.length > maxIndexDigits) throw scanner.error(start, [], `an index has at most ${maxIndexDigits} digits`)
    const segment = digits === '' ? scanner.takeQuoted()?.text : Number(digits)
    if (segment === undefined) throw this.unexpected(['an index', 'a name in quotes'])
    if (!scanner.take(']')) throw scanner.error(open, [']'], 'this bracket has no closing ]; add it')
    return segment
  }

  private nested(parse: () => Query): Query {
    const { scanner } = this
    if (++this.depth > maxQueryDepth)
      throw scanner.error(
        scanner.position,
        [],
        `the query is nested more than ${maxQueryDepth} levels deep; simplify it`,
      )
    const query = parse()
    this.depth--
    return query
  }

  private expectClosing(open: number, others: readonly string[] = [], words: readonly string[] = []): void {
    const { scanner } = this
    scanner.skipSpace()
    if (scanner.take(')')) return
    if (scanner.peek() !== '') throw this.unexpected([...others, ')'], words)
    throw scanner.error(open, [...others, ')'], 'this parenthesis has no closing ); add it')
  }

  private check(reason: string | undefined, position: number): void {
    if (reason !== undefined) throw this.scanner.error(position, [], reason)
  }

  private isAtOperandEnd(): boolean {
    return this.peekConnective() !== undefined || this.scanner.peek() === ')' || this.scanner.peek() === ''
  }

  private missingOperator(path: QueryPath): QueryError {
    const key = formatPath(path)
    return this.scanner.error(
      this.scanner.position,
      operators,
      key.length > maxQuotedLength
        ? `expected ${operators[0]} after this key`
        : `${key} alone is not a condition; write exists(${key}), or '${key}' in quotes to search the text`,
    )
  }

  private unknownFunction(name: string, position: number): QueryError {
    const reason =
      nearestName(name, ['exists']) === undefined
        ? `there is no function "${name}"; the only one is exists(key)`
        : `there is no function "${name}"; did you mean exists?`
    return this.scanner.error(position, ['exists'], reason)
  }

  /** Returns the error for what is next. If it is a word that is close to one of `words`, the message suggests this one. */
  private unexpected(expected: readonly string[], words: readonly string[] = []): QueryError {
    const { scanner } = this
    scanner.skipSpace()
    const word = scanner.peekWord()
    const found = scanner.peek() === '' ? 'the end of the query' : `"${shortened(word === '' ? scanner.peek() : word)}"`
    const suggestion = nearestName(word, words)
    const advice =
      suggestion === undefined
        ? isReservedWord(word)
          ? `; put "${word}" in quotes if it is a name or a value`
          : ''
        : `; did you mean ${suggestion}?`
    return scanner.error(scanner.position, expected, `expected ${listed(expected)} instead of ${found}${advice}`)
  }
}

const bindingPowers = { or: 1, and: 2 } as const
const connectives = ['and', 'or']
const operandStarts = ['a key', 'a text in quotes', 'not', 'exists', '(']
const negatedOperators = ['in', 'contains', 'like', 'matches']
const operators = ['an operator such as =, >=, ~ or in']
const literals: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])
const maxIndexDigits = 9
const maxQuotedLength = 24

function shortened(text: string): string {
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
