/**
 * Whether a function of the user's has answered with a promise, for which nobody here waits. Its rejection is taken: one
 * that nobody handles ends the process.
 */
export function isUnawaited(answer: unknown): answer is Promise<unknown> {
  if (!(answer instanceof Promise)) return false
  answer.catch(() => {})
  return true
}
