import { delay } from '../../platform/edge/timers.ts'
import { maxResponseBytes, type RequestResult, type HttpResponse } from '../otlp/request-result.ts'
import { withTracingSuppressed } from '../otlp/tracing-suppression.ts'
import { fetchFailure } from './failure.ts'
import { member, membersOf, withoutPrototype } from '../../options/own-members.ts'
import { onAbort } from '../../record/on-abort.ts'

/** One POST request with `fetch`. */
export interface FetchPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the browser continues the request after the page is left. */
  readonly keepalive: boolean
  /** The time limit in ms until the last byte of the response; 0: no limit. */
  readonly timeoutMillis: number
  /** Signals that abort the request, in addition to the time limit. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/**
 * Sends one request and reads the response within one time limit. Redirects are not followed, because only the configured URL
 * receives records. Never rejects.
 *
 * @param fetchFunction - the global `fetch`, or a function that the user configured instead
 */
export async function postWithFetch(post: FetchPost, fetchFunction: typeof globalThis.fetch): Promise<RequestResult> {
  if (post.signals.some((signal) => signal?.aborted === true)) return abortedResult(false)
  const controller = new AbortController()
  let isTimedOut = false
  const timer =
    post.timeoutMillis > 0
      ? delay(post.timeoutMillis, () => {
          isTimedOut = true
          controller.abort()
        })
      : undefined
  timer?.keepAlive(true)
  const abort = (): void => controller.abort()
  for (const signal of post.signals) onAbort(signal, abort)
  // A custom `fetch` may ignore the signal, so enforce the time limit here too.
  const abortPromise = new Promise<never>((_, reject) => {
    onAbort(controller.signal, () => reject(new Error('aborted')))
  })
  abortPromise.catch(() => {})
  let head: Head | undefined
  try {
    const response = await Promise.race([
      withTracingSuppressed(() => fetchFunction(post.url, requestInit(post, controller.signal))),
      abortPromise,
    ])
    if (!isResponse(response)) return noResponse
    head = headOf(response)
    return { ...head, ...(await Promise.race([readBody(response), abortPromise])) }
  } catch (error) {
    if (head !== undefined) return { ...head, ...withoutBody('incomplete') }
    if (isTimedOut) return { status: undefined, why: 'timed out', mayHaveArrived: true }
    if (controller.signal.aborted) return abortedResult(true)
    const { code, mayHaveArrived } = fetchFailure(error)
    return { status: undefined, why: code ?? '', mayHaveArrived }
  } finally {
    timer?.cancel()
    for (const signal of post.signals) signal?.removeEventListener('abort', abort)
  }
}

/** Returns whether a value has the members of a Response that are used. A custom `fetch` may return any value. */
function isResponse(value: unknown): value is Response {
  const { status, headers } = membersOf(Object(value) as Partial<Response>, ['status', 'headers'])
  return typeof status === 'number' && typeof member(Object(headers) as Partial<Headers>, 'get') === 'function'
}

const noResponse: RequestResult = withoutPrototype<RequestResult>({
  status: undefined,
  why: 'fetch did not return a Response',
  mayHaveArrived: true,
})

function abortedResult(mayHaveArrived: boolean): RequestResult {
  return { status: undefined, why: 'aborted', mayHaveArrived }
}

/** Returns only the members that are needed: some runtimes throw if there is one that they do not support, such as `credentials`. */
function requestInit({ headers, body, keepalive }: FetchPost, signal: AbortSignal): RequestInit {
  return withoutPrototype<RequestInit>({
    method: 'POST',
    headers,
    body: body as Uint8Array<ArrayBuffer>,
    redirect: 'manual',
    signal,
    ...(keepalive ? { keepalive } : {}),
  })
}

/** Reads the body of a response, up to `maxResponseBytes`. */
async function readBody(response: Response): Promise<Body> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    length += read.value.length
    if (length > maxResponseBytes) {
      reader?.cancel().catch(() => {})
      return withoutBody('too large')
    }
    chunks.push(read.value)
  }
  const body = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk, offset)
    offset += chunk.length
  }
  return { body, bodyProblem: undefined }
}

type Body = Pick<HttpResponse, 'body' | 'bodyProblem'>
type Head = Omit<HttpResponse, keyof Body>

function withoutBody(bodyProblem: Body['bodyProblem']): Body {
  return { body: undefined, bodyProblem }
}

function headOf({ status, headers }: Response): Head {
  return {
    status,
    retryAfter: headers.get('retry-after') ?? undefined,
    contentType: headers.get('content-type') ?? undefined,
  }
}
