import { define } from '../../options/define-member.ts'
import { isMainThread } from '../../platform/node/main-thread.ts'

/** A signal by which log rotators say that they have renamed the files. */
export type ReopenSignal = 'SIGHUP' | 'SIGUSR2'

/** The process-wide listeners. Every loaded copy of this package uses the first one's: its shape changes only with the `v1`. */
interface ReopenSignals {
  add(signal: ReopenSignal, reopen: () => void): () => void
}

const place = Symbol.for('sluice/v1/reopen-signals')

/**
 * Calls `reopen` at each signal. There is one listener for each signal, however many files wait for it, and it is removed
 * with the last. A listener keeps the signal from ending the process; the exit guard, which drains on SIGHUP, sees it and
 * lets the process go on. A worker thread hears no signals: there, nothing is done.
 *
 * @returns a function that ends it.
 * @throws the system's error where there is no such signal.
 */
export function onReopenSignal(signal: ReopenSignal, reopen: () => void): () => void {
  if (!isMainThread) return () => {}
  const shared = globalThis as { [place]?: ReopenSignals }
  if (shared[place] === undefined) define(shared, place, { value: Object.freeze(createSignals()) })
  return shared[place]!.add(signal, reopen)
}

function createSignals(): ReopenSignals {
  const waiting = { SIGHUP: new Set<() => void>(), SIGUSR2: new Set<() => void>() }

  function onSignal(signal: NodeJS.Signals): void {
    for (const reopen of waiting[signal as ReopenSignal]) reopen()
  }

  return {
    add(signal, reopen) {
      const files = waiting[signal]
      if (files.size === 0) process.on(signal, onSignal)
      files.add(reopen)
      return () => {
        if (files.delete(reopen) && files.size === 0) process.removeListener(signal, onSignal)
      }
    },
  }
}
