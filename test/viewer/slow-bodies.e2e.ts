import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { BodyReader, maxBodyBytes } from '../../src/viewer/server/request-body.ts'
import { defaultTimeouts } from '../../src/viewer/server/viewer-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { RunningViewer } from './running-viewer.ts'
import { requestOf } from './support.ts'
import { usedMemory } from './used-memory.ts'

const type = 'content-type: application/x-protobuf\r\n'
const logs = requestOf([{ body: 'hello' }])
// Bytes that cannot be compressed.
const compressed = gzipSync(randomBytes(50_000))
const timeouts = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 }
let viewer: RunningViewer
let sockets: Socket[]
let timers: NodeJS.Timeout[]
let others: RunningViewer[]

beforeEach(async () => {
  sockets = []
  timers = []
  others = []
  viewer = await RunningViewer.start({ timeouts })
})
afterEach(() => {
  for (const timer of timers) clearInterval(timer)
  for (const socket of sockets) socket.destroy()
  for (const each of [viewer, ...others]) each.close()
})

interface SlowRequest {
  readonly socket: Socket
  /** What was received. */
  readonly answer: () => string
  /** Whether the viewer has closed the connection: nothing can be sent any more. */
  readonly isClosed: () => boolean
}

/** Begins a request, and keeps the connection open when the viewer closes its side. */
async function begin(start: string, headers = type, to = viewer): Promise<SlowRequest> {
  const socket = await to.connect(true)
  sockets.push(socket)
  let answer = ''
  let isClosed = false
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')))
  socket.on('error', () => (isClosed = true))
  socket.write(`POST /v1/logs HTTP/1.1\r\nhost: localhost\r\n${headers}`)
  socket.write(start)
  return { socket, answer: () => answer, isClosed: () => isClosed }
}

/** Sends one part more each 10 ms: a byte, or a text. */
function drip({ socket }: SlowRequest, parts: ArrayLike<string | number>): void {
  let next = 0
  const send = (): void => {
    const part = parts[next++]
    if (part !== undefined) socket.write(typeof part === 'number' ? Buffer.of(part) : part)
  }
  timers.push(setInterval(send, 10))
}

/** Waits until the viewer has closed a connection, to which nothing can be sent then. */
async function untilClosed({ socket, isClosed }: SlowRequest): Promise<void> {
  await waitUntil(() => {
    if (!isClosed()) socket.write('x')
    return isClosed()
  })
}

test('a request has 10 s for its headers and 30 s in all, which is checked each 2 s', () => {
  expect(defaultTimeouts).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 2_000,
  })
})

describe('a request that does not arrive in time', () => {
  it.each<[string, string, string, ArrayLike<string | number>]>([
    ['a body byte by byte', type, 'content-length: 100000\r\n\r\n', '\x0a'.repeat(10_000)],
    ['a chunk byte by byte', type, 'transfer-encoding: chunked\r\n\r\n2710\r\n', '\x0a'.repeat(9_999)],
    ['chunks of one byte', type, 'transfer-encoding: chunked\r\n\r\n', Array<string>(9_999).fill('1\r\n\x0a\r\n')],
    ['compressed bytes one by one', type, 'content-encoding: gzip\r\ncontent-length: 100000\r\n\r\n', compressed],
    ['its headers byte by byte', '', 'x-name: ', 'x'.repeat(10_000)],
    ['nothing more in the middle of its body', type, 'content-length: 100000\r\n\r\nxxxxx', []],
    ['nothing more in the middle of its headers', '', 'x-name: ', []],
  ])(
    'is answered with 408 and closed if its client sends %s, also if the client keeps its side open',
    async (_, headers, start, parts) => {
      const request = await begin(start, headers)
      drip(request, parts)
      await waitUntil(async () => (await viewer.post('/v1/logs', logs)).status === 200 && request.answer() !== '')
      expect(request.answer()).toMatch(/^HTTP\/1\.1 408 /)
      await untilClosed(request)
      // Only the other requests have added records.
      expect(viewer.server.logs.size).toBeGreaterThan(0)
      for (const segment of viewer.server.logs.segments)
        for (let at = 0; at < segment.count; at++) expect(viewer.server.logs.readAt(segment, at).message).toBe('hello')
    },
  )

  it('leaves its memory to others: large requests that stopped are not counted for longer', async () => {
    const other = await RunningViewer.start({ timeouts: { ...timeouts, requestTimeout: 4_000 } })
    others.push(other)
    const body = Buffer.alloc(maxBodyBytes - 1)
    const stopped = await Promise.all(
      Array.from({ length: 4 }, () => begin(`content-length: ${maxBodyBytes}\r\n\r\n`, type, other)),
    )
    for (const { socket } of stopped) socket.write(body)
    await waitUntil(async () => (await other.post('/v1/logs', logs)).status === 503)
    await waitUntil(async () => (await other.post('/v1/logs', logs)).status === 200)
    expect((await other.post('/v1/metrics', body)).status).toBe(200)
    for (const { answer } of stopped) expect(answer()).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('is answered if all of it arrives in time, in parts of one byte', async () => {
    const request = await begin(`content-length: ${logs.length}\r\nconnection: close\r\n\r\n`)
    for (const byte of logs) {
      request.socket.write(Buffer.of(byte))
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    }
    await waitUntil(() => request.answer().startsWith('HTTP/1.1 200 '))
    expect(viewer.server.logs.size).toBe(1)
  })
})

describe('a body of many small chunks', () => {
  it('needs hardly more memory than its bytes', async () => {
    const bodies = new BodyReader()
    let received: IncomingMessage | undefined
    const server = createServer((request) => {
      received = request
      bodies.read(request).catch(() => undefined)
    }).listen(0)
    const socket = connect((server.address() as AddressInfo).port)
    sockets.push(socket)
    const chunks = '1\r\nx\r\n'.repeat(10_000)
    socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n')
    await waitUntil(() => received !== undefined)
    const before = await usedMemory()
    for (let sent = 0; sent < 50; sent++) if (!socket.write(chunks)) await once(socket, 'drain')
    await waitUntil(() => received!.socket.bytesRead > 50 * chunks.length)
    // An object for each byte would need 100 MB.
    expect((await usedMemory()) - before).toBeLessThan(20_000_000)
    server.close()
  })
})
