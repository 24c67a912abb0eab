import { ignoreRejection } from '../options/observe-promise.ts'

const maxNestedHooks = 16

/**
 * The subjects of the hooks that are running. A hook is user code that is called inside a log call. Its subject identifies it: the function
 * itself (a serializer, a censor, `enrich`, `clock`) or the object with `toJSON`. A hook may log, and that record may contain the same
 * subject. While the hook of a subject runs, it is not called again, also not for another record, and the nesting of hooks is limited. So
 * a log call inside a hook writes its record and always terminates.
 *
 * The other items are undefined. The length does not change, because that would cost time.
 */
const hookSubjects: unknown[] = Array.from({ length: maxNestedHooks }, () => undefined)
let runningHooks = 0

/** Returns whether the hook of `subject` must not be called, because it is already running or too many hooks are nested. */
export function mustSkipHook(subject: unknown): boolean {
  if (runningHooks === 0) return false
  return runningHooks >= maxNestedHooks || hookSubjects.indexOf(subject) >= 0
}

/** Calls a hook of `subject`. If the hook returns a promise, its rejection is handled. Throws what the hook throws. */
export function callHook<T>(subject: unknown, hook: () => T): T {
  hookSubjects[runningHooks++] = subject
  try {
    const result = hook()
    ignoreRejection(result)
    return result
  } finally {
    hookSubjects[--runningHooks] = undefined
  }
}

/** Returns whether a record must not be passed to a user's handler, because too many hooks are nested. */
export function mustSkipHandler(): boolean {
  return runningHooks >= maxNestedHooks
}

/**
 * Calls a user's handler as a hook. Only the nesting is limited: a handler may be called for a record that is logged while it forwards
 * another one. No function is created and no record is stored, because this is called for each record.
 */
export function callHandler<R>(handler: { handle(record: R): unknown }, record: R): unknown {
  runningHooks++
  try {
    return handler.handle(record)
  } finally {
    runningHooks--
  }
}
