import { delay } from '../../edge/timers.ts'
import { maxAnswerBytes, type Answer, type Answered } from '../otlp/answer.ts'
import { untraced } from '../otlp/untraced.ts'
import { fetchFailure } from './failure.ts'
import { member, ownCopy } from '../../record/member.ts'
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
  let response: Response | undefined
  try {
    const given = await Promise.race([untraced(() => send(post.url, requestOf(post, stop.signal))), stopped])
    if (typeof member(given, 'status') !== 'number') return noResponse
    response = given
    return await Promise.race([answerOf(response), stopped])
  } catch (error) {
    if (response !== undefined) return answered(response, undefined, 'incomplete')
    if (late) return { status: undefined, why: 'no answer in time', mayHaveArrived: true }
    if (stop.signal.aborted) return calledOff(true)
    const { code, mayHaveArrived } = fetchFailure(error)
    return { status: undefined, why: code ?? '', mayHaveArrived }
  } finally {
    timer?.cancel()
    for (const signal of post.signals) signal?.removeEventListener('abort', abort)
  }
}

/** What a `fetch` of the user's answers may be anything. */
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

async function answerOf(response: Response): Promise<Answer> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    length += read.value.length
    if (length > maxAnswerBytes) {
      reader?.cancel().catch(() => {})
      return answered(response, undefined, 'too large')
    }
    chunks.push(read.value)
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.length
  }
  return answered(response, body)
}

function answered(
  { status, headers }: Response,
  body: Uint8Array | undefined,
  bodyProblem?: Answered['bodyProblem'],
): Answered {
  return {
    status,
    retryAfter: headers.get('retry-after') ?? undefined,
    contentType: headers.get('content-type') ?? undefined,
    body,
    bodyProblem,
  }
}
