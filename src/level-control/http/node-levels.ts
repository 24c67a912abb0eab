import { member, membersOf } from '../../options/own-members.ts'
import type { LevelsEndpoint } from './levels-endpoint.ts'
import {
  bodyConsumed,
  bodyIncomplete,
  bodyTimeout,
  bodyTooLong,
  decodeBody,
  maxBodyBytes,
  type LevelsRequest,
  type LevelsResponse,
  type RequestBody,
} from './levels-request.ts'
import { startTimer } from './start-timer.ts'

/** The part of `http.IncomingMessage`, or of a framework's request, that the levels handler uses. */
export interface NodeLevelsRequest {
  /** The HTTP method, such as `GET`. */
  readonly method?: string | undefined
  /** The path with its query. */
  readonly url?: string | undefined
  /** The header fields, by names in lowercase. */
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  /** The connection. */
  readonly socket?: { readonly remoteAddress?: string | undefined } | null | undefined
  /** Adds a listener for chunks of the body. */
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
}

/** The part of `http.ServerResponse` that the levels handler uses. */
export interface NodeLevelsResponse {
  /** Whether the header fields were sent. */
  readonly headersSent: boolean
  /** The status of the response. */
  statusCode: number
  /** Sets a header field. */
  setHeader(name: string, value: string): unknown
  /** Sends the response. */
  end(body: string): unknown
}

/** Answers a request of a Node server. Never rejects. */
export async function respondNode(
  endpoint: LevelsEndpoint,
  request: NodeLevelsRequest,
  response: NodeLevelsResponse,
  bodyMillis: number,
): Promise<void> {
  sendNode(request, response, await endpoint.respond(convertNode(request, request, bodyMillis)))
}

/**
 * Converts a request of a Node server.
 *
 * @param frameworkRequest - the request of the framework, which can have a parsed body and the address of the client behind a proxy
 */
export function convertNode(request: NodeLevelsRequest, frameworkRequest: object, bodyMillis: number): LevelsRequest {
  const { body, ip } = membersOf(frameworkRequest as { readonly body?: unknown; readonly ip?: unknown }, ['body', 'ip'])
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    remoteAddress: typeof ip === 'string' && ip !== '' ? ip : (request.socket?.remoteAddress ?? undefined),
    header: (name) => headerOf(request, name),
    readBody: () => readNodeBody(request, body, bodyMillis),
  }
}

function headerOf({ headers }: NodeLevelsRequest, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return Array.isArray(value) ? value.join(', ') : value
}

/** A stream of Node, with the members from which it follows how much was read. */
interface NodeStream {
  readonly readableDidRead?: boolean
  readonly readableEnded?: boolean
  readonly destroyed?: boolean
  on(event: 'data' | 'end' | 'close' | 'error', listener: (chunk: Uint8Array) => void): unknown
  removeListener?(event: string, listener: (chunk: Uint8Array) => void): unknown
  resume?(): unknown
}

/** The longest rest of a body that is too long and still read, because closing a connection with unread bytes can lose the response. */
const maxDiscardedBytes = 65_536

function readNodeBody(request: NodeLevelsRequest, parsed: unknown, millis: number): Promise<RequestBody> {
  const stream = request as unknown as NodeStream
  const announced = Number(headerOf(request, 'content-length') ?? 0)
  if (announced > maxDiscardedBytes) return Promise.reject(bodyTooLong())
  if (member(stream, 'readableDidRead') === true || member(stream, 'readableEnded') === true) {
    return announced > maxBodyBytes ? Promise.reject(bodyTooLong()) : parsedBody(parsed)
  }
  if (member(stream, 'destroyed') === true) return Promise.reject(bodyIncomplete())
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let bytes = 0
    function finish(settle: () => void): void {
      cancelTimer()
      for (const [event, listener] of listeners) stream.removeListener?.(event, listener)
      settle()
    }
    const listeners = [
      [
        'data',
        (chunk: Uint8Array) => {
          bytes += chunk.length
          if (bytes <= maxBodyBytes) chunks.push(chunk)
          else if (bytes > maxDiscardedBytes) finish(() => reject(bodyTooLong()))
        },
      ],
      ['end', () => finish(() => settleBody(chunks, bytes, resolve, reject))],
      ['close', () => finish(() => reject(bodyIncomplete()))],
    ] as const
    // It stays, because an error without a listener would end the process.
    stream.on('error', () => finish(() => reject(bodyIncomplete())))
    const cancelTimer = startTimer(millis, () => finish(() => reject(bodyTimeout(millis))))
    for (const [event, listener] of listeners) stream.on(event, listener)
  })
}

function settleBody(
  chunks: readonly Uint8Array[],
  bytes: number,
  resolve: (body: RequestBody) => void,
  reject: (error: unknown) => void,
): void {
  if (bytes > maxBodyBytes) return reject(bodyTooLong())
  try {
    resolve({ text: decodeBody(chunks) })
  } catch (error) {
    reject(error)
  }
}

/** Returns the body that a body parser has left in `request.body`. */
async function parsedBody(parsed: unknown): Promise<RequestBody> {
  if (parsed === undefined || parsed === null) throw bodyConsumed()
  if (parsed instanceof Uint8Array) {
    if (parsed.length > maxBodyBytes) throw bodyTooLong()
    return { text: decodeBody([parsed]) }
  }
  const text = typeof parsed === 'string' ? parsed : JSON.stringify(parsed)
  if (text.length > maxBodyBytes) throw bodyTooLong()
  return typeof parsed === 'string' ? { text } : { parsed }
}

function sendNode(request: NodeLevelsRequest, response: NodeLevelsResponse, sent: LevelsResponse): void {
  try {
    if (response.headersSent) return
    response.statusCode = sent.status
    // HTTP/2 has no header `connection`.
    const isHttp1 = Number(member(request as { readonly httpVersionMajor?: unknown }, 'httpVersionMajor') ?? 1) < 2
    for (const [name, value] of Object.entries(sent.headers)) {
      if (name !== 'connection' || isHttp1) response.setHeader(name, value)
    }
    response.end(sent.body)
  } catch {
    // The client has disconnected, or another handler has responded.
  }
}
