import { delay } from '../../platform/edge/timers.ts'
import { maxResponseBytes, type RequestResult, type HttpResponse } from '../otlp/request-result.ts'
import { withTracingSuppressed } from '../otlp/untraced.ts'
import { fetchFailure } from './failure.ts'
import { member, membersOf, ownCopy } from '../../options/own-members.ts'
import { onAbort } from '../../record/on-abort.ts'

/** One POST request with `fetch`. */
export interface FetchPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly keepalive: boolean
  /** The time limit in ms until the last byte of the response; 0: no limit. */
  readonly timeoutMillis: number
  /** Signals that abort the request, in addition to the time limit. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/**
 * Sends one request and reads the response, all within one time limit. Redirects are not followed, because only the user
 * decides where records are sent. Never rejects.
 */
export async function exchange(post: FetchPost, send: typeof globalThis.fetch): Promise<RequestResult> {
  if (post.signals.some((signal) => signal?.aborted === true)) return abortedAnswer(false)
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
  const abortion = new Promise<never>((_, reject) => {
    onAbort(controller.signal, () => reject(new Error('aborted')))
  })
  abortion.catch(() => {})
  let head: Head | undefined
  try {
    const response = await Promise.race([
      withTracingSuppressed(() => send(post.url, requestOf(post, controller.signal))),
      abortion,
    ])
    if (!isResponse(response)) return noResponse
    head = headOf(response)
    return { ...head, ...(await Promise.race([bodyOf(response), abortion])) }
  } catch (error) {
    if (head !== undefined) return { ...head, ...withoutBody('incomplete') }
    if (isTimedOut) return { status: undefined, why: 'timed out', mayHaveArrived: true }
    if (controller.signal.aborted) return abortedAnswer(true)
    const { code, mayHaveArrived } = fetchFailure(error)
    return { status: undefined, why: code ?? '', mayHaveArrived }
  } finally {
    timer?.cancel()
    for (const signal of post.signals) signal?.removeEventListener('abort', abort)
  }
}

/** Checks the value, because a custom `fetch` may return anything. */
function isResponse(given: unknown): given is Response {
  const { status, headers } = membersOf(Object(given) as Partial<Response>, ['status', 'headers'])
  return typeof status === 'number' && typeof member(Object(headers) as Partial<Headers>, 'get') === 'function'
}

const noResponse: RequestResult = ownCopy<RequestResult>({
  status: undefined,
  why: 'fetch did not return a Response',
  mayHaveArrived: true,
})

function abortedAnswer(mayHaveArrived: boolean): RequestResult {
  return { status: undefined, why: 'aborted', mayHaveArrived }
}

/** Returns only the members that are needed: some runtimes throw at members they do not support, such as `credentials`. */
function requestOf({ headers, body, keepalive }: FetchPost, signal: AbortSignal): RequestInit {
  return ownCopy<RequestInit>({
    method: 'POST',
    headers,
    body: body as Uint8Array<ArrayBuffer>,
    redirect: 'manual',
    signal,
    ...(keepalive ? { keepalive } : {}),
  })
}

async function bodyOf(response: Response): Promise<Body> {
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
