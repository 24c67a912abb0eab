const waiting = new Set<() => void>()

/**
 * Calls back once, when the event loop of this thread has nothing left to do: what is begun then holds the process, which
 * an explicit `process.exit()` does not wait for. One listener serves all: Node warns of more than ten.
 *
 * @returns a function that calls it off.
 */
export function beforeExit(callback: () => void): () => void {
  if (waiting.size === 0) process.on('beforeExit', callAll)
  waiting.add(callback)
  return () => {
    if (waiting.delete(callback) && waiting.size === 0) process.removeListener('beforeExit', callAll)
  }
}

function callAll(): void {
  process.removeListener('beforeExit', callAll)
  const all = [...waiting]
  waiting.clear()
  for (const callback of all) callback()
}
