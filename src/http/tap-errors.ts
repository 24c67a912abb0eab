/**
 * Calls `fn` and returns its result; for a Promise, another one with the same outcome. An error that it throws, or that its Promise
 * rejects with, is passed to `onError` and propagated unchanged.
 */
export function tapErrors<R>(fn: () => R, onError: (error: unknown) => void): R {
  try {
    const result = fn()
    return result instanceof Promise ? (tapPromise(result, onError) as R) : result
  } catch (error) {
    onError(error)
    throw error
  }
}

async function tapPromise(promise: Promise<unknown>, onError: (error: unknown) => void): Promise<unknown> {
  try {
    return await promise
  } catch (error) {
    onError(error)
    throw error
  }
}
