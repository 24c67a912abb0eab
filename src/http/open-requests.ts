import { presentExitGuard } from '../lifecycle/exit-guard-place.ts'
import type { Guarded } from '../lifecycle/platform.ts'

/**
 * A request that is not over. It stands in a list that goes through the requests themselves: a Set makes itself a new table each time
 * its room is used up, and the old ones, which the collector takes for alive until it looks at everything, kept requests with them.
 */
export interface OpenRequest {
  /** Says that the process ends before it is. */
  cutOff(): void
  /** Those that came just before and just after it. */
  earlier: OpenRequest | undefined
  later: OpenRequest | undefined
}

let first: OpenRequest | undefined
let last: OpenRequest | undefined
let release: (() => void) | undefined

/** A request has come: it has its record even when the process ends before it does. */
export function opened(request: OpenRequest): void {
  request.earlier = last
  if (last === undefined) first = request
  else last.later = request
  last = request
  // Only while there are requests: with the last pipeline the process must be rid of listeners.
  release ??= presentExitGuard()?.add(guarded)
}

/** A request is over. */
export function closed(request: OpenRequest): void {
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

const guarded: Guarded = {
  drain(_deadline, occasion) {
    // After a signal that somebody else listens to, requests may yet be answered. Pipelines that were drained before write through.
    if (occasion !== 'exit') return
    for (let request = first; request !== undefined;) {
      const { later }: OpenRequest = request
      request.cutOff()
      request = later
    }
  },
  afterExit: () => {},
  // Whether signals are heard is for the loggers to say.
  handleSignals: false,
  exitTimeoutMillis: 2_000,
}
