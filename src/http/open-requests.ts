import { presentExitGuard } from '../lifecycle/shared-exit-guard.ts'
import type { GuardedPipeline } from '../lifecycle/platform.ts'

/**
 * A request that is not complete, or late additions that are not written yet. Open requests form an intrusive linked list: a growing Set
 * replaces its table, and the old tables, which stay alive until a major garbage collection, would keep completed requests alive.
 */
export interface OpenRequest {
  /** Ends the request, or writes the late additions, because the process exits first. */
  endAtExit(): void
  /** The neighbors in the list: what was added before and after. */
  earlier: OpenRequest | undefined
  later: OpenRequest | undefined
}

let firstOpen: OpenRequest | undefined
let lastOpen: OpenRequest | undefined
let removeExitGuard: (() => void) | undefined

let hasExitStarted = false

/** Returns whether the process exits, so that nothing is written later. */
export function isExiting(): boolean {
  return hasExitStarted
}

/** Adds a request, so that it is logged even if the process exits before it is complete. While the process exits, it is ended at once. */
export function addOpenRequest(request: OpenRequest): void {
  request.earlier = lastOpen
  if (lastOpen === undefined) firstOpen = request
  else lastOpen.later = request
  lastOpen = request
  // Guard the exit only while requests are open: after the last pipeline is closed, the process must have no listeners left.
  removeExitGuard ??= presentExitGuard()?.add(guardedRequests)
  if (hasExitStarted) endOpenRequests()
}

/** Removes a completed request. */
export function removeOpenRequest(request: OpenRequest): void {
  const { earlier, later } = request
  if (earlier === undefined) firstOpen = later
  else earlier.later = later
  if (later === undefined) lastOpen = earlier
  else later.earlier = earlier
  request.earlier = undefined
  request.later = undefined
  if (firstOpen !== undefined) return
  removeExitGuard?.()
  removeExitGuard = undefined
}

function endOpenRequests(): void {
  hasExitStarted = true
  for (let request = firstOpen; request !== undefined;) {
    const { later }: OpenRequest = request
    request.endAtExit()
    request = later
  }
}

const guardedRequests: GuardedPipeline = {
  drain(_deadline, occasion) {
    // After a signal that other code handles, requests may still be answered. At exit, the loggers' pipelines may have been drained before
    // the requests end: their `afterExit`, which the exit guard calls after all drains, exports the records of these requests.
    if (occasion === 'exit') endOpenRequests()
  },
  // The exit guard calls it at once if the request was added after the pipelines were drained, as by an exit listener.
  afterExit: endOpenRequests,
  // The loggers decide whether signals are handled.
  handleSignals: false,
  // Has no effect: `drain` ignores the deadline.
  exitTimeoutMillis: 2_000,
}
