import { expect, test } from '@jest/globals'
import { EventEmitter } from 'node:events'
import { Hono, type Context } from 'hono'
import { requestLog, type HonoRequestLog, type RequestLogOptions } from '../../src/entries/hono.ts'
import type { Logger } from '../../src/entries/index.ts'
import { captureLogs, type Captured } from '../../src/entries/testing.ts'
import { endsOf } from './suite.ts'

type App = Hono<{ Variables: { log: Logger } }>

/** Returns the response and the completion record of one request to an application without Node bindings. */
async function responseAndRecord(
  logs: Captured,
  routes: (app: App, log: HonoRequestLog) => unknown,
  path: string,
  options: Omit<RequestLogOptions, 'logger'> = {},
) {
  const log = requestLog({ ...options, logger: logs.logger })
  const app: App = new Hono()
  app.use(log)
  routes(app, log)
  const response = await app.request(path)
  expect(endsOf(logs)).toHaveLength(1)
  expect(log.stats()).toMatchObject({ requests: 1, open: 0 })
  return { response, end: endsOf(logs)[0]! }
}

test('a handler that returns nothing is logged as failed, as in Hono', async () => {
  using logs = captureLogs()
  const forgetful = (() => {}) as unknown as (context: Context) => Response
  const routes = (app: App): unknown => app.get('/a', forgetful).onError((_, context) => context.text('failed', 500))
  const { response, end } = await responseAndRecord(logs, routes, '/a')
  expect(response.status).toBe(500)
  expect(end).toMatchObject({ level: 'error', error: { message: 'no handler has returned a response' } })
  expect(end.attributes).not.toHaveProperty(['http.response.status_code'])
})

test('a request log that is registered twice logs one record', async () => {
  using logs = captureLogs()
  const { end } = await responseAndRecord(
    logs,
    (app, log) => {
      const inner = new Hono()
      inner.use(log)
      inner.get('/a', (context) => context.text('a', 201))
      app.route('/inner', inner)
    },
    '/inner/a',
  )
  expect(end.attributes).toMatchObject({ 'http.route': '/inner/a', 'http.response.status_code': 201 })
})

function wildcards(app: App): void {
  app.use('/api/*', (_, next) => next())
  app.get('/files/*', (context) => context.text('file'))
}

test('a path that matches only middleware has no route, and a wildcard route is logged as a route', async () => {
  using nowhere = captureLogs()
  const { end } = await responseAndRecord(nowhere, wildcards, '/api/none')
  expect(end.attributes).not.toHaveProperty(['http.route'])
  using found = captureLogs()
  expect((await responseAndRecord(found, wildcards, '/files/a')).end.attributes).toHaveProperty(
    ['http.route'],
    '/files/*',
  )
})

test.each([
  ['created by a handler', () => new Response('own'), 200],
  ['that is a redirect', () => Response.redirect('https://shop.example/', 302), 302],
])('a response %s includes the request id with `echoRequestId`', async (_, handler, status) => {
  using logs = captureLogs()
  const { response, end } = await responseAndRecord(logs, (app) => app.get('/a', handler), '/a', {
    echoRequestId: true,
  })
  expect(response.status).toBe(status)
  expect(response.headers.get('x-request-id')).toBe(end.attributes['request.id'])
})

test('`c.var.log` adds the request attributes outside the async context of the request', async () => {
  using logs = captureLogs()
  const bus = new EventEmitter()
  const { end } = await responseAndRecord(
    logs,
    (app) =>
      app.get('/a', (context) => {
        const { log } = context.var
        bus.once('done', () => log.info('outside'))
        return context.text('a')
      }),
    '/a',
  )
  bus.emit('done')
  const { 'request.id': id, 'url.path': path } = end.attributes
  expect(logs.find('outside')!.attributes).toEqual({
    'request.id': id,
    'url.path': path,
    'http.request.method': 'GET',
  })
})

test('`c.var.log` is a complete logger with its own level', async () => {
  using logs = captureLogs({ level: 'info' })
  let own!: Logger
  await responseAndRecord(logs, (app) => app.get('/a', (context) => context.text(((own = context.var.log), 'a'))), '/a')
  own.level = 'debug'
  const { debug } = own
  debug('detached')
  own.child({ more: 1 }).debug('of a child')
  logs.logger.debug('of the logger')
  expect([own.level, logs.logger.level, 'info' in own, 'nothing' in own]).toEqual(['debug', 'info', true, false])
  expect(Object.keys(own)).toEqual(Object.keys(logs.logger.child({})))
  expect(
    logs.at('debug').map(({ message, attributes }) => [message, attributes['url.path'], attributes['more']]),
  ).toEqual([
    ['detached', '/a', undefined],
    ['of a child', '/a', 1],
  ])
  // Functions that require a sluice logger accept it.
  expect(() => requestLog({ logger: own })).not.toThrow()
})

test('a change of one `c.var.log` does not affect another', async () => {
  using logs = captureLogs()
  const own: Logger[] = []
  const take = (context: Context<{ Variables: { log: Logger } }>): Response =>
    context.text((own.push(context.var.log), 'a'))
  const log = requestLog({ logger: logs.logger })
  const app: App = new Hono()
  app.use(log).get('/a', take)
  await app.request('/a')
  expect(() => Object.freeze(own[0])).toThrow(TypeError)
  Object.defineProperty(own[0], 'mine', { value: 1, configurable: true })
  await app.request('/a')
  expect(own.map((logger) => [(logger as { mine?: unknown }).mine, Object.isExtensible(logger)])).toEqual([
    [1, true],
    [undefined, true],
  ])
  expect(delete (own[0] as { mine?: unknown }).mine).toBe(true)
  expect(own.map((logger) => Object.keys(logger))).toEqual(own.map(() => Object.keys(logs.logger.child({}))))
})

test('an upgraded request is logged once, when its connection ends, without a status', async () => {
  using logs = captureLogs()
  const log = requestLog({ logger: logs.logger })
  const app = new Hono()
  app.use(log)
  app.use(log)
  app.get('/chat', (context) => context.body(null))
  const socket = Object.assign(new EventEmitter(), { remoteAddress: '::1' })
  const incoming = { method: 'GET', url: '/chat', headers: { upgrade: 'websocket' }, socket }
  // The bindings that `upgradeWebSocket` of @hono/node-server requires.
  await app.request('/chat', {}, { incoming })
  expect(endsOf(logs)).toHaveLength(0)
  expect(log.stats().open).toBe(1)
  socket.emit('close')
  expect(endsOf(logs)).toHaveLength(1)
  const { level, attributes } = endsOf(logs)[0]!
  expect(level).toBe('info')
  expect(attributes).toMatchObject({ 'http.route': '/chat', 'client.address': '::1' })
  expect(attributes).not.toHaveProperty(['http.response.status_code'])
})
