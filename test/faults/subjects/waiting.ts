/** Polls a condition for loggers that do not report completion. Resolves with whether it became true within the given ms. */
export async function becomesTrue(holds: () => boolean, millis: number): Promise<boolean> {
  for (const end = performance.now() + millis; !holds();) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return true
}

/** Resolves with whether a promise resolves within the given ms. */
export async function resolvesWithin(promise: Promise<unknown>, millis: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, millis, false)
  })
  const resolved = promise.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([resolved, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Keeps the first error messages. */
export class ErrorLog {
  readonly messages: string[] = []

  readonly add = (error: unknown): void => {
    if (this.messages.length < 10) this.messages.push(error instanceof Error ? error.message : String(error))
  }
}
