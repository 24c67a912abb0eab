import { delay } from '../../platform/edge/timers.ts'
import { maxAnswerBytes, type Answer, type Answered } from '../otlp/answer.ts'
import { untraced } from '../otlp/untraced.ts'
import { fetchFailure } from './failure.ts'
import { member, membersOf, ownCopy } from '../../options/own-members.ts'
import { onAbort } from '../../record/on-abort.ts'

/** One POST by `fetch`. */
export interface FetchPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly keepalive: boolean
  /** In ms, to the last byte of the answer; 0: no limit. */
  readonly timeoutMillis: number
  /** Who can call it off, beside the time. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/**
 * Sends one request and reads the answer, all of it within one deadline. Redirects are not followed: nobody but the user
 * decides where records go. Never rejects.
 */
export async function exchange(post: FetchPost, send: typeof globalThis.fetch): Promise<Answer> {
  if (post.signals.some((signal) => signal?.aborted === true)) return calledOff(false)
  const stop = new AbortController()
  let late = false
  const timer =
    post.timeoutMillis > 0
      ? delay(post.timeoutMillis, () => {
          late = true
          stop.abort()
        })
      : undefined
  timer?.keepAlive(true)
  const abort = (): void => stop.abort()
  for (const signal of post.signals) onAbort(signal, abort)
  // A `fetch` of the user's may ignore the signal: the deadline holds all the same.
  const stopped = new Promise<never>((_, reject) => {
    onAbort(stop.signal, () => reject(new Error('aborted')))
  })
  stopped.catch(() => {})
  let head: Head | undefined
  try {
    const response = await Promise.race([untraced(() => send(post.url, requestOf(post, stop.signal))), stopped])
    if (!isResponse(response)) return noResponse
    head = headOf(response)
    return { ...head, ...(await Promise.race([bodyOf(response), stopped])) }
  } catch (error) {
    if (head !== undefined) return { ...head, ...withoutBody('incomplete') }
    if (late) return { status: undefined, why: 'no answer in time', mayHaveArrived: true }
    if (stop.signal.aborted) return calledOff(true)
    const { code, mayHaveArrived } = fetchFailure(error)
    return { status: undefined, why: code ?? '', mayHaveArrived }
  } finally {
    timer?.cancel()
    for (const signal of post.signals) signal?.removeEventListener('abort', abort)
  }
}

/** A `fetch` of the user's may return anything. */
function isResponse(given: unknown): given is Response {
  const { status, headers } = membersOf(Object(given) as Partial<Response>, ['status', 'headers'])
  return typeof status === 'number' && typeof member(Object(headers) as Partial<Headers>, 'get') === 'function'
}

const noResponse: Answer = ownCopy<Answer>({
  status: undefined,
  why: 'fetch returned no Response',
  mayHaveArrived: true,
})

function calledOff(mayHaveArrived: boolean): Answer {
  return { status: undefined, why: 'its time was over', mayHaveArrived }
}

/** No member more than is needed: some runtimes throw at those that they do not know, such as `credentials`. */
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
    if (length > maxAnswerBytes) {
      reader?.cancel().catch(() => {})
      return withoutBody('too large')
    }
    chunks.push(read.value)
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.length
  }
  return { body, bodyProblem: undefined }
}

type Body = Pick<Answered, 'body' | 'bodyProblem'>
type Head = Omit<Answered, keyof Body>

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
