import { counted } from '../../options/counted.ts'
import { partialSuccessOf, statusMessageOf } from './response-body.ts'
import { clientCertificateAlert, type HttpResponse, type RequestResult } from './request-result.ts'
import { maskSecrets } from './mask.ts'

/** The properties of a request that are needed to interpret its response. */
export interface SentRequest {
  /** The content type of the request. A response without a content type is read as this one. */
  readonly contentType: string
  /** The number of records in the request. */
  readonly records: number
  /** Values that must not be reported if the server repeats them. */
  readonly secrets: readonly string[]
}

/** What the result of a request means for its records. `message` is the text to report. */
export type Outcome =
  /** The request was accepted, except for `rejected` of its records. Without a `message`, there is nothing to report. */
  | { readonly kind: 'accepted'; readonly rejected: number; readonly message: string | undefined }
  /** The request was rejected permanently, so another attempt would get the same response. */
  | { readonly kind: 'rejected'; readonly message: string }
  /** The request was too large. */
  | { readonly kind: 'too large'; readonly message: string }
  /** The request can be retried later. */
  | { readonly kind: 'later'; readonly retryAfterMillis: number | undefined; readonly message: string }
  /** There was no response. */
  | { readonly kind: 'unanswered'; readonly mayHaveArrived: boolean; readonly message: string }

/**
 * Interprets the result of a request as the OTLP specification requires. 2xx is full or partial success. 429, 502, 503 and 504 can be
 * retried, after the delay that the server requests; so can a request without a response. 413: the request can be split. Every other
 * response is final, including a redirect and a response over the size limit.
 *
 * @param now - The current time in ms since the epoch, for a `Retry-After` that is a date.
 */
export function outcomeOf(result: RequestResult, request: SentRequest, now: number): Outcome {
  if (result.status === undefined) {
    return { kind: 'unanswered', mayHaveArrived: result.mayHaveArrived, message: describeFailure(result.why) }
  }
  const { status, bodyProblem } = result
  const type = (result.contentType ?? request.contentType).toLowerCase()
  const isJson = type.includes('json')
  // A body of any other type is not from an OTLP server, but for example a page of a proxy.
  const serverText = isJson || type.includes('protobuf') ? formattedStatusMessage(result, isJson, request) : ''
  // Browsers do not expose the status of a redirect.
  const description =
    status === 0 ? 'responded with a redirect, which is not followed' : `responded with status ${status}${serverText}`
  if (bodyProblem === 'too large')
    return { kind: 'rejected', message: `responded with status ${status} and more than 4 MiB` }
  if (status >= 200 && status < 300) return successOutcome(result, isJson, request)
  if (status === 413) return { kind: 'too large', message: description }
  if (!retryableStatuses.has(status)) {
    const cure = likelyCures.get(status)
    return { kind: 'rejected', message: cure === undefined ? description : `${description}; ${cure}` }
  }
  return { kind: 'later', message: description, retryAfterMillis: parseRetryAfter(result.retryAfter, now) }
}

/** Returns the delay of a `Retry-After` header in ms. The header is seconds or an HTTP-date (RFC 9110, 10.2.3); else returns undefined. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  // All three forms of a date begin with a weekday, and `Date.parse` accepts almost any other text too. The asctime form has no time
  // zone, which is GMT.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return undefined
  const date = Date.parse(value.endsWith(' GMT') ? value : `${value} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** What to check after a status that usually has one cause. */
const likelyCures: ReadonlyMap<number, string> = new Map([
  [404, 'check the path of the URL, which is usually /v1/logs'],
  [405, 'check the path of the URL, which is usually /v1/logs'],
])

const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Returns the outcome of a 2xx response. */
function successOutcome(
  { status, body, bodyProblem }: HttpResponse,
  isJson: boolean,
  { records, secrets }: SentRequest,
): Outcome {
  const unreadableMessage = `responded with status ${status} and an unreadable body, so some records may have been rejected`
  if (body === undefined) return { kind: 'accepted', rejected: 0, message: `${unreadableMessage} (${bodyProblem})` }
  try {
    const { rejected: reportedCount, message } = partialSuccessOf(body, isJson)
    // Some servers report more rejected records than the request had.
    const rejected = Math.min(records, Math.ceil(reportedCount))
    if (reportedCount < 0) return { kind: 'accepted', rejected: 0, message: unreadableMessage }
    if (rejected > 0)
      return {
        kind: 'accepted',
        rejected,
        message: `rejected ${counted(rejected, 'record')}${formatServerMessage(message, secrets)}`,
      }
    return {
      kind: 'accepted',
      rejected,
      message: message === '' ? undefined : `returned a warning${formatServerMessage(message, secrets)}`,
    }
  } catch {
    return { kind: 'accepted', rejected: 0, message: unreadableMessage }
  }
}

/** Returns the server's message in the body of an error response, in parentheses, or an empty string. */
function formattedStatusMessage({ body }: HttpResponse, isJson: boolean, { secrets }: SentRequest): string {
  return body === undefined ? '' : formatServerMessage(statusMessageOf(body, isJson), secrets)
}

/** Returns the text for a request without a response. Node and OpenSSL report certificate failures with about a dozen codes. */
function describeFailure(why: string): string {
  if (why === '') return 'did not respond'
  if (clientCertificateAlert.test(why)) return `rejected the client certificate (${why})`
  const isCertificate = /CERT|SIGNED|ISSUER|ALTNAME|VERIFY/.test(why)
  return isCertificate ? `has a certificate that failed verification (${why})` : `did not respond (${why})`
}

/** The maximum length of a server's message in a diagnostic, in characters. */
const maxMessageLength = 200

/**
 * Returns a server's message in parentheses for a diagnostic, or an empty string if nothing of the message remains. Servers may repeat
 * what they received, so secrets are masked. That is done before the text is truncated, so that no part of a secret remains. To
 * exclude logged values, everything from the first quotation on is removed. (For JSON that it cannot parse, the Collector responds
 * with `error found in #10 byte of ...|…|..., bigger context ...|…|...`, where the bars surround parts of the request.)
 */
function formatServerMessage(text: string, secrets: readonly string[]): string {
  const [unquoted = ''] = maskSecrets(text.replaceAll(invisibleCharacters, ' '), secrets).split(quotationStart, 1)
  const safeText = unquoted.trim()
  if (safeText === '') return ''
  return ` (${safeText.length > maxMessageLength ? `${safeText.slice(0, maxMessageLength)}…` : safeText})`
}

/** Control and format characters, lone surrogates and line separators, which could forge or hide a line of output. */
const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu
/** The start of a quotation. An apostrophe inside a word does not start one. */
const quotationStart = /error found in|bigger context|["{`|“„«‘]|(?<![\p{L}\p{N}])'/iu
