import { describe, expect, test } from '@jest/globals'
import { request } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { currentRequestId } from '../../src/entries/http.ts'
import { waitUntil } from '../support/wait-until.ts'
import { hosts } from './hosts/all.ts'
import { serving } from './suite.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

describe.each(hosts.map((host) => [host.name, host] as const))('the request log for %s', (_, host) => {
  const whereBodies = host.bodies ? test : undefined
  const whereErrors = host.errors ? test : undefined

  test('a completed request has one record with the attributes of the OpenTelemetry HTTP conventions', () =>
    serving(host, {}, async ({ fetch, ends, port, logs }) => {
      const response = await fetch('/orders/17?page=2', { headers: { 'user-agent': 'tests/1' } })
      expect(await response.text()).toBe('order 17')
      const [end] = await ends(1)
      expect(end).toMatchObject({
        level: 'info',
        message: expect.stringMatching(/^GET \/orders\/(?:17|:id) 200 [\d.]+m?s$/),
      })
      const { 'client.address': client, 'http.server.request.duration': seconds, ...attributes } = end!.attributes
      expect(attributes).toEqual({
        'request.id': expect.stringMatching(uuid),
        'http.request.method': 'GET',
        'url.path': '/orders/17',
        'url.query': 'page=2',
        'url.scheme': 'http',
        'server.address': '127.0.0.1',
        'server.port': port,
        'user_agent.original': 'tests/1',
        ...(host.routes && { 'http.route': '/orders/:id' }),
        'http.response.status_code': 200,
      })
      expect(String(client)).toMatch(host.bodies ? /127\.0\.0\.1$/ : /^undefined$/)
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThan(60)
      expect(response.headers.get('x-request-id')).toBeNull()
      expect(logs.filter({ message: /^GET/ })).toHaveLength(1)
    }))

  test('records logged during a request include the attributes of that request', () =>
    serving(host, { attributes: ({ header }) => ({ tenant: header('x-tenant') }) }, async ({ fetch, ends, logs }) => {
      await Promise.all(
        Array.from({ length: 20 }, (_, id) => fetch(`/orders/${id}`, { headers: { 'x-tenant': `t-${id}` } })),
      )
      const byPath = new Map((await ends(20)).map((end) => [end.attributes['url.path'], end.attributes]))
      const inside = logs.filter('inside')
      expect(inside).toHaveLength(20)
      expect(byPath.size).toBe(20)
      for (const { attributes } of inside) {
        const { id } = attributes
        const of = { 'url.path': `/orders/${String(id)}`, 'http.request.method': 'GET', tenant: `t-${String(id)}` }
        expect(attributes).toMatchObject({ ...of, 'request.id': byPath.get(of['url.path'])!['request.id'] })
        expect(byPath.get(of['url.path'])).toMatchObject(of)
      }
      expect(currentRequestId()).toBeUndefined()
    }))

  test('records logged after the body was read include the request attributes', () =>
    serving(host, {}, async ({ fetch, ends, logs }) => {
      const body = JSON.stringify({ item: 'a'.repeat(100_000) })
      const headers = { 'content-type': 'application/json' }
      expect((await fetch('/orders', { method: 'POST', body, headers })).status).toBe(201)
      const [end] = await ends(1)
      expect(end!.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 201 })
      expect(logs.find('inside')?.attributes).toMatchObject({
        'request.id': end!.attributes['request.id'],
        'url.path': '/orders',
      })
    }))

  test('a request has a start record and an end record with `logStart`', () =>
    serving(host, { logStart: true }, async ({ fetch, ends, logs }) => {
      await fetch('/orders/1')
      const [end] = await ends(1)
      expect(
        logs.records
          .map(({ message }) => message)
          .filter((message) => message !== undefined && /^GET|^request|inside/.test(message)),
      ).toEqual(['request received', 'inside', expect.stringMatching(/^GET .* 200 /)])
      expect(logs.find('request received')!.attributes).toMatchObject({
        'request.id': end!.attributes['request.id'],
        'http.request.method': 'GET',
        'url.path': '/orders/1',
      })
    }))

  test('a response with a 5xx status is logged as an error', () =>
    serving(host, {}, async ({ fetch, ends }) => {
      expect((await fetch('/fails')).status).toBe(500)
      const all = await ends(1)
      expect(all).toHaveLength(1)
      expect(all[0]).toMatchObject({
        level: 'error',
        message: expect.stringMatching(/^GET \/fails 500 /),
        attributes: { 'http.response.status_code': 500, 'error.type': host.errors ? 'RangeError' : '500' },
      })
    }))

  whereErrors?.('an error thrown by a handler is the exception of the record', () =>
    serving(host, {}, async ({ fetch, ends }) => {
      await fetch('/fails')
      const [end] = await ends(1)
      expect(end!.error).toEqual({
        type: 'RangeError',
        message: 'no such order',
        stacktrace: expect.stringContaining('host.ts'),
      })
    }),
  )

  test('an error answered with a 4xx status is not logged as an error', () =>
    serving(host, {}, async ({ fetch, ends }) => {
      expect((await fetch('/refused')).status).toBe(422)
      const [end] = await ends(1)
      expect(end).toMatchObject({ level: 'info', attributes: { 'http.response.status_code': 422 } })
      expect(Object.keys(end!.attributes)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:error|exception)\./)]),
      )
    }))

  test('a request without a matching route has a record', () =>
    serving(host, {}, async ({ fetch, ends }) => {
      expect((await fetch('/nowhere')).status).toBe(404)
      const [end] = await ends(1)
      expect(end).toMatchObject({
        level: 'info',
        attributes: { 'http.response.status_code': 404, 'url.path': '/nowhere' },
      })
      expect(end!.attributes).not.toHaveProperty(['http.route'])
    }))

  test('a response without a body has one record', () =>
    serving(host, {}, async ({ fetch, ends }) => {
      expect((await fetch('/unchanged')).status).toBe(304)
      expect((await fetch('/orders/3', { method: 'HEAD' })).status).toBe(200)
      const all = await ends(2)
      expect(all.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([304, 200])
      expect(all[1]!.attributes['http.request.method']).toBe('HEAD')
    }))

  test('a request id header is used only if it is trusted and valid', () =>
    serving(host, { trustRequestId: ({ header }) => header('x-from') === 'proxy' }, async ({ fetch, ends }) => {
      const ids = ['good-1', 'not trusted', 'with space', 'l'.repeat(129), '"quoted"', 'a,b']
      for (const id of ids) {
        await fetch('/orders/1', { headers: { 'x-request-id': id, 'x-from': id === 'not trusted' ? 'me' : 'proxy' } })
      }
      const seen = (await ends(ids.length)).map(({ attributes }) => attributes['request.id'])
      expect(seen).toEqual(['good-1', ...ids.slice(1).map(() => expect.stringMatching(uuid))])
    }))

  test('the response includes the request id with `echoRequestId`', () =>
    serving(host, { echoRequestId: true, requestIdHeader: 'X-Trace' }, async ({ fetch, ends }) => {
      const shown = (await fetch('/orders/1')).headers.get('x-trace')
      const failed = (await fetch('/fails')).headers.get('x-trace')
      const [first, second] = await ends(2)
      expect(shown).toBe(first!.attributes['request.id'])
      expect(failed).toBe(second!.attributes['request.id'])
    }))

  test('credentials, query secrets and headers that are not listed are not logged', () =>
    serving(
      host,
      { requestHeaders: ['Authorization', 'X-Kind', 'cookie'], logStart: true },
      async ({ fetch, ends, logs }) => {
        await fetch('/orders/1?token=canary-1&page=3&user[password]=canary-2&%74oken=canary-3', {
          headers: {
            authorization: 'Bearer canary-4',
            cookie: 'sid=canary-5',
            'x-api-key': 'canary-6',
            'x-kind': 'test',
            'x-other': 'canary-7',
          },
        })
        const [end] = await ends(1)
        expect(JSON.stringify(logs.records)).not.toContain('canary')
        expect(end!.attributes).toMatchObject({
          'url.query': 'token=[REDACTED]&page=3&user[password]=[REDACTED]&%74oken=[REDACTED]',
          'http.request.header.authorization': '[REDACTED]',
          'http.request.header.cookie': '[REDACTED]',
          'http.request.header.x-kind': ['test'],
        })
      },
    ))

  test('ignored requests have no records but are counted, and their attributes are added to other records', () =>
    serving(host, { ignore: ['/orders/1', '/sl*'], logStart: true }, async ({ fetch, ends, logs, stats }) => {
      await fetch('/orders/1')
      await fetch('/orders/11')
      const all = await ends(1)
      expect(all.map(({ attributes }) => attributes['url.path'])).toEqual(['/orders/11'])
      expect(logs.filter('request received')).toHaveLength(1)
      expect(logs.find('inside')!.attributes).toMatchObject({ 'url.path': '/orders/1' })
      expect(stats()).toEqual({ requests: 2, open: 0, ignored: 1, sampledOut: 0 })
    }))

  test('sampling keeps every fourth request and all failed requests, and counts the rest', () =>
    serving(host, { sample: 0.25, logStart: true }, async ({ fetch, ends, logs, stats }) => {
      for (let id = 1; id <= 10; id++) await fetch(`/orders/${id}`)
      await fetch('/fails')
      const all = await ends(3)
      expect(all.map(({ attributes }) => [attributes['url.path'], attributes['request_log.sampled_out']])).toEqual([
        ['/orders/4', 3],
        ['/orders/8', 3],
        ['/fails', 2],
      ])
      expect(logs.filter('request received')).toHaveLength(2)
      expect(logs.filter('inside')).toHaveLength(10)
      expect(stats()).toEqual({ requests: 11, open: 0, ignored: 0, sampledOut: 8 })
    }))

  test('listed response headers are logged', () =>
    serving(host, { responseHeaders: ['content-type', 'date'] }, async ({ fetch, ends }) => {
      const { headers } = await fetch('/orders/1')
      const [end] = await ends(1)
      const type = headers.get('content-type')
      expect(end!.attributes['http.response.header.content-type']).toEqual(type === null ? undefined : [type])
    }))

  test('callbacks that throw do not fail the request and are reported in attributes', () =>
    serving(
      host,
      {
        attributes: thrower,
        level: thrower,
        ignore: thrower,
        sample: thrower,
        trustRequestId: thrower,
        generateRequestId: thrower,
      },
      async ({ fetch, ends }) => {
        expect((await fetch('/orders/1', { headers: { 'x-request-id': 'r-1' } })).status).toBe(200)
        const [end] = await ends(1)
        expect(end).toMatchObject({
          level: 'info',
          attributes: {
            'request.id': expect.stringMatching(uuid),
            'request_log.attributes': '[Threw: out]',
            'request_log.level': '[Threw: out]',
            'request_log.ignore': '[Threw: out]',
            'request_log.sample': '[Threw: out]',
            'request_log.trustRequestId': '[Threw: out]',
            'request_log.generateRequestId': '[Threw: out]',
          },
        })
      },
    ))

  test('pipelined requests of one connection have one record each, in order', () =>
    serving(host, {}, async ({ port, ends }) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(get('/orders/1') + get('/orders/2') + get('/orders/3', 'connection: close\r\n'))
      const received = await text(socket)
      expect([...received.matchAll(/order \d/g)].map(String)).toEqual(['order 1', 'order 2', 'order 3'])
      const all = await ends(3)
      expect(all.map(({ attributes }) => attributes['url.path'])).toEqual(['/orders/1', '/orders/2', '/orders/3'])
      expect(all.map(({ level }) => level)).toEqual(['info', 'info', 'info'])
    }))

  whereBodies?.('a request whose client disconnects has one record of an aborted request', () =>
    serving(host, {}, async ({ port, ends, control }) => {
      const asking = request({ port, path: '/slow' })
        .on('error', () => {})
        .end()
      await waitUntil(() => control.pendingCount() === 1)
      asking.destroy()
      const all = await ends(1)
      control.release()
      expect(all).toHaveLength(1)
      expect(all[0]).toMatchObject({
        level: 'warn',
        message: expect.stringMatching(/^GET \/slow aborted /),
        attributes: { 'error.type': 'aborted', 'url.path': '/slow' },
      })
      expect(all[0]!.attributes).not.toHaveProperty(['http.response.status_code'])
    }),
  )

  whereBodies?.('a request whose client disconnects during the response has one record with the status', () =>
    serving(host, {}, async ({ port, ends, control }) => {
      const asking = request({ port, path: '/stream' })
        .on('error', () => {})
        .end()
      const [response] = (await once(asking, 'response')) as [NodeJS.ReadableStream]
      response.on('error', () => {})
      await once(response, 'data')
      await waitUntil(() => control.pendingCount() === 1)
      asking.destroy()
      const all = await ends(1)
      expect(all).toHaveLength(1)
      expect(all[0]).toMatchObject({
        level: 'warn',
        attributes: { 'error.type': 'aborted', 'http.response.status_code': 200 },
      })
    }),
  )

  whereBodies?.('pipelined requests of a closed connection have one aborted record each', () =>
    serving(host, {}, async ({ port, ends, control }) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.write(get('/slow') + get('/orders/1') + get('/orders/2'))
      await waitUntil(() => control.pendingCount() === 1)
      socket.destroy()
      const all = await ends(3)
      expect(all).toHaveLength(3)
      expect(all.map(({ attributes }) => String(attributes['url.path'])).toSorted()).toEqual([
        '/orders/1',
        '/orders/2',
        '/slow',
      ])
      expect(all.map(({ attributes }) => attributes['error.type'])).toEqual(['aborted', 'aborted', 'aborted'])
    }),
  )

  whereBodies?.('a streamed response is logged after its last byte', () =>
    serving(host, {}, async ({ fetch, ends, control, logs, stats }) => {
      const response = await fetch('/stream')
      await waitUntil(() => control.pendingCount() === 1)
      expect(stats().open).toBe(1)
      control.release()
      expect(await response.text()).toBe('first second')
      const all = await ends(1)
      expect(all.map(({ level, attributes }) => [level, attributes['http.response.status_code']])).toEqual([
        ['info', 200],
      ])
      // Koa reads a stream after the middleware has returned, outside its async context.
      const follows = host.koa === true ? undefined : all[0]!.attributes['request.id']
      expect(logs.find('inside')!.attributes['request.id']).toBe(follows)
    }),
  )
})

function get(path: string, more = ''): string {
  return `GET ${path} HTTP/1.1\r\nhost: here\r\n${more}\r\n`
}

function thrower(): never {
  throw new Error('out')
}
