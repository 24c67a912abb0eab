import { callHook, mustSkipHook } from '../encode/hooks.ts'

/**
 * Returns a function that calls the user's clock. For records that the clock itself logs, it returns the system time instead, so that a
 * clock that logs does not recurse without end.
 */
export function guardedClock(clock: () => number): () => number {
  return () => (mustSkipHook(clock) ? Date.now() : callHook(clock, clock))
}
