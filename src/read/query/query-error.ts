import { excerptOf } from '../../encode/pretty/excerpt.ts'
import { oneLine } from '../../options/one-line.ts'

/** What is wrong in a query, and where. */
export interface QueryProblem {
  /** Offset in the query, in UTF-16 units. */
  readonly position: number
  /** What can be at this position, such as `a value` or `)`. Empty if the problem is not one of syntax. */
  readonly expected: readonly string[]
  /** One sentence without a period: what is wrong and what to do. */
  readonly reason: string
}

/** The error that is thrown for a query with invalid syntax. */
export class QueryError extends Error {
  /** Identifies these errors where `instanceof` does not work. */
  override readonly name = 'QueryError'
  /** A stable code. */
  readonly code = 'SLUICE_QUERY_SYNTAX'
  /** The text of the query. */
  readonly query: string
  /** Offset of the problem in the query, in UTF-16 units. */
  readonly position: number
  /** What can be at this position, such as `a value` or `)`. Empty if the problem is not one of syntax. */
  readonly expected: readonly string[]
  /** What is wrong and what to do, without the code and the position. */
  readonly reason: string
  /** Two lines: the part of the query around the problem, and a caret below the position. */
  readonly excerpt: string
  /** The option of `readLogs` that is the query, `where` or `traceOf`; undefined for `parseQuery`. */
  readonly option: string | undefined

  /** @param option - the option of `readLogs` that is the query; undefined for `parseQuery` */
  constructor(query: string, problem: QueryProblem, option?: string) {
    const reason = oneLine(problem.reason, maxReasonLength)
    const caller = option === undefined ? 'parseQuery' : `readLogs: ${option}`
    super(`SLUICE_QUERY_SYNTAX: ${caller}: ${reason} (at character ${problem.position + 1})`)
    this.option = option
    this.query = query
    this.position = problem.position
    this.expected = problem.expected
    this.reason = reason
    this.excerpt = excerptOf(query, problem.position)
  }
}

const maxReasonLength = 160
