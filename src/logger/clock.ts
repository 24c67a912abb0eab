import { callHook, isHookRunning } from '../encode/hooks.ts'

/**
 * Returns a guarded clock. Records that the clock itself logs use the system time, so that a clock that logs does not recurse
 * without end.
 */
export function guardedClock(clock: () => number): () => number {
  return () => (isHookRunning(clock) ? Date.now() : callHook(clock, clock))
}
