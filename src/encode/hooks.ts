import { ignoreRejection } from '../options/observe-promise.ts'

/**
 * The subjects of the hooks that are running. A hook is user code that is called inside a log call. Its subject identifies it: the function
 * itself (a serializer, a censor, `enrich`, `clock`), the object with `toJSON`, or the record that a handler receives. A hook may log, and
 * that record may contain the same subject. While the hook of a subject runs, it is not called again, also not for another record, and the
 * nesting of hooks is limited. So a log call inside a hook writes its record and always terminates.
 */
const runningHookSubjects: unknown[] = []

const maxNestedHooks = 16

/** Returns whether the hook of `subject` must not be called, because it is already running or too many hooks are nested. */
export function mustSkipHook(subject: unknown): boolean {
  return runningHookSubjects.length >= maxNestedHooks || runningHookSubjects.includes(subject)
}

/** Calls a hook of `subject`. If the hook returns a promise, its rejection is handled. Throws what the hook throws. */
export function callHook<T>(subject: unknown, hook: () => T): T {
  runningHookSubjects.push(subject)
  try {
    const result = hook()
    ignoreRejection(result)
    return result
  } finally {
    runningHookSubjects.pop()
  }
}
