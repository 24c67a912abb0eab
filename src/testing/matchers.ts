import type { CapturedRecord } from './captured-record.ts'
import { shown } from './differences.ts'
import { queryOf, mismatches, type LogQuery, type LogQueryOrMessage } from './log-query.ts'
import { nearMisses, recordLines } from './near-misses.ts'
import { member } from '../options/own-members.ts'

/** The additional methods of `expect(logs)` after `expect.extend(matchers)`. `R` is the return type of the runner's matchers. */
export interface LogMatchers<R = void> {
  /** Expects a record that matches the query or has this message. */
  toHaveLogged(query: LogQueryOrMessage): R
  /** Expects this number of matching records; without a query, of all records. */
  toHaveLoggedTimes(times: number, query?: LogQueryOrMessage): R
  /** Expects no matching record; without a query, no record at all. Example: `toHaveLoggedNothing({ minimumLevel: 'warn' })`. */
  toHaveLoggedNothing(query?: LogQueryOrMessage): R
}

/** The result of a matcher. */
export interface MatcherResult {
  /** Whether the expectation holds, without `not`. */
  readonly pass: boolean
  /** Returns why the expectation failed; when `pass` is true, why it failed with `not`. */
  readonly message: () => string
}

/** The matchers for `expect.extend` of Jest and Vitest. */
export type LogMatcherFunctions = {
  readonly toHaveLogged: (received: unknown, query: LogQueryOrMessage) => MatcherResult
  readonly toHaveLoggedTimes: (received: unknown, times: number, query?: LogQueryOrMessage) => MatcherResult
  readonly toHaveLoggedNothing: (received: unknown, query?: LogQueryOrMessage) => MatcherResult
}

/**
 * Matchers for captured logs, for `expect.extend(matchers)` in Jest and Vitest. They import neither. Importing them declares the
 * methods of `expect(logs)` for `@jest/globals`, `@types/jest` and Vitest, if these are installed.
 *
 * Each matcher throws a TypeError when the value is not a result of `captureLogs` or when the query is invalid.
 */
export const matchers: LogMatcherFunctions = {
  toHaveLogged(received, given) {
    const { query, found, records } = matchContext(received, 'toHaveLogged', given)
    return {
      pass: found.length > 0,
      message: () =>
        found.length > 0
          ? `expected no record${withQuery(query)}, but logged ${counted(found.length)}:\n${recordLines(found)}`
          : `expected a record${withQuery(query)}, ${nearest(records, query)}`,
    }
  },
  toHaveLoggedTimes(received, times, given = {}) {
    const { query, found, records } = matchContext(received, 'toHaveLoggedTimes', given)
    if (!Number.isInteger(times) || times < 0)
      throw new TypeError('toHaveLoggedTimes: the first argument must be a count, which is an integer of 0 or more')
    const pass = found.length === times
    const outcome =
      found.length > 0 ? `logged ${counted(found.length)}:\n${recordLines(found)}` : nearest(records, query)
    return {
      pass,
      message: () => `expected ${pass ? 'any count but ' : ''}${counted(times)}${withQuery(query)}, but ${outcome}`,
    }
  },
  toHaveLoggedNothing(received, given = {}) {
    const { query, found, records } = matchContext(received, 'toHaveLoggedNothing', given)
    return {
      pass: found.length === 0,
      message: () =>
        found.length > 0
          ? `expected nothing${withQuery(query)}, but logged ${counted(found.length)}:\n${recordLines(found)}`
          : `expected a record${withQuery(query)}, ${nearest(records, query)}`,
    }
  },
}

// Type declarations of the methods of `expect(logs)`. The type parameters must be the same as in the other declarations.
declare global {
  namespace jest {
    /** For `@types/jest` and Vitest, which extends this interface too. It refers to no package that must be installed. */
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface Matchers<R, T = {}> extends LogMatchers<R> {}
  }
}

// `@jest/globals` declares its interface in this package. Without it, compilers ignore this in a declaration file,
// and report an error here.
// @ts-ignore
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends LogMatchers<R> {}
}

interface MatchContext {
  readonly query: LogQuery
  readonly records: readonly CapturedRecord[]
  readonly found: readonly CapturedRecord[]
}

function matchContext(received: unknown, matcher: string, given: LogQueryOrMessage): MatchContext {
  const query = queryOf(given)
  const records = member(Object(received) as { readonly records?: unknown }, 'records')
  if (!Array.isArray(records))
    throw new TypeError(`${matcher}: the received value must be the result of captureLogs(): expect(logs)`)
  const captured = records as readonly CapturedRecord[]
  return { query, records: captured, found: captured.filter((record) => mismatches(record, query).length === 0) }
}

function withQuery(query: LogQuery): string {
  const hasConditions = Object.values(query).some((expected) => expected !== undefined)
  return hasConditions ? ` with ${shown(query)}` : ''
}

function nearest(records: readonly CapturedRecord[], query: LogQuery): string {
  if (records.length === 0) return 'but nothing was logged'
  return `but none of ${counted(records.length)} matches; the closest:\n${nearMisses(records, query)}`
}

function counted(records: number): string {
  return records === 1 ? '1 record' : `${records} records`
}
