import { expect, test } from '@jest/globals'
import { once } from 'node:events'
import { ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { requestLog } from '../../src/entries/fastify.ts'
import { captureLogs, type CapturedRecord } from '../../src/entries/testing.ts'
import { waitUntil } from '../support/wait-until.ts'
import { endsOf } from './suite.ts'

/** Returns the records of sequential requests to an application with the plugin and the given routes. */
async function recordsOf(
  paths: readonly string[],
  given: FastifyServerOptions,
  routes: (app: FastifyInstance) => unknown,
  register = (app: FastifyInstance, log: ReturnType<typeof requestLog>): unknown => app.register(log),
): Promise<readonly CapturedRecord[]> {
  using logs = captureLogs()
  const app = fastify({ ...given, forceCloseConnections: true })
  const log = requestLog({ logger: logs.logger })
  await register(app, log)
  await routes(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    for (const path of paths) {
      const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      client.write(`GET ${path} HTTP/1.1\r\nhost: here\r\nx-forwarded-for: 192.0.2.7\r\nconnection: close\r\n\r\n`)
      await text(client)
    }
    await waitUntil(() => log.stats().open === 0)
    expect(endsOf(logs)).toHaveLength(log.stats().requests)
    return endsOf(logs)
  } finally {
    await app.close()
  }
}

const seen = ({ level, attributes }: CapturedRecord): unknown[] => [
  level,
  attributes['http.response.status_code'],
  attributes['http.route'],
  attributes['client.address'],
]

const orders = (app: FastifyInstance): unknown => app.get('/orders/:id', () => 'order')
const long = `/orders/${'7'.repeat(200)}`

test('a request that Fastify answers without calling hooks has a record', async () => {
  const records = await recordsOf(['/orders/7', '/orders/%zz', long], { trustProxy: true }, orders)
  expect(records.map(seen)).toEqual([
    ['info', 200, '/orders/:id', '192.0.2.7'],
    ['info', 400, undefined, '127.0.0.1'],
    ['info', 414, undefined, '127.0.0.1'],
  ])
})

test('a request that `frameworkErrors` answers asynchronously has a record', async () => {
  const frameworkErrors = ((_: unknown, __: unknown, reply: { code(status: number): { send(body: string): void } }) =>
    void setImmediate(() => reply.code(404).send('late'))) as unknown as NonNullable<
    FastifyServerOptions['frameworkErrors']
  >
  const records = await recordsOf(['/orders/%zz', '/orders/7'], { frameworkErrors }, orders)
  expect(records.map((record) => seen(record)[1])).toEqual([404, 200])
})

test('a request with an asynchronous route constraint has one record with its route', async () => {
  const slow = {
    name: 'slow',
    storage() {
      const handlers = new Map<unknown, any>()
      return {
        get: (key: unknown) => handlers.get(key) ?? null,
        set: (key: unknown, handler: any) => void handlers.set(key, handler),
      }
    },
    deriveConstraint: (_: unknown, __: unknown, done: (error: null, value: string) => void) =>
      void setImmediate(() => done(null, 'a')),
    mustMatchWhenDerived: false,
  }
  const records = await recordsOf(
    ['/orders/7'],
    { trustProxy: true, routerOptions: { constraints: { slow: slow as never } } },
    (app) => app.get('/orders/:id', { constraints: { slow: 'a' } }, () => 'order'),
  )
  expect(records.map(seen)).toEqual([['info', 200, '/orders/:id', '192.0.2.7']])
})

test('a plugin registered in an encapsulated context logs only the requests of that context', async () => {
  const records = await recordsOf(
    ['/outside', '/inside/a', '/%zz'],
    {},
    (app) => app.get('/outside', () => 'o'),
    (app, log) =>
      app.register(
        async (inner) => {
          await inner.register(log)
          inner.get('/a', () => 'a')
        },
        { prefix: '/inside' },
      ),
  )
  expect(records.map(({ attributes }) => attributes['url.path'])).toEqual(['/inside/a'])
})

test('a WebSocket request is logged as completed when its connection ends', async () => {
  using logs = captureLogs()
  const app = fastify({ forceCloseConnections: true })
  await app.register(requestLog({ logger: logs.logger }))
  // As @fastify/websocket does it.
  app.server.on('upgrade', (raw, socket) => {
    const response = new ServerResponse(raw)
    response.assignSocket(socket as Socket)
    app.routing(raw, response)
  })
  app.get('/chat', ({ raw }, reply) => {
    reply.hijack()
    raw.socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  client.end('GET /chat HTTP/1.1\r\nhost: here\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n')
  await once(client.resume(), 'close')
  await waitUntil(() => endsOf(logs).length > 0)
  await app.close()
  expect(endsOf(logs)).toHaveLength(1)
  expect(endsOf(logs)[0]).toMatchObject({ level: 'info', attributes: { 'http.route': '/chat' } })
})
