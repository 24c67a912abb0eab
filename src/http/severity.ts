import { standardLevels, type StandardLevel } from '../record/severity.ts'
import { exceptionTypeOf } from '../values/exception.ts'
import { isError } from '../values/is-error.ts'
import type { CompletedRequest, CompleteResponse } from './exchange.ts'
import type { OptionErrors } from './option-errors.ts'
import { member } from '../options/own-members.ts'

/**
 * Returns the default level of a completed request. As in OpenTelemetry's HTTP server spans, a 5xx status is an error, and so is a
 * request with an error, as defined by `CompletedRequest`. A 4xx status is not. A response that was not sent completely is a warning, and
 * so is a slow request.
 */
export function defaultLevelOf(exchange: CompletedRequest): StandardLevel {
  const { statusCode = 0, unfinished } = exchange.response
  if (statusCode >= 500 || exchange.error !== undefined) return 'error'
  return unfinished === undefined && !exchange.isSlow ? 'info' : 'warn'
}

/** Returns the level that the user's function selects. An invalid result is reported in the record, and the default applies. */
export function chosenLevel(
  exchange: CompletedRequest,
  choose: ((exchange: CompletedRequest) => StandardLevel | undefined) | undefined,
  optionErrors: OptionErrors,
): StandardLevel {
  const chosen = choose === undefined ? undefined : optionErrors.callOption('level', () => choose(exchange))
  if (chosen === undefined) return defaultLevelOf(exchange)
  if (standardLevels.includes(chosen)) return chosen
  optionErrors.add('level', 'not a level')
  return defaultLevelOf(exchange)
}

/**
 * Returns the `error.type` of a request, which has low cardinality: the type of its error, the reason why its response was not sent
 * completely, or a 5xx status; undefined without any of these.
 */
export function errorTypeOf({ statusCode = 0, unfinished }: CompleteResponse, error: unknown): string | undefined {
  if (error !== undefined) return errorTypeName(error)
  if (unfinished !== undefined) return unfinished
  return statusCode >= 500 ? String(statusCode) : undefined
}

function errorTypeName(error: unknown): string {
  if (isError(error)) return exceptionTypeOf(error)
  try {
    const name = member(Object(error) as { readonly name?: unknown }, 'name')
    return typeof name === 'string' && name !== '' ? name : typeof error
  } catch {
    return typeof error // a getter or a proxy threw
  }
}
