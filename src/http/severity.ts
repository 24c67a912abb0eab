import { standardLevels, type StandardLevel } from '../record/severity.ts'
import { exceptionTypeOf } from '../values/exception.ts'
import { isError } from '../values/is-error.ts'
import type { CompletedRequest, CompleteResponse } from './exchange.ts'
import type { RequestLogDiagnostics } from './request-log-diagnostics.ts'
import { member } from '../options/own-members.ts'

/**
 * How severe it is that an exchange ended as it did. As OpenTelemetry has it of the spans of servers, what is the server's is an
 * error, a status of 5xx or no answer at all because of what was thrown; what is the client's is none. In between is a response
 * that nobody waited for.
 */
export function levelOf(exchange: CompletedRequest): StandardLevel {
  const { statusCode = 0, unfinished } = exchange.response
  if (statusCode >= 500 || exchange.error !== undefined) return 'error'
  return unfinished === undefined ? 'info' : 'warn'
}

/** The same, by a function of the user's; what that one must not say is shown, and changes nothing. */
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

/** What is known to be wrong with an exchange, of few different values; undefined where nothing is. */
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
