import { define } from '../../options/define-member.ts'
import { isMainThread } from '../../platform/node/main-thread.ts'

/** A signal that log rotators send after they have renamed the files. */
export type ReopenSignal = 'SIGHUP' | 'SIGUSR2'

/**
 * The registry of this process. Every loaded copy of this package uses the registry of the first one, so this interface changes
 * only when the `v1` in the key changes.
 */
interface ReopenSignals {
  /** Calls `reopen` at each signal. Returns a function that stops the calls. */
  add(signal: ReopenSignal, reopen: () => void): () => void
}

const registryKey = Symbol.for('sluice/v1/reopen-signals')

/**
 * Calls `reopen` at each signal. There is one listener for each signal, however many callbacks it has, and it is removed with
 * the last of them. The listener prevents the signal from stopping the process: the exit guard, which drains on SIGHUP, detects the
 * listener and lets the process continue. In a worker thread, which does not receive signals, nothing is done.
 *
 * @returns A function that stops the calls.
 * @throws The system's error if the signal does not exist on this platform.
 */
export function onReopenSignal(signal: ReopenSignal, reopen: () => void): () => void {
  if (!isMainThread) return () => {}
  const shared = globalThis as { [registryKey]?: ReopenSignals }
  if (shared[registryKey] === undefined) define(shared, registryKey, { value: Object.freeze(createReopenSignals()) })
  return shared[registryKey]!.add(signal, reopen)
}

function createReopenSignals(): ReopenSignals {
  const callbacksBySignal = { SIGHUP: new Set<() => void>(), SIGUSR2: new Set<() => void>() }

  function onSignal(signal: NodeJS.Signals): void {
    for (const reopen of callbacksBySignal[signal as ReopenSignal]) reopen()
  }

  return {
    add(signal, reopen) {
      const callbacks = callbacksBySignal[signal]
      if (callbacks.size === 0) process.on(signal, onSignal)
      callbacks.add(reopen)
      return () => {
        if (callbacks.delete(reopen) && callbacks.size === 0) process.removeListener(signal, onSignal)
      }
    },
  }
}
