import { fastify } from 'fastify'
import Koa from 'koa'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { canary } from './fuzz/canary.ts'

/** Objects of Node, of frameworks and of clients that hold the canary as the value of a credential header. */
export type Holders = Readonly<Record<string, unknown>>

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
  'a deep list': { calls: [{ attempts: [{ options: { headers: secret } }] }] },
}

/** The holders, with those that only a running server has. `use` gets them while the requests are open. */
export async function withHolders(use: (holders: Holders) => void | Promise<void>): Promise<void> {
  const [koa, incoming, raw, client] = [await koaContext(), await nodeRequest(), await fastifyRequest(), await sent()]
  try {
    await use({
      ...plain,
      "koa's ctx": { ctx: koa.value },
      "koa's request and response": { request: koa.value.request, response: koa.value.response },
      "Node's request": { req: incoming.value, raw: { rawHeaders: incoming.value.rawHeaders } },
      "fastify's raw request": { raw: { rawHeaders: raw.value.rawHeaders, headers: raw.value.headers } },
      'a request that was sent': { request: { _header: client.value['_header'], path: '/' }, whole: client.value },
    })
  } finally {
    for (const { close } of [koa, incoming, raw, client]) await close()
  }
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

async function nodeRequest(): Promise<Held<IncomingMessage>> {
  let seen: IncomingMessage | undefined
  const close = await answered(
    createServer((req, res) => {
      seen = req
      res.end()
    }),
  )
  return { value: seen!, close }
}

async function fastifyRequest(): Promise<Held<IncomingMessage>> {
  const app = fastify()
  let seen: IncomingMessage | undefined
  app.get('/', (req, reply) => {
    seen = req.raw
    return reply.send('x')
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  await fetch(address, { headers: secret }).then((response) => response.text())
  return { value: seen!, close: () => app.close() }
}

/** A client's request whose answer has come. */
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
