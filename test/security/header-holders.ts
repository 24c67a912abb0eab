import express from 'express'
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify'
import Koa from 'koa'
import { createServer, request, ServerResponse, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { stdSerializers as bunyanSerializers } from '../../src/entries/bunyan.ts'
import { stdSerializers as pinoSerializers } from '../../src/entries/pino.ts'
import { canary } from './fuzz/canary.ts'

/** Objects of Node, frameworks and clients with the canary as the value of a credential header. */
export type Holders = Readonly<Record<string, unknown>>

/** The header text of a response, as Node stores it. */
const head = `HTTP/1.1 200 OK\r\nSet-Cookie: sid=${canary}\r\n  ;x=${canary}\r\nx-api-key: ${canary}\r\nVary: Cookie\r\n\r\n`

const secret = { Authorization: `Bearer ${canary}`, cookie: `sid=${canary}`, accept: 'text/html' }

class AxiosHeaders {
  get size(): number {
    return 0
  }
}

const plain: Holders = {
  headers: { headers: secret },
  'headers in any case': { HEADERS: secret, ReqHeaders: secret, response_headers: { 'Set-Cookie': [`a=${canary}`] } },
  'the singular': { header: secret, requestHeader: { 'x-api-key': canary }, HEADER: secret },
  'a flat list': { rawHeaders: ['Host', 'example.com', 'Authorization', canary, 'cookie', canary] },
  'fields and trailers of Node': {
    headersDistinct: { authorization: [canary] },
    trailers: { 'x-api-key': canary },
    trailersDistinct: { 'set-cookie': [canary] },
    rawTrailers: ['Host', 'x', 'Cookie', canary],
    response: { _trailer: `Set-Cookie: ${canary}\r\n`, RAW_TRAILER: { cookie: canary } },
  },
  'a list of entries': { headers: Object.entries(secret), header: [['X-Auth-Token', canary]] },
  'headers of http/2': {
    headers: Object.assign(Object.create(null) as object, { ':authority': 'host', cookie: canary }),
  },
  'WHATWG Headers': { request: new Headers(secret), headers: new Headers(secret) },
  'objects of fetch in collections': {
    set: new Set([new Headers(secret)]),
    map: new Map<unknown, unknown>([
      ['request', new Request('http://localhost/', { headers: secret })],
      [1, new Response('x', { headers: { 'x-api-key': canary } })],
    ]),
    list: [[new Headers(secret)]],
  },
  'headers in collections': {
    map: new Map([['headers', secret]]),
    set: new Set([{ rawHeaders: ['Cookie', canary] }]),
    flat: new Map([['rawHeaders', ['Host', 'x', 'Cookie', canary]]]),
    pairs: new Map([['headers', Object.entries(secret)]]),
    text: new Map([['header', head]]),
  },
  'members that JSON does not show': {
    symbol: { [Symbol('kOutHeaders')]: { 'set-cookie': ['Set-Cookie', canary] } },
    hidden: Object.defineProperty({}, 'headers', { value: secret }),
  },
  'a Map': { headers: new Map(Object.entries(secret)), header: new Map(Object.entries(secret)) },
  'a class of headers': { config: { headers: Object.assign(new AxiosHeaders(), secret) } },
  'an attribute of a span': { span: { 'http.request.header.authorization': [canary] } },
  'an error of a client': {
    err: Object.assign(new Error('Request failed with status code 401'), {
      isAxiosError: true,
      config: { url: '/x', headers: secret, method: 'get' },
      response: { status: 401, headers: { 'set-cookie': [`sid=${canary}`] }, config: { headers: secret } },
    }),
  },
  'text of fields': {
    res: { statusCode: 200, header: head },
    undici: { request: { headers: `authorization: ${canary}\r\n` } },
    one: { Header: `Authorization: ${canary}` },
    old: { headers: `Host: x\rCookie: ${canary}\rX: y` },
  },
  'text of fields in other forms': {
    json: { headers: JSON.stringify(secret) },
    pairs: { rawHeaders: JSON.stringify(Object.entries(secret)) },
    inspected: { headers: inspect(secret) },
    map: { header: inspect(new Map(Object.entries(secret))) },
    form: { headers: `accept=x&authorization=${canary}` },
    curl: { requestHeaders: `-H "Authorization: ${canary}"` },
  },
  'a list of lines': { headers: head.split(/\r\n(?! )/), nested: [{ responseHeaders: [`Cookie: ${canary}`] }] },
  'bytes of fields': {
    header: Buffer.from(head),
    headers: [Buffer.from('set-cookie'), Buffer.from(canary), Buffer.from('vary'), Buffer.from('x')],
    rawHeaders: [[Buffer.from('Cookie'), Buffer.from(canary)]],
    trailer: new Uint8Array(Buffer.from(head)),
  },
  'messages of Node that were not sent': {
    outputData: [{ data: `GET / HTTP/1.1\r\nAuthorization: ${canary}\r\n\r\n`, encoding: 'latin1' }],
    socket: { _pendingData: `GET / HTTP/1.1\r\ncookie: ${canary}\r\n\r\nbody`, _pendingEncoding: 'latin1' },
  },
  'a function with members': { client: Object.assign(() => {}, { defaults: { headers: { common: secret } } }) },
  'a deep list': { calls: [{ attempts: [{ options: { headers: secret } }] }] },
}

/** Calls `use` with the objects, including those of running servers, while the requests are open. */
export async function withHolders(use: (holders: Holders) => void | Promise<void>): Promise<void> {
  const [koa, node, app, page] = [
    await koaContext(),
    await nodeExchange(),
    await expressExchange(),
    await fastifyExchange(),
  ]
  const [client, refused, invalid] = [await sent(), await refusedRequest(), await invalidRequest()]
  const response = await fetch(page.value.address)
  try {
    await use({
      ...plain,
      "koa's ctx": { ctx: koa.value },
      "koa's request and response": { request: koa.value.request, response: koa.value.response },
      "koa's objects of Node": { req: koa.value.req, res: koa.value.res },
      "Node's request": { req: node.value.req, raw: { rawHeaders: node.value.req.rawHeaders } },
      "Node's response": { res: node.value.res },
      "Node's response that was not sent": { res: unsent(node.value.req) },
      "express's request and response": { req: app.value.req, res: app.value.res },
      "fastify's request and reply": { req: page.value.req, reply: page.value.reply },
      "fastify's raw request": {
        raw: { rawHeaders: page.value.req.raw.rawHeaders, headers: page.value.req.raw.headers },
      },
      'a request that was sent': { request: { _header: client.value['_header'], path: '/' }, whole: client.value },
      'a request that was refused': { err: refused.error, error: { request: refused.request, config: {} } },
      'a request that is not HTTP': { err: invalid, error: Object.assign({}, invalid) as object },
      'Request and Response': { request: new Request('http://localhost/', { headers: secret }), response },
      "bunyan's serializers": {
        ...serialized(bunyanSerializers, node.value),
        koa: serialized(bunyanSerializers, koa.value),
        express: serialized(bunyanSerializers, app.value),
        fastify: { res: bunyanSerializers.res(page.value.reply.raw) },
      },
      "pino's serializers": {
        ...serialized(pinoSerializers, node.value),
        koa: serialized(pinoSerializers, koa.value),
        express: serialized(pinoSerializers, app.value),
        mapped: {
          ...pinoSerializers.mapHttpRequest(node.value.req),
          ...pinoSerializers.mapHttpResponse(node.value.res),
        },
      },
    })
  } finally {
    for (const { close } of [koa, node, app, page, client]) await close()
  }
}

interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** Returns a request and its response after the standard serializers. */
function serialized(of: { req(value: object): unknown; res(value: object): unknown }, { req, res }: Exchange): object {
  return { req: of.req(req), res: of.res(res) }
}

interface Held<T> {
  readonly value: T
  close(): Promise<void>
}

async function koaContext(): Promise<Held<Koa.Context>> {
  const app = new Koa()
  let context: Koa.Context | undefined
  app.use((ctx) => {
    ctx.set('set-cookie', `sid=${canary}`)
    ctx.body = 'x'
    context = ctx as never
  })
  const server = createServer((req, res) => void app.callback()(req, res))
  const closed = await answered(server)
  return { value: context!, close: closed }
}

async function nodeExchange(): Promise<Held<Exchange>> {
  let seen: Exchange | undefined
  const close = await answered(
    createServer((req, res) => {
      seen = { req, res }
      secretHead(res)
      res.end()
    }),
  )
  return { value: seen!, close }
}

async function expressExchange(): Promise<Held<Exchange>> {
  const app = express()
  let seen: Exchange | undefined
  app.get('/', (req, res) => {
    seen = { req, res }
    secretHead(res)
    res.send('x')
  })
  const close = await answered(createServer(app))
  return { value: seen!, close }
}

function unsent(req: IncomingMessage): ServerResponse {
  const res = new ServerResponse(req)
  secretHead(res)
  return res
}

function secretHead(res: ServerResponse): void {
  res.setHeader('Set-Cookie', `sid=${canary}; HttpOnly`)
  res.setHeader('x-api-key', canary)
}

interface FastifyExchange {
  readonly req: FastifyRequest
  readonly reply: FastifyReply
  readonly address: string
}

async function fastifyExchange(): Promise<Held<FastifyExchange>> {
  const app = fastify()
  let seen: Omit<FastifyExchange, 'address'> | undefined
  app.get('/', (req, reply) => {
    seen = { req, reply }
    return reply.header('set-cookie', `sid=${canary}`).send('x')
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  await fetch(address, { headers: secret }).then((response) => response.text())
  return { value: { ...seen!, address }, close: () => app.close() }
}

/** Sends a request to a port without a server: its socket stores the unsent data. */
async function refusedRequest(): Promise<{ readonly error: Error; readonly request: object }> {
  const made = request({ port: 1, host: '127.0.0.1', headers: secret, method: 'POST' })
  const error = await new Promise<Error>((resolve) => made.once('error', resolve).end('body'))
  return { error: Object.assign(error, { request: made }), request: made }
}

/** Returns the error of the HTTP parser, which contains the rejected bytes. */
async function invalidRequest(): Promise<Error> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const refused = new Promise<Error>((resolve) =>
    server.once('clientError', (error, socket) => (socket.destroy(), resolve(error))),
  )
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  socket.write(`GET / HTTP/1.1\r\nAuthorization: ${canary}\r\nNo field\r\n\r\n`)
  const error = await refused
  socket.destroy()
  await closing(server)
  return error
}

/** Returns a client request whose response has been received. */
async function sent(): Promise<Held<ReturnType<typeof request> & { readonly _header: string }>> {
  const server = createServer((_, res) => res.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const made = request({ port: (server.address() as AddressInfo).port, headers: secret })
  await new Promise<void>((resolve) => made.once('response', (res) => res.resume().once('end', resolve)).end())
  return { value: made as never, close: () => closing(server) }
}

async function answered(server: Server): Promise<() => Promise<void>> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}/`, { headers: secret }).then((response) => response.text())
  return () => closing(server)
}

async function closing(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
