import type * as http from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import type { ZlibOptions } from 'node:zlib'
import type { Delay } from '../../lifecycle/platform.ts'
import { isOnlyConnecting } from '../../platform/node/connecting.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { clientRefused, maxAnswerBytes, type Answer, type Answered } from './answer.ts'
import { untraced } from './untraced.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** How often an attempt to connect is looked at for which the process need not stay alive, in ms. */
const lookMillis = 100

/** One POST. */
export interface Post {
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /** PEM texts and names for `https:`. */
  readonly tls: Readonly<Record<string, unknown>>
  /** In ms, from the first look-up of the host to the last byte of the answer; 0: no limit. */
  readonly timeoutMillis: number
}

/** A POST that is under way. */
export interface Exchange {
  /** Never rejects. */
  readonly answer: Promise<Answer>
  /** Ends it where it stands, its connection included. Returns what has become of it. */
  cancel(why: string): Answer
  /** Whether the process must stay alive for it. */
  keepAlive(alive: boolean): void
}

// Modules such as https take some 10 ms to load. Whoever logs to a file does not wait for that: they are loaded when the first
// exporter of this kind is made, here and beside here.

/**
 * Sends one request and reads the answer, all of it within one deadline. Redirects are not followed: only the configured
 * URL receives records. After a failure the connection is closed.
 */
export function post(request: Post, agent: http.Agent): Exchange {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  let settled: Answer | undefined
  let alive = true
  let client: http.ClientRequest | undefined
  let connection: Socket | undefined
  let isConnected = false
  let response: http.IncomingMessage | undefined
  let look: Delay | undefined

  const deadline =
    request.timeoutMillis > 0 ? delay(request.timeoutMillis, () => settle(broken('no answer in time'))) : undefined
  deadline?.keepAlive(true)

  function settle(answer: Answer, isComplete = false): Answer {
    if (settled !== undefined) return settled
    settled = answer
    deadline?.cancel()
    look?.cancel()
    if (!isComplete) client?.destroy()
    resolve(answer)
    return answer
  }

  /** An answer that stops after its status is one: only its details are missing. */
  function broken(why: string): Answer {
    if (response !== undefined) return answered(response, undefined, 'incomplete')
    // What still waits in this process never reached anybody, and half a request is none.
    // In TLS 1.3 a server looks at our certificate after we have begun to speak; what it then refuses it has not read.
    const wasSent = isConnected && (client?.writableFinished === true || connection?.writableLength === 0)
    const mayHaveArrived = wasSent && !clientRefused.test(why)
    return { status: undefined, why, mayHaveArrived }
  }

  /** A pending connection attempt keeps the process alive, so it is canceled when nothing else does. */
  function watchAttempt(): void {
    look?.cancel()
    look = undefined
    if (alive || settled !== undefined || connection?.connecting === false) return
    if (isOnlyConnecting()) settle(broken('no connection before the process ended'))
    else look = delay(lookMillis, watchAttempt)
  }

  function connected(socket: Socket, isSecure: boolean): void {
    connection = socket
    if (!alive) socket.unref()
    const isOpening =
      socket.connecting || (isSecure && member(socket as TLSSocket & Opening, 'secureConnecting') === true)
    if (isOpening) socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true))
    else isConnected = true
  }

  function read(message: http.IncomingMessage): void {
    response = message
    const chunks: Buffer[] = []
    let length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxAnswerBytes) settle(answered(message, undefined, 'too large'))
      else chunks.push(chunk)
    })
    message.once('end', () => {
      if (!message.complete) return
      // The connection is free for the next request, whatever becomes of the bytes.
      void decompressed(message, Buffer.concat(chunks)).then((answer) => settle(answer, true))
    })
    message.on('error', () => settle(broken('')))
    message.once('close', () => message.complete || settle(broken('')))
  }

  try {
    untraced(() => {
      const url = new URL(request.url)
      const isSecure = url.protocol === 'https:'
      // The certificate is checked whatever NODE_TLS_REJECT_UNAUTHORIZED says; only an agent of the user's own decides.
      const safe = { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...request.tls } as const
      const options = ownCopy({ method: 'POST', agent })
      const { request: open } = isSecure
        ? process.getBuiltinModule('node:https')
        : process.getBuiltinModule('node:http')
      client = open(url, isSecure ? ownCopy({ ...options, ...safe }) : options)
      client.once('socket', (socket) => connected(socket, isSecure))
      client.once('response', read)
      client.on('error', (error: NodeJS.ErrnoException) => settle(broken(member(error, 'code') ?? error.name)))
      client.once('close', () => response === undefined && settle(broken('the connection was closed')))
      for (const [name, value] of request.headers) client.setHeader(name, value)
      client.setHeader('content-length', request.body.length)
      client.end(request.body)
    })
  } catch (error) {
    // a key that does not belong to its certificate, an agent that throws
    settle(broken(member(error as NodeJS.ErrnoException, 'code') ?? 'the request could not be made'))
  }

  return {
    answer: promise,
    cancel: (why) => settle(broken(why)),
    keepAlive(wanted) {
      alive = wanted
      deadline?.keepAlive(wanted)
      if (settled !== undefined) return
      if (wanted) connection?.ref()
      else connection?.unref()
      watchAttempt()
    },
  }
}

interface Opening {
  readonly secureConnecting?: boolean
}

async function decompressed(message: http.IncomingMessage, bytes: Buffer): Promise<Answer> {
  const encoding = member(message.headers, 'content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding === 'identity' || bytes.length === 0) return answered(message, bytes)
  if (encoding !== 'gzip') return answered(message, undefined, 'compressed in an unknown way')
  try {
    const unzip = promisify<Buffer, ZlibOptions, Buffer>(process.getBuiltinModule('node:zlib').gunzip)
    return answered(message, await unzip(bytes, ownCopy({ maxOutputLength: maxAnswerBytes })))
  } catch (error) {
    const isTooLarge = member(error as NodeJS.ErrnoException, 'code') === 'ERR_BUFFER_TOO_LARGE'
    return answered(message, undefined, isTooLarge ? 'too large' : 'incomplete')
  }
}

function answered(
  { statusCode, headers }: http.IncomingMessage,
  body: Uint8Array | undefined,
  bodyProblem?: Answered['bodyProblem'],
): Answered {
  return {
    status: statusCode ?? 0,
    retryAfter: member(headers, 'retry-after'),
    contentType: member(headers, 'content-type'),
    body,
    bodyProblem,
  }
}
