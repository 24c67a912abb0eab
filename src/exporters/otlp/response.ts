import { partialSuccessOf, statusMessageOf } from './answer-body.ts'
import { describedAnswer } from './answer-words.ts'
import { clientRefused, type Answer, type HttpResponse } from './answer.ts'

/** The properties of a request that are needed to interpret its response. */
export interface Sent {
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
export function outcomeOf(answer: Answer, sent: Sent, now: number): Outcome {
  if (answer.status === undefined) {
    return { kind: 'unanswered', mayHaveArrived: answer.mayHaveArrived, message: describeFailure(answer.why) }
  }
  const { status, bodyProblem } = answer
  const type = (answer.contentType ?? sent.contentType).toLowerCase()
  const isJson = type.includes('json')
  // A body of another type is a page from an intermediary.
  const words = isJson || type.includes('protobuf') ? message(answer, isJson, sent) : ''
  // Browsers do not expose the status of a redirect.
  const sentence = status === 0 ? 'answered with a redirect' : `answered ${status}${words}`
  if (bodyProblem === 'too large') return { kind: 'refused', message: `answered ${status} with more than 4 MiB` }
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

function success({ status, body, bodyProblem }: HttpResponse, isJson: boolean, { records, secrets }: Sent): Outcome {
  const unreadable = `answered ${status} with a body that cannot be read: whether it took all records is not known`
  if (body === undefined) return { kind: 'taken', rejected: 0, message: `${unreadable} (it is ${bodyProblem})` }
  try {
    const { rejected: reported, message } = partialSuccessOf(body, isJson)
    // Some servers count more records than they received; the reported number is the number counted as lost.
    const rejected = Math.min(records, Math.ceil(reported))
    if (reported < 0) return { kind: 'taken', rejected: 0, message: unreadable }
    if (rejected > 0)
      return {
        kind: 'taken',
        rejected,
        message: `did not take ${rejected} records${describedAnswer(message, secrets)}`,
      }
    return {
      kind: 'taken',
      rejected,
      message: message === '' ? undefined : `warns${describedAnswer(message, secrets)}`,
    }
  } catch {
    return { kind: 'taken', rejected: 0, message: unreadable }
  }
}

function message({ body }: HttpResponse, isJson: boolean, { secrets }: Sent): string {
  return body === undefined ? '' : describedAnswer(statusMessageOf(body, isJson), secrets)
}

/** Describes a failure. Node and OpenSSL report certificate failures with about a dozen codes. */
function describeFailure(why: string): string {
  if (why === '') return 'gave no answer'
  if (clientRefused.test(why)) return `did not accept this client's certificate (${why})`
  const isCertificate = /CERT|SIGNED|ISSUER|ALTNAME|VERIFY/.test(why)
  return isCertificate ? `has a certificate that is not accepted (${why})` : `gave no answer (${why})`
}
