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
import { createTestLogger } from '../support/files/test-logger.ts'
import { thrower } from '../support/values/hostile.ts'
import { maskUrlPassword } from '../../src/redact/url-password.ts'

const serialize = (key: string, value: unknown) => standardSerializers.get(key)!(value)

describe('requests and responses of Node', () => {
  let server: Server
  const seen: { req: unknown; before: unknown; after: unknown }[] = []
  let kinds: readonly boolean[]
  let clientResponse: IncomingMessage

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
    clientResponse = await new Promise<IncomingMessage>((resolve, reject) => {
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

  test('requests and responses of Node are distinguished', () => {
    expect(kinds).toEqual([true, false, false, true])
  })
  test('a request of Node has its method, url, headers and remote address', () => {
    expect(seen[0]!.req).toEqual({
      method: 'POST',
      url: '/a?b=1',
      headers: expect.objectContaining({ 'x-id': '7' }),
      remoteAddress: '127.0.0.1',
      remotePort: expect.any(Number),
    })
  })
  test('a response of Node has no status before its headers are sent', () => {
    expect(seen[0]!.before).toEqual({ statusCode: null, headers: {} })
  })
  test('a response of Node has its status and the headers that were sent', () => {
    const headers = expect.objectContaining({ 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] })
    expect(seen[0]!.after).toEqual({ statusCode: 404, headers })
  })
  test('a response that a client receives is serialized as a response', () => {
    expect(isRequestLike(clientResponse)).toBe(false)
    expect(serialize('res', clientResponse)).toEqual({
      statusCode: 404,
      headers: expect.objectContaining({ 'set-cookie': ['a=1', 'b=2'] }),
    })
  })
})

describe('requests and responses of fetch', () => {
  test('a fetch Request has its method, url and headers, and its body stays unread', () => {
    const request = new Request('https://shop.test/a?b=1', { method: 'POST', headers: { 'X-Id': '7' }, body: 'body' })
    expect(serialize('req', request)).toEqual({
      method: 'POST',
      url: 'https://shop.test/a?b=1',
      headers: expect.objectContaining({ 'x-id': '7' }),
    })
    expect(request.bodyUsed).toBe(false)
  })
  test('a fetch Response has its status and headers, and its body stays unread', () => {
    const response = new Response('body', { status: 201, headers: { etag: '1' } })
    response.headers.append('set-cookie', 'a=1')
    response.headers.append('set-cookie', 'b=2')
    const headers = expect.objectContaining({ etag: '1', 'set-cookie': ['a=1', 'b=2'] })
    expect(serialize('res', response)).toEqual({ statusCode: 201, headers })
    expect(response.bodyUsed).toBe(false)
  })
})

describe('requests of frameworks', () => {
  const socket = { remoteAddress: '10.0.0.1', remotePort: 5 }
  test.each<[string, object, object]>([
    [
      'a request of express',
      { method: 'GET', url: '/b', originalUrl: '/a/b', headers: { a: '1' }, socket, id: 'r1', header: () => '' },
      { id: 'r1', method: 'GET', url: '/a/b', headers: { a: '1' }, remoteAddress: '10.0.0.1', remotePort: 5 },
    ],
    [
      'a request of fastify',
      { id: 7, method: 'GET', url: '/', headers: {}, raw: { socket } },
      { id: 7, method: 'GET', url: '/', headers: {}, remoteAddress: '10.0.0.1', remotePort: 5 },
    ],
    [
      'a request of hapi',
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
      'a request with a function as id',
      { id: () => 'made', method: 'GET', url: '/', headers: {}, socket: {} },
      { id: 'made', method: 'GET', url: '/', headers: {} },
    ],
    [
      'a proxy request with a password in its URL',
      { method: 'GET', url: 'http://u:p@h/', headers: {}, socket: {} },
      { method: 'GET', url: 'http://u:[REDACTED]@h/', headers: {} },
    ],
  ])('%s is serialized', (_, request, fields) => {
    expect(serialize('req', request)).toEqual(fields)
  })
})

describe('values that are not serialized', () => {
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
  test('the serializers for req, res and err return any other value unchanged', () => {
    for (const value of values) {
      for (const key of ['req', 'res', 'err']) expect(Object.is(serialize(key, value), value)).toBe(true)
    }
  })
})

test('headers with names of Object.prototype members are own members', () => {
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

test('a request that is already plain data keeps its members, and the password in its URL is redacted', () => {
  const data = { method: 'GET', url: 'http://user:secret@host/', remoteAddress: '::1', more: 1 }
  expect(serialize('req', data)).toEqual({ ...data, url: 'http://user:[REDACTED]@host/' })
  const other = { method: 'GET', url: '/' }
  expect(serialize('req', other)).toBe(other)
})

describe('requests and responses whose members have getters', () => {
  test.each([1, 2, 3, 4, 5])('the password in a URL is redacted if a getter returns it from read %i on', (first) => {
    const { log, exporter } = createTestLogger()
    let reads = 0
    const req = {
      method: 'GET',
      more: 1,
      get url() {
        return ++reads < first ? 'http://host/' : 'http://user:secret@host/'
      },
    }
    log.info('m', { req })
    expect(exporter.text()).toMatch(/"req":{"method":"GET","more":1,"url":"http:\/\/(user:\[REDACTED\]@)?host\/"}/)
  })

  test.each<[string, string, object]>([
    ['a request', 'req', { id: 1, method: 'GET', url: '/', headers: {}, socket: { remoteAddress: '::1' }, path: '/' }],
    ['plain data of a request', 'req', { method: 'GET', url: '/' }],
    ['a response', 'res', { statusCode: 200, getHeaders: () => ({}), headersSent: true, headers: {} }],
  ])('the serializer reads each member of %s once', (_, key, members) => {
    const reads: string[] = []
    const value = {}
    for (const [name, member] of Object.entries(members))
      Object.defineProperty(value, name, { enumerable: true, get: () => (reads.push(name), member) })
    serialize(key, value)
    expect(reads).toEqual([...new Set(reads)])
    expect(reads).toContain(key === 'req' ? 'url' : 'statusCode')
  })

  test('a request with a member that throws is plain data, whose password is redacted', () => {
    const data = { method: 'GET', url: 'http://user:secret@host/' }
    const req = Object.defineProperty({ ...data }, 'socket', { get: thrower })
    expect(serialize('req', req)).toEqual({ ...data, url: 'http://user:[REDACTED]@host/' })
  })
})

describe('maskUrlPassword', () => {
  test.each([
    ['https://user:secret@host/a', 'https://user:[REDACTED]@host/a'],
    ['postgres://user:se@cret@host:5432/db?x=@', 'postgres://user:[REDACTED]@host:5432/db?x=@'],
    ['redis://:secret@host', 'redis://:[REDACTED]@host'],
    ['//user:secret@host', '//user:[REDACTED]@host'],
    ['https://user@host/a:b@c', 'https://user@host/a:b@c'],
    ['https://host:80/?q=a:b@c', 'https://host:80/?q=a:b@c'],
    ['/path?mail=a:b@c', '/path?mail=a:b@c'],
    ['', ''],
  ])('maskUrlPassword converts %s to %s', (url, masked) => {
    expect(maskUrlPassword(url)).toBe(masked)
  })
})
