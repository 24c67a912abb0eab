import { ownCopy } from '../options/own-members.ts'

// Without a prototype: a `signal` or `passive` on Object.prototype would be read as an option.
const once = ownCopy({ once: true })

/** Calls a listener when a signal is aborted. Does nothing without a signal. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): void {
  signal?.addEventListener('abort', listener, once)
}
