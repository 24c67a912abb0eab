import { member } from './own-members.ts'

/**
 * Handles the rejection of a promise that user code returned and nothing awaits: an unhandled rejection would end the process.
 * `rejected` is called with the reason; it must not throw. Only promises are handled, because calling `then` of another object
 * can start work, as that of a database query does.
 *
 * @returns whether the value is a promise
 */
export function onRejection(value: unknown, rejected: (error: unknown) => void): value is Promise<unknown> {
  if (typeof value !== 'object' || value === null || !isPromise(value)) return false
  try {
    value.then(undefined, rejected)
  } catch {
    // A custom `then` threw.
  }
  return true
}

/** Handles the rejection of a promise without reporting it. Returns whether the value is a promise. */
export function ignoreRejection(value: unknown): value is Promise<unknown> {
  return onRejection(value, ignore)
}

/**
 * Returns the result of synchronous user code. If it is a promise, its rejection is handled.
 *
 * @param what - subject of the error message, such as `a format`
 * @throws TypeError if the result is a promise
 */
export function synchronous<T>(value: T, what: string): T {
  if (ignoreRejection(value)) throw new TypeError(`${what} cannot be asynchronous`)
  return value
}

/** Calls a user's callback whose result nothing awaits. `failed` is called if it throws or rejects. Never throws. */
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

function ignore(): void {}
