import type { CompletedRequest } from './exchange.ts'
import type { Settings } from './settings.ts'
import type { OptionErrors } from './option-errors.ts'

/**
 * Returns whether a completed request was slow, by the option `slowMillis`. One that completed without a status, an error or an
 * interruption, such as an upgraded connection, never is.
 */
export function isSlowRequest(
  { request, response, error, durationSeconds }: CompletedRequest,
  slowMillis: NonNullable<Settings['slowMillis']>,
  optionErrors: OptionErrors,
): boolean {
  const hasNoOutcome = response.statusCode === undefined && response.unfinished === undefined && error === undefined
  if (hasNoOutcome) return false
  const limit =
    typeof slowMillis === 'function' ? optionErrors.callOption('slowMillis', () => slowMillis(request)) : slowMillis
  if (limit === undefined) return false
  if (typeof limit === 'number' && limit >= 0) return durationSeconds * 1_000 >= limit
  optionErrors.add('slowMillis', 'not a number of milliseconds')
  return false
}
