import { callUserCallback } from '../../options/observe-promise.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'

/** Callback of `flush()`. It receives an error if not everything could be written. */
export type FlushCallback = (error?: Error) => void

/** Returns a function that calls the user's callback once. It never throws: a throw or a rejection of the callback is reported. */
export function wrapFlushCallback(
  callback: FlushCallback | null | undefined,
  reportDiagnostic: OnDiagnostic,
): FlushCallback {
  let isCalled = false
  return (error) => {
    if (isCalled || !callback) return
    isCalled = true
    callUserCallback(callback, error === undefined || error === null ? [] : [error], () =>
      reportDiagnostic(callbackFailed),
    )
  }
}

const callbackFailed = { code: 'SLUICE_CALLBACK_FAILED', message: 'the callback of flush() threw or rejected' }
