/** Calls `fn` and returns what it returns; what it throws, now or by its promise, is told and goes on as it was. */
export function tapErrors<R>(fn: () => R, tell: (error: unknown) => void): R {
  try {
    const result = fn()
    return result instanceof Promise ? (watchedPromise(result, tell) as R) : result
  } catch (error) {
    tell(error)
    throw error
  }
}

async function watchedPromise(promise: Promise<unknown>, tell: (error: unknown) => void): Promise<unknown> {
  try {
    return await promise
  } catch (error) {
    tell(error)
    throw error
  }
}
