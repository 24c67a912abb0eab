/** Calls a function whose failure must not prevent a change of levels. Returns undefined if it throws. */
export function callSafely<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}
