/** Polls a condition and resolves when it is true. Rejects after a timeout, which is long because the machine may be busy. */
export async function waitUntil(holds: () => boolean | Promise<boolean>, millis = 30_000): Promise<void> {
  const end = performance.now() + millis
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not true within ${millis} ms: ${String(holds)}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
