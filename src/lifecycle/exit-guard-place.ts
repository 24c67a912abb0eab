import type { Guarded, RunAs } from './platform.ts'

/** The process-wide guard. Every loaded copy of this package uses the first one's: its shape changes only with the `v1`. */
export interface ExitGuard {
  add(guarded: Guarded): () => void
  readonly runAs: RunAs
}

/** Where the guard stands. */
export const exitGuardPlace: unique symbol = Symbol.for('sluice/v1/exit-guard') as never

/** The guard of this process; undefined where no pipeline is guarded, and where nobody is told of an end. */
export function presentExitGuard(): ExitGuard | undefined {
  return (globalThis as { readonly [exitGuardPlace]?: ExitGuard })[exitGuardPlace]
}

/** Calls a function, and attributes the work that it starts during a natural exit. Returns and throws what the function does. */
export const runAs: RunAs = (owner, call) => {
  const guard = presentExitGuard()
  return guard === undefined ? call() : guard.runAs(owner, call)
}
