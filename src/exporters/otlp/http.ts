import type * as http from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import type { ZlibOptions } from 'node:zlib'
import type { Delay } from '../../lifecycle/platform.ts'
import { isOnlyConnecting } from '../../platform/node/connecting.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { clientCertificateRejected, maxResponseBytes, type RequestResult, type HttpResponse } from './request-result.ts'
import { withTracingSuppressed } from './untraced.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** How often a connection attempt is checked that must not keep the process alive, in ms. */
const attemptCheckMillis = 100

/** One POST request. */
export interface Post {
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /** Certificates and keys as PEM, and other TLS options, for `https:`. */
  readonly tls: Readonly<Record<string, unknown>>
  /** The time limit in ms, from the DNS lookup to the last byte of the response; 0: no limit. */
  readonly timeoutMillis: number
}

/** A POST request in progress. */
export interface Exchange {
  /** The outcome. Never rejects. */
  readonly answer: Promise<RequestResult>
  /** Aborts the request and closes its connection. Returns its outcome. */
  cancel(why: string): RequestResult
  /** Sets whether the request keeps the process alive. */
  keepAlive(keepsProcessAlive: boolean): void
}

// Modules such as https take about 10 ms to load. They are loaded when the first exporter of this kind is created, here and in
// the neighboring files, so that a program that logs only to files does not load them.

/**
 * Sends one request and reads the response, all within one time limit. Redirects are not followed, because only the configured
 * URL receives records. After a failure the connection is closed.
 */
export function post(request: Post, agent: http.Agent): Exchange {
  const { promise, resolve } = Promise.withResolvers<RequestResult>()
  let settled: RequestResult | undefined
  let keepsProcessAlive = true
  let client: http.ClientRequest | undefined
  let connection: Socket | undefined
  let isConnected = false
  let response: http.IncomingMessage | undefined
  let attemptTimer: Delay | undefined

  const deadline =
    request.timeoutMillis > 0 ? delay(request.timeoutMillis, () => settle(failedAnswer('timed out'))) : undefined
  deadline?.keepAlive(true)

  function settle(answer: RequestResult, isComplete = false): RequestResult {
    if (settled !== undefined) return settled
    settled = answer
    deadline?.cancel()
    attemptTimer?.cancel()
    if (!isComplete) client?.destroy()
    resolve(answer)
    return answer
  }

  /**
   * Returns the outcome after a failure. A response that breaks off after its status still counts as a response; only its
   * details are missing.
   */
  function failedAnswer(why: string): RequestResult {
    if (response !== undefined) return answered(response, undefined, 'incomplete')
    // Bytes that are still buffered in this process were not sent, and a partial request is invalid. In TLS 1.3 a server
    // verifies the client certificate after the client has started sending; a request that it then refuses, it has not read.
    const wasSent = isConnected && (client?.writableFinished === true || connection?.writableLength === 0)
    const mayHaveArrived = wasSent && !clientCertificateRejected.test(why)
    return { status: undefined, why, mayHaveArrived }
  }

  /** A pending connection attempt keeps the process alive, so it is canceled when nothing else does. */
  function watchAttempt(): void {
    attemptTimer?.cancel()
    attemptTimer = undefined
    if (keepsProcessAlive || settled !== undefined || connection?.connecting === false) return
    if (isOnlyConnecting()) settle(failedAnswer('no connection before the process exited'))
    else attemptTimer = delay(attemptCheckMillis, watchAttempt)
  }

  function onSocket(socket: Socket, isSecure: boolean): void {
    connection = socket
    if (!keepsProcessAlive) socket.unref()
    const isOpening =
      socket.connecting || (isSecure && member(socket as TLSSocket & Opening, 'secureConnecting') === true)
    if (isOpening) socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true))
    else isConnected = true
  }

  function onResponse(message: http.IncomingMessage): void {
    response = message
    const chunks: Buffer[] = []
    let length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxResponseBytes) settle(answered(message, undefined, 'too large'))
      else chunks.push(chunk)
    })
    message.once('end', () => {
      if (!message.complete) return
      // The connection can serve the next request regardless of the body.
      void decompressed(message, Buffer.concat(chunks)).then((answer) => settle(answer, true))
    })
    message.on('error', () => settle(failedAnswer('')))
    message.once('close', () => message.complete || settle(failedAnswer('')))
  }

  try {
    withTracingSuppressed(() => {
      const url = new URL(request.url)
      const isSecure = url.protocol === 'https:'
      // Always verify the certificate, regardless of NODE_TLS_REJECT_UNAUTHORIZED. Only a custom agent can change that.
      const safe = { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...request.tls } as const
      const options = ownCopy({ method: 'POST', agent })
      const { request: open } = isSecure
        ? process.getBuiltinModule('node:https')
        : process.getBuiltinModule('node:http')
      client = open(url, isSecure ? ownCopy({ ...options, ...safe }) : options)
      client.once('socket', (socket) => onSocket(socket, isSecure))
      client.once('response', onResponse)
      client.on('error', (error: NodeJS.ErrnoException) => settle(failedAnswer(member(error, 'code') ?? error.name)))
      client.once('close', () => response === undefined && settle(failedAnswer('the connection was closed')))
      for (const [name, value] of request.headers) client.setHeader(name, value)
      client.setHeader('content-length', request.body.length)
      client.end(request.body)
    })
  } catch (error) {
    // For example, the key does not match the certificate, or a custom agent throws.
    settle(failedAnswer(member(error as NodeJS.ErrnoException, 'code') ?? 'the request could not be created'))
  }

  return {
    answer: promise,
    cancel: (why) => settle(failedAnswer(why)),
    keepAlive(alive) {
      keepsProcessAlive = alive
      deadline?.keepAlive(alive)
      if (settled !== undefined) return
      if (alive) connection?.ref()
      else connection?.unref()
      watchAttempt()
    },
  }
}

interface Opening {
  readonly secureConnecting?: boolean
}

async function decompressed(message: http.IncomingMessage, bytes: Buffer): Promise<RequestResult> {
  const encoding = member(message.headers, 'content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding === 'identity' || bytes.length === 0) return answered(message, bytes)
  if (encoding !== 'gzip') return answered(message, undefined, 'unknown content encoding')
  try {
    const unzip = promisify<Buffer, ZlibOptions, Buffer>(process.getBuiltinModule('node:zlib').gunzip)
    return answered(message, await unzip(bytes, ownCopy({ maxOutputLength: maxResponseBytes })))
  } catch (error) {
    const isTooLarge = member(error as NodeJS.ErrnoException, 'code') === 'ERR_BUFFER_TOO_LARGE'
    return answered(message, undefined, isTooLarge ? 'too large' : 'incomplete')
  }
}

function answered(
  { statusCode, headers }: http.IncomingMessage,
  body: Uint8Array | undefined,
  bodyProblem?: HttpResponse['bodyProblem'],
): HttpResponse {
  return {
    status: statusCode ?? 0,
    retryAfter: member(headers, 'retry-after'),
    contentType: member(headers, 'content-type'),
    body,
    bodyProblem,
  }
}
