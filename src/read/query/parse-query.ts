import { nearestName } from '../../options/nearest-name.ts'
import { bindingPowers, connectives, peekConnective, takeConnective } from './connectives.ts'
import { parseComparison } from './parse-comparison.ts'
import { parsePath } from './parse-key.ts'
import type { Query } from './query.ts'
import type { QueryError } from './query-error.ts'
import { QueryScanner } from './query-scanner.ts'
import { isReservedWord, wordOperators } from './query-syntax.ts'
import { expectClosing, unexpected } from './syntax-error.ts'

/**
 * Parses a query, such as `level>=warn and http.response.status_code>=500`.
 *
 * @param text - at most 65,536 characters, with at most 100 levels of parentheses and `not`
 * @returns the parsed query, for `compileQuery` and `formatQuery`
 * @throws QueryError if the syntax is invalid, with the position of the problem and what was expected.
 */
export function parseQuery(text: string): Query {
  return new QueryParser(text).parse()
}

/** The maximum length of a query, in UTF-16 units. */
export const maxQueryLength = 65_536

/** The maximum nesting depth of parentheses and `not`. */
export const maxQueryDepth = 100

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
    if (scanner.position < scanner.text.length) throw unexpected(scanner, ['and', 'or'], connectives)
    return query
  }

  /** Parses operands that are joined by operators of at least a binding power. */
  private parseBinary(minPower: number): Query {
    const { scanner } = this
    let left = this.parseOperand()
    for (;;) {
      const kind = peekConnective(scanner)
      if (kind === undefined || bindingPowers[kind] < minPower) return left
      const operands = [left]
      while (takeConnective(scanner, kind)) operands.push(this.parseBinary(bindingPowers[kind] + 1))
      left = { kind, operands }
    }
  }

  private parseOperand(): Query {
    const { scanner } = this
    scanner.skipSpace()
    if (scanner.peek() === '(') return this.nested(() => this.parseParenthesized())
    if (scanner.takeWord('not') || scanner.take('!'))
      return this.nested(() => ({ kind: 'not', operand: this.parseOperand() }))
    if (scanner.peek() === "'" || scanner.peek() === '"') return this.parseTextOrComparison()
    const word = scanner.peekWord()
    if (word === '' || isReservedWord(word)) throw unexpected(scanner, operandStarts)
    return this.parseFunction() ?? parseComparison(scanner)
  }

  private parseParenthesized(): Query {
    const { scanner } = this
    const open = scanner.position
    scanner.position++
    const query = this.parseBinary(bindingPowers.or)
    expectClosing(scanner, open, ['and', 'or'], connectives)
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
    const path = parsePath(scanner)
    scanner.skipSpace()
    if (scanner.peek() === '?')
      throw scanner.error(scanner.position, [')'], 'exists() does not accept an optional key; remove the ?')
    expectClosing(scanner, open)
    return { kind: 'exists', path }
  }

  /** Parses a text that is searched, or a comparison whose key begins with a quoted name. */
  private parseTextOrComparison(): Query {
    const { scanner } = this
    const start = scanner.position
    const { text } = scanner.takeQuoted()!
    if (!this.isKeyContinued()) return { kind: 'text', text }
    scanner.position = start
    return parseComparison(scanner)
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

  private unknownFunction(name: string, position: number): QueryError {
    const reason =
      nearestName(name, ['exists']) === undefined
        ? `there is no function "${name}"; the only one is exists(key)`
        : `there is no function "${name}"; did you mean exists?`
    return this.scanner.error(position, ['exists'], reason)
  }
}

const operandStarts = ['a key', 'a text in quotes', 'not', 'exists', '(']
