import { describe, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { currentRequest, currentRequestId, createRequestLog, type HttpRequest } from '../../src/entries/http.ts'
import { requestLog as nodeRequestLog } from '../../src/entries/node.ts'
import { withContext } from '../../src/entries/index.ts'
import { captureLogs, type Captured, type CapturedRecord } from '../../src/entries/testing.ts'
import { noResponse } from '../../src/http/exchange.ts'
import { importOf, runChild, runModule } from '../support/processes/child.ts'
import { waitUntil } from '../support/wait-until.ts'
import { hosts } from './hosts/all.ts'
import { endsOf, serving } from './suite.ts'

const get = (url = '/a'): HttpRequest => ({ method: 'GET', url, header: () => undefined })
const ok = { ...noResponse, statusCode: 200 }

/** Completes another request, and waits until what is added to it then is logged: earlier additions would be logged by then, too. */
async function logAddition({ logger, records }: Captured): Promise<void> {
  const scope = createRequestLog({ logger }).begin(get('/other'))
  scope.end(ok)
  scope.set({ other: true })
  await waitUntil(() => records.some(({ attributes }) => attributes['other'] === true))
}

describe.each(hosts.map((host) => [host.name, host] as const))('the current request with %s', (_, host) => {
  test('what a handler sets is in the single record of its request', () =>
    serving(host, {}, async ({ fetch, ends, control, logs }) => {
      control.inHandler = () => {
        currentRequest().set({ user: { id: 7 } })
        withContext({ step: 'pay' }, () => currentRequest().set({ paid: true }))
      }
      await (await fetch('/orders/1')).text()
      const [end, ...more] = await ends(1)
      expect(more).toEqual([])
      expect(end!.attributes).toMatchObject({ user: { id: 7 }, paid: true, 'http.response.status_code': 200 })
      expect(logs.find('inside')!.attributes).not.toHaveProperty('user')
    }))

  test('what was set is in the single record of a request whose handler throws', () =>
    serving(host, {}, async ({ fetch, ends, control }) => {
      control.inHandler = () => currentRequest().set({ cart: 3 })
      await (await fetch('/fails')).text()
      const all = await ends(1)
      expect(all).toHaveLength(1)
      expect(all[0]).toMatchObject({ level: 'error', attributes: { cart: 3, 'http.response.status_code': 500 } })
    }))

  test('a handled error that is passed to `fail` is the exception of a request with a 200 response', () =>
    serving(host, {}, async ({ fetch, ends, control }) => {
      control.inHandler = () => currentRequest().fail(new TypeError('no stock'))
      expect((await fetch('/orders/1')).status).toBe(200)
      const all = await ends(1)
      expect(all).toHaveLength(1)
      expect(all[0]).toMatchObject({ level: 'error', error: { type: 'TypeError', message: 'no stock' } })
      expect(all[0]!.attributes).toMatchObject({ 'http.response.status_code': 200, 'error.type': 'TypeError' })
    }))

  const whereBodies = host.bodies ? test : undefined

  whereBodies?.('what was set is in the single record of a request whose client disconnects', () =>
    serving(host, {}, async ({ port, ends, control }) => {
      control.inHandler = () => currentRequest().set({ cart: 3 })
      const sent = request({ port, path: '/slow' }).on('error', () => {})
      sent.end()
      await waitUntil(() => control.pendingCount() === 1)
      sent.destroy()
      const all = await ends(1)
      control.release()
      expect(all).toHaveLength(1)
      expect(all[0]!.attributes).toMatchObject({ cart: 3, 'error.type': 'aborted' })
    }),
  )
})

test('a request whose connection times out has one record, although its handler responds later', async () => {
  using logs = captureLogs()
  const late = Promise.withResolvers<void>()
  const server = nodeRequestLog({ logger: logs.logger }).wrap(
    createServer(async (_request, response) => {
      currentRequest().set({ cart: 3 })
      await once(response, 'close')
      response.end('too late')
      late.resolve()
    }),
  )
  server.setTimeout(20)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await expect(fetch(`http://127.0.0.1:${port}/slow`)).rejects.toThrow('fetch failed')
  await late.promise
  await waitUntil(() => endsOf(logs).length > 0)
  server.close()
  expect(logs.records).toMatchObject([{ level: 'warn', attributes: { cart: 3, 'error.type': 'aborted' } }])
})

test('outside of a request the current request has no ID and its methods have no effect', () => {
  const job = currentRequest()
  job.set({ user: 7 })
  job.fail(new Error('x'))
  expect(job.id).toBeUndefined()
})

test.each(hosts.map((host) => [host.name, host] as const))(
  'the methods of the current request can be passed as callbacks with %s',
  (_, host) =>
    serving(host, {}, async ({ fetch, ends, control }) => {
      control.inHandler = () => {
        const { set, fail } = currentRequest()
        ;[{ a: 1 }, { b: 2 }].forEach(set)
        void Promise.reject(new RangeError('no stock')).catch(fail)
        expect(currentRequest().fail).toBe(fail)
      }
      await (await fetch('/orders/1')).text()
      const [end] = await ends(1)
      expect(end).toMatchObject({ level: 'error', error: { message: 'no stock' }, attributes: { a: 1, b: 2 } })
    }),
)

test('the methods outside of a request can be passed as callbacks', async () => {
  await expect(Promise.reject(new Error('x')).catch(currentRequest().fail)).resolves.toBeUndefined()
})

test('the current request that is logged has its ID and nothing of itself or other requests', () => {
  using logs = captureLogs()
  const log = createRequestLog({ logger: logs.logger })
  const scopes = [log.begin(get('/first')), log.begin(get('/second')), log.begin(get('/third'))]
  scopes[1]!.run(() => logs.logger.info('inside', { request: currentRequest() }))
  expect(logs.records[0]!.attributes['request']).toMatchObject({ id: scopes[1]!.id })
  expect(logs.records[0]!.line).not.toMatch(/first|third/)
  for (const scope of [scopes[0]!, scopes[2]!]) expect(logs.records[0]!.line).not.toContain(scope.id)
})

test('the ID of the current request is that of `currentRequest`, also if a context has an attribute of the same name', () => {
  using logs = captureLogs()
  withContext({ 'request.id': 'job' }, () => expect(currentRequestId()).toBeUndefined())
  const scope = createRequestLog({ logger: logs.logger }).begin(get())
  scope.run(() => withContext({ 'request.id': 'job' }, () => expect(currentRequestId()).toBe(scope.id)))
})

describe('attributes that are set on a request', () => {
  test('keep the values that they had when they were set', () => {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger }).begin(get())
    const cart = { items: ['pen'] }
    scope.set({ cart })
    cart.items.push('ink')
    scope.end(ok)
    expect(logs.records[0]!.attributes['cart']).toEqual({ items: ['pen'] })
  })

  test('are redacted by the rules of the logger as the attributes of a log call are', () => {
    using logs = captureLogs({
      redact: { keys: ['password'], paths: ['user.card'], patterns: ['jwt'] },
      serializers: { shop: (shop) => `shop ${(shop as { id: number }).id}` },
    })
    const scope = createRequestLog({ logger: logs.logger, message: 'for {user}' }).begin(get())
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeQ'
    scope.set({ user: { card: 'canary', name: 'Ada', password: 'canary' }, note: `with ${token}`, shop: { id: 4 } })
    scope.end(ok)
    const [record] = logs.records
    expect(record!.attributes).toMatchObject({
      user: { card: '[REDACTED]', name: 'Ada', password: '[REDACTED]' },
      shop: 'shop 4',
    })
    expect(JSON.stringify(record)).not.toMatch(/canary|eyJhbG/)
  })

  test('override earlier ones, but not the ID, method, path, status and duration of the request', () => {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger, attributes: () => ({ tenant: 'a' }) }).begin(get())
    scope.set({ tenant: 'b', 'request.id': 'x', 'url.path': '/x', 'http.response.status_code': 999, step: 1 })
    scope.set({ step: 2 })
    scope.end(ok)
    expect(logs.records[0]!.attributes).toMatchObject({
      tenant: 'b',
      step: 2,
      'request.id': scope.id,
      'url.path': '/a',
      'http.response.status_code': 200,
    })
  })

  test('with a getter that throws do not throw, and the other attributes are logged', () => {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger }).begin(get())
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    scope.set({
      get bad(): never {
        throw new Error('no')
      },
      good: 1,
    })
    for (const value of [proxy, null, undefined, 1, 'text', () => {}]) scope.set(value as object)
    scope.end(ok)
    expect(logs.records[0]!.attributes).toMatchObject({ good: 1, bad: '[Threw: no]' })
  })

  test('with names of members of Object.prototype are logged as ordinary attributes', () => {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger }).begin(get())
    scope.set(JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as object)
    scope.end(ok)
    expect(Object.keys(logs.records[0]!.attributes)).toEqual(expect.arrayContaining(['__proto__', 'constructor']))
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  test('are limited in number, and the rest is counted', () => {
    using logs = captureLogs({ limits: { attributes: 2_000 } })
    const scope = createRequestLog({ logger: logs.logger }).begin(get())
    for (let i = 0; i < 1_500; i++) scope.set({ [`a${i}`]: i })
    scope.end(ok)
    expect(logs.records[0]!.attributes).toMatchObject({ a999: 999, 'request_log.dropped_attributes': 500 })
    expect(logs.records[0]!.attributes).not.toHaveProperty('a1000')
  })

  test('in large numbers leave the attributes and the error of the request in its record', () => {
    using logs = captureLogs()
    const options = { requestHeaders: ['accept'], responseHeaders: ['etag'], message: () => 17 as never, slowMillis: 0 }
    const scope = createRequestLog({ ...options, logger: logs.logger }).begin({ ...get(), header: () => 'a' })
    for (let i = 0; i < 150; i++) scope.set({ [`a${i}`]: i })
    scope.fail(new RangeError('no stock'))
    scope.end({ ...ok, route: '/:a', header: () => 'b' })
    expect(logs.records).toMatchObject([{ level: 'error', error: { type: 'RangeError', message: 'no stock' } }])
    expect(logs.records[0]!.attributes).toMatchObject({
      'http.route': '/:a',
      'http.response.status_code': 200,
      'http.server.request.duration': expect.any(Number),
      'error.type': 'RangeError',
      'http.request.header.accept': ['a'],
      'http.response.header.etag': ['b'],
      'request_log.slow': true,
      'request_log.message': 'not a string',
      a0: 0,
      a99: 99,
    })
    expect(logs.records[0]!.droppedAttributes).toBeGreaterThan(0)
  })

  test('in large numbers leave the attributes and the error in a record of late additions', async () => {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger }).begin(get())
    scope.end({ ...ok, route: '/:a' })
    for (let i = 0; i < 150; i++) scope.set({ [`a${i}`]: i })
    scope.fail(new RangeError('no stock'))
    await waitUntil(() => logs.records.length > 1)
    expect(logs.records[1]).toMatchObject({ level: 'error', error: { type: 'RangeError', message: 'no stock' } })
    expect(logs.records[1]!.attributes).toMatchObject({ 'http.route': '/:a', 'request_log.late': true, a99: 99 })
  })

  test('are not the status, the duration or the error type of a request that has none', () => {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger }).begin(get())
    scope.set({ 'http.response.status_code': 200, 'error.type': 'x', 'http.server.request.duration': -1, step: 1 })
    scope.end(noResponse)
    const [{ attributes }] = logs.records as [CapturedRecord]
    expect(attributes).toMatchObject({ step: 1, 'http.server.request.duration': expect.any(Number) })
    expect(attributes['http.server.request.duration']).toBeGreaterThanOrEqual(0)
    expect(attributes).not.toHaveProperty(['http.response.status_code'])
    expect(attributes).not.toHaveProperty(['error.type'])
  })

  test('include a route, which is in the message, if the framework provides none', () => {
    using logs = captureLogs()
    const log = createRequestLog({ logger: logs.logger })
    for (const route of [undefined, '/:a']) {
      const scope = log.begin(get())
      scope.set({ 'http.route': '/:set' })
      scope.end({ ...ok, route })
    }
    expect(logs.records.map(({ attributes }) => attributes['http.route'])).toEqual(['/:set', '/:a'])
    expect(logs.records.map(({ message }) => message.split(' ')[1])).toEqual(['/:set', '/:a'])
  })

  test('are not logged for an ignored request', async () => {
    using logs = captureLogs()
    const log = createRequestLog({ logger: logs.logger, ignore: ['/a'] })
    for (const hasEarlierAdditions of [true, false]) {
      const scope = log.begin(get())
      if (hasEarlierAdditions) {
        scope.set({ a: 1 })
        scope.fail(new Error('x'))
      }
      scope.end(ok)
      scope.set({ b: 1 })
      scope.fail(new Error('y'))
    }
    await logAddition(logs)
    expect(logs.records).toHaveLength(2)
  })
})

describe('additions after the request is complete', () => {
  test('are one record that has the attributes of the request', async () => {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger }).begin(get())
    scope.end({ ...ok, route: '/:a' })
    for (let i = 0; i < 1_000; i++) scope.set({ [`late${i % 3}`]: i })
    await waitUntil(() => logs.records.length > 1)
    expect(logs.records).toHaveLength(2)
    expect(logs.records[1]).toMatchObject({ level: 'info', message: 'GET /:a after completion' })
    expect(logs.records[1]!.attributes).toEqual({
      'request.id': scope.id,
      'http.request.method': 'GET',
      'url.path': '/a',
      'http.route': '/:a',
      'request_log.late': true,
      late0: 999,
      late1: 997,
      late2: 998,
    })
  })

  test('with an error are a record at level error, also for a request that was sampled out', async () => {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger, sample: 0 }).begin(get())
    scope.end(ok)
    scope.set({ ignored: true })
    await logAddition(logs)
    expect(logs.records).toHaveLength(2)
    scope.fail(new RangeError('too late'))
    await waitUntil(() => logs.records.length > 2)
    expect(logs.records.slice(2)).toMatchObject([{ level: 'error', error: { message: 'too late' } }])
  })

  test('with an error are a record, also if attributes were set before the request was sampled out', async () => {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger, sample: 0 }).begin(get())
    scope.set({ cart: 3 })
    scope.end(ok)
    scope.fail(new RangeError('too late'))
    await waitUntil(() => logs.records.length > 0)
    expect(logs.records).toMatchObject([{ level: 'error', error: { message: 'too late' } }])
    expect(logs.records[0]!.attributes).not.toHaveProperty('cart')
  })

  test('that are made again later are another record', async () => {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger }).begin(get())
    scope.end(ok)
    scope.set({ a: 1 })
    await waitUntil(() => logs.records.length === 2)
    scope.set({ b: 2 })
    await waitUntil(() => logs.records.length === 3)
    expect(logs.records.at(-1)!.attributes).toMatchObject({ b: 2, 'request.id': scope.id })
    expect(logs.records.at(-1)!.attributes).not.toHaveProperty('a')
  })

  test.each([
    ['the process exits', 'process.exit(0)', { late: 1 }],
    ['the process ends naturally', '', { late: 1 }],
    [
      'an exit listener sets more',
      `process.on('exit', () => scope.set({ last: 2 })); process.exit(0)`,
      { late: 1, last: 2 },
    ],
  ])('are written when %s', async (_, end, attributes) => {
    const { stdout } = await runModule(
      `${importOf('{ createLogger }', 'src/entries/index.ts')}
       ${importOf('{ createRequestLog }', 'src/entries/http.ts')}
       const scope = createRequestLog({ logger: createLogger() }).begin({ method: 'GET', url: '/a', header: () => undefined })
       scope.end({ statusCode: 200 })
       scope.set({ late: 1 })
       ${end}`,
    )
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { attributes: object }).attributes)
    expect(Object.assign({}, ...lines.slice(1))).toMatchObject({ ...attributes, 'request_log.late': true })
  })

  test.each([
    ['after that of the logger', 'on'],
    ['before that of the logger', 'prependListener'],
  ])('that only an exit listener %s makes are written', async (_, listen) => {
    const { stdout } = await runModule(
      `${importOf('{ createLogger }', 'src/entries/index.ts')}
       ${importOf('{ createRequestLog }', 'src/entries/http.ts')}
       const log = createRequestLog({ logger: createLogger() })
       const scope = log.begin({ method: 'GET', url: '/a', header: () => undefined })
       scope.end({ statusCode: 200 })
       process.${listen}('exit', () => {
         scope.set({ last: 2 })
         scope.fail(new Error('at exit'))
         log.begin({ method: 'GET', url: '/b', header: () => undefined })
       })
       process.exit(0)`,
    )
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { message: string; attributes: object })
    const late = lines.filter(({ message }) => message === 'GET /a after completion').map((line) => line.attributes)
    expect(Object.assign({}, ...late)).toMatchObject({ last: 2, 'exception.message': 'at exit' })
    expect(lines.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^GET \/b aborted by exit /))
  })

  test('are one record after a short time in a process that stays alive', async () => {
    const { stdout } = await runModule(
      `${importOf('{ createLogger }', 'src/entries/index.ts')}
       ${importOf('{ createRequestLog }', 'src/entries/http.ts')}
       import { writeSync } from 'node:fs'
       const scope = createRequestLog({ logger: createLogger() }).begin({ method: 'GET', url: '/a', header: () => undefined })
       scope.end({ statusCode: 200 })
       scope.set({ first: 1 })
       setImmediate(() => scope.set({ second: 2 }))
       setTimeout(() => writeSync(1, 'later\\n'), 1_000)`,
    )
    const [, late, later] = stdout.trim().split('\n')
    expect(JSON.parse(late!)).toMatchObject({ attributes: { first: 1, second: 2, 'request_log.late': true } })
    expect(later).toBe('later')
  })
})

test('a completed request whose context is still used keeps neither its message nor its errors nor its bodies in memory', async () => {
  const { stdout } = await runChild({
    args: [
      '--expose-gc',
      '--input-type=module',
      '--eval',
      `${importOf('{ newRequestLog }', 'src/http/request-log.ts')}
       ${importOf('{ captureLogs }', 'src/entries/testing.ts')}
       import { setTimeout as after } from 'node:timers/promises'
       const logs = captureLogs()
       const log = newRequestLog({ logger: logs.logger, requestBody: true })
       let timer
       function serve(url) {
         const request = { method: 'POST', url, header: () => 'text/plain' }
         const [thrown, failed] = [new Error('thrown'), new Error('failed')]
         const scope = log.begin(request)
         scope.bodies.request.add('body')
         scope.bodies.request.isComplete = true
         const { bodies } = scope
         scope.run(() => (timer = setInterval(() => {}, 60_000)))
         scope.reportError(thrown)
         scope.fail(failed)
         scope.end({ statusCode: 500, header: () => undefined })
         return [request, thrown, failed, bodies].map((value) => new WeakRef(value))
       }
       const references = serve('/a')
       for (let i = 0; i < 5; i++) { gc(); await after(5) }
       console.log(references.map((reference) => typeof reference.deref()).join())
       console.log(logs.records.map(({ error }) => error.message).join())
       clearInterval(timer)`,
    ],
  })
  expect(stdout).toBe('undefined,undefined,undefined,undefined\nfailed\n')
})
