import { partialSuccessOf, statusMessageOf } from './answer-body.ts'
import { describedAnswer } from './answer-words.ts'
import { clientRefused, type Answer, type Answered } from './answer.ts'

/** What has to be known of a request to read the answer. */
export interface Sent {
  /** What the answer is that does not say it. */
  readonly contentType: string
  /** How many records it had. */
  readonly records: number
  /** What must not be told where the server repeats it. */
  readonly secrets: readonly string[]
}

/** What an answer means for the records of its request. */
export type Outcome =
  /** Taken, but for `rejected` of them. `told`: something that the user should know. */
  | { readonly kind: 'taken'; readonly rejected: number; readonly told: string | undefined }
  /** Never: sending them again would give the same answer. */
  | { readonly kind: 'refused'; readonly told: string }
  /** Too many at once. */
  | { readonly kind: 'too large'; readonly told: string }
  /** Not now. */
  | { readonly kind: 'later'; readonly retryAfterMillis: number | undefined; readonly told: string }
  /** No answer. */
  | { readonly kind: 'unanswered'; readonly mayHaveArrived: boolean; readonly told: string }

/**
 * Reads an answer: 2xx is success, whole or in part (OTL11); 429, 502, 503 and 504 are worth another try (OTL8), after the
 * time that the server asks for (OTL9); so is no answer (OTL10). Everything else is final, redirects included, and so is an
 * answer that is longer than anybody reads (OTL7).
 *
 * @param now - ms since the epoch, for a `Retry-After` that is a date
 */
export function outcomeOf(answer: Answer, sent: Sent, now: number): Outcome {
  if (answer.status === undefined) {
    return { kind: 'unanswered', mayHaveArrived: answer.mayHaveArrived, told: unanswered(answer.why) }
  }
  const { status, bodyProblem } = answer
  const type = (answer.contentType ?? sent.contentType).toLowerCase()
  const isJson = type.includes('json')
  // Any other type is a page of something between here and there.
  const words = isJson || type.includes('protobuf') ? message(answer, isJson, sent) : ''
  // Browsers do not tell which redirect it is.
  const sentence = status === 0 ? 'answered with a redirect' : `answered ${status}${words}`
  if (bodyProblem === 'too large') return { kind: 'refused', told: `answered ${status} with more than 4 MiB` }
  if (status >= 200 && status < 300) return success(answer, isJson, sent)
  if (status === 413) return { kind: 'too large', told: sentence }
  if (!retryable.has(status)) return { kind: 'refused', told: sentence }
  return { kind: 'later', told: sentence, retryAfterMillis: retryAfter(answer.retryAfter, now) }
}

/** The wait that a `Retry-After` asks for in ms: seconds or an HTTP-date (RFC 9110, 10.2.3); undefined for anything else. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  // Date.parse takes nearly everything for a date. The two old forms of RFC 9110 are read as well; one of them has no zone.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return undefined
  const date = Date.parse(value.endsWith(' GMT') ? value : `${value} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504])

function success({ status, body, bodyProblem }: Answered, isJson: boolean, { records, secrets }: Sent): Outcome {
  const unreadable = `answered ${status} with a body that cannot be read: whether it took all records is not known`
  if (body === undefined) return { kind: 'taken', rejected: 0, told: `${unreadable} (it is ${bodyProblem})` }
  try {
    const { rejected: said, message } = partialSuccessOf(body, isJson)
    // Servers have counted more than they were sent; what is told is what is counted as lost.
    const rejected = Math.min(records, Math.ceil(said))
    if (said < 0) return { kind: 'taken', rejected: 0, told: unreadable }
    if (rejected > 0)
      return { kind: 'taken', rejected, told: `did not take ${rejected} records${describedAnswer(message, secrets)}` }
    return { kind: 'taken', rejected, told: message === '' ? undefined : `warns${describedAnswer(message, secrets)}` }
  } catch {
    return { kind: 'taken', rejected: 0, told: unreadable }
  }
}

function message({ body }: Answered, isJson: boolean, { secrets }: Sent): string {
  return body === undefined ? '' : describedAnswer(statusMessageOf(body, isJson), secrets)
}

/** What Node and OpenSSL say of certificates is a dozen codes. */
function unanswered(why: string): string {
  if (why === '') return 'gave no answer'
  if (clientRefused.test(why)) return `did not accept this client's certificate (${why})`
  const isCertificate = /CERT|SIGNED|ISSUER|ALTNAME|VERIFY/.test(why)
  return isCertificate ? `has a certificate that is not accepted (${why})` : `gave no answer (${why})`
}
