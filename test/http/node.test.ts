import { describe, expect, test } from '@jest/globals'
import { EventEmitter, once } from 'node:events'
import { createServer, request, type RequestListener, type Server } from 'node:http'
import { connect as connect2, createServer as createServer2 } from 'node:http2'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { requestLog } from '../../src/entries/node.ts'
import { captureLogs, type Captured, type CapturedRecord } from '../../src/entries/testing.ts'
import { waitUntil } from '../support/wait-until.ts'
import { listening } from './hosts/listening.ts'
import { endsOf } from './suite.ts'

async function served(server: Server, test: (port: number) => Promise<void>): Promise<void> {
  const { port, close } = await listening(server)
  try {
    await test(port)
  } finally {
    await close()
  }
}

async function oneEnd(logs: Captured) {
  await waitUntil(() => endsOf(logs).length > 0)
  // A duplicate record would be logged in the next turns, while the connection closes.
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(endsOf(logs)).toHaveLength(1)
  return endsOf(logs)[0]!
}

describe('aborted responses', () => {
  const cases: readonly (readonly [string, RequestListener, object])[] = [
    ['that is destroyed before its headers are sent', (_, response) => void response.destroy(), {}],
    ['that is destroyed with an error', (_, response) => void response.destroy(new Error('broken')), {}],
    ['whose socket is destroyed', ({ socket }) => void socket.destroy(), {}],
    [
      'that is destroyed after its headers were sent',
      (_, response) => {
        response.writeHead(206)
        response.write('a', () => response.destroy())
      },
      { 'http.response.status_code': 206 },
    ],
  ]
  test.each(cases)('a response %s has one record', async (_, handler, attributes) => {
    using logs = captureLogs()
    await served(requestLog({ logger: logs.logger }).wrap(createServer(handler)), async (port) => {
      request({ port, path: '/' })
        .on('error', () => {})
        .on('response', (response) => response.on('error', () => {}).resume())
        .end()
      const end = await oneEnd(logs)
      expect(end).toMatchObject({ level: 'warn', message: expect.stringMatching(/ aborted /) })
      expect(end.attributes).toMatchObject({ 'error.type': 'aborted', ...attributes })
    })
  })
})

test('a response that emits no event when its socket closes, as for pipelined requests in Node 22, has one record', async () => {
  using logs = captureLogs()
  const socket = Object.assign(new EventEmitter(), { remoteAddress: '::1' })
  const request = { method: 'GET', url: '/waits', headers: {}, socket }
  const response = Object.assign(new EventEmitter(), {
    headersSent: false,
    statusCode: 200,
    writableEnded: true,
    getHeader: () => undefined,
    setHeader: () => {},
  })
  requestLog({ logger: logs.logger })(request, response)
  socket.emit('close')
  expect(await oneEnd(logs)).toMatchObject({
    level: 'warn',
    attributes: { 'error.type': 'aborted', 'url.path': '/waits' },
  })
  response.emit('close')
  expect(endsOf(logs)).toHaveLength(1)
})

/** Responds only to `/answered`; the request log is called after the response is closed. */
async function late(path: string): Promise<CapturedRecord> {
  using logs = captureLogs()
  const log = requestLog({ logger: logs.logger })
  const server = createServer((request, response) => {
    response.on('close', () => setImmediate(() => log(request, response)))
    if (path === '/answered') response.end('done')
    else request.socket.write('HTTP/1.1 100 Continue\r\n\r\n')
  })
  let end!: CapturedRecord
  await served(server, async (port) => {
    const client = connect(port, '127.0.0.1')
    client.write(`GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`)
    await once(client, 'data')
    client.destroy()
    end = await oneEnd(logs)
    expect(log.stats()).toMatchObject({ requests: 1, open: 0 })
  })
  return end
}

describe('a request log after asynchronous middleware', () => {
  test('a request whose client disconnected before the request log runs has one record', async () => {
    expect(await late('/left')).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/ aborted /),
      attributes: { 'error.type': 'aborted' },
    })
  })

  test('a request that was answered before the request log runs has one record', async () => {
    expect(await late('/answered')).toMatchObject({
      level: 'info',
      message: expect.stringMatching(/ 200 /),
      attributes: { 'http.response.status_code': 200 },
    })
  })

  test('an HTTP/2 request whose client disconnected before the request log runs has one record', async () => {
    using logs = captureLogs()
    const log = requestLog({ logger: logs.logger })
    const server = createServer2((request, response) => {
      response.on('close', () => setImmediate(() => log(request, response)))
      session.destroy()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const session = connect2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    session.request().on('error', () => {})
    expect(await oneEnd(logs)).toMatchObject({ level: 'warn', attributes: { 'error.type': 'aborted' } })
    expect(log.stats()).toMatchObject({ requests: 1, open: 0 })
    await new Promise((resolve) => server.close(resolve))
  })

  test('a request whose body was read before the request log runs is logged when its response ends', async () => {
    using logs = captureLogs()
    const log = requestLog({ logger: logs.logger })
    const server = createServer((request, response) => {
      request.resume().on('close', () => {
        log(request, response)
        setImmediate(() => setImmediate(() => response.writeHead(201).end('done')))
      })
    })
    await served(server, async (port) => {
      await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'ab' })).text()
      expect(await oneEnd(logs)).toMatchObject({ level: 'info', attributes: { 'http.response.status_code': 201 } })
    })
  })
})

test('a request that passes the request log twice has one record', async () => {
  using logs = captureLogs()
  const log = requestLog({ logger: logs.logger, logStart: true })
  const server = createServer((request, response) => {
    log(request, response)
    log(request, response, () => logs.logger.info('inside'))
    response.end('done')
  })
  await served(log.wrap(server), async (port) => {
    await fetch(`http://127.0.0.1:${port}/`)
    const end = await oneEnd(logs)
    expect(logs.filter('request received')).toHaveLength(1)
    expect(logs.find('inside')!.attributes['request.id']).toBe(end.attributes['request.id'])
    expect(log.stats()).toEqual({ requests: 1, open: 0, ignored: 0, sampledOut: 0 })
  })
})

test('an upgraded request is logged when its connection ends', async () => {
  using logs = captureLogs()
  const log = requestLog({ logger: logs.logger })
  const server = log.wrap(createServer())
  server.on('upgrade', (_, socket) => {
    logs.logger.info('inside')
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n')
    socket.pipe(socket)
  })
  await served(server, async (port) => {
    const client = connect(port, '127.0.0.1')
    client.write('GET /chat HTTP/1.1\r\nhost: here\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n')
    await once(client, 'data')
    expect(log.stats().open).toBe(1)
    expect(endsOf(logs)).toHaveLength(0)
    client.end()
    const end = await oneEnd(logs)
    expect(end).toMatchObject({ level: 'info', attributes: { 'url.path': '/chat' } })
    expect(logs.find('inside')!.attributes['request.id']).toBe(end.attributes['request.id'])
  })
})

test('a request with an Upgrade header that gets an ordinary response has one record', async () => {
  using logs = captureLogs()
  const server = requestLog({ logger: logs.logger }).wrap(createServer((_, response) => void response.end('no')))
  await served(server, async (port) => {
    const client = connect(port, '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nhost: here\r\nconnection: upgrade, close\r\nupgrade: echo\r\n\r\n')
    client.end()
    await text(client)
    expect((await oneEnd(logs)).attributes).toMatchObject({ 'http.response.status_code': 200 })
  })
})

test('a request with `Expect: 100-continue` has one record', async () => {
  using logs = captureLogs()
  const server = requestLog({ logger: logs.logger }).wrap(createServer((_, response) => void response.end('done')))
  await served(server, async (port) => {
    const asking = request({ port, method: 'POST', headers: { expect: '100-continue', 'content-length': 2 } })
    const answered = once(asking, 'response') as Promise<[NodeJS.ReadableStream]>
    asking.flushHeaders()
    await once(asking, 'continue')
    asking.end('ab')
    ;(await answered)[0].resume()
    expect((await oneEnd(logs)).attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
    })
  })
})

describe('HTTP/2', () => {
  test('a completed HTTP/2 request has one record', async () => {
    const { end, port } = await overHttp2('/a?b=c', (response) => response.end('done'), false)
    expect(end).toMatchObject({ level: 'info', message: expect.stringMatching(/ 200 /) })
    expect(end.attributes).toMatchObject({
      'url.path': '/a',
      'url.query': 'b=c',
      'server.address': '127.0.0.1',
      'server.port': port,
      'http.response.status_code': 200,
    })
  })

  test('an HTTP/2 request whose client disconnects has one record', async () => {
    const { end } = await overHttp2('/', () => {}, true)
    expect(end).toMatchObject({ level: 'warn', attributes: { 'error.type': 'aborted' } })
  })
})

test('a wrapped server calls other listeners with their arguments and returns the result of emit', () => {
  using logs = captureLogs()
  const server = requestLog({ logger: logs.logger }).wrap(createServer())
  const seen: unknown[] = []
  server.on('listening', (...args: unknown[]) => seen.push(args))
  expect(server.emit('listening')).toBe(true)
  expect(server.emit('without listeners')).toBe(false)
  expect(seen).toEqual([[]])
})

async function overHttp2(path: string, listener: (response: { end(text: string): void }) => void, leave: boolean) {
  using logs = captureLogs()
  const log = requestLog({ logger: logs.logger })
  const server = log.wrap(createServer2((_, response) => listener(response)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const session = connect2(`http://127.0.0.1:${port}`)
  const stream = session.request({ ':path': path }).on('error', () => {})
  if (leave) {
    await waitUntil(() => log.stats().open === 1)
    session.destroy()
  } else await text(stream)
  const end = await oneEnd(logs)
  session.destroy()
  await new Promise((resolve) => server.close(resolve))
  return { end, port }
}
