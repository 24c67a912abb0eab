import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  createServer,
  request as clientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { headerFields, isRequestLike, isResponseLike, standardSerializers } from '../../src/values/serializers.ts'
import { maskPassword } from '../../src/redact/url-password.ts'

const serialize = (key: string, value: unknown) => standardSerializers.get(key)!(value)

describe("Node's requests and responses", () => {
  let server: Server
  const seen: { req: unknown; before: unknown; after: unknown }[] = []
  let kinds: readonly boolean[]
  let answer: IncomingMessage

  beforeAll(async () => {
    server = createServer((req: IncomingMessage, res: ServerResponse) => {
      req.socket.setTimeout(1_000, () => req.socket.destroy())
      const before = serialize('res', res)
      res.setHeader('content-type', 'text/plain').setHeader('set-cookie', ['a=1', 'b=2']).writeHead(404)
      seen.push({ req: serialize('req', req), before, after: serialize('res', res) })
      kinds = [isRequestLike(req), isResponseLike(req), isRequestLike(res), isResponseLike(res)]
      res.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/a?b=1',
        headers: { 'X-Id': '7' },
        agent: false,
      }
      clientRequest(options, (res) => resolve(res.resume()))
        .on('error', reject)
        .end('body')
    })
  })
  afterAll(() => {
    server.close()
  })

  test('each is told from the other', () => {
    expect(kinds).toEqual([true, false, false, true])
  })
  test('a request has method, url, headers and the address of the peer', () => {
    expect(seen[0]!.req).toEqual({
      method: 'POST',
      url: '/a?b=1',
      headers: expect.objectContaining({ 'x-id': '7' }),
      remoteAddress: '127.0.0.1',
      remotePort: expect.any(Number),
    })
  })
  test('a response has no status before its headers are sent', () => {
    expect(seen[0]!.before).toEqual({ statusCode: null, headers: {} })
  })
  test('a response has the status and the headers that were sent', () => {
    const headers = expect.objectContaining({ 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] })
    expect(seen[0]!.after).toEqual({ statusCode: 404, headers })
  })
  test('the answer that a client gets is a response', () => {
    expect(isRequestLike(answer)).toBe(false)
    expect(serialize('res', answer)).toEqual({
      statusCode: 404,
      headers: expect.objectContaining({ 'set-cookie': ['a=1', 'b=2'] }),
    })
  })
})

describe("fetch's requests and responses", () => {
  test('a Request', () => {
    const request = new Request('https://shop.test/a?b=1', { method: 'POST', headers: { 'X-Id': '7' }, body: 'body' })
    expect(serialize('req', request)).toEqual({
      method: 'POST',
      url: 'https://shop.test/a?b=1',
      headers: expect.objectContaining({ 'x-id': '7' }),
    })
    expect(request.bodyUsed).toBe(false)
  })
  test('a Response', () => {
    const response = new Response('body', { status: 201, headers: { etag: '1' } })
    response.headers.append('set-cookie', 'a=1')
    response.headers.append('set-cookie', 'b=2')
    const headers = expect.objectContaining({ etag: '1', 'set-cookie': ['a=1', 'b=2'] })
    expect(serialize('res', response)).toEqual({ statusCode: 201, headers })
    expect(response.bodyUsed).toBe(false)
  })
})

describe("frameworks' requests", () => {
  const socket = { remoteAddress: '10.0.0.1', remotePort: 5 }
  test.each<[string, object, object]>([
    [
      'express',
      { method: 'GET', url: '/b', originalUrl: '/a/b', headers: { a: '1' }, socket, id: 'r1', header: () => '' },
      { id: 'r1', method: 'GET', url: '/a/b', headers: { a: '1' }, remoteAddress: '10.0.0.1', remotePort: 5 },
    ],
    [
      'fastify',
      { id: 7, method: 'GET', url: '/', headers: {}, raw: { socket } },
      { id: 7, method: 'GET', url: '/', headers: {}, remoteAddress: '10.0.0.1', remotePort: 5 },
    ],
    [
      'hapi',
      {
        method: 'get',
        path: '/a',
        url: new URL('http://h/a?b'),
        headers: {},
        info: { id: 'i', remoteAddress: '10.0.0.2' },
      },
      { id: 'i', method: 'get', url: 'http://h/a?b', headers: {}, remoteAddress: '10.0.0.2' },
    ],
    [
      'a function as id',
      { id: () => 'made', method: 'GET', url: '/', headers: {}, socket: {} },
      { id: 'made', method: 'GET', url: '/', headers: {} },
    ],
    [
      'a proxy request with a password',
      { method: 'GET', url: 'http://u:p@h/', headers: {}, socket: {} },
      { method: 'GET', url: 'http://u:[REDACTED]@h/', headers: {} },
    ],
  ])('%s', (_, request, fields) => {
    expect(serialize('req', request)).toEqual(fields)
  })
})

describe('every other value stays as it is', () => {
  const throwing = new Proxy(
    {},
    {
      get() {
        throw new Error('no')
      },
    },
  )
  const values: readonly unknown[] = [
    undefined,
    null,
    'text',
    5,
    [],
    {},
    new Map(),
    new Error('x'),
    throwing,
    { method: 'GET', url: '/', headers: { a: '1' } }, // a client's options
    { statusCode: 200 },
    { status: 200, headers: {} },
    new Headers(),
    new URL('http://h/'),
  ]
  test('for req, res and err', () => {
    for (const value of values) {
      for (const key of ['req', 'res', 'err']) expect(Object.is(serialize(key, value), value)).toBe(true)
    }
  })
})

test('header fields of any name are members', () => {
  const fields = headerFields([
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['x', '1'],
    ['x', '2'],
    ['x', '3'],
  ])
  expect(Object.entries(fields)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['x', ['1', '2', '3']],
  ])
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
})

test('a request that is data already keeps its members, and its URL has no password', () => {
  const data = { method: 'GET', url: 'http://user:secret@host/', remoteAddress: '::1', more: 1 }
  expect(serialize('req', data)).toEqual({ ...data, url: 'http://user:[REDACTED]@host/' })
  const other = { method: 'GET', url: '/' }
  expect(serialize('req', other)).toBe(other)
})

describe('maskPassword', () => {
  test.each([
    ['https://user:secret@host/a', 'https://user:[REDACTED]@host/a'],
    ['postgres://user:se@cret@host:5432/db?x=@', 'postgres://user:[REDACTED]@host:5432/db?x=@'],
    ['redis://:secret@host', 'redis://:[REDACTED]@host'],
    ['//user:secret@host', '//user:[REDACTED]@host'],
    ['https://user@host/a:b@c', 'https://user@host/a:b@c'],
    ['https://host:80/?q=a:b@c', 'https://host:80/?q=a:b@c'],
    ['/path?mail=a:b@c', '/path?mail=a:b@c'],
    ['', ''],
  ])('%s is %s', (url, masked) => {
    expect(maskPassword(url)).toBe(masked)
  })
})
