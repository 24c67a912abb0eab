import { standardLevels, type StandardLevel } from '../record/severity.ts'
import { exceptionTypeOf } from '../values/exception.ts'
import { isError } from '../values/is-error.ts'
import type { CompletedRequest, CompleteResponse } from './exchange.ts'
import type { RequestLogDiagnostics } from './request-log-diagnostics.ts'
import { member } from '../options/own-members.ts'

/**
 * Returns the default level of a completed request. As in OpenTelemetry's HTTP server spans, server errors are errors: a 5xx
 * status, or no response because of a thrown error. Client errors are not. A response that the client did not wait for is a
 * warning.
 */
export function levelOf(exchange: CompletedRequest): StandardLevel {
  const { statusCode = 0, unfinished } = exchange.response
  if (statusCode >= 500 || exchange.error !== undefined) return 'error'
  return unfinished === undefined ? 'info' : 'warn'
}

/** Returns the level that the user's function selects. An invalid result is reported in the record, and the default applies. */
export function chosenLevel(
  exchange: CompletedRequest,
  choose: ((exchange: CompletedRequest) => StandardLevel | undefined) | undefined,
  diagnostics: RequestLogDiagnostics,
): StandardLevel {
  const chosen = choose === undefined ? undefined : diagnostics.callOption('level', () => choose(exchange))
  if (chosen === undefined) return levelOf(exchange)
  if (standardLevels.includes(chosen)) return chosen
  diagnostics.report('level', 'not a level')
  return levelOf(exchange)
}

/** Returns the `error.type` of a request, which has low cardinality; undefined when there was no error. */
export function errorTypeOf({ statusCode = 0, unfinished }: CompleteResponse, error: unknown): string | undefined {
  if (error !== undefined) return nameOf(error)
  if (unfinished !== undefined) return unfinished
  return statusCode >= 500 ? String(statusCode) : undefined
}

function nameOf(error: unknown): string {
  if (isError(error)) return exceptionTypeOf(error)
  try {
    const name = member(Object(error) as { readonly name?: unknown }, 'name')
    return typeof name === 'string' && name !== '' ? name : typeof error
  } catch {
    return typeof error // null, or a getter
  }
}
