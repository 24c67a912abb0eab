/**
 * Takes the rejection of a promise with which a function of the user's has answered, and for which nobody here waits: one that
 * nobody handles ends the process. Returns whether it was a promise.
 */
export function disownPromise(answer: unknown): answer is Promise<unknown> {
  if (!(answer instanceof Promise)) return false
  answer.catch(() => {})
  return true
}
