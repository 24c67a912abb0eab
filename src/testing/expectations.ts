import type { CapturedRecord } from './captured-record.ts'
import { formatValue } from './differences.ts'
import { queryOf, mismatches, type LogQuery, type LogQueryOrMessage } from './log-query.ts'
import { nearMisses, recordLines } from './near-misses.ts'
import { member } from '../options/own-members.ts'

/** The result of a matcher. */
export interface MatcherResult {
  /** Whether the expectation holds, without `not`. */
  readonly pass: boolean
  /** Returns why the expectation failed; when `pass` is true, why it failed with `not`. */
  readonly message: () => string
}

/** The function that the user called, for errors about its arguments. */
export interface Caller {
  readonly name: string
  /** How the captured logs are passed to it. */
  readonly usage: string
}

/** Expects a record that matches. */
export function expectLogged(caller: Caller, received: unknown, queryOrMessage: LogQueryOrMessage): MatcherResult {
  const { query, matches, records } = matchContext(caller, received, queryOrMessage)
  return {
    pass: matches.length > 0,
    message: () =>
      matches.length > 0
        ? `expected no record${queryText(query)}, but logged ${countText(matches.length)}:\n${recordLines(matches)}`
        : `expected a record${queryText(query)}, ${nearestText(records, query)}`,
  }
}

/** Expects a number of records that match. */
export function expectLoggedTimes(
  caller: Caller,
  received: unknown,
  times: number,
  queryOrMessage: LogQueryOrMessage = {},
): MatcherResult {
  const { query, matches, records } = matchContext(caller, received, queryOrMessage)
  if (!Number.isInteger(times) || times < 0)
    throw new TypeError(`${caller.name}: times must be a count, which is an integer of 0 or more`)
  const pass = matches.length === times
  const outcome =
    matches.length > 0 ? `logged ${countText(matches.length)}:\n${recordLines(matches)}` : nearestText(records, query)
  return {
    pass,
    message: () => `expected ${pass ? 'any count but ' : ''}${countText(times)}${queryText(query)}, but ${outcome}`,
  }
}

/** Expects no record that matches. */
export function expectLoggedNothing(
  caller: Caller,
  received: unknown,
  queryOrMessage: LogQueryOrMessage = {},
): MatcherResult {
  const { query, matches, records } = matchContext(caller, received, queryOrMessage)
  return {
    pass: matches.length === 0,
    message: () =>
      matches.length > 0
        ? `expected nothing${queryText(query)}, but logged ${countText(matches.length)}:\n${recordLines(matches)}`
        : `expected a record${queryText(query)}, ${nearestText(records, query)}`,
  }
}

/** The arguments of a matcher, and the records that match. */
interface MatchContext {
  readonly query: LogQuery
  readonly records: readonly CapturedRecord[]
  readonly matches: readonly CapturedRecord[]
}

function matchContext({ name, usage }: Caller, received: unknown, queryOrMessage: LogQueryOrMessage): MatchContext {
  const query = queryOf(queryOrMessage)
  const records = member(Object(received) as { readonly records?: unknown }, 'records')
  if (!Array.isArray(records))
    throw new TypeError(`${name}: the received value must be the result of captureLogs(): ${usage}`)
  const captured = records as readonly CapturedRecord[]
  return { query, records: captured, matches: captured.filter((record) => mismatches(record, query).length === 0) }
}

function queryText(query: LogQuery): string {
  const hasConditions = Object.values(query).some((expected) => expected !== undefined)
  return hasConditions ? ` with ${formatValue(query)}` : ''
}

function nearestText(records: readonly CapturedRecord[], query: LogQuery): string {
  if (records.length === 0) return 'but nothing was logged'
  return `but none of ${countText(records.length)} matches; the closest:\n${nearMisses(records, query)}`
}

function countText(count: number): string {
  return count === 1 ? '1 record' : `${count} records`
}
