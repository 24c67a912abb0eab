import { severityOf, type StandardLevel } from '../record/severity.ts'
import type { CapturedRecord } from './captured-record.ts'
import { differencesOf } from './differences.ts'
import { member, ownCopy } from '../options/own-members.ts'

/**
 * The conditions that a record must all fulfill. Text must be equal, a RegExp must match somewhere; a function or an asymmetric
 * matcher of Jest or Vitest (`expect.any(Number)`) decides itself. Undefined members are ignored.
 */
export interface LogQuery {
  /** The exact level name. */
  readonly level?: StandardLevel | (string & {})
  /** The minimum level. */
  readonly minimumLevel?: StandardLevel
  /** The message, with all placeholders replaced. */
  readonly message?: TextQuery
  /** The required attributes. Objects may have additional members, arrays must have the same length. Values are JSON values. */
  readonly attributes?: object
  /** `true` requires any exception, `false` none; text or a RegExp requires an exception with this message. */
  readonly error?: boolean | TextQuery | ErrorQuery
  /** The event name. */
  readonly eventName?: TextQuery
  /** The `name` of the logger. */
  readonly scopeName?: TextQuery
  /** The trace ID, 32 hexadecimal digits. */
  readonly traceId?: TextQuery
  /** The span ID, 16 hexadecimal digits. */
  readonly spanId?: TextQuery
}

/** A condition for text: equal text, a RegExp, or a function. */
export type TextQuery = string | RegExp | ((text: string) => boolean)

/** The conditions for an exception. */
export interface ErrorQuery {
  /** The class name. */
  readonly type?: TextQuery
  /** The message. */
  readonly message?: TextQuery
  /** The stack, including those of its causes. */
  readonly stacktrace?: TextQuery
}

/** A query, or a condition for the message. */
export type LogQueryOrMessage = LogQuery | TextQuery

/** The members of a query. */
const members: readonly (keyof LogQuery)[] = [
  'level',
  'minimumLevel',
  'message',
  'attributes',
  'error',
  'eventName',
  'scopeName',
  'traceId',
  'spanId',
]

/**
 * Returns the complete query.
 *
 * @throws TypeError when it has a member that no record has: ignoring it would match by mistake.
 */
export function queryOf(given: LogQueryOrMessage): LogQuery {
  if (typeof given === 'string' || given instanceof RegExp || typeof given === 'function')
    return ownCopy({ message: given })
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(
      'a query must be an object such as { level, message, attributes }, or a condition for the message',
    )
  }
  const unknown = Object.keys(given).find((name) => !(members as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new TypeError(`a query has no member ${unknown}; valid members are ${members.join(', ')}`)
  const query = ownCopy(given)
  const { minimumLevel } = query
  if (minimumLevel !== undefined && !Object.hasOwn(severityOf, minimumLevel)) {
    throw new TypeError(`minimumLevel must be one of ${Object.keys(severityOf).join(', ')}`)
  }
  return query
}

/** Returns the reasons why a record does not match; none when it matches. */
export function mismatches(record: CapturedRecord, query: LogQuery): string[] {
  const { minimumLevel, error, ...same } = ownCopy(query)
  const reasons: string[] = []
  if (minimumLevel !== undefined && record.severity < severityOf[minimumLevel]) {
    reasons.push(`level: expected ${minimumLevel} or more severe, got ${record.level}`)
  }
  for (const [name, expected] of Object.entries(same)) {
    if (expected !== undefined)
      reasons.push(...differencesOf(member(record, name as keyof CapturedRecord), expected, name))
  }
  if (error !== undefined) reasons.push(...reasonsAgainstError(record, error))
  return reasons
}

function reasonsAgainstError(record: CapturedRecord, expected: NonNullable<LogQuery['error']>): string[] {
  const error = member(record, 'error')
  if (expected === false)
    return error === undefined ? [] : [`error: expected none, got ${String(member(error, 'message'))}`]
  if (error === undefined) return ['error: expected one, got none']
  if (expected === true) return []
  const isText = typeof expected !== 'object' || expected instanceof RegExp
  return differencesOf(error, isText ? { message: expected } : expected, 'error')
}
