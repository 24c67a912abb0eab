import { standardSeverities, type StandardLevel } from '../record/severity.ts'
import type { CapturedRecord } from './captured-record.ts'
import { differencesOf, isA } from './differences.ts'
import { member, withoutPrototype } from '../options/own-members.ts'

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
const queryMembers: readonly (keyof LogQuery)[] = [
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
 * Returns the query for a query or a condition for the message.
 *
 * @throws TypeError when the query is invalid. Ignoring an unknown member would match too many records.
 */
export function queryOf(queryOrMessage: LogQueryOrMessage): LogQuery {
  if (isTextQuery(queryOrMessage)) return withoutPrototype({ message: queryOrMessage })
  // An object of another class, such as a Date, often has no members, so that it would match every record.
  if (!isA(queryOrMessage, 'Object')) {
    throw new TypeError(
      'a query must be an object such as { level, message, attributes }, or a condition for the message',
    )
  }
  const unknownName = Object.keys(queryOrMessage).find((name) => !(queryMembers as readonly string[]).includes(name))
  if (unknownName !== undefined)
    throw new TypeError(`a query has no member ${unknownName}; valid members are ${queryMembers.join(', ')}`)
  const query = withoutPrototype(queryOrMessage)
  const { minimumLevel } = query
  if (minimumLevel !== undefined && !Object.hasOwn(standardSeverities, minimumLevel)) {
    throw new TypeError(`minimumLevel must be one of ${Object.keys(standardSeverities).join(', ')}`)
  }
  return query
}

/** Returns the reasons why a record does not match; none when it matches. */
export function mismatches(record: CapturedRecord, query: LogQuery): string[] {
  const { minimumLevel, error, ...conditions } = withoutPrototype(query)
  const reasons: string[] = []
  if (minimumLevel !== undefined && record.severity < standardSeverities[minimumLevel]) {
    reasons.push(`level: expected ${minimumLevel} or more severe, got ${record.level}`)
  }
  for (const [name, expected] of Object.entries(conditions)) {
    if (expected !== undefined)
      reasons.push(...differencesOf(member(record, name as keyof CapturedRecord), expected, name))
  }
  if (error !== undefined) reasons.push(...errorMismatches(record, error))
  return reasons
}

function errorMismatches(record: CapturedRecord, expected: NonNullable<LogQuery['error']>): string[] {
  const error = member(record, 'error')
  if (expected === false)
    return error === undefined ? [] : [`error: expected none, got ${String(member(error, 'message'))}`]
  if (error === undefined) return ['error: expected one, got none']
  if (expected === true) return []
  return differencesOf(error, isTextQuery(expected) ? { message: expected } : expected, 'error')
}

function isTextQuery(value: unknown): value is TextQuery {
  return typeof value === 'string' || typeof value === 'function' || isA(value, 'RegExp')
}
