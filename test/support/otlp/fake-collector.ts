import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { decodeRequest } from './messages.ts'

/** A request as it came in. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  /** Decompressed. */
  readonly body: Buffer
  /** The attribute `seq` of each record, in order; empty where the body was not read. */
  readonly sequence: readonly number[]
  /** When it was complete, ms. */
  readonly at: number
}

/** How a request is answered. `received` is undefined for those that do not read the body. */
export type Answer = (response: http.ServerResponse, request: http.IncomingMessage) => void

/** Answers that do not read the request. */
const unread = new Set<Answer>()

/** A server that answers as it is told, one answer a request; without any it takes what comes. */
export interface FakeCollector {
  readonly url: string
  readonly port: number
  /** Requests that were read whole, oldest first. */
  readonly received: readonly Received[]
  /** The numbers of all records that were received, in order of arrival. */
  readonly sequence: readonly number[]
  /** How many requests have begun. */
  readonly begun: number
  /** Connections that are open. */
  readonly connections: ReadonlySet<Socket>
  /** How many connections there were in all. */
  readonly connected: number
  /** Answers for the next requests. */
  answerNext(...answers: readonly Answer[]): void
  /** The answer where nothing else is said. */
  answerAlways(answer: Answer): void
  /** Resolves when so many requests were received. */
  waitFor(requests: number): Promise<void>
  close(): Promise<void>
}

/** Certificates for a collector behind TLS, as PEM. */
export interface CollectorTls extends https.ServerOptions {
  readonly cert: string
  readonly key: string
}

/** Starts a collector on the loopback. */
export async function fakeCollector(tls?: CollectorTls, port = 0): Promise<FakeCollector> {
  const answers: Answer[] = []
  const received: Received[] = []
  const connections = new Set<Socket>()
  const waiters = new Set<() => void>()
  let always: Answer = taken
  let begun = 0
  let connected = 0

  function handle(request: http.IncomingMessage, response: http.ServerResponse): void {
    begun++
    const answer = answers.shift() ?? always
    request.on('error', () => {})
    response.on('error', () => {})
    if (unread.has(answer)) return answer(response, request)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(receivedOf(request, Buffer.concat(chunks)))
      for (const waiter of waiters) waiter()
      answer(response, request)
    })
  }

  const server = tls === undefined ? http.createServer(handle) : https.createServer(tls, handle)
  server.keepAliveTimeout = 60_000
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    connected++
    connections.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => connections.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}/v1/logs`,
    port: address.port,
    received,
    connections,
    get sequence() {
      return received.flatMap(({ sequence }) => sequence)
    },
    get begun() {
      return begun
    },
    get connected() {
      return connected
    },
    answerNext: (...more) => void answers.push(...more),
    answerAlways: (answer) => void (always = answer),
    waitFor: (requests) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (received.length < requests) return
          waiters.delete(check)
          resolve()
        }
        waiters.add(check)
        check()
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of connections) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** 200 in the form of the request, with nothing to say. */
export const taken: Answer = (response, request) => {
  const isJson = request.headers['content-type'] === 'application/json'
  // What the Collector says: the field is there, and empty.
  if (isJson) response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
  else response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(Buffer.from([0x0a, 0x00]))
}

/** A status with headers and a body. */
export function status(code: number, headers: http.OutgoingHttpHeaders = {}, body: string | Buffer = ''): Answer {
  return (response) => response.writeHead(code, headers).end(body)
}

/** 200 that did not take some of the records, as JSON. */
export function partial(rejectedLogRecords: unknown, errorMessage = ''): Answer {
  const body = JSON.stringify({ partialSuccess: { rejectedLogRecords, errorMessage } })
  return status(200, { 'content-type': 'application/json' }, body)
}

/** Reads the request, and never says a word. */
export const silence: Answer = () => {}

/** No answer, and whoever connects from then on is refused. */
export const stopListening: Answer = (_response, { socket }) => {
  const { server } = socket as Socket & { readonly server: http.Server }
  server.close()
}

/** Takes the request, and then the connection is reset. */
export const resetAfterBody: Answer = (_response, request) => void request.socket.resetAndDestroy()

/** Resets the connection without reading the request. */
export const resetBeforeBody: Answer = unreadAnswer((_response, request) => void request.socket.resetAndDestroy())

/** Never reads the request. */
export const deafness: Answer = unreadAnswer((_response, request) => void request.pause())

/** Says the status and a part of the body, and no more. */
export const stallInBody: Answer = (response) => {
  response.writeHead(200, { 'content-length': 100, 'content-type': 'application/json' })
  response.write('{"partial')
}

/** Says the status and a part of the body, and hangs up. */
export const hangUpInBody: Answer = (response) => {
  stallInBody(response, response.req)
  setImmediate(() => response.req.socket.end())
}

/** Says a byte of the body now and then, for ever. */
export function dripBody(everyMillis: number): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    drip(response.req.socket, everyMillis, () => void response.write(' '))
  }
}

/** Says a byte of a header now and then, for ever. */
export function dripHeader(everyMillis: number): Answer {
  return (_response, { socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    drip(socket, everyMillis, () => void socket.write('x'))
  }
}

/** Closes its side of the connection without an answer, and listens on. */
export const halfClose: Answer = (_response, { socket }) => void socket.end()

/** No HTTP at all. */
export const nonsense: Answer = (_response, { socket }) => void socket.end('220 smtp.example ESMTP\r\n')

function unreadAnswer(answer: Answer): Answer {
  unread.add(answer)
  return answer
}

function drip(socket: Socket, everyMillis: number, byte: () => void): void {
  const timer = setInterval(byte, everyMillis)
  socket.once('close', () => clearInterval(timer))
}

function receivedOf({ method, url, headers }: http.IncomingMessage, raw: Buffer): Received {
  const body = headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
  return {
    method: method!,
    path: url!,
    headers,
    body,
    sequence: sequenceOf(body, headers['content-type']),
    at: performance.now(),
  }
}

function sequenceOf(body: Buffer, type: string | undefined): number[] {
  const request = type === 'application/json' ? (JSON.parse(body.toString()) as unknown) : decodeRequest(body)
  return recordsIn(request).map(({ attributes }) =>
    Number(attributes?.find(({ key }) => key === 'seq')?.value.intValue ?? NaN),
  )
}

interface Request {
  readonly resourceLogs: readonly { readonly scopeLogs: readonly { readonly logRecords: readonly LogRecord[] }[] }[]
}

interface LogRecord {
  readonly attributes?: readonly { readonly key: string; readonly value: { readonly intValue?: string | number } }[]
}

function recordsIn(request: unknown): LogRecord[] {
  return (request as Request).resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
}
