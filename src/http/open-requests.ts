import { presentExitGuard } from '../lifecycle/exit-guard-place.ts'
import type { GuardedPipeline } from '../lifecycle/platform.ts'

/**
 * A request that is not complete. Open requests form an intrusive linked list: a growing Set replaces its table, and the old
 * tables, which stay alive until a major garbage collection, would keep completed requests alive.
 */
export interface OpenRequest {
  /** Ends the request because the process exits first. */
  cutOff(): void
  /** The neighbors in the list: the previous and the next request that arrived. */
  earlier: OpenRequest | undefined
  later: OpenRequest | undefined
}

let first: OpenRequest | undefined
let last: OpenRequest | undefined
let release: (() => void) | undefined

/** Adds a request, so that it is logged even when the process exits before it is complete. */
export function addOpenRequest(request: OpenRequest): void {
  request.earlier = last
  if (last === undefined) first = request
  else last.later = request
  last = request
  // Guard the exit only while requests are open: after the last pipeline is closed, the process must have no listeners left.
  release ??= presentExitGuard()?.add(guarded)
}

/** Removes a completed request. */
export function removeOpenRequest(request: OpenRequest): void {
  const { earlier, later } = request
  if (earlier === undefined) first = later
  else earlier.later = later
  if (later === undefined) last = earlier
  else later.earlier = earlier
  request.earlier = undefined
  request.later = undefined
  if (first !== undefined) return
  release?.()
  release = undefined
}

const guarded: GuardedPipeline = {
  drain(_deadline, occasion) {
    // After a signal that other code handles, requests may still be answered. Pipelines that were already drained write without
    // delay.
    if (occasion !== 'exit') return
    for (let request = first; request !== undefined;) {
      const { later }: OpenRequest = request
      request.cutOff()
      request = later
    }
  },
  afterExit: () => {},
  // The loggers decide whether signals are handled.
  handleSignals: false,
  exitTimeoutMillis: 2_000,
}
