import { onBeforeExit } from '../../platform/node/natural-exit.ts'

const callbacks = new Set<() => void>()
let stopListening: (() => void) | undefined

/**
 * Calls a function once when the event loop of this thread is empty. Work that the function starts keeps the process alive. An
 * explicit `process.exit()` does not call it. All functions share one listener, because Node warns about more than ten.
 *
 * @returns A function that cancels the callback.
 */
export function beforeExit(callback: () => void): () => void {
  if (callbacks.size === 0) stopListening = onBeforeExit(callAll)
  callbacks.add(callback)
  return () => {
    if (callbacks.delete(callback) && callbacks.size === 0) stopListening?.()
  }
}

function callAll(): void {
  stopListening?.()
  const all = [...callbacks]
  callbacks.clear()
  for (const callback of all) callback()
}
