import { onBeforeExit } from '../../platform/node/natural-exit.ts'

const waiting = new Set<() => void>()
let unlisten: (() => void) | undefined

/**
 * Calls back once, when the event loop of this thread has nothing left to do: what is begun then holds the process, which
 * an explicit `process.exit()` does not wait for. One listener serves all: Node warns of more than ten.
 *
 * @returns a function that calls it off.
 */
export function beforeExit(callback: () => void): () => void {
  if (waiting.size === 0) unlisten = onBeforeExit(callAll)
  waiting.add(callback)
  return () => {
    if (waiting.delete(callback) && waiting.size === 0) unlisten?.()
  }
}

function callAll(): void {
  unlisten?.()
  const all = [...waiting]
  waiting.clear()
  for (const callback of all) callback()
}
