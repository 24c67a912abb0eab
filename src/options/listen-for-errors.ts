import { callBack, ignoreRejection } from './observe-promise.ts'

/** An object that emits errors, such as a stream. */
export interface Emitter {
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener?(event: 'error', listener: () => void): unknown
}

interface ErrorListeners {
  readonly listeners: Set<(error: Error) => void>
  /** The shared listener of the emitter. */
  readonly dispatch: (error: Error) => void
}

const byEmitter = new WeakMap<object, ErrorListeners>()

/**
 * Calls a function with each error of a stream, so that errors do not end the process. All loggers that use the stream share one
 * listener, because Node warns of a leak from the eleventh on.
 *
 * @returns a function that removes the listener
 */
export function listenForErrors(stream: Emitter, listener: (error: Error) => void): () => void {
  // A new function for each call, so that the same listener can be added twice.
  const own = (error: Error): void => listener(error)
  const { listeners } = byEmitter.get(stream) ?? begin(stream)
  listeners.add(own)
  return () => {
    if (listeners.delete(own) && listeners.size === 0) end(stream, listeners)
  }
}

function begin(stream: Emitter): ErrorListeners {
  const listeners = new Set<(error: Error) => void>()
  const shared = {
    listeners,
    dispatch: (error: Error) => {
      for (const listener of Array.from(listeners)) listener(error)
    },
  }
  ignoreRejection(stream.on('error', shared.dispatch))
  byEmitter.set(stream, shared)
  return shared
}

function end(stream: Emitter, listeners: ErrorListeners['listeners']): void {
  const shared = byEmitter.get(stream)
  if (shared?.listeners !== listeners) return
  byEmitter.delete(stream)
  // The stream may have been closed, and then this can fail.
  callBack(
    () => stream.removeListener?.('error', shared.dispatch as () => void),
    [],
    () => {},
  )
}
