import { withoutPrototype } from '../../options/own-members.ts'
import type { ReadRecord } from '../record.ts'
import { parseTimeText, type TimeTextOptions } from '../time/time-text.ts'
import { keyGetter, type KeyGetter } from './key-lookup.ts'
import { levelTest } from './level-test.ts'
import { likeTest } from './like-pattern.ts'
import { LimitedRegExp } from './limited-regexp.ts'
import { bindTimeLimit } from './select-records.ts'
import type { ComparisonQuery, InQuery, Query, QueryKey, QueryValue, RegExpQuery } from './query.ts'
import { fieldOf } from './record-field.ts'
import { recordSearch } from './text-search.ts'
import { TimeLimit } from './time-limit.ts'
import { anyItem, asText, comparisonTest, type ValueTest } from './value-tests.ts'

/** Options of `compileQuery`: how times in the query are understood, and how long its regular expressions may take. */
export interface CompileQueryOptions extends TimeTextOptions {
  /** The time that regular expressions may take for one record, in milliseconds. @defaultValue 1000 */
  readonly regexMillis?: number | undefined
}

/** Returns whether a record matches. */
export type RecordPredicate = (record: ReadRecord) => boolean

/**
 * Returns the function that tests whether a record matches a query. Times in the query that are relative to now are computed once, by this
 * call.
 *
 * @param query - a query that `parseQuery` has returned, or that your program has created
 * @returns a function that does not throw for any record, except a `QueryTimeoutError` if a regular expression takes longer than
 * `regexMillis`
 * @throws SyntaxError if the query was not created by `parseQuery` and has an invalid regular expression.
 */
export function compileQuery(query: Query, options: CompileQueryOptions = {}): RecordPredicate {
  const compiler = new QueryCompiler(withoutPrototype(options))
  const predicate = compiler.compile(query)
  return compiler.hasExpressions ? bindTimeLimit(predicate, compiler.limit) : predicate
}

class QueryCompiler {
  readonly limit: TimeLimit
  /** Whether the query has regular expressions. */
  hasExpressions = false
  private readonly timeOptions: TimeTextOptions

  constructor({ regexMillis = 1_000, now = Date.now(), timeZone }: CompileQueryOptions) {
    this.limit = new TimeLimit(regexMillis)
    this.timeOptions = { now, timeZone }
  }

  compile(query: Query): RecordPredicate {
    switch (query.kind) {
      case 'and':
        return allOf(query.operands.map((operand) => this.compile(operand)))
      case 'or':
        return anyOf(query.operands.map((operand) => this.compile(operand)))
      case 'not':
        return negated(this.compile(query.operand))
      case 'comparison':
        return this.comparison(query)
      case 'in':
        return this.inList(query)
      case 'regexp':
        return keyTest(query.key, anyItem(asText(this.expressionTest(query))), query.isNegated)
      case 'contains':
        return keyTest(query.key, anyItem(asText((text) => text.includes(query.text))), query.isNegated)
      case 'like':
        return keyTest(query.key, anyItem(asText(likeTest(query.pattern))), query.isNegated)
      case 'exists':
        return existsTest(keyGetter(query.path))
      default:
        return recordSearch(query.text)
    }
  }

  private comparison({ key, operator, value }: ComparisonQuery): RecordPredicate {
    const isNegated = operator === '!='
    if (fieldOf(key.path) === 'level') {
      const test = levelTest(operator, value)
      return levelPredicate(key, isNegated ? negated(test) : test)
    }
    return keyTest(key, anyItem(comparisonTest(operator, this.literal(key, value))), isNegated)
  }

  private inList({ key, isNegated, values }: InQuery): RecordPredicate {
    if (fieldOf(key.path) === 'level') {
      const test = anyOf(values.map((value) => levelTest('=', value)))
      return levelPredicate(key, isNegated ? negated(test) : test)
    }
    const tests = values.map((value) => comparisonTest('=', this.literal(key, value)))
    return keyTest(
      key,
      anyItem((value) => tests.some((test) => test(value))),
      isNegated,
    )
  }

  private expressionTest({ source, flags }: RegExpQuery): (text: string) => boolean {
    // `g` and `y` would keep the position of the last match.
    const expression = new LimitedRegExp(new RegExp(source, flags.replaceAll(/[gyd]/g, '')), this.limit)
    this.hasExpressions = true
    return (text) => expression.test(text)
  }

  /** Returns a value of the query in the form that the part of a record has. */
  private literal(key: QueryKey, value: QueryValue): QueryValue {
    switch (fieldOf(key.path)) {
      case 'time':
        return parseTimeText(String(value), this.timeOptions) ?? Number.NaN
      case 'traceId':
      case 'spanId':
      case 'format':
        return String(value).toLowerCase()
      default:
        return value
    }
  }
}

/** Returns the predicate of a level: a record without one counts as `info`, unless the key is optional. */
function levelPredicate({ isOptional }: QueryKey, test: RecordPredicate): RecordPredicate {
  return isOptional ? (record) => (record.level === '' && record.severityNumber === 0) || test(record) : test
}

function keyTest({ path, isOptional }: QueryKey, test: ValueTest, isNegated: boolean): RecordPredicate {
  const get = keyGetter(path)
  return (record) => {
    const value = get(record)
    return value === undefined ? isOptional : test(value) !== isNegated
  }
}

function existsTest(get: KeyGetter): RecordPredicate {
  return (record) => get(record) !== undefined
}

function negated(predicate: RecordPredicate): RecordPredicate {
  return (record) => !predicate(record)
}

function allOf(predicates: readonly RecordPredicate[]): RecordPredicate {
  const [first, second] = predicates
  if (predicates.length === 2) return (record) => first!(record) && second!(record)
  return (record) => predicates.every((predicate) => predicate(record))
}

function anyOf(predicates: readonly RecordPredicate[]): RecordPredicate {
  const [first, second] = predicates
  if (predicates.length === 2) return (record) => first!(record) || second!(record)
  return (record) => predicates.some((predicate) => predicate(record))
}
