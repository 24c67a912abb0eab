import { member } from './own-members.ts'

/**
 * Observes what code of a user returned where nothing waits for it: the rejection of a promise that nobody handles ends the
 * process. `rejected` is called with what it rejects with; it must not throw. Only promises are observed, because calling
 * `then` of another object can start work, as that of a database query does.
 *
 * @returns whether it is a promise
 */
export function onRejection(answer: unknown, rejected: (error: unknown) => void): answer is Promise<unknown> {
  if (typeof answer !== 'object' || answer === null || !isPromise(answer)) return false
  try {
    answer.then(undefined, rejected)
  } catch {
    // a `then` of the user's
  }
  return true
}

/** The same where a rejection needs no report. */
export function disownPromise(answer: unknown): answer is Promise<unknown> {
  return onRejection(answer, ignore)
}

/**
 * Returns what synchronous user code returned. The rejection of a promise is observed.
 *
 * @param what - what the message of the error names, such as `a format`
 * @throws TypeError for a promise.
 */
export function synchronous<T>(answer: T, what: string): T {
  if (disownPromise(answer)) throw new TypeError(`${what} cannot be asynchronous`)
  return answer
}

/** Calls a callback of a user where nothing waits for it. `failed` is called if it throws or rejects. Never throws. */
export function callBack<A extends unknown[]>(
  callback: (...args: A) => unknown,
  args: A,
  failed: (error: unknown) => void,
): void {
  try {
    onRejection(callback(...args), failed)
  } catch (error) {
    failed(error)
  }
}

/** Also a promise of another realm, such as a test runner's. Never throws. */
function isPromise(answer: object): answer is Promise<unknown> {
  try {
    if (answer instanceof Promise) return true // throws for a proxy whose trap throws
    const { [Symbol.toStringTag]: tag } = answer as { [Symbol.toStringTag]?: unknown }
    return tag === 'Promise' && typeof member(answer as Partial<Promise<unknown>>, 'then') === 'function'
  } catch {
    return false
  }
}

function ignore(): void {}
