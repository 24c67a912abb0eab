import { disownPromise } from '../options/observe-promise.ts'

/**
 * User code that runs inside the walk: `toJSON`, serializers. Such code may log, and what it logs may hold the same
 * object again. While an object's hook runs, the object is a cycle for every record made meanwhile; and hooks that log
 * fresh objects with hooks of their own end at a bound. So a log call inside a hook keeps its line and always ends.
 */
const running: unknown[] = []

const maxNested = 16

/** Whether the value's hook must not be called: it runs already, or too many run inside one another. */
export function hookIsRunning(subject: unknown): boolean {
  return running.length >= maxNested || running.includes(subject)
}

/** Calls a hook on behalf of `subject`. Throws what the hook throws; of a promise that it returns no rejection is left. */
export function callHook<T>(subject: unknown, hook: () => T): T {
  running.push(subject)
  try {
    const answer = hook()
    disownPromise(answer)
    return answer
  } finally {
    running.pop()
  }
}
