import { afterEach, describe, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { captureLogs } from '../../../src/entries/testing.ts'
import { levelControl, type LevelLayerDescription } from '../../../src/level-control/level-control.ts'
import { levelsHandler } from '../../../src/level-control/http/levels-handler.ts'
import { maxHttpLayers } from '../../../src/level-control/http/http-layers.ts'
import { serverKinds, startHttp2, startNode, type LevelsServer } from './servers.ts'

const token = 'correct-horse-battery-staple'
const authorization = `Bearer ${token}`
const nodeServer = serverKinds[0]!

let server: LevelsServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
  const request = new Request('http://localhost/', { method: 'DELETE', headers: { authorization } })
  await levelsHandler({ token })(request)
})

/** A request without the parts that are the same in most tests. */
interface Sent {
  readonly query?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

async function send(method: string, { query = '', headers = {}, body }: Sent = {}): Promise<Answer> {
  const response = await fetch(server!.url + query, {
    method,
    headers: { authorization, ...headers },
    ...(body !== undefined && { body }),
  })
  const received = await response.text()
  expect(received).not.toContain(token)
  return {
    status: response.status,
    headers: response.headers,
    body: received === '' ? {} : (JSON.parse(received) as Record<string, unknown>),
  }
}

const json = { 'content-type': 'application/json' }
const plain = { 'content-type': 'text/plain' }

/** The first logger of the process, which writes the records of changes. */
const logs = captureLogs()

/** Returns the attributes of the records of changes. */
function changes(): readonly unknown[] {
  return logs.records
    .filter(({ eventName }) => eventName === 'sluice.level_changed')
    .map(({ attributes }) => attributes)
}

function httpLayers(): readonly LevelLayerDescription[] {
  return levelControl()
    .describe()
    .layers.filter(({ source }) => source === 'http')
}

describe.each(serverKinds)('the levels handler in $name', (kind) => {
  test('adds, shows and reverts directives', async () => {
    server = await kind.start(levelsHandler({ token: [{ token, label: 'on-call' }] }))
    const added = await send('PUT', { headers: json, body: '{"directives":"db.*=debug","forMillis":60000}' })
    expect(added).toMatchObject({ status: 200, body: { id: expect.any(String) } })
    const shown = await send('GET')
    expect(shown.status).toBe(200)
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect(shown.headers.get('content-type')).toMatch(/^application\/json/)
    expect(shown.headers.has('access-control-allow-origin')).toBe(false)
    expect(shown.body).toEqual({ layers: expect.any(Array), loggers: expect.any(Array) })
    expect(httpLayers()).toEqual([
      expect.objectContaining({ id: added.body.id, directives: 'db.*=debug', source: 'http', by: 'on-call' }),
    ])
    expect(await send('DELETE')).toMatchObject({ status: 200, body: { reverted: [added.body.id] } })
    expect(httpLayers()).toEqual([])
  })

  test('accepts directives as plain text', async () => {
    server = await kind.start(levelsHandler({ token }))
    const added = await send('PUT', { query: '?for=1h30m', headers: plain, body: 'http=warn\n' })
    expect(added.status).toBe(200)
    expect(httpLayers()).toEqual([expect.objectContaining({ directives: 'http=warn' })])
    expect(Number(httpLayers()[0]!.remainingMillis)).toBeGreaterThan(89 * 60_000)
  })

  test('rejects a wrong token', async () => {
    server = await kind.start(levelsHandler({ token }))
    const rejected = await send('PUT', { headers: { ...json, authorization: 'Bearer wrong' }, body: '{}' })
    expect(rejected).toMatchObject({ status: 401, body: { error: { message: 'unauthorized' } } })
    expect(rejected.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('rejects a body of more than 4 KiB', async () => {
    server = await kind.start(levelsHandler({ token }))
    const directives = `db.${'x'.repeat(4_096)}=debug`
    expect(await send('PUT', { headers: json, body: JSON.stringify({ directives }) })).toMatchObject({ status: 413 })
    expect(await send('PUT', { headers: plain, body: directives })).toMatchObject({ status: 413 })
    expect(httpLayers()).toEqual([])
  })

  test('answers an invalid directive with its position', async () => {
    server = await kind.start(levelsHandler({ token }))
    const { status, body } = await send('PUT', { headers: plain, body: 'db.*=debgu' })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: { problems: [{ position: 5, excerpt: 'db.*=debgu\n     ^' }] },
    })
  })

  test('answers another method with the valid ones', async () => {
    server = await kind.start(levelsHandler({ token }))
    const rejected = await send('PATCH')
    expect(rejected.status).toBe(405)
    expect(rejected.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE')
  })

  test('answers a HEAD request without a body', async () => {
    server = await kind.start(levelsHandler({ token }))
    expect(await send('HEAD')).toMatchObject({ status: 200, body: {} })
  })
})

describe('authorization', () => {
  test.each([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['the token without a scheme', { authorization: token }],
    ['another scheme', { authorization: `Basic ${token}` }],
    ['a part of the token', { authorization: `Bearer ${token.slice(0, -1)}` }],
    ['a longer token', { authorization: `Bearer ${token}x` }],
    ['two tokens', { authorization: `Bearer x ${token}` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['the token in another case', { authorization: `Bearer ${token.toUpperCase()}` }],
  ])('the handler rejects %s', async (_, headers) => {
    server = await nodeServer.start(levelsHandler({ token }))
    const response = await fetch(server.url, { headers })
    expect(response.status).toBe(401)
    expect(await response.text()).not.toContain(token)
  })

  test('an unauthorized request learns nothing about methods, media types and queries', async () => {
    server = await nodeServer.start(levelsHandler({ token }))
    const statuses = ['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS'].map(async (method) => {
      const response = await fetch(`${server!.url}?x=1`, { method, headers: { 'content-type': 'x/y' } })
      return response.status
    })
    expect(await Promise.all(statuses)).toEqual([401, 401, 401, 401, 401])
  })

  test('the scheme is not case-sensitive', async () => {
    server = await nodeServer.start(levelsHandler({ token }))
    expect(await send('GET', { headers: { authorization: `bearer ${token}` } })).toMatchObject({ status: 200 })
  })

  test('each of several tokens is valid, and its label is stored', async () => {
    const tokens = ['first', 'second', 'third'].map((label) => ({
      token: label.padEnd(20, '-'),
      label: `${label} key`,
    }))
    server = await nodeServer.start(levelsHandler({ token: tokens }))
    for (const { token: secret } of tokens) {
      const headers = { ...plain, authorization: `Bearer ${secret}` }
      await send('PUT', { headers, body: `${secret.slice(0, 3)}=debug` })
    }
    expect(httpLayers().map(({ by }) => by)).toEqual(['third key', 'second key', 'first key'])
  })

  test('the body of an unauthorized request is not read', async () => {
    const levels = levelsHandler({ token })
    let isRead = false
    const body = new ReadableStream({ pull: () => void (isRead = true) }, { highWaterMark: 0 })
    const request = { method: 'PUT', url: 'http://localhost/', headers: new Headers(json), body }
    expect(await levels(request)).toMatchObject({ status: 401 })
    expect(isRead).toBe(false)
  })
})

describe('the duration of a change', () => {
  test.each([
    ['10 minutes by default', '', '{"directives":"a=debug"}', 600_000],
    ['forMillis', '', '{"directives":"a=debug","forMillis":1500}', 1_500],
    ['the maximum', '', '{"directives":"a=debug","forMillis":86400000}', 86_400_000],
    ['for in the query', '?for=90s', '{"directives":"a=debug"}', 90_000],
    ['forever', '', '{"directives":"a=debug","forever":true}', undefined],
    ['forever in the query', '?forever=true', '{"directives":"a=debug"}', undefined],
    ['forever: false', '', '{"directives":"a=debug","forever":false,"forMillis":1500}', 1_500],
  ])('is %s', async (_, query, body, millis) => {
    server = await nodeServer.start(levelsHandler({ token }))
    const before = Date.now()
    expect(await send('PUT', { query, headers: json, body })).toMatchObject({ status: 200 })
    const after = Date.now()
    const [{ untilMillis } = {}] = httpLayers()
    const isInRange =
      untilMillis !== undefined && untilMillis >= before + (millis ?? 0) && untilMillis <= after + (millis ?? 0)
    expect([untilMillis === undefined, isInRange]).toEqual([millis === undefined, millis !== undefined])
  })
})

describe('invalid requests', () => {
  test.each<[string, string, Sent, number, RegExp]>([
    ['a duration of 0', 'PUT', { headers: json, body: '{"directives":"a=debug","forMillis":0}' }, 400, /forMillis/],
    [
      'more than 24 hours',
      'PUT',
      { headers: json, body: '{"directives":"a=debug","forMillis":86400001}' },
      400,
      /forMillis/,
    ],
    [
      'a fraction of a millisecond',
      'PUT',
      { headers: json, body: '{"directives":"a=debug","forMillis":1.5}' },
      400,
      /forMillis/,
    ],
    [
      'an infinite duration',
      'PUT',
      { headers: json, body: '{"directives":"a=debug","forMillis":1e999}' },
      400,
      /forMillis/,
    ],
    [
      'a duration as text',
      'PUT',
      { headers: json, body: '{"directives":"a=debug","forMillis":"10m"}' },
      400,
      /forMillis/,
    ],
    [
      'a negative duration in the query',
      'PUT',
      { query: '?for=-1m', headers: plain, body: 'a=debug' },
      400,
      /30s, 10m/,
    ],
    ['a duration without a unit', 'PUT', { query: '?for=10', headers: plain, body: 'a=debug' }, 400, /30s, 10m/],
    ['an empty duration', 'PUT', { query: '?for=', headers: plain, body: 'a=debug' }, 400, /30s, 10m/],
    ['25 hours in the query', 'PUT', { query: '?for=25h', headers: plain, body: 'a=debug' }, 400, /24h/],
    [
      'a duration of 0 in the query',
      'PUT',
      { query: '?for=0s', headers: plain, body: 'a=debug' },
      400,
      /longer than 0/,
    ],
    ['a huge duration', 'PUT', { query: `?for=${'9'.repeat(30)}d`, headers: plain, body: 'a=debug' }, 400, /24h/],
    ['a repeated duration', 'PUT', { query: '?for=1m&for=2m', headers: plain, body: 'a=debug' }, 400, /more than once/],
    [
      'forever and a duration',
      'PUT',
      { query: '?for=1m', headers: json, body: '{"directives":"a=debug","forever":true}' },
      400,
      /one of/,
    ],
    ['forever that is a word', 'PUT', { query: '?forever=no', headers: plain, body: 'a=debug' }, 400, /true or false/],
    ['a misspelled parameter', 'PUT', { query: '?fro=1m', headers: plain, body: 'a=debug' }, 400, /did you mean "for"/],
    [
      'a misspelled member',
      'PUT',
      { headers: json, body: '{"directive":"a=debug"}' },
      400,
      /did you mean "directives"/,
    ],
    ['no directives', 'PUT', { headers: json, body: '{}' }, 400, /directives/],
    ['blank directives', 'PUT', { headers: plain, body: ' \n' }, 400, /directives/],
    ['no body', 'PUT', { headers: plain }, 400, /directives/],
    [
      'directives that are an array',
      'PUT',
      { headers: json, body: '{"directives":["a=debug"]}' },
      400,
      /must be a string/,
    ],
    [
      'a member __proto__',
      'PUT',
      { headers: json, body: '{"directives":"a=debug","__proto__":{"forever":true}}' },
      400,
      /unknown option/,
    ],
    ['JSON that is an array', 'PUT', { headers: json, body: '["a=debug"]' }, 400, /must be an object/],
    ['JSON that is null', 'PUT', { headers: json, body: 'null' }, 400, /must be an object/],
    ['half of a JSON object', 'PUT', { headers: json, body: '{"directives":"a=deb' }, 400, /not valid JSON/],
    ['bytes that are not UTF-8', 'PUT', { headers: plain, body: new Uint8Array([97, 61, 0xff]) }, 400, /UTF-8/],
    [
      'a form',
      'PUT',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=debug' },
      415,
      /content-type/,
    ],
    [
      'another charset',
      'PUT',
      { headers: { 'content-type': 'text/plain; charset=utf-16' }, body: 'a=debug' },
      415,
      /UTF-8/,
    ],
    [
      'a compressed body',
      'PUT',
      { headers: { ...plain, 'content-encoding': 'gzip' }, body: 'a=debug' },
      415,
      /content-type/,
    ],
    ['no content type', 'PUT', { body: new Uint8Array([97]) }, 415, /content-type/],
    ['a parameter of GET', 'GET', { query: '?for=1m' }, 400, /unknown parameter/],
    ['an empty id', 'DELETE', { query: '?id=' }, 404, /no change with this id/],
    ['an unknown id', 'DELETE', { query: '?id=00000000-0000-4000-8000-000000000000' }, 404, /no change with this id/],
    ['a preflight request of a browser', 'OPTIONS', {}, 405, /GET, PUT or DELETE/],
  ])('the handler rejects %s', async (_, method, sent, status, message) => {
    server = await nodeServer.start(levelsHandler({ token }))
    const answer = await send(method, sent)
    expect(answer).toMatchObject({ status, body: { error: { message: expect.stringMatching(message) } } })
    expect(httpLayers()).toEqual([])
  })
})

describe('layers', () => {
  test('equal directives replace their layer, others add one', async () => {
    server = await nodeServer.start(levelsHandler({ token }))
    const ids: unknown[] = []
    for (const body of ['a=debug', 'b=debug', 'a=debug'])
      ids.push((await send('PUT', { headers: plain, body })).body.id)
    expect(httpLayers().map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect(await send('DELETE', { query: `?id=${String(ids[1])}` })).toMatchObject({ body: { reverted: [ids[1]] } })
    expect(await send('DELETE', { query: `?id=${String(ids[0])}` })).toMatchObject({ status: 404 })
    expect(httpLayers().map(({ id }) => id)).toEqual([ids[2]])
  })

  test('another handler of the process reverts the changes of the first', async () => {
    server = await nodeServer.start(levelsHandler({ token }))
    const { body } = await send('PUT', { headers: plain, body: 'a=debug' })
    await server.close()
    server = await nodeServer.start(levelsHandler({ token }))
    expect(await send('DELETE')).toMatchObject({ body: { reverted: [body.id] } })
  })

  test('changes of code are not reverted', async () => {
    using change = levelControl().set('code=debug')
    server = await nodeServer.start(levelsHandler({ token }))
    expect(await send('DELETE')).toMatchObject({ status: 200, body: { reverted: [] } })
    const answer = await send('DELETE', { query: `?id=${change.id}` })
    expect(answer).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining('of the source code') } },
    })
    expect(
      levelControl()
        .describe()
        .layers.map(({ id }) => id),
    ).toContain(change.id)
  })

  test('a change that has ended is not reverted again', async () => {
    server = await nodeServer.start(levelsHandler({ token }))
    await send('PUT', { headers: json, body: '{"directives":"a=debug","forMillis":1}' })
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(await send('DELETE')).toMatchObject({ status: 200, body: { reverted: [] } })
  })

  test('the number of layers is limited', async () => {
    server = await nodeServer.start(levelsHandler({ token }))
    const statuses: number[] = []
    for (let index = 0; index <= maxHttpLayers; index++) {
      statuses.push((await send('PUT', { headers: plain, body: `a${index}=debug` })).status)
    }
    expect(statuses).toEqual([...Array<number>(maxHttpLayers).fill(200), 409])
    expect(await send('PUT', { headers: plain, body: 'a1=debug' })).toMatchObject({ status: 200 })
    expect(await send('PUT', { headers: plain, body: 'a0=debug' })).toMatchObject({ status: 200 })
  })
})

describe('connections', () => {
  test('a body that stalls is answered with 408, and its connection is closed', async () => {
    server = await nodeServer.start(levelsHandler({ token, bodyTimeoutMillis: 100 }))
    const { port } = new URL(server.url)
    const client = connect(Number(port), '127.0.0.1')
    client.write(
      `PUT / HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\na=`,
    )
    expect(await text(client)).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('a Fetch API body that stalls is answered with 408', async () => {
    const levels = levelsHandler({ token, bodyTimeoutMillis: 100 })
    let isCanceled = false
    const body = new ReadableStream({ cancel: () => void (isCanceled = true) })
    const request = { method: 'PUT', url: 'http://localhost/', headers: new Headers({ authorization, ...plain }), body }
    expect(await levels(request)).toMatchObject({ status: 408 })
    expect(isCanceled).toBe(true)
  })

  test('a client that disconnects in its body changes nothing', async () => {
    const levels = levelsHandler({ token })
    let handled: Promise<void> | undefined
    const { createServer } = await import('node:http')
    const plainServer = createServer((request, response) => void (handled = levels(request, response)))
    await once(plainServer.listen(0, '127.0.0.1'), 'listening')
    const client = connect((plainServer.address() as { port: number }).port, '127.0.0.1')
    client.write(
      `PUT / HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\na=`,
    )
    await once(plainServer, 'request')
    client.destroy()
    await handled
    expect(httpLayers()).toEqual([])
    plainServer.close()
  })

  test('a body without an announced length is limited', async () => {
    server = await nodeServer.start(levelsHandler({ token }))
    const { port } = new URL(server.url)
    const client = connect(Number(port), '127.0.0.1')
    client.write(
      `PUT / HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n`,
    )
    client.write(`1388\r\n${'x'.repeat(5_000)}\r\n0\r\n\r\n`)
    expect(await text(client)).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('HTTP/2 requests are answered, also with errors that end an HTTP/1 connection', async () => {
    server = await startHttp2(levelsHandler({ token }))
    const client = connectHttp2(new URL(server.url).origin)
    const request = client.request({ ':method': 'PUT', ':path': '/', authorization, 'content-type': 'text/plain' })
    request.end('x'.repeat(5_000))
    const [headers] = (await once(request, 'response')) as [Record<string, unknown>]
    expect(headers[':status']).toBe(413)
    request.resume()
    await new Promise<void>((resolve) => client.close(resolve))
  })

  test('unknown arguments are an error that names the valid ones', async () => {
    const levels = levelsHandler({ token }) as unknown as (...args: unknown[]) => Promise<unknown>
    await expect(levels({}, {})).rejects.toThrow('levelsHandler: unknown arguments; pass a Fetch API Request')
  })
})

describe('the record of a change', () => {
  test('has the label of the token and the directives before and after, but not the token', async () => {
    logs.clear()
    server = await nodeServer.start(levelsHandler({ token: [{ token, label: 'on-call' }] }))
    await send('PUT', { headers: plain, body: 'a=debug' })
    await send('PUT', { headers: plain, body: 'a=debug' })
    await send('DELETE')
    const change = { directives: 'a=debug', source: 'http', by: 'on-call', until: expect.any(String) }
    expect(changes()).toEqual([
      expect.objectContaining({ ...change, action: 'set', from: [], to: ['a=debug'] }),
      expect.objectContaining({ ...change, action: 'set', from: ['a=debug'], to: ['a=debug'] }),
      expect.objectContaining({ ...change, action: 'reverted', from: ['a=debug'], to: [] }),
    ])
    expect(logs.text()).not.toContain(token)
  })

  test.each<[string, object, unknown[], string]>([
    ['that Deno passes', {}, [{ remoteAddr: { hostname: '192.0.2.1' } }], '192.0.2.1'],
    ['that Bun passes', {}, [{ requestIP: () => ({ address: '192.0.2.2' }) }], '192.0.2.2'],
    ['that a framework has computed behind a proxy', { ip: '192.0.2.3' }, [], '192.0.2.3'],
    ['of the connection', {}, [], '127.0.0.1'],
    [
      'of a header with line breaks in one line',
      { ip: `192.0.2.4\n${'x'.repeat(100)}` },
      [],
      `192.0.2.4 ${'x'.repeat(54)}…`,
    ],
  ])('has the address %s', async (_, members, context, address) => {
    logs.clear()
    const levels = levelsHandler({ token })
    if (context.length > 0) {
      const headers = { authorization, ...plain }
      await levels(new Request('http://localhost/', { method: 'PUT', headers, body: 'a=debug' }), ...context)
    } else {
      const app = express().use((request, _response, next) => {
        Object.defineProperties(request, Object.getOwnPropertyDescriptors(members))
        next()
      })
      server = await startNode(app.use(levels))
      await send('PUT', { headers: plain, body: 'a=debug' })
    }
    expect(changes()).toEqual([expect.objectContaining({ 'client.address': address })])
  })

  test('has no address if the server that Bun passes has stopped', async () => {
    logs.clear()
    const init = { method: 'PUT', headers: { authorization, ...plain }, body: 'a=debug' }
    expect(
      await levelsHandler({ token })(new Request('http://localhost/', init), { requestIP: () => decodeURI('%') }),
    ).toMatchObject({
      status: 200,
    })
    expect(changes()).toEqual([expect.not.objectContaining({ 'client.address': expect.anything() })])
  })
})

describe('options', () => {
  test.each<[string, unknown, RegExp]>([
    ['no options', undefined, /token: is missing.*openssl rand/],
    ['null', null, /must be an object/],
    ['a bare token', token, /must be an object/],
    ['a token that is undefined', { token: undefined }, /token: is missing/],
    ['an empty token', { token: '' }, /token: must have 16 to 1024 characters, not 0/],
    ['a token of 15 characters', { token: 'x'.repeat(15) }, /token: must have 16 to 1024 characters, not 15/],
    ['a token with a space', { token: 'correct horse battery' }, /visible ASCII/],
    ['a token with a line break', { token: 'correct-horse-\nbattery' }, /visible ASCII/],
    ['a token with an umlaut', { token: 'correct-hörse-battery' }, /visible ASCII/],
    ['a token that is too long', { token: 'x'.repeat(1_025) }, /not 1025/],
    ['a token that is a number', { token: 1234567890123456 }, /token: must be a string, or an array/],
    ['a token that is an object', { token: { token, label: 'a' } }, /must be a string, or an array/],
    ['no tokens', { token: [] }, /at least one/],
    ['tokens that are strings', { token: [token] }, /token\[0\]: must be \{ token, label \}, not a string/],
    ['a token without a label', { token: [{ token }] }, /token\[0\]\.label: must be a string, not undefined/],
    ['an empty label', { token: [{ token, label: '' }] }, /label: must have 1 to 64/],
    ['a label that is the token', { token: [{ token, label: token }] }, /must not be a part of the token/],
    ['a short token in an array', { token: [{ token: 'short', label: 'a' }] }, /token\[0\]\.token: must have 16/],
    [
      'equal tokens',
      {
        token: [
          { token, label: '1' },
          { token, label: '2' },
        ],
      },
      /token\[1\]\.token: must be used once/,
    ],
    [
      'equal labels',
      {
        token: [
          { token, label: '1' },
          { token: `${token}x`, label: '1' },
        ],
      },
      /token\[1\]\.label: must be used once/,
    ],
    ['a body timeout of 0', { token, bodyTimeoutMillis: 0 }, /bodyTimeoutMillis: must be an integer from 100/],
    ['an option of another library', { password: 'secret-secret-secret' }, /password: unknown option; write token/],
    [
      'a getter that throws',
      Object.defineProperty({}, 'token', {
        enumerable: true,
        get: () => {
          throw new Error(token)
        },
      }),
      /token: cannot be read/,
    ],
  ])('levelsHandler rejects %s', (_, options, message) => {
    const error = thrownBy(() => levelsHandler(options as never))
    expect(String(error)).toMatch(/^ConfigurationError: SLUICE_CONFIG: levelsHandler: /)
    expect(String(error)).toMatch(message)
    expect(JSON.stringify(error) + String(error)).not.toContain(token)
    expect(String(error)).not.toContain('secret-secret')
  })

  test('a token of 16 characters is valid', () => {
    expect(() => levelsHandler({ token: '0123456789abcdef' })).not.toThrow()
  })
})

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}
