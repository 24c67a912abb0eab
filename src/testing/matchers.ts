import type { CapturedRecord } from './captured-record.ts'
import { shown } from './differences.ts'
import { queryOf, reasonsAgainst, type LogQuery, type LogQueryOrMessage } from './log-query.ts'
import { nearMisses, recordLines } from './near-misses.ts'
import { member } from '../options/own-members.ts'

/** What `expect(logs)` can do besides, once `expect.extend(matchers)` was called. `R` is what the runner's matchers return. */
export interface LogMatchers<R = void> {
  /** A record was logged that the query means, or with this message. */
  toHaveLogged(query: LogQueryOrMessage): R
  /** So many were; without a query, records at all. */
  toHaveLoggedTimes(times: number, query?: LogQueryOrMessage): R
  /** None was; without a query, nothing at all: `toHaveLoggedNothing({ minimumLevel: 'warn' })`. */
  toHaveLoggedNothing(query?: LogQueryOrMessage): R
}

/** What a matcher answers its runner. */
export interface MatcherResult {
  /** Whether it holds, without a `not`. */
  readonly pass: boolean
  /** Why the expectation failed; with a `not` where `pass` is true. */
  readonly message: () => string
}

/** Matchers as `expect.extend` of Jest and of Vitest takes them. */
export type LogMatcherFunctions = {
  readonly toHaveLogged: (received: unknown, query: LogQueryOrMessage) => MatcherResult
  readonly toHaveLoggedTimes: (received: unknown, times: number, query?: LogQueryOrMessage) => MatcherResult
  readonly toHaveLoggedNothing: (received: unknown, query?: LogQueryOrMessage) => MatcherResult
}

/**
 * Matchers for captured logs: `expect.extend(matchers)`, in Jest and in Vitest. They load neither. Importing them tells the
 * compiler of `@jest/globals`, of `@types/jest` and of Vitest what `expect(logs)` can do, wherever these are installed.
 *
 * Each throws a TypeError when it is given what `captureLogs` has not returned, or a query that is none.
 */
export const matchers: LogMatcherFunctions = {
  toHaveLogged(received, given) {
    const { query, found, records } = asked(received, 'toHaveLogged', given)
    return {
      pass: found.length > 0,
      message: () =>
        found.length > 0
          ? `expected no record${meant(query)}, but logged ${counted(found.length)}:\n${recordLines(found)}`
          : `expected a record${meant(query)}, ${nearest(records, query)}`,
    }
  },
  toHaveLoggedTimes(received, times, given = {}) {
    const { query, found, records } = asked(received, 'toHaveLoggedTimes', given)
    if (!Number.isInteger(times) || times < 0) throw new TypeError('toHaveLoggedTimes takes a count, and then a query')
    const pass = found.length === times
    const told = found.length > 0 ? `logged ${counted(found.length)}:\n${recordLines(found)}` : nearest(records, query)
    return {
      pass,
      message: () => `expected ${pass ? 'any count but ' : ''}${counted(times)}${meant(query)}, but ${told}`,
    }
  },
  toHaveLoggedNothing(received, given = {}) {
    const { query, found, records } = asked(received, 'toHaveLoggedNothing', given)
    return {
      pass: found.length === 0,
      message: () =>
        found.length > 0
          ? `expected nothing${meant(query)}, but logged ${counted(found.length)}:\n${recordLines(found)}`
          : `expected a record${meant(query)}, ${nearest(records, query)}`,
    }
  },
}

// What `expect(logs)` can do, for compilers. Type parameters have to be those of the other declarations.
declare global {
  namespace jest {
    /** `@types/jest` and Vitest, which takes this interface too. It names no package that would have to be there. */
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface Matchers<R, T = {}> extends LogMatchers<R> {}
  }
}

// `@jest/globals` has its interface in this package. Where it is not there, compilers pass over this in a declaration file, and
// complain of it here.
// @ts-ignore
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends LogMatchers<R> {}
}

interface Asked {
  readonly query: LogQuery
  readonly records: readonly CapturedRecord[]
  readonly found: readonly CapturedRecord[]
}

function asked(received: unknown, matcher: string, given: LogQueryOrMessage): Asked {
  const query = queryOf(given)
  const records = member(Object(received) as { readonly records?: unknown }, 'records')
  if (!Array.isArray(records)) throw new TypeError(`${matcher} asks what captureLogs() has returned: expect(logs)`)
  const captured = records as readonly CapturedRecord[]
  return { query, records: captured, found: captured.filter((record) => reasonsAgainst(record, query).length === 0) }
}

function meant(query: LogQuery): string {
  const asks = Object.values(query).some((expected) => expected !== undefined)
  return asks ? ` with ${shown(query)}` : ''
}

function nearest(records: readonly CapturedRecord[], query: LogQuery): string {
  if (records.length === 0) return 'but nothing was logged'
  return `but none of ${counted(records.length)} is one; the nearest:\n${nearMisses(records, query)}`
}

function counted(records: number): string {
  return records === 1 ? '1 record' : `${records} records`
}
