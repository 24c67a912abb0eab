import { stat, type Stats } from 'node:fs'

/**
 * Checks a file at intervals, and calls a function after the first check and after each check that finds a change. A change can be that
 * the file was created, removed, or replaced by renaming or by changing a link to its directory, as Kubernetes does. The call after the
 * first check finds a change that came after the caller has read the file; Node's `watchFile` has no such call. Does not keep the process
 * alive between two checks.
 *
 * @param intervalMillis - the time between two checks, and before the first one, in ms
 *
 * @returns a function that stops this
 */
export function pollFile(path: string, intervalMillis: number, onChange: () => void): () => void {
  let seen: string | undefined
  let isChecking = false
  let isStopped = false
  const timer = setInterval(() => {
    // On a file system that does not answer, each check would occupy a thread of Node's pool.
    if (isChecking) return
    isChecking = true
    stat(path, (error, stats) => {
      isChecking = false
      const current = error === null ? stateOf(stats) : String(error.code)
      if (isStopped || current === seen) return
      seen = current
      onChange()
    })
  }, intervalMillis)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

function stateOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ')
}
