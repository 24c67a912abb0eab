import {
  expectLogged,
  expectLoggedNothing,
  expectLoggedTimes,
  type Caller,
  type MatcherResult,
} from './expectations.ts'
import type { LogQueryOrMessage } from './log-query.ts'

/** The additional methods of `expect(logs)` after `expect.extend(matchers)`. `R` is the return type of the runner's matchers. */
export interface LogMatchers<R = void> {
  /** Expects a record that matches the query or has this message. */
  toHaveLogged(query: LogQueryOrMessage): R
  /** Expects this number of matching records; without a query, of all records. */
  toHaveLoggedTimes(times: number, query?: LogQueryOrMessage): R
  /** Expects no matching record; without a query, no record at all. Example: `toHaveLoggedNothing({ minimumLevel: 'warn' })`. */
  toHaveLoggedNothing(query?: LogQueryOrMessage): R
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
  toHaveLogged: (received, query) => expectLogged(callerOf('toHaveLogged'), received, query),
  toHaveLoggedTimes: (received, times, query) =>
    expectLoggedTimes(callerOf('toHaveLoggedTimes'), received, times, query),
  toHaveLoggedNothing: (received, query) => expectLoggedNothing(callerOf('toHaveLoggedNothing'), received, query),
}

function callerOf(name: keyof LogMatcherFunctions): Caller {
  return { name, usage: 'expect(logs)' }
}

// Type declarations of the methods of `expect(logs)`. The type parameters must be the same as in the runners' own declarations.
declare global {
  namespace jest {
    /** For `@types/jest`, and for Vitest 4, whose matchers extend this interface too. It requires no package. */
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface Matchers<R, T = {}> extends LogMatchers<R> {}
  }
  namespace Chai {
    /** For Vitest 5. Its own `Matchers` has other type parameters than that of Vitest 4, but has the members of this interface. */
    interface Assertion extends LogMatchers {}
  }
}

// `@jest/globals` declares its matchers in the package `expect`. If that is not installed, compilers ignore this declaration in a
// declaration file, but report an error in this source file.
// @ts-ignore
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends LogMatchers<R> {}
}
