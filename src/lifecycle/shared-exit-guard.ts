import type { GuardedPipeline, RunAs } from './platform.ts'

/**
 * The exit guard of the process. All copies of this package use the one that was created first, so this interface changes only
 * together with the `v1` in its key.
 */
export interface ExitGuard {
  /** Guards a pipeline. Returns a function that ends the guarding. */
  add(pipeline: GuardedPipeline): () => void
  /** Calls a function, and attributes the work that it starts to an owner. */
  readonly runAs: RunAs
}

/** The key of the exit guard on `globalThis`. */
export const exitGuardKey: unique symbol = Symbol.for('sluice/v1/exit-guard') as never

/** Returns the exit guard of this process; undefined until a pipeline is guarded, and in runtimes that do not signal the exit. */
export function presentExitGuard(): ExitGuard | undefined {
  return (globalThis as { readonly [exitGuardKey]?: ExitGuard })[exitGuardKey]
}

/**
 * Calls a function, and attributes the work that it starts to an owner, which matters while the process exits with an empty event
 * loop. Returns and throws what the function does.
 */
export const attributeWorkTo: RunAs = (owner, call) => {
  const guard = presentExitGuard()
  return guard === undefined ? call() : guard.runAs(owner, call)
}
