import { presentExitGuard } from '../delivery/exit-guard-place.ts'
import type { Guarded } from '../delivery/platform.ts'

/** A request that is not over. */
export interface OpenRequest {
  /** Says that the process ends before it is. */
  cutOff(): void
}

const open = new Set<OpenRequest>()
let release: (() => void) | undefined

/** A request has come: it has its record even when the process ends before it does. */
export function opened(request: OpenRequest): void {
  open.add(request)
  // Only while there are requests: with the last pipeline the process must be rid of listeners.
  release ??= presentExitGuard()?.add(guarded)
}

/** A request is over. */
export function closed(request: OpenRequest): void {
  open.delete(request)
  if (open.size > 0) return
  release?.()
  release = undefined
}

const guarded: Guarded = {
  drain(_deadline, occasion) {
    // After a signal that somebody else listens to, requests may yet be answered. Pipelines that were drained before write through.
    if (occasion === 'exit') for (const request of open) request.cutOff()
  },
  afterExit: () => {},
  // Whether signals are heard is for the loggers to say.
  handleSignals: false,
  exitTimeoutMillis: 2_000,
}
