import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { ProtobufTraceSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { maxBodyBytes } from '../../src/viewer/server/request-body.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'
import { waitUntil } from '../support/wait-until.ts'
import { requestOf } from './support.ts'
import { RunningViewer } from './running-viewer.ts'

let viewer: RunningViewer

beforeAll(async () => {
  viewer = await RunningViewer.start()
})

afterAll(() => viewer.close())

const protobuf = 'application/x-protobuf'
const logs = requestOf([{ body: 'hello' }])
const logsJson = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"hello"}}]}]}]}'

describe('bodies', () => {
  test.each<[string, Uint8Array | string, OutgoingHttpHeaders, number]>([
    ['protobuf', logs, {}, 200],
    ['compressed protobuf', gzipSync(logs), { 'content-encoding': 'gzip' }, 200],
    ['the encoding GZIP in capitals', gzipSync(logs), { 'content-encoding': 'GZIP' }, 200],
    ['the encoding identity', logs, { 'content-encoding': 'identity' }, 200],
    ['JSON', logsJson, {}, 200],
    ['compressed JSON', gzipSync(logsJson), { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 200],
    ['JSON with a charset', logsJson, { 'content-type': 'Application/JSON; charset=UTF-8' }, 200],
    ['an empty request of protobuf', new Uint8Array(), {}, 200],
    ['an empty request of JSON', '{}', {}, 200],
    ['no text', '', {}, 400],
    ['an array', '[]', {}, 400],
    ['JSON that ends too early', logsJson.slice(0, -3), {}, 400],
    ['JSON that is nested too deeply', `{"resourceLogs":${'['.repeat(1e6)}${']'.repeat(1e6)}}`, {}, 200],
    ['protobuf that ends too early', logs.subarray(0, -3), {}, 400],
    ['gzip that ends too early', gzipSync(logs).subarray(0, -9), { 'content-encoding': 'gzip' }, 400],
    ['damaged gzip', Buffer.from('no gzip'), { 'content-encoding': 'gzip' }, 400],
    ['the encoding br', logs, { 'content-encoding': 'br' }, 415],
    ['two encodings', logs, { 'content-encoding': 'gzip, gzip' }, 415],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['text', logsJson, { 'content-type': 'text/plain' }, 415],
    ['the type of gRPC', logs, { 'content-type': 'application/grpc' }, 415],
    ['an empty type', logs, { 'content-type': '' }, 415],
    ['too many bytes', new Uint8Array(maxBodyBytes + 1), {}, 413],
    ['too many bytes of JSON', ' '.repeat(maxBodyBytes + 1), {}, 413],
    ['a gzip bomb', gzipSync(new Uint8Array(100_000_000)), { 'content-encoding': 'gzip' }, 413],
    ['records without bytes', protobufRecords(600_000), {}, 400],
    ['records without members', jsonOf('resourceLogs', 'scopeLogs', 'logRecords', 600_000), {}, 400],
    ['scopes without members', jsonOf('resource_logs', 'scope_logs', 'log_records', 0, 600_000), {}, 400],
    ['as many records as are allowed', jsonOf('resourceLogs', 'scopeLogs', 'logRecords', 499_998), {}, 200],
  ])('a request with %s is answered with its status', async (_, body, headers, status) => {
    const response = await viewer.post('/v1/logs', body, headers)
    expect(response.status).toBe(status)
  })

  test('the decompressed size of a body is limited before all of it is in memory', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    const before = process.memoryUsage().rss
    let highest = before
    const timer = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 5)
    const response = await viewer.post('/v1/logs', bomb, { 'content-encoding': 'gzip' })
    clearInterval(timer)
    expect(response.status).toBe(413)
    expect(highest - before).toBeLessThan(120_000_000)
  })

  test('a body in chunks is limited too, and its client can read the response', async () => {
    const message = request({
      port: viewer.port,
      path: '/v1/logs',
      method: 'POST',
      headers: { 'content-type': protobuf },
    })
    message.on('error', () => undefined)
    const response = once(message, 'response') as Promise<[IncomingMessage]>
    const chunk = Buffer.alloc(1_048_576)
    for (let at = 0; at < 40 && !message.destroyed; at++)
      if (!message.write(chunk)) await Promise.race([once(message, 'drain'), response])
    expect((await response)[0].statusCode).toBe(413)
    message.destroy()
  })

  test('bodies that are sent at once have a maximum size together: a client that exceeds it can send again later', async () => {
    const body = Buffer.alloc(maxBodyBytes - 1)
    const head = `POST /v1/metrics HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${protobuf}\r\ncontent-length: ${maxBodyBytes}\r\n\r\n`
    const sockets = await Promise.all(Array.from({ length: 5 }, () => viewer.connect()))
    let answer = ''
    for (const socket of sockets) {
      socket.on('data', (bytes) => (answer += bytes.toString('latin1')))
      socket.write(head)
      socket.write(body)
    }
    await waitUntil(() => answer.includes('too many large requests at once'))
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer).toContain('retry-after: 1')
    for (const socket of sockets) socket.destroy()
    await waitUntil(async () => (await viewer.post('/v1/metrics', body)).status === 200)
  })

  test('a body that is aborted leaves nothing behind', async () => {
    const { size } = viewer.server.logs
    for (const encoding of ['identity', 'gzip']) {
      const socket = await viewer.connect()
      socket.write(
        `POST /v1/logs HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${protobuf}\r\ncontent-encoding: ${encoding}\r\ncontent-length: 100\r\n\r\n${'x'.repeat(50)}`,
      )
      socket.destroy()
    }
    const response = await viewer.post('/v1/logs', logs)
    expect(response.status).toBe(200)
    expect(viewer.server.logs.size).toBe(size + 1)
  })

  test('keys of prototypes in JSON are only text', async () => {
    const key =
      '{"key":"__proto__","value":{"kvlistValue":{"values":[{"key":"constructor","value":{"stringValue":"x"}}]}}}'
    const text = `{"__proto__":{"polluted":1},"resourceLogs":[{"resource":{"attributes":[${key}]},"scopeLogs":[{"logRecords":[{"__proto__":{"body":1},"attributes":[${key}]}]}]}]}`
    const response = await viewer.post('/v1/logs', text)
    expect(response.status).toBe(200)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    const { text: keys } = await viewer.send('/api/keys')
    expect(keys).toContain('__proto__.constructor')
  })

  test('any bytes are accepted or answered with 400', async () => {
    const known = Buffer.concat([logs, requestOf([{ body: { a: [1, 'x', true] }, attributes: { deep: { n: 1 } } }])])
    const damaged = fc
      .array(fc.tuple(fc.nat(known.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
      .map((changes) => {
        const bytes = Buffer.from(known)
        for (const [at, byte] of changes) bytes[at] = byte
        return bytes
      })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.uint8Array({ maxLength: 60 }), damaged),
        fc.constantFrom('logs', 'traces', 'metrics'),
        fc.boolean(),
        async (bytes, signal, isJson) => {
          const type = isJson ? 'application/json' : protobuf
          const response = await viewer.post(`/v1/${signal}`, bytes, { 'content-type': type })
          expect([200, 400]).toContain(response.status)
        },
      ),
      { seed, numRuns: 200 * runs },
    )
    // What was accepted can be shown.
    for (const path of ['/api/keys', '/api/export', '/api/export?format=html', '/api/telemetry/logs?limit=10000']) {
      const response = await viewer.send(path)
      expect(response.status).toBe(200)
    }
  })
})

describe('responses', () => {
  test('have the type of the request, and no content, as OTLP defines', async () => {
    const binary = await viewer.post('/v1/logs', logs)
    expect(binary).toMatchObject({ text: '', headers: { 'content-type': protobuf } })
    const text = await viewer.post('/v1/logs', logsJson)
    expect(text).toMatchObject({ text: '{}', headers: { 'content-type': 'application/json' } })
  })

  test('of errors are a Status of the type of the request', async () => {
    const binary = await viewer.post('/v1/logs', Buffer.from([10, 9]))
    expect(binary.headers['content-type']).toBe(protobuf)
    expect([...binary.body.subarray(0, 3)]).toEqual([8, 2, 18])
    expect(binary.text).toContain('the body is damaged')
    const text = await viewer.post('/v1/logs', '{')
    expect(JSON.parse(text.text)).toEqual({ code: 2, message: expect.stringContaining('the body is damaged') })
  })

  test('metrics are accepted and not kept', async () => {
    const response = await viewer.post('/v1/metrics', '{"resourceMetrics":[]}')
    expect(response).toMatchObject({ status: 200, text: '{}' })
  })
})

describe('traces', () => {
  const span = {
    name: 'GET /orders',
    spanContext: () => ({ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), traceFlags: 1 }),
    kind: 1,
    startTime: [1_700_000_000, 500_000_000],
    endTime: [1_700_000_001, 0],
    status: { code: 2, message: 'failed' },
    attributes: {},
    links: [],
    events: [],
    duration: [0, 500_000_000],
    resource: resourceFromAttributes({ 'service.name': 'shop' }),
    instrumentationScope: { name: 'http' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  } as unknown as Parameters<(typeof ProtobufTraceSerializer)['serializeRequest']>[0][number]

  test.each([
    ['protobuf', protobuf, ProtobufTraceSerializer],
    ['JSON', 'application/json', JsonTraceSerializer],
  ])('of the official exporter are kept if they come as %s', async (_, type, serializer) => {
    const other = await RunningViewer.start()
    const response = await other.post('/v1/traces', serializer.serializeRequest([span])!, { 'content-type': type })
    expect(response.status).toBe(200)
    expect(other.server.spans.ofTrace('ab'.repeat(16))).toEqual([
      {
        spanId: 'cd'.repeat(8),
        parentSpanId: '',
        name: 'GET /orders',
        service: 'shop',
        start: 1_700_000_000_500,
        end: 1_700_000_001_000,
        hasError: true,
      },
    ])
    other.close()
  })

  test.each([
    ['of other lengths', 'abcd', 'ab'],
    ['of zeros', '00'.repeat(16), '00'.repeat(8)],
  ])('with IDs %s are rejected, which the response counts', async (_, traceId, spanId) => {
    const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ traceId, spanId }, {}] }] }] })
    const json = await viewer.post('/v1/traces', text)
    expect(JSON.parse(json.text)).toEqual({
      partialSuccess: { rejectedSpans: '2', errorMessage: expect.stringContaining('16 bytes') },
    })
    const bytes = ProtobufTraceSerializer.serializeRequest([
      { ...span, spanContext: () => ({ traceId, spanId, traceFlags: 1 }) },
    ])!
    const binary = await viewer.post('/v1/traces', bytes)
    expect(binary.status).toBe(200)
    expect([...binary.body.subarray(2, 4)]).toEqual([8, 1])
    expect(binary.text).toContain('16 bytes')
    expect(viewer.server.spans.ofTrace(traceId)).toEqual([])
  })
})

describe('requests with the maximum size', () => {
  test.each([
    ['logs', jsonOf('resourceLogs', 'scopeLogs', 'logRecords', 6_900_000)],
    ['traces', jsonOf('resourceSpans', 'scopeSpans', 'spans', 6_900_000)],
  ])('of JSON with millions of empty %s are refused as a whole', async (signal, body) => {
    const { size } = viewer.server.logs
    const response = await viewer.post(`/v1/${signal}`, body)
    expect(response.status).toBe(400)
    expect(response.text).toContain('more than 500000 records')
    expect(viewer.server.logs.size).toBe(size)
  })
})

describe('connections', () => {
  test('a connection is used for many requests, also after one that failed', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    for (const [body, status] of [
      [logs, 200],
      [Buffer.from([10, 9]), 400],
      [logs, 200],
    ] as const) {
      const message = request({
        port: viewer.port,
        path: '/v1/logs',
        method: 'POST',
        agent,
        headers: { 'content-type': protobuf },
      })
      message.end(body)
      const [response] = (await once(message, 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(status)
      ports.add(message.socket?.localPort)
      response.resume()
      await once(response, 'end')
    }
    expect(ports.size).toBe(1)
    agent.destroy()
  })

  test('of 1,000 connections, some are refused, and the others are answered', async () => {
    const other = await RunningViewer.start()
    const sockets: Socket[] = []
    // The operating system keeps at most some hundred that were not accepted yet.
    for (let batch = 0; batch < 10; batch++)
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => other.connect()))))
    const open = (): Socket[] => sockets.filter((socket) => !socket.destroyed)
    let answers = 0
    for (const socket of sockets) socket.once('data', () => answers++)
    await waitUntil(() => open().length === 256)
    for (const socket of open()) socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await waitUntil(() => answers >= 256)
    expect(answers).toBe(256)
    for (const socket of sockets) socket.destroy()
    await waitUntil(async () => (await other.send('/').catch(() => undefined)) !== undefined)
    other.close()
  })

  test('a page that is opened too often is refused, and can be opened after another one was closed', async () => {
    const other = await RunningViewer.start()
    const sockets: Socket[] = []
    for (let at = 0; at < 16; at++) {
      const socket = await other.connect()
      socket.resume().write('GET /api/live HTTP/1.1\r\nhost: localhost\r\n\r\n')
      sockets.push(socket)
    }
    await waitUntil(() => other.server.pageCount === 16)
    const refused = await other.send('/api/live')
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    for (const socket of sockets) socket.destroy()
    await waitUntil(() => other.server.pageCount === 0)
    other.close()
  })

  test('searches end when their clients disconnect, so that others are answered', async () => {
    const other = await RunningViewer.start()
    // Each record takes some ms.
    await other.post('/v1/logs', requestOf(Array.from({ length: 5_000 }, () => ({ body: `${'a'.repeat(18)}!` }))))
    const query = `q=${encodeURIComponent('message ~ "^(a+)+$"')}`
    const sockets: Socket[] = []
    for (let at = 0; at < 16; at++) {
      const socket = await other.connect()
      const path = at % 2 === 0 ? `/api/export?${query}` : `/api/telemetry/logs?${query}`
      socket.resume().write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
      sockets.push(socket)
    }
    const statusOfExport = async (): Promise<number> => (await other.send('/api/export')).status
    await waitUntil(async () => (await statusOfExport()) === 503)
    for (const socket of sockets) socket.destroy()
    await waitUntil(async () => (await statusOfExport()) !== 503)
    expect(await statusOfExport()).toBe(200)
    other.close()
  })

  test('a page that is opened twice by one connection counts once', async () => {
    const other = await RunningViewer.start()
    const socket = await other.connect()
    const get = 'GET /api/live HTTP/1.1\r\nhost: localhost\r\n\r\n'
    socket.resume().write(get + get)
    await waitUntil(() => other.server.pageCount > 0)
    await other.send('/')
    expect(other.server.pageCount).toBe(1)
    socket.destroy()
    await waitUntil(() => other.server.pageCount === 0)
    other.close()
  })

  test('requests that are sent at once by one connection are answered one after the other', async () => {
    const get = 'GET /api/keys HTTP/1.1\r\nhost: localhost\r\n'
    const answer = await viewer.sendBytes(`${get}\r\n${get}\r\n${get}connection: close\r\n\r\n`)
    expect(answer.split('HTTP/1.1 200 OK')).toHaveLength(4)
  })
})

/** Returns a request of OTLP/JSON with empty items and groups. */
function jsonOf(groups: string, scopes: string, items: string, count: number, scopeCount = 1): string {
  const scope = `{"${items}":[${empty(count)}]},${empty(scopeCount - 1)}`.replace(/,$/, '')
  return `{"${groups}":[{"${scopes}":[${scope}]}]}`
}

function empty(count: number): string {
  return '{},'.repeat(count).slice(0, -1)
}

/** Returns an `ExportLogsServiceRequest` with records that have no fields. */
function protobufRecords(count: number): Buffer {
  const items = Buffer.alloc(2 * count, Buffer.from([18, 0]))
  return withLength(10, withLength(18, items))
}

function withLength(tag: number, content: Buffer): Buffer {
  const length: number[] = []
  for (let rest = content.length; rest > 0; rest >>>= 7) length.push((rest & 127) | (rest >= 128 ? 128 : 0))
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
