import { severityOf, type StandardLevel } from '../record/severity.ts'
import type { CapturedRecord } from './captured-record.ts'
import { differencesOf } from './differences.ts'
import { member, ownCopy } from '../options/own-members.ts'

/**
 * Which records are meant: those for which all of this holds. Text matches whole, a RegExp anywhere; a function decides by
 * itself, and an asymmetric matcher of Jest's or Vitest's (`expect.any(Number)`) does too. A member that is undefined asks
 * nothing.
 */
export interface LogQuery {
  /** The level's very name. */
  readonly level?: StandardLevel | (string & {})
  /** This severe or more so. */
  readonly minimumLevel?: StandardLevel
  /** The message, everything inserted. */
  readonly message?: TextQuery
  /** Attributes that must be there. Objects may have more members, lists have the same length. Values are those of JSON. */
  readonly attributes?: object
  /** `true`: any exception; `false`: none; text or a RegExp: one with this message. */
  readonly error?: boolean | TextQuery | ErrorQuery
  /** The name of the event. */
  readonly eventName?: TextQuery
  /** The `name` of the logger. */
  readonly scopeName?: TextQuery
  /** The id of the trace, 32 hex digits. */
  readonly traceId?: TextQuery
  /** The id of the span, 16 hex digits. */
  readonly spanId?: TextQuery
}

/** Text that is looked for. */
export type TextQuery = string | RegExp | ((text: string) => boolean)

/** An exception that is looked for. */
export interface ErrorQuery {
  /** The name of its class. */
  readonly type?: TextQuery
  /** What it says. */
  readonly message?: TextQuery
  /** Its stack, with those of its causes. */
  readonly stacktrace?: TextQuery
}

/** A query, or the message that is looked for. */
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
 * A query written out.
 *
 * @throws TypeError when it asks for what no record has: it would match by mistake.
 */
export function queryOf(given: LogQueryOrMessage): LogQuery {
  if (typeof given === 'string' || given instanceof RegExp || typeof given === 'function')
    return ownCopy({ message: given })
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(
      'a query is an object such as { level, message, attributes }, or the message that is looked for',
    )
  }
  const unknown = Object.keys(given).find((name) => !(members as readonly string[]).includes(name))
  if (unknown !== undefined) throw new TypeError(`a query has no ${unknown}; it has ${members.join(', ')}`)
  const query = ownCopy(given)
  const { minimumLevel } = query
  if (minimumLevel !== undefined && !Object.hasOwn(severityOf, minimumLevel)) {
    throw new TypeError(`minimumLevel must be one of ${Object.keys(severityOf).join(', ')}`)
  }
  return query
}

/** Why a record is not meant, a reason each; none when it is. */
export function reasonsAgainst(record: CapturedRecord, query: LogQuery): string[] {
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
