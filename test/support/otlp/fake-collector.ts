import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { decodeRequest } from './messages.ts'

/** A received request. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  /** Decompressed. */
  readonly body: Buffer
  /** The attribute `seq` of each record, in order. */
  readonly sequence: readonly number[]
  /** When it was complete, in ms. */
  readonly at: number
}

/** Responds to a request. */
export type Responder = (response: http.ServerResponse, request: http.IncomingMessage) => void

/** Responders that do not read the request. */
const unread = new Set<Responder>()

/** A server that responds to each request with the next responder, and accepts requests by default. */
export interface FakeCollector {
  readonly url: string
  readonly port: number
  /** The completely read requests, oldest first. */
  readonly received: readonly ReceivedRequest[]
  /** The sequence numbers of all received records, in order of arrival. */
  readonly sequence: readonly number[]
  /** The number of started requests. */
  readonly requestCount: number
  /** The open connections. */
  readonly connections: ReadonlySet<Socket>
  /** The total number of connections. */
  readonly connectionCount: number
  /** Sets the responders of the next requests. */
  respondNext(...answers: readonly Responder[]): void
  /** Sets the default responder. */
  respondAlways(answer: Responder): void
  /** Waits until so many requests were received. */
  waitFor(requests: number): Promise<void>
  close(): Promise<void>
}

/** Certificates for a collector behind TLS, as PEM. */
export interface CollectorTls extends https.ServerOptions {
  readonly cert: string
  readonly key: string
}

/** Starts a collector on the loopback interface. */
export async function fakeCollector(tls?: CollectorTls, port = 0): Promise<FakeCollector> {
  const responders: Responder[] = []
  const received: ReceivedRequest[] = []
  const connections = new Set<Socket>()
  const waiters = new Set<() => void>()
  let always: Responder = accept
  let begun = 0
  let connected = 0

  function handle(request: http.IncomingMessage, response: http.ServerResponse): void {
    begun++
    const respond = responders.shift() ?? always
    request.on('error', () => {})
    response.on('error', () => {})
    if (unread.has(respond)) return respond(response, request)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(receivedOf(request, Buffer.concat(chunks)))
      for (const waiter of waiters) waiter()
      respond(response, request)
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
    get requestCount() {
      return begun
    },
    get connectionCount() {
      return connected
    },
    respondNext: (...more) => void responders.push(...more),
    respondAlways: (answer) => void (always = answer),
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

/** Responds with 200 and an empty message in the format of the request. */
export const accept: Responder = (response, request) => {
  const isJson = request.headers['content-type'] === 'application/json'
  // The Collector sends the field with an empty value.
  if (isJson) response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
  else response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(Buffer.from([0x0a, 0x00]))
}

/** Responds with a status, headers and a body. */
export function status(code: number, headers: http.OutgoingHttpHeaders = {}, body: string | Buffer = ''): Responder {
  return (response) => response.writeHead(code, headers).end(body)
}

/** Responds with 200 and a partial success, as JSON. */
export function partialSuccess(rejectedLogRecords: unknown, errorMessage = ''): Responder {
  const body = JSON.stringify({ partialSuccess: { rejectedLogRecords, errorMessage } })
  return status(200, { 'content-type': 'application/json' }, body)
}

/** Reads the request and never responds. */
export const neverRespond: Responder = () => {}

/** Does not respond, and refuses later connections. */
export const stopListening: Responder = (_response, { socket }) => {
  const { server } = socket as Socket & { readonly server: http.Server }
  server.close()
}

/** Reads the request, then resets the connection. */
export const resetAfterBody: Responder = (_response, request) => void request.socket.resetAndDestroy()

/** Resets the connection without reading the request. */
export const resetBeforeBody: Responder = withoutReading((_response, request) => void request.socket.resetAndDestroy())

/** Never reads the request. */
export const neverRead: Responder = withoutReading((_response, request) => void request.pause())

/** Sends the status and part of the body, then nothing. */
export const stallInBody: Responder = (response) => {
  response.writeHead(200, { 'content-length': 100, 'content-type': 'application/json' })
  response.write('{"partial')
}

/** Sends the status and part of the body, then closes the connection. */
export const hangUpInBody: Responder = (response) => {
  stallInBody(response, response.req)
  setImmediate(() => response.req.socket.end())
}

/** Sends the body byte by byte without end. */
export function dripBody(everyMillis: number): Responder {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    drip(response.req.socket, everyMillis, () => void response.write(' '))
  }
}

/** Sends a header byte by byte without end. */
export function dripHeader(everyMillis: number): Responder {
  return (_response, { socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    drip(socket, everyMillis, () => void socket.write('x'))
  }
}

/** Half-closes the connection without a response, and keeps reading. */
export const halfClose: Responder = (_response, { socket }) => void socket.end()

/** Responds with something that is not HTTP. */
export const respondWithoutHttp: Responder = (_response, { socket }) => void socket.end('220 smtp.example ESMTP\r\n')

function withoutReading(answer: Responder): Responder {
  unread.add(answer)
  return answer
}

function drip(socket: Socket, everyMillis: number, byte: () => void): void {
  const timer = setInterval(byte, everyMillis)
  socket.once('close', () => clearInterval(timer))
}

function receivedOf({ method, url, headers }: http.IncomingMessage, raw: Buffer): ReceivedRequest {
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
