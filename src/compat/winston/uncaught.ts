/** An uncaught exception or an unhandled rejection. */
export type Uncaught = 'exception' | 'rejection'

/** The process events of these errors. */
export const events = { exception: 'uncaughtException', rejection: 'unhandledRejection' } as const

type Handler = (error: unknown) => void

const handlers: Readonly<Record<Uncaught, Set<Handler>>> = { exception: new Set(), rejection: new Set() }
// One listener serves all loggers, because Node warns of a leak at the eleventh listener.
const listeners: Readonly<Record<Uncaught, Handler>> = {
  exception: (error) => callHandlers('exception', error),
  rejection: (error) => callHandlers('rejection', error),
}

/**
 * Calls `handler` for each error until the returned function is called. While a handler is registered, the error does not end the process.
 */
export function onUncaughtException(kind: Uncaught, handler: Handler): () => void {
  if (handlers[kind].size === 0) process.on(events[kind] as 'uncaughtException', listeners[kind])
  handlers[kind].add(handler)
  return () => {
    if (handlers[kind].delete(handler) && handlers[kind].size === 0)
      process.removeListener(events[kind], listeners[kind])
  }
}

function callHandlers(kind: Uncaught, error: unknown): void {
  // Copied, because a handler may add another one.
  for (const handler of Array.from(handlers[kind])) handler(error)
}
