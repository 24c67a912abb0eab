import { describe, expect, test } from '@jest/globals'
import { EventEmitter, once } from 'node:events'
import { createServer, request, type RequestListener, type Server } from 'node:http'
import { connect as connect2, createServer as createServer2 } from 'node:http2'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { requestLog } from '../../src/entries/node.ts'
import { captureLogs, type Captured, type CapturedRecord } from '../../src/entries/testing.ts'
import { until } from '../support/until.ts'
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
  await until(() => endsOf(logs).length > 0)
  // Another would come in the turns of the same connection's end.
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(endsOf(logs)).toHaveLength(1)
  return endsOf(logs)[0]!
}

describe('a response that ends badly has one record', () => {
  const cases: readonly (readonly [string, RequestListener, object])[] = [
    ['destroyed before its head', (_, response) => void response.destroy(), {}],
    ['destroyed with an error', (_, response) => void response.destroy(new Error('broken')), {}],
    ['whose socket is destroyed', ({ socket }) => void socket.destroy(), {}],
    [
      'destroyed behind its head',
      (_, response) => {
        response.writeHead(206)
        response.write('a', () => response.destroy())
      },
      { 'http.response.status_code': 206 },
    ],
  ]
  test.each(cases)('%s', async (_, handler, attributes) => {
    using logs = captureLogs()
    await served(requestLog({ logger: logs.logger }).wrap(createServer(handler)), async (port) => {
      request({ port, path: '/' })
        .on('error', () => {})
        .on('response', (response) => response.on('error', () => {}).resume())
        .end()
      const end = await oneEnd(logs)
      expect(end).toMatchObject({ level: 'warn', message: 'request aborted' })
      expect(end.attributes).toMatchObject({ 'error.type': 'aborted', ...attributes })
    })
  })
})

test('a response that says nothing when its connection is lost, as in Node 22 behind another one, has one record', async () => {
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

/** Answers `/answered` and no other; the request log hears of a request when its response is closed. */
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

describe('a request log behind middleware that waits', () => {
  test('has the record of one whose client has left meanwhile', async () => {
    expect(await late('/left')).toMatchObject({
      level: 'warn',
      message: 'request aborted',
      attributes: { 'error.type': 'aborted' },
    })
  })

  test('has the record of one that was answered meanwhile', async () => {
    expect(await late('/answered')).toMatchObject({
      level: 'info',
      message: 'request completed',
      attributes: { 'http.response.status_code': 200 },
    })
  })

  test('has the record of one of HTTP/2 whose client has left meanwhile', async () => {
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

  test('waits for the answer to one whose body has been read', async () => {
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

test('a request that comes by twice has one record', async () => {
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
    expect(log.stats()).toEqual({ requests: 1, open: 0, ignored: 0, leftOut: 0 })
  })
})

test('an upgraded connection is over when it ends', async () => {
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

test('a request that asks to upgrade and is answered as any other has one record', async () => {
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

test('a request that expects to be told to go on has one record', async () => {
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
  test('an exchange has its record', async () => {
    const { end, port } = await overHttp2('/a?b=c', (response) => response.end('done'), false)
    expect(end).toMatchObject({ level: 'info', message: 'request completed' })
    expect(end.attributes).toMatchObject({
      'url.path': '/a',
      'url.query': 'b=c',
      'server.address': '127.0.0.1',
      'server.port': port,
      'http.response.status_code': 200,
    })
  })

  test('so has one whose client goes away', async () => {
    const { end } = await overHttp2('/', () => {}, true)
    expect(end).toMatchObject({ level: 'warn', attributes: { 'error.type': 'aborted' } })
  })
})

test('listeners of a server get what they would get, and what they throw', () => {
  using logs = captureLogs()
  const server = requestLog({ logger: logs.logger }).wrap(createServer())
  const seen: unknown[] = []
  server.on('listening', (...args: unknown[]) => seen.push(args))
  expect(server.emit('listening')).toBe(true)
  expect(server.emit('nobody listens')).toBe(false)
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
    await until(() => log.stats().open === 1)
    session.destroy()
  } else await text(stream)
  const end = await oneEnd(logs)
  session.destroy()
  await new Promise((resolve) => server.close(resolve))
  return { end, port }
}
