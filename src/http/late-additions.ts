import { presentExitGuard } from '../lifecycle/shared-exit-guard.ts'
import { delay, microtask } from '../platform/edge/timers.ts'
import { addOpenRequest, isExiting, removeOpenRequest, type OpenRequest } from './open-requests.ts'

/** The time, in ms, for which additions to a completed request are collected in one record. */
const collectionMillis = 100

/**
 * Calls `write` once: at once while the process exits, in a microtask without an exit guard, otherwise after a short time or before the
 * process exits. `write` writes one record with everything that was added to a completed request until then.
 */
export function writeLater(write: () => void): void {
  if (isExiting()) return write()
  // Without an exit guard, as on edge runtimes, the runtime may stop the program after the current task, and timers never fire.
  if (presentExitGuard() === undefined) return microtask(write)
  let isWritten = false
  const once = (): void => {
    if (isWritten) return
    isWritten = true
    removeOpenRequest(entry)
    timer.cancel()
    write()
  }
  const timer = delay(collectionMillis, once)
  const entry: OpenRequest = { endAtExit: once, earlier: undefined, later: undefined }
  // Last, because it calls `once` immediately if the process has begun to exit.
  addOpenRequest(entry)
}
