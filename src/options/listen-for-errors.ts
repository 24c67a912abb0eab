import { callBack, disownPromise } from './observe-promise.ts'

/** An object that emits errors, such as a stream. */
export interface Emitter {
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener?(event: 'error', listener: () => void): unknown
}

interface ErrorListeners {
  readonly listeners: Set<(error: Error) => void>
  /** What the emitter calls. */
  readonly dispatch: (error: Error) => void
}

const byEmitter = new WeakMap<object, ErrorListeners>()

/**
 * Calls a function with each error of a stream, which then does not end the process. However many loggers use the stream, it has
 * one listener: Node warns of a leak from the eleventh on.
 *
 * @returns a function that removes it.
 */
export function listenForErrors(stream: Emitter, listener: (error: Error) => void): () => void {
  // Registered again for each call, so that one function can be added twice.
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
  disownPromise(stream.on('error', shared.dispatch))
  byEmitter.set(stream, shared)
  return shared
}

function end(stream: Emitter, listeners: ErrorListeners['listeners']): void {
  const shared = byEmitter.get(stream)
  if (shared?.listeners !== listeners) return
  byEmitter.delete(stream)
  // A stream that fails here may have been closed.
  callBack(
    () => stream.removeListener?.('error', shared.dispatch as () => void),
    [],
    () => {},
  )
}
