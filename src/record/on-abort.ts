import { withoutPrototype } from '../options/own-members.ts'

// An object without a prototype, because a `signal` or `passive` on Object.prototype would be read as an option.
const onceOptions = withoutPrototype({ once: true })

/** Calls a listener when a signal is aborted. Does nothing without a signal, or if the signal is aborted already. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): void {
  signal?.addEventListener('abort', listener, onceOptions)
}
