import { stat, type Stats } from 'node:fs'

/**
 * Calls a function after `intervalMillis` and whenever a file has changed since then, also if it was created, removed, or replaced by
 * renaming or by changing a link to its directory, as Kubernetes does. So a change after the caller has read the file is always found;
 * `watchFile` of Node misses one that comes before its first look at the file. Does not keep the process alive between two checks.
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
