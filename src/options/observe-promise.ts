import { member } from './own-members.ts'

/**
 * Handles the rejection of a promise that user code returned and nothing awaits: an unhandled rejection would end the process.
 * `onRejected` is called with the reason; it must not throw. Other objects with a `then` are not handled, because calling it can
 * start work, as with a database query.
 *
 * @returns whether the value is a promise
 */
export function handleRejection(value: unknown, onRejected: (error: unknown) => void): value is Promise<unknown> {
  if (typeof value !== 'object' || value === null || !isPromise(value)) return false
  try {
    value.then(undefined, onRejected)
  } catch {
    // A custom `then` threw.
  }
  return true
}

/** Handles the rejection of a promise without reporting it. Returns whether the value is a promise. */
export function ignoreRejection(value: unknown): value is Promise<unknown> {
  return handleRejection(value, doNothing)
}

/**
 * Returns the result of synchronous user code. If it is a promise, its rejection is handled.
 *
 * @param subject - the subject of the error message, such as `a format`
 * @throws TypeError if the result is a promise
 */
export function requireSynchronous<T>(value: T, subject: string): T {
  if (ignoreRejection(value)) throw new TypeError(`${subject} cannot be asynchronous`)
  return value
}

/**
 * Calls a user's callback whose result nothing awaits. `onFailure` is called if the callback throws or its promise rejects, and must not
 * throw.
 */
export function callUserCallback<A extends unknown[]>(
  callback: (...args: A) => unknown,
  args: A,
  onFailure: (error: unknown) => void,
): void {
  try {
    handleRejection(callback(...args), onFailure)
  } catch (error) {
    onFailure(error)
  }
}

/** Returns whether an object is a promise, also of another realm, such as a test runner's. Never throws. */
function isPromise(value: object): value is Promise<unknown> {
  try {
    if (value instanceof Promise) return true // Throws for a proxy whose trap throws.
    const { [Symbol.toStringTag]: tag } = value as { [Symbol.toStringTag]?: unknown }
    return tag === 'Promise' && typeof member(value as Partial<Promise<unknown>>, 'then') === 'function'
  } catch {
    return false
  }
}

function doNothing(): void {}
