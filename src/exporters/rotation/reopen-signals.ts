import { define } from '../../options/define-member.ts'
import { isMainThread } from '../../platform/node/main-thread.ts'

/** A signal that log rotators send after they have renamed the files. */
export type ReopenSignal = 'SIGHUP' | 'SIGUSR2'

/**
 * The listeners of this process. Every loaded copy of this package uses those of the first one, so this shape changes only when
 * the `v1` in the key changes.
 */
interface ReopenSignals {
  add(signal: ReopenSignal, reopen: () => void): () => void
}

const registryKey = Symbol.for('sluice/v1/reopen-signals')

/**
 * Calls `reopen` at each signal. There is one listener for each signal, however many files use it, and it is removed with the
 * last of them. The listener prevents the signal from stopping the process: the exit guard, which drains on SIGHUP, detects the
 * listener and lets the process continue. In a worker thread, which does not receive signals, nothing is done.
 *
 * @returns A function that stops the calls.
 * @throws The system's error if the signal does not exist on this platform.
 */
export function onReopenSignal(signal: ReopenSignal, reopen: () => void): () => void {
  if (!isMainThread) return () => {}
  const shared = globalThis as { [registryKey]?: ReopenSignals }
  if (shared[registryKey] === undefined) define(shared, registryKey, { value: Object.freeze(createSignals()) })
  return shared[registryKey]!.add(signal, reopen)
}

function createSignals(): ReopenSignals {
  const reopenBySignal = { SIGHUP: new Set<() => void>(), SIGUSR2: new Set<() => void>() }

  function onSignal(signal: NodeJS.Signals): void {
    for (const reopen of reopenBySignal[signal as ReopenSignal]) reopen()
  }

  return {
    add(signal, reopen) {
      const files = reopenBySignal[signal]
      if (files.size === 0) process.on(signal, onSignal)
      files.add(reopen)
      return () => {
        if (files.delete(reopen) && files.size === 0) process.removeListener(signal, onSignal)
      }
    },
  }
}
