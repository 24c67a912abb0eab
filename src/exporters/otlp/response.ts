import { partialSuccessOf, statusMessageOf } from './answer-body.ts'
import { clientCertificateRejected, type HttpResponse, type RequestResult } from './request-result.ts'
import { maskSecrets } from './mask.ts'

/** The properties of a request that are needed to interpret its response. */
export interface SentRequest {
  /** The content type of the request, which is assumed for a response without one. */
  readonly contentType: string
  /** The number of records in the request. */
  readonly records: number
  /** Values that must not be reported if the server repeats them. */
  readonly secrets: readonly string[]
}

/** The meaning of a response for the records of its request. */
export type Outcome =
  /** The request was accepted, except for `rejected` records. `message`: a warning to report. */
  | { readonly kind: 'taken'; readonly rejected: number; readonly message: string | undefined }
  /** The request was rejected permanently: another attempt would get the same response. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The request was too large. */
  | { readonly kind: 'too large'; readonly message: string }
  /** The request can be retried later. */
  | { readonly kind: 'later'; readonly retryAfterMillis: number | undefined; readonly message: string }
  /** There was no response. */
  | { readonly kind: 'unanswered'; readonly mayHaveArrived: boolean; readonly message: string }

/**
 * Interprets a response. 2xx is full or partial success (OTL11). 429, 502, 503 and 504 can be retried (OTL8), after the delay
 * that the server requests (OTL9); so can a missing response (OTL10). Everything else is final, including redirects and a
 * response over the size limit (OTL7).
 *
 * @param now - The current time in ms since the epoch, for a `Retry-After` that is a date.
 */
export function outcomeOf(answer: RequestResult, sent: SentRequest, now: number): Outcome {
  if (answer.status === undefined) {
    return { kind: 'unanswered', mayHaveArrived: answer.mayHaveArrived, message: describeFailure(answer.why) }
  }
  const { status, bodyProblem } = answer
  const type = (answer.contentType ?? sent.contentType).toLowerCase()
  const isJson = type.includes('json')
  // A body of another type is a page from an intermediary.
  const words = isJson || type.includes('protobuf') ? message(answer, isJson, sent) : ''
  // Browsers do not expose the status of a redirect.
  const sentence =
    status === 0 ? 'responded with a redirect, which is not followed' : `responded with status ${status}${words}`
  if (bodyProblem === 'too large')
    return { kind: 'refused', message: `responded with status ${status} and more than 4 MiB` }
  if (status >= 200 && status < 300) return success(answer, isJson, sent)
  if (status === 413) return { kind: 'too large', message: sentence }
  if (!retryable.has(status)) return { kind: 'refused', message: sentence }
  return { kind: 'later', message: sentence, retryAfterMillis: retryAfter(answer.retryAfter, now) }
}

/** Returns the delay of a `Retry-After` header in ms: seconds or an HTTP-date (RFC 9110, 10.2.3); undefined for anything else. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  // Date.parse accepts almost anything as a date. The two obsolete forms of RFC 9110 are parsed too; one of them has no time
  // zone.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return undefined
  const date = Date.parse(value.endsWith(' GMT') ? value : `${value} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504])

function success(
  { status, body, bodyProblem }: HttpResponse,
  isJson: boolean,
  { records, secrets }: SentRequest,
): Outcome {
  const unreadable = `responded with status ${status} and an unreadable body, so some records may have been rejected`
  if (body === undefined) return { kind: 'taken', rejected: 0, message: `${unreadable} (${bodyProblem})` }
  try {
    const { rejected: reported, message } = partialSuccessOf(body, isJson)
    // Some servers count more records than they received; the reported number is the number counted as lost.
    const rejected = Math.min(records, Math.ceil(reported))
    if (reported < 0) return { kind: 'taken', rejected: 0, message: unreadable }
    if (rejected > 0)
      return {
        kind: 'taken',
        rejected,
        message: `rejected ${rejected} records${serverMessage(message, secrets)}`,
      }
    return {
      kind: 'taken',
      rejected,
      message: message === '' ? undefined : `returned a warning${serverMessage(message, secrets)}`,
    }
  } catch {
    return { kind: 'taken', rejected: 0, message: unreadable }
  }
}

function message({ body }: HttpResponse, isJson: boolean, { secrets }: SentRequest): string {
  return body === undefined ? '' : serverMessage(statusMessageOf(body, isJson), secrets)
}

/** Describes a failure. Node and OpenSSL report certificate failures with about a dozen codes. */
function describeFailure(why: string): string {
  if (why === '') return 'did not respond'
  if (clientCertificateRejected.test(why)) return `rejected the client certificate (${why})`
  const isCertificate = /CERT|SIGNED|ISSUER|ALTNAME|VERIFY/.test(why)
  return isCertificate ? `has a certificate that failed verification (${why})` : `did not respond (${why})`
}

/** The maximum length of a server's message in a diagnostic, in characters. */
const maxLength = 200

/**
 * Returns a server's message in parentheses for a diagnostic, or an empty string if the response has no message. Servers repeat what they
 * received, so secrets are masked, before the text is truncated so that no partial secret remains. To exclude logged values,
 * everything from the first quotation on is removed. (For JSON that it cannot parse, the Collector responds with `error found
 * in #10 byte of ...|…|..., bigger context ...|…|...`, where the bars surround parts of the request.)
 */
function serverMessage(words: string, secrets: readonly string[]): string {
  const [unquoted = ''] = maskSecrets(words.replaceAll(invisible, ' '), secrets).split(quotation, 1)
  const text = unquoted.trim()
  if (text === '') return ''
  return ` (${text.length > maxLength ? `${text.slice(0, maxLength)}…` : text})`
}

/** Control and format characters, lone surrogates and line separators, which could forge or hide a line of output. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu
/** The start of a quotation. An apostrophe inside a word does not start one. */
const quotation = /error found in|bigger context|["{`|“„«‘]|(?<![\p{L}\p{N}])'/iu
