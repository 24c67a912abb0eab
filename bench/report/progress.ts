/** Shows the progress in one line on a terminal. Writes nothing if standard error is redirected. */
export function createProgress(total: number) {
  const start = performance.now()
  let done = 0

  function next(what: string): void {
    if (!process.stderr.isTTY) return
    const left =
      done === 0 ? '' : `, ${Math.ceil((((performance.now() - start) / done) * (total - done)) / 1_000)} s left`
    process.stderr.write(`\r\u001b[K${done} of ${total} runs${left}: ${what}`)
  }

  return {
    next,
    ended: () => void done++,
    clear: () => void (process.stderr.isTTY && process.stderr.write('\r\u001b[K')),
  }
}

export type Progress = ReturnType<typeof createProgress>
