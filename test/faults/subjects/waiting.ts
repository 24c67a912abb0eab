/** Whether something comes true within so many ms. Who asks has no better way to know that a logger is done. */
export async function comesTrue(holds: () => boolean, millis: number): Promise<boolean> {
  for (const end = performance.now() + millis; !holds();) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return true
}

/** Whether a promise is kept within so many ms. */
export async function isKept(promise: Promise<unknown>, millis: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, millis, false)
  })
  const kept = promise.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([kept, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Errors as they are told; some are enough. */
export class Told {
  readonly words: string[] = []

  readonly tell = (error: unknown): void => {
    if (this.words.length < 10) this.words.push(error instanceof Error ? error.message : String(error))
  }
}
