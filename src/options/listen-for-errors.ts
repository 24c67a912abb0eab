import { callUserCallback, ignoreRejection } from './observe-promise.ts'

/** An object that emits errors, such as a stream. */
export interface ErrorEmitter {
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener?(event: 'error', listener: () => void): unknown
}

/** Passes the errors of one emitter to several listeners. */
interface ErrorDispatcher {
  readonly listeners: Set<(error: Error) => void>
  /** The only listener that is added to the emitter. It calls all `listeners`. */
  readonly dispatch: (error: Error) => void
}

const dispatcherOf = new WeakMap<object, ErrorDispatcher>()

/**
 * Calls a function with each error of a stream, so that errors do not end the process. All loggers that use the stream share one
 * listener, because Node warns of a memory leak if there are more than ten.
 *
 * @returns a function that removes the listener
 */
export function listenForErrors(stream: ErrorEmitter, listener: (error: Error) => void): () => void {
  // A new function for each call, because the set would contain the same listener only once.
  const addedListener = (error: Error): void => listener(error)
  const { listeners } = dispatcherOf.get(stream) ?? addDispatcher(stream)
  listeners.add(addedListener)
  return () => {
    if (listeners.delete(addedListener) && listeners.size === 0) removeDispatcher(stream, listeners)
  }
}

function addDispatcher(stream: ErrorEmitter): ErrorDispatcher {
  const listeners = new Set<(error: Error) => void>()
  const dispatcher = {
    listeners,
    dispatch: (error: Error) => {
      for (const listener of Array.from(listeners)) listener(error)
    },
  }
  ignoreRejection(stream.on('error', dispatcher.dispatch))
  dispatcherOf.set(stream, dispatcher)
  return dispatcher
}

function removeDispatcher(stream: ErrorEmitter, listeners: ErrorDispatcher['listeners']): void {
  const dispatcher = dispatcherOf.get(stream)
  if (dispatcher?.listeners !== listeners) return
  dispatcherOf.delete(stream)
  // This can throw if the stream was closed.
  callUserCallback(
    () => stream.removeListener?.('error', dispatcher.dispatch as () => void),
    [],
    () => {},
  )
}
