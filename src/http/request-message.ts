import type { CompletedRequest, HttpResponse } from './exchange.ts'
import type { Fields } from './fields.ts'
import type { Settings } from './settings.ts'
import type { OptionErrors } from './option-errors.ts'
import { safeMessage } from './returned-message.ts'

/**
 * The default messages: templates, so that the inserted values are redacted like the attributes, and that records can be grouped. The
 * route is inserted if it is known, else the path.
 */
const routeMessages = messagesWith('{http.route}')
const pathMessages = messagesWith('{url.path}')

/**
 * What a message reports: how a request ended, or `late` additions to it. `cut` means that it was aborted after the status was sent;
 * `aborted`, before that. `unanswered` means that it completed without a status or an error, such as an upgraded connection.
 */
type Outcome = 'answered' | 'unanswered' | 'failed' | 'aborted' | 'abortedByExit' | 'cut' | 'cutByExit' | 'late'

function messagesWith(target: string): Readonly<Record<Outcome, string>> {
  const request = `{http.request.method} ${target}`
  const status = '{http.response.status_code}'
  const duration = '{http.server.request.duration:duration}'
  return {
    answered: `${request} ${status} ${duration}`,
    unanswered: `${request} ${duration}`,
    failed: `${request} failed ${duration}`,
    aborted: `${request} aborted ${duration}`,
    abortedByExit: `${request} aborted by exit ${duration}`,
    cut: `${request} ${status} aborted ${duration}`,
    cutByExit: `${request} ${status} aborted by exit ${duration}`,
    late: `${request} after completion`,
  }
}

/** Returns the message of a record with what was added to a request after its completion. */
export function lateMessageOf(fields: Fields): string {
  return defaultMessages(fields).late
}

/** Returns the message of a completed request: that of the option `message`, or the default. */
export function messageOf(
  exchange: CompletedRequest,
  fields: Fields,
  { message, isSecretParameter }: Settings,
  optionErrors: OptionErrors,
): string {
  if (message === undefined) return defaultMessageOf(exchange, fields)
  if (typeof message === 'string') return message
  const returned = optionErrors.callOption('message', () => message(exchange))
  if (typeof returned === 'string') return safeMessage(returned, exchange.request.url, isSecretParameter)
  if (returned !== undefined) optionErrors.add('message', 'not a string')
  return defaultMessageOf(exchange, fields)
}

/** Returns the default message of a completed request. */
export function defaultMessageOf(
  { response, error }: Pick<CompletedRequest, 'response' | 'error'>,
  fields: Fields,
): string {
  return defaultMessages(fields)[outcomeOf(response, error)]
}

function defaultMessages(fields: Fields): Readonly<Record<Outcome, string>> {
  return fields['http.route'] === undefined ? pathMessages : routeMessages
}

function outcomeOf({ statusCode, unfinished }: HttpResponse, error: unknown): Outcome {
  if (unfinished === 'aborted') return statusCode === undefined ? 'aborted' : 'cut'
  if (unfinished === 'process_exit') return statusCode === undefined ? 'abortedByExit' : 'cutByExit'
  if (statusCode !== undefined) return 'answered'
  return error === undefined ? 'unanswered' : 'failed'
}
