/** An uncaught exception or an unhandled rejection. */
export type UncaughtKind = 'exception' | 'rejection'

/** The name of the process event of each kind. */
export const uncaughtEvents = { exception: 'uncaughtException', rejection: 'unhandledRejection' } as const

type Handler = (error: unknown) => void

const handlers: Readonly<Record<UncaughtKind, Set<Handler>>> = { exception: new Set(), rejection: new Set() }
// One listener serves all loggers, because Node warns of a leak at the eleventh listener.
const listeners: Readonly<Record<UncaughtKind, Handler>> = {
  exception: (error) => callHandlers('exception', error),
  rejection: (error) => callHandlers('rejection', error),
}

/**
 * Calls `handler` for each error until the returned function is called. While a handler is registered, the error does not end the process.
 */
export function onUncaught(kind: UncaughtKind, handler: Handler): () => void {
  if (handlers[kind].size === 0) process.on(uncaughtEvents[kind] as 'uncaughtException', listeners[kind])
  handlers[kind].add(handler)
  return () => {
    if (handlers[kind].delete(handler) && handlers[kind].size === 0)
      process.removeListener(uncaughtEvents[kind], listeners[kind])
  }
}

function callHandlers(kind: UncaughtKind, error: unknown): void {
  // A copy is iterated, because a handler may add another one.
  for (const handler of Array.from(handlers[kind])) handler(error)
}
