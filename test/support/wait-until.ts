/** Resolves as soon as something holds that comes by itself; rejects when it has not come after so many ms. */
export async function until(holds: () => boolean | Promise<boolean>, millis = 5_000): Promise<void> {
  const end = performance.now() + millis
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`it did not come true in ${millis} ms: ${String(holds)}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
