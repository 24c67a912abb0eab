import { ignoreRejection } from '../options/observe-promise.ts'

/**
 * The objects whose hooks (user code that runs inside the walk, such as `toJSON` and serializers) are running. A hook may log, and the
 * record may contain the same object. While an object's hook runs, every record treats the object as a cycle, and the nesting of hooks is
 * limited. So a log call inside a hook writes its record and always terminates.
 */
const running: unknown[] = []

const maxNested = 16

/** Returns whether the value's hook must not be called, because it is already running or too many hooks are nested. */
export function isHookRunning(subject: unknown): boolean {
  return running.length >= maxNested || running.includes(subject)
}

/** Calls a hook of `subject`. If the hook returns a promise, its rejection is handled. Throws what the hook throws. */
export function callHook<T>(subject: unknown, hook: () => T): T {
  running.push(subject)
  try {
    const result = hook()
    ignoreRejection(result)
    return result
  } finally {
    running.pop()
  }
}
