/** The global functions of timers. */
export interface TimerScope {
  setTimeout: (callback: () => void, delay?: number) => unknown
  setInterval: (callback: () => void, delay?: number) => unknown
  clearTimeout: (id: unknown) => void
  clearInterval: (id: unknown) => void
}

/** Counts the timers of a program that have not fired or been cleared. */
export class CountedTimers {
  private readonly pending = new Set<unknown>()

  get count(): number {
    return this.pending.size
  }

  /** Replaces the timers of a scope by ones that are counted. */
  install(scope: TimerScope): void {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = scope
    const { pending } = this
    scope.setTimeout = (callback: unknown, delay?: number, ...args: unknown[]) => {
      const id = setTimeout.call(
        scope,
        () => {
          pending.delete(id)
          ;(callback as (...values: unknown[]) => void)(...args)
        },
        delay,
      )
      pending.add(id)
      return id
    }
    scope.setInterval = (callback: unknown, delay?: number, ...args: unknown[]) => {
      const id = setInterval.call(scope, () => (callback as (...values: unknown[]) => void)(...args), delay)
      pending.add(id)
      return id
    }
    // Either function clears both kinds of timers.
    scope.clearTimeout = (id) => {
      pending.delete(id)
      clearTimeout.call(scope, id)
    }
    scope.clearInterval = (id) => {
      pending.delete(id)
      clearInterval.call(scope, id)
    }
  }
}
