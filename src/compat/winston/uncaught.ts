/** What nobody caught, or handled. */
export type Uncaught = 'exception' | 'rejection'

/** How the process tells of it. */
export const events = { exception: 'uncaughtException', rejection: 'unhandledRejection' } as const

type Hearer = (error: unknown) => void

const hearers: Readonly<Record<Uncaught, Set<Hearer>>> = { exception: new Set(), rejection: new Set() }
// One listener for all loggers: at the eleventh Node would warn of a leak.
const listeners: Readonly<Record<Uncaught, Hearer>> = {
  exception: (error) => tell('exception', error),
  rejection: (error) => tell('rejection', error),
}

/** Has `hearer` told of each, which keeps the process from ending by it, until what this returns is called. */
export function onUncaughtException(kind: Uncaught, hearer: Hearer): () => void {
  if (hearers[kind].size === 0) process.on(events[kind] as 'uncaughtException', listeners[kind])
  hearers[kind].add(hearer)
  return () => {
    if (hearers[kind].delete(hearer) && hearers[kind].size === 0) process.removeListener(events[kind], listeners[kind])
  }
}

function tell(kind: Uncaught, error: unknown): void {
  // Those that hear now: what one does may add another.
  for (const hearer of Array.from(hearers[kind])) hearer(error)
}
