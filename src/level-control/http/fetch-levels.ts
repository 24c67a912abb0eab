import { member, withoutPrototype } from '../../options/own-members.ts'
import type { LevelsEndpoint } from './levels-endpoint.ts'
import {
  bodyConsumed,
  bodyIncomplete,
  bodyTimeout,
  bodyTooLong,
  decodeBody,
  maxBodyBytes,
  type RequestBody,
} from './levels-request.ts'
import { startTimer } from './start-timer.ts'

/** The part of a Fetch API `Request` that the levels handler uses. */
export interface FetchLevelsRequest {
  /** The HTTP method, such as `GET`. */
  readonly method: string
  /** The absolute URL. */
  readonly url: string
  /** The header fields, by case-insensitive name. */
  readonly headers: { get(name: string): string | null }
  /** Whether the body was already read. */
  readonly bodyUsed?: boolean
  /** The body as a stream; null without a body. */
  readonly body?: unknown
}

/** What a framework has about a request in addition to the request. */
export interface FetchRequestContext {
  readonly remoteAddress: string | undefined
  /** Returns the text of a body that was already read. */
  readonly cachedText: (() => unknown) | undefined
}

/** Answers a Fetch API request. Never rejects. */
export async function respondFetch(
  endpoint: LevelsEndpoint,
  request: FetchLevelsRequest,
  { remoteAddress, cachedText }: FetchRequestContext,
  bodyMillis: number,
): Promise<Response> {
  const { method, url, headers } = request
  const {
    status,
    headers: sent,
    body,
  } = await endpoint.respond({
    method,
    url,
    remoteAddress,
    header: (name) => headers.get(name) ?? undefined,
    readBody: () => readFetchBody(request, cachedText, bodyMillis),
  })
  // The server decides on `connection`.
  const responseHeaders = Object.entries(sent).filter(([name]) => name !== 'connection')
  return new Response(method === 'HEAD' ? null : body, withoutPrototype({ status, headers: responseHeaders }))
}

async function readFetchBody(
  request: FetchLevelsRequest,
  cachedText: (() => unknown) | undefined,
  millis: number,
): Promise<RequestBody> {
  if (member(request, 'bodyUsed') === true) return readCachedText(cachedText)
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw bodyTooLong()
  const body = member(request, 'body') as ReadableStream<Uint8Array> | null | undefined
  if (body === null || body === undefined) return { text: '' }
  if (body.locked) throw bodyConsumed()
  return { text: decodeBody(await readChunks(body, millis)) }
}

async function readChunks(body: ReadableStream<Uint8Array>, millis: number): Promise<Uint8Array[]> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  const { promise: expired, reject: expire } = Promise.withResolvers<never>()
  const cancelTimer = startTimer(millis, () => expire(bodyTimeout(millis)))
  try {
    for (;;) {
      const { done, value } = await Promise.race([readNext(reader), expired])
      if (done) return chunks
      bytes += value.length
      if (bytes > maxBodyBytes) throw bodyTooLong()
      chunks.push(value)
    }
  } catch (error) {
    reader.cancel().catch(() => {})
    throw error
  } finally {
    cancelTimer()
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function readNext(reader: Reader): ReturnType<Reader['read']> {
  try {
    return await reader.read()
  } catch {
    throw bodyIncomplete()
  }
}

async function readCachedText(cachedText: (() => unknown) | undefined): Promise<RequestBody> {
  let text: unknown
  try {
    text = await cachedText?.()
  } catch {
    throw bodyConsumed()
  }
  if (typeof text !== 'string') throw bodyConsumed()
  if (text.length > maxBodyBytes) throw bodyTooLong()
  return { text }
}
