import { AssertionError } from 'node:assert'
import type { CapturedLogs } from './captured-logs.ts'
import {
  expectLogged,
  expectLoggedNothing,
  expectLoggedTimes,
  type Caller,
  type MatcherResult,
} from './expectations.ts'
import type { LogQueryOrMessage } from './log-query.ts'

/** Captured logs, as the assertions accept them. */
export type AssertedLogs = Pick<CapturedLogs, 'records'>

/** Assertions about captured logs. They throw an `AssertionError` that shows the closest records. */
export interface LogAssertions {
  /** Asserts that a record matches the query or has this message. */
  readonly logged: (logs: AssertedLogs, query: LogQueryOrMessage) => void
  /** Asserts that this number of records match; without a query, the number of all records. */
  readonly loggedTimes: (logs: AssertedLogs, times: number, query?: LogQueryOrMessage) => void
  /** Asserts that no record matches; without a query, that there is no record. Example: `{ minimumLevel: 'warn' }`. */
  readonly loggedNothing: (logs: AssertedLogs, query?: LogQueryOrMessage) => void
}

/**
 * The matchers as functions, for `node:assert` and `node:test`: `assertions.logged(logs, 'order 7 placed')`. With
 * `assert.register('logged', assertions.logged)` of `node:test` it becomes `t.assert.logged(logs, 'order 7 placed')`. Importing them
 * declares these methods of `t.assert`, if `@types/node` is installed.
 *
 * Each function throws an AssertionError when the expectation fails, and a TypeError when the first argument is not a result of
 * `captureLogs` or when the query is invalid.
 */
export const assertions: LogAssertions = {
  logged: (logs, query) => check(expectLogged(callerOf('logged'), logs, query), 'logged'),
  loggedTimes: (logs, times, query) =>
    check(expectLoggedTimes(callerOf('loggedTimes'), logs, times, query), 'loggedTimes'),
  loggedNothing: (logs, query) => check(expectLoggedNothing(callerOf('loggedNothing'), logs, query), 'loggedNothing'),
}

// If the types of Node are not installed, compilers ignore this declaration in a declaration file.
// @ts-ignore
declare module 'node:test' {
  interface TestContextAssert extends LogAssertions {}
}

function callerOf(name: keyof LogAssertions): Caller {
  return { name, usage: `${name}(logs, …)` }
}

function check({ pass, message }: MatcherResult, name: keyof LogAssertions): void {
  if (pass) return
  // The stack begins at the test.
  throw new AssertionError({ message: message(), operator: name, stackStartFn: assertions[name] })
}
