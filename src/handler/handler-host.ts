import type { OnDiagnostic } from '../options/configuration-error.ts'
import { callUserCallback } from '../options/observe-promise.ts'
import { maxTimerMillis } from '../options/option-checks.ts'
import { readClock } from '../record/time.ts'
import type { HandlerHost } from './handler.ts'
import { callbackFailed, HandlerMisuse } from './handler-diagnostics.ts'

/** The runtime services of a handler. */
export interface HostRuntime {
  /** The clock of the logger: ms since the Unix epoch. */
  readonly clock: () => number
  /** Runs a callback after a delay in ms. The process does not stay alive for it. */
  delay(millis: number, callback: () => void): { cancel(): void }
  readonly reportDiagnostic: OnDiagnostic
}

/** Creates the host of a user's handler, from the functions that depend on the records it handles. */
export function createHandlerHost(
  runtime: HostRuntime,
  { emit, filter, isPassedOn, originOf, onFlush }: Omit<HandlerHost<string>, 'now' | 'delay'>,
): HandlerHost<string> {
  const { clock, reportDiagnostic } = runtime
  return Object.freeze<HandlerHost<string>>({
    emit,
    filter,
    isPassedOn,
    originOf,
    now: () => readClock(clock),
    delay(millis, callback) {
      requireFunction('delay', callback)
      const delayed = runtime.delay(delayOf(millis), () =>
        callUserCallback(callback, [], (error) => reportDiagnostic(callbackFailed(error))),
      )
      return () => delayed.cancel()
    },
    onFlush(callback) {
      requireFunction('onFlush', callback)
      onFlush(callback)
    },
  })
}

function requireFunction(name: string, callback: unknown): void {
  if (typeof callback !== 'function') throw new HandlerMisuse(`the handler called ${name}() without a function`)
}

/** Returns a delay that timers accept. Node runs a timer with a longer delay, or one that is not a number, at once. */
function delayOf(millis: unknown): number {
  return typeof millis === 'number' && millis > 0 ? Math.min(millis, maxTimerMillis) : 0
}
