import { describe, expect, test } from '@jest/globals'
import { request } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { currentRequestId } from '../../src/entries/http.ts'
import { until } from '../support/until.ts'
import { hosts } from './hosts/all.ts'
import { serving } from './suite.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

describe.each(hosts.map((host) => [host.name, host] as const))('%s', (_, host) => {
  const whereBodies = host.bodies ? test : undefined
  const whereErrors = host.errors ? test : undefined

  test('an exchange has one record when it is over, with the attributes of OpenTelemetry', () =>
    serving(host, {}, async ({ fetch, ends, port, logs }) => {
      const response = await fetch('/orders/17?page=2', { headers: { 'user-agent': 'tests/1' } })
      expect(await response.text()).toBe('order 17')
      const [end] = await ends(1)
      expect(end).toMatchObject({ level: 'info', message: 'request completed' })
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
      expect(logs.filter({ message: /^request/ })).toHaveLength(1)
    }))

  test('whatever is logged meanwhile carries the attributes of its own request', () =>
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

  test('it still does when the body was read', () =>
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

  test('with logStart there is a record at both ends', () =>
    serving(host, { logStart: true }, async ({ fetch, ends, logs }) => {
      await fetch('/orders/1')
      const [end] = await ends(1)
      expect(
        logs.records
          .map(({ message }) => message)
          .filter((message) => message !== undefined && /^request|inside/.test(message)),
      ).toEqual(['request received', 'inside', 'request completed'])
      expect(logs.find('request received')!.attributes).toMatchObject({
        'request.id': end!.attributes['request.id'],
        'http.request.method': 'GET',
        'url.path': '/orders/1',
      })
    }))

  test('a status of 5xx is an error', () =>
    serving(host, {}, async ({ fetch, ends }) => {
      expect((await fetch('/fails')).status).toBe(500)
      const all = await ends(1)
      expect(all).toHaveLength(1)
      expect(all[0]).toMatchObject({
        level: 'error',
        message: 'request failed',
        attributes: { 'http.response.status_code': 500, 'error.type': host.errors ? 'RangeError' : '500' },
      })
    }))

  whereErrors?.('what a handler throws is the exception of that record', () =>
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

  test('what is thrown and answered as the fault of the client is no error', () =>
    serving(host, {}, async ({ fetch, ends }) => {
      expect((await fetch('/refused')).status).toBe(422)
      const [end] = await ends(1)
      expect(end).toMatchObject({ level: 'info', attributes: { 'http.response.status_code': 422 } })
      expect(Object.keys(end!.attributes)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:error|exception)\./)]),
      )
    }))

  test('a path that leads nowhere has its record', () =>
    serving(host, {}, async ({ fetch, ends }) => {
      expect((await fetch('/nowhere')).status).toBe(404)
      const [end] = await ends(1)
      expect(end).toMatchObject({
        level: 'info',
        attributes: { 'http.response.status_code': 404, 'url.path': '/nowhere' },
      })
      expect(end!.attributes).not.toHaveProperty(['http.route'])
    }))

  test('responses without a body have one record each', () =>
    serving(host, {}, async ({ fetch, ends }) => {
      expect((await fetch('/unchanged')).status).toBe(304)
      expect((await fetch('/orders/3', { method: 'HEAD' })).status).toBe(200)
      const all = await ends(2)
      expect(all.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([304, 200])
      expect(all[1]!.attributes['http.request.method']).toBe('HEAD')
    }))

  test('an id of the request is not taken unless it is trusted, and has a form that can be', () =>
    serving(host, { trustRequestId: ({ header }) => header('x-from') === 'proxy' }, async ({ fetch, ends }) => {
      const ids = ['good-1', 'not trusted', 'with space', 'l'.repeat(129), '"quoted"', 'a,b']
      for (const id of ids) {
        await fetch('/orders/1', { headers: { 'x-request-id': id, 'x-from': id === 'not trusted' ? 'me' : 'proxy' } })
      }
      const seen = (await ends(ids.length)).map(({ attributes }) => attributes['request.id'])
      expect(seen).toEqual(['good-1', ...ids.slice(1).map(() => expect.stringMatching(uuid))])
    }))

  test('the response carries the id where that is wanted', () =>
    serving(host, { echoRequestId: true, requestIdHeader: 'X-Trace' }, async ({ fetch, ends }) => {
      const shown = (await fetch('/orders/1')).headers.get('x-trace')
      const failed = (await fetch('/fails')).headers.get('x-trace')
      const [first, second] = await ends(2)
      expect(shown).toBe(first!.attributes['request.id'])
      expect(failed).toBe(second!.attributes['request.id'])
    }))

  test('credentials, the secrets of a query and headers that nobody has listed are in no record', () =>
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

  test('requests to be ignored have no records, are counted, and lend their attributes all the same', () =>
    serving(host, { ignore: ['/orders/1', '/sl*'], logStart: true }, async ({ fetch, ends, logs, stats }) => {
      await fetch('/orders/1')
      await fetch('/orders/11')
      const all = await ends(1)
      expect(all.map(({ attributes }) => attributes['url.path'])).toEqual(['/orders/11'])
      expect(logs.filter('request received')).toHaveLength(1)
      expect(logs.find('inside')!.attributes).toMatchObject({ 'url.path': '/orders/1' })
      expect(stats()).toEqual({ requests: 2, open: 0, ignored: 1, leftOut: 0 })
    }))

  test('of a sample each share is kept evenly and the rest counted, but for what ends badly', () =>
    serving(host, { sample: 0.25, logStart: true }, async ({ fetch, ends, logs, stats }) => {
      for (let id = 1; id <= 10; id++) await fetch(`/orders/${id}`)
      await fetch('/fails')
      const all = await ends(3)
      expect(all.map(({ attributes }) => [attributes['url.path'], attributes['request_log.left_out']])).toEqual([
        ['/orders/4', 3],
        ['/orders/8', 3],
        ['/fails', 2],
      ])
      expect(logs.filter('request received')).toHaveLength(2)
      expect(logs.filter('inside')).toHaveLength(10)
      expect(stats()).toEqual({ requests: 11, open: 0, ignored: 0, leftOut: 8 })
    }))

  test('headers of the response are shown where they are listed, however the framework writes them', () =>
    serving(host, { responseHeaders: ['content-type', 'date'] }, async ({ fetch, ends }) => {
      const { headers } = await fetch('/orders/1')
      const [end] = await ends(1)
      const type = headers.get('content-type')
      expect(end!.attributes['http.response.header.content-type']).toEqual(type === null ? undefined : [type])
    }))

  test('functions that throw cost no request, and are shown', () =>
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

  test('pipelined requests of one connection have a record each, in order', () =>
    serving(host, {}, async ({ port, ends }) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(get('/orders/1') + get('/orders/2') + get('/orders/3', 'connection: close\r\n'))
      const said = await text(socket)
      expect([...said.matchAll(/order \d/g)].map(String)).toEqual(['order 1', 'order 2', 'order 3'])
      const all = await ends(3)
      expect(all.map(({ attributes }) => attributes['url.path'])).toEqual(['/orders/1', '/orders/2', '/orders/3'])
      expect(all.map(({ level }) => level)).toEqual(['info', 'info', 'info'])
    }))

  whereBodies?.('a client that goes away leaves one record, of a request that was aborted', () =>
    serving(host, {}, async ({ port, ends, control }) => {
      const asking = request({ port, path: '/slow' })
        .on('error', () => {})
        .end()
      await until(() => control.waiting() === 1)
      asking.destroy()
      const all = await ends(1)
      control.release()
      expect(all).toHaveLength(1)
      expect(all[0]).toMatchObject({
        level: 'warn',
        message: 'request aborted',
        attributes: { 'error.type': 'aborted', 'url.path': '/slow' },
      })
      expect(all[0]!.attributes).not.toHaveProperty(['http.response.status_code'])
    }),
  )

  whereBodies?.('so does one that goes away in the middle of the response, which had its status', () =>
    serving(host, {}, async ({ port, ends, control }) => {
      const asking = request({ port, path: '/stream' })
        .on('error', () => {})
        .end()
      const [response] = (await once(asking, 'response')) as [NodeJS.ReadableStream]
      response.on('error', () => {})
      await once(response, 'data')
      await until(() => control.waiting() === 1)
      asking.destroy()
      const all = await ends(1)
      expect(all).toHaveLength(1)
      expect(all[0]).toMatchObject({
        level: 'warn',
        attributes: { 'error.type': 'aborted', 'http.response.status_code': 200 },
      })
    }),
  )

  whereBodies?.('requests that wait behind another of a connection that is gone have a record each', () =>
    serving(host, {}, async ({ port, ends, control }) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.write(get('/slow') + get('/orders/1') + get('/orders/2'))
      await until(() => control.waiting() === 1)
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

  whereBodies?.('a streamed response is over when its last byte is', () =>
    serving(host, {}, async ({ fetch, ends, control, logs, stats }) => {
      const response = await fetch('/stream')
      await until(() => control.waiting() === 1)
      expect(stats().open).toBe(1)
      control.release()
      expect(await response.text()).toBe('first second')
      const all = await ends(1)
      expect(all.map(({ level, attributes }) => [level, attributes['http.response.status_code']])).toEqual([
        ['info', 200],
      ])
      // Koa reads a stream when the middleware is over.
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
