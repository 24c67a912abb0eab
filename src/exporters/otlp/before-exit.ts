import { onBeforeExit } from '../../platform/node/natural-exit.ts'

const callbacks = new Set<() => void>()
let unlisten: (() => void) | undefined

/**
 * Calls back once when the event loop of this thread is empty. Work that the callback starts keeps the process alive. An
 * explicit `process.exit()` does not call back. All callbacks share one listener, because Node warns about more than ten.
 *
 * @returns A function that cancels the callback.
 */
export function beforeExit(callback: () => void): () => void {
  if (callbacks.size === 0) unlisten = onBeforeExit(callAll)
  callbacks.add(callback)
  return () => {
    if (callbacks.delete(callback) && callbacks.size === 0) unlisten?.()
  }
}

function callAll(): void {
  unlisten?.()
  const all = [...callbacks]
  callbacks.clear()
  for (const callback of all) callback()
}
