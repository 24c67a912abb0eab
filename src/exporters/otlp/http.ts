import type * as http from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import type { ZlibOptions } from 'node:zlib'
import type { Delay } from '../../lifecycle/platform.ts'
import { isOnlyConnecting } from '../../platform/node/connecting.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { clientCertificateAlert, maxResponseBytes, type RequestResult, type HttpResponse } from './request-result.ts'
import { withTracingSuppressed } from './tracing-suppression.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'

/** How often `checkConnecting` runs while a connection is being established that must not keep the process alive, in ms. */
const connectingCheckMillis = 100

/** A POST request to send. */
export interface PostRequest {
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
  readonly result: Promise<RequestResult>
  /** Aborts the request and closes its connection. Returns its outcome. */
  cancel(why: string): RequestResult
  /** Sets whether the request keeps the process alive. */
  keepAlive(keepsProcessAlive: boolean): void
}

// Modules such as https take about 10 ms to load. Here and in `sender.ts` they are loaded when they are first used, so that a program
// that logs only to files does not load them.

/**
 * Sends one request and reads the response within one time limit. Redirects are not followed, because only the configured URL
 * receives records. After a failure the connection is closed.
 */
export function post(request: PostRequest, agent: http.Agent): Exchange {
  const { promise, resolve } = Promise.withResolvers<RequestResult>()
  let finalResult: RequestResult | undefined
  let keepsProcessAlive = true
  let clientRequest: http.ClientRequest | undefined
  let connection: Socket | undefined
  let isConnected = false
  let response: http.IncomingMessage | undefined
  let connectingTimer: Delay | undefined

  const timeout =
    request.timeoutMillis > 0 ? delay(request.timeoutMillis, () => endRequest(failureResult('timed out'))) : undefined
  timeout?.keepAlive(true)

  /** Ends the request unless it has ended, and closes its connection unless that can be reused. Returns the outcome. */
  function endRequest(result: RequestResult, canReuseConnection = false): RequestResult {
    if (finalResult !== undefined) return finalResult
    finalResult = result
    timeout?.cancel()
    connectingTimer?.cancel()
    if (!canReuseConnection) clientRequest?.destroy()
    resolve(result)
    return result
  }

  /**
   * Returns the outcome after a failure. If the status was already received, the outcome is that response with an incomplete body.
   */
  function failureResult(why: string): RequestResult {
    if (response !== undefined) return responseOf(response, undefined, 'incomplete')
    // If bytes of the request are still buffered in this process, the server has an incomplete request, which it cannot accept. In
    // TLS 1.3 a server verifies the client certificate after the client has started sending. If it rejects the certificate, it has
    // not read the request.
    const wasSent = isConnected && (clientRequest?.writableFinished === true || connection?.writableLength === 0)
    const mayHaveArrived = wasSent && !clientCertificateAlert.test(why)
    return { status: undefined, why, mayHaveArrived }
  }

  /**
   * Handles a request that must not keep the process alive, while its connection is being established: ends the request if nothing
   * else keeps the process alive, and otherwise runs again later.
   */
  function checkConnecting(): void {
    connectingTimer?.cancel()
    connectingTimer = undefined
    if (keepsProcessAlive || finalResult !== undefined || connection?.connecting === false) return
    if (isOnlyConnecting()) endRequest(failureResult('no connection before the process exited'))
    else connectingTimer = delay(connectingCheckMillis, checkConnecting)
  }

  function onSocket(socket: Socket, isSecure: boolean): void {
    connection = socket
    if (!keepsProcessAlive) socket.unref()
    const isConnecting =
      socket.connecting || (isSecure && member(socket as TLSSocket & ConnectingSocket, 'secureConnecting') === true)
    if (isConnecting) socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true))
    else isConnected = true
  }

  function onResponse(message: http.IncomingMessage): void {
    response = message
    const chunks: Buffer[] = []
    let length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxResponseBytes) endRequest(responseOf(message, undefined, 'too large'))
      else chunks.push(chunk)
    })
    message.once('end', () => {
      if (!message.complete) return
      // The response is complete, so the connection can serve the next request even if the body cannot be decompressed.
      void decompress(message, Buffer.concat(chunks)).then((result) => endRequest(result, true))
    })
    // The status was received, so `failureResult` returns the response and ignores the reason.
    message.on('error', () => endRequest(failureResult('')))
    message.once('close', () => message.complete || endRequest(failureResult('')))
  }

  try {
    withTracingSuppressed(() => {
      const url = new URL(request.url)
      const isSecure = url.protocol === 'https:'
      // Always verify the certificate, regardless of NODE_TLS_REJECT_UNAUTHORIZED. Only a custom agent can change that.
      const tlsOptions = { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...request.tls } as const
      const options = withoutPrototype({ method: 'POST', agent })
      const { request: createRequest } = isSecure
        ? process.getBuiltinModule('node:https')
        : process.getBuiltinModule('node:http')
      clientRequest = createRequest(url, isSecure ? withoutPrototype({ ...options, ...tlsOptions }) : options)
      clientRequest.once('socket', (socket) => onSocket(socket, isSecure))
      clientRequest.once('response', onResponse)
      clientRequest.on('error', (error: NodeJS.ErrnoException) =>
        endRequest(failureResult(member(error, 'code') ?? error.name)),
      )
      clientRequest.once(
        'close',
        () => response === undefined && endRequest(failureResult('the connection was closed')),
      )
      for (const [name, value] of request.headers) clientRequest.setHeader(name, value)
      clientRequest.setHeader('content-length', request.body.length)
      clientRequest.end(request.body)
    })
  } catch (error) {
    // For example, the private key does not match the certificate, or a custom agent throws.
    endRequest(failureResult(member(error as NodeJS.ErrnoException, 'code') ?? 'the request could not be created'))
  }

  return {
    result: promise,
    cancel: (why) => endRequest(failureResult(why)),
    keepAlive(alive) {
      keepsProcessAlive = alive
      timeout?.keepAlive(alive)
      if (finalResult !== undefined) return
      if (alive) connection?.ref()
      else connection?.unref()
      checkConnecting()
    },
  }
}

interface ConnectingSocket {
  /** Whether the TLS handshake is in progress. Node's types do not include it. */
  readonly secureConnecting?: boolean
}

async function decompress(message: http.IncomingMessage, bytes: Buffer): Promise<RequestResult> {
  const encoding = member(message.headers, 'content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding === 'identity' || bytes.length === 0) return responseOf(message, bytes)
  if (encoding !== 'gzip') return responseOf(message, undefined, 'unknown content encoding')
  try {
    const unzip = promisify<Buffer, ZlibOptions, Buffer>(process.getBuiltinModule('node:zlib').gunzip)
    return responseOf(message, await unzip(bytes, withoutPrototype({ maxOutputLength: maxResponseBytes })))
  } catch (error) {
    const isTooLarge = member(error as NodeJS.ErrnoException, 'code') === 'ERR_BUFFER_TOO_LARGE'
    return responseOf(message, undefined, isTooLarge ? 'too large' : 'incomplete')
  }
}

function responseOf(
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
