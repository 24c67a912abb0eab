import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { EventEmitter } from 'node:events'
import * as http from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import { post, type PostRequest } from '../../../src/exporters/otlp/http.ts'
import {
  neverRead,
  dripBody,
  dripHeader,
  fakeCollector,
  halfClose,
  hangUpInBody,
  respondWithoutHttp,
  resetAfterBody,
  resetBeforeBody,
  neverRespond,
  stallInBody,
  status,
  type FakeCollector,
} from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'

let collector: FakeCollector
let agent: http.Agent

beforeEach(async () => {
  collector = await fakeCollector()
  agent = new http.Agent({ keepAlive: true })
})
afterEach(async () => {
  agent.destroy()
  await collector.close()
})

const body = Buffer.from('{"resourceLogs":[]}')

function send(parts: Partial<PostRequest> = {}) {
  const headers = [['content-type', 'application/json']] as const
  return post({ url: collector.url, headers, body, tls: {}, timeoutMillis: 5_000, ...parts }, agent)
}

/** The number of sockets of the agent that are in use, free, or requested. */
function socketsOf({ sockets, freeSockets, requests }: http.Agent): number {
  return [sockets, freeSockets, requests].flatMap((byName) => Object.values(byName).flat()).length
}

/** How many timers keep this process alive. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

test('a request is a POST with a Content-Length, and the whole response is read', async () => {
  collector.respondNext(status(429, { 'retry-after': '7', 'content-type': 'text/plain' }, 'slow down'))
  const answer = await send().result
  expect(answer).toMatchObject({ status: 429, retryAfter: '7', contentType: 'text/plain' })
  expect(String(answer.status !== undefined && answer.body && Buffer.from(answer.body))).toBe('slow down')
  expect(collector.received[0]).toMatchObject({
    method: 'POST',
    path: '/v1/logs',
    headers: { 'content-length': `${body.length}`, 'content-type': 'application/json', connection: 'keep-alive' },
    body,
  })
})

// Requirements: OTL2
test('connections are kept for the next request', async () => {
  for (let request = 0; request < 5; request++) await send().result
  expect([collector.requestCount, collector.connectionCount]).toEqual([5, 1])
})

/** The number of listeners on the reused connection after the given number of requests. */
async function listenersAfter(requests: number): Promise<number> {
  for (let request = 0; request < requests; request++) await send().result
  await waitUntil(() => Object.values(agent.freeSockets).flat().length === 1)
  const socket: EventEmitter = Object.values(agent.freeSockets).flat()[0]!
  return socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0)
}

test('a reused connection does not accumulate listeners', async () => {
  const before = await listenersAfter(2)
  expect(await listenersAfter(50)).toBe(before)
  expect(collector.connectionCount).toBe(1)
})

describe('responses', () => {
  test('a compressed response is read', async () => {
    collector.respondNext(status(200, { 'content-encoding': 'gzip' }, gzipSync('{"a":1}')))
    const answer = await send().result
    expect(answer.status !== undefined && Buffer.from(answer.body!).toString()).toBe('{"a":1}')
  })

  // Requirements: OTL7
  // Fault rows: 39
  test.each([
    ['5 MiB', status(200, {}, Buffer.alloc(5 * 1024 * 1024)), 'too large'],
    ['5 MiB, compressed', status(200, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(5 << 20))), 'too large'],
    ['invalid gzip', status(200, { 'content-encoding': 'gzip' }, 'x'), 'incomplete'],
    ['brotli', status(200, { 'content-encoding': 'br' }, 'x'), 'unknown content encoding'],
    ['a connection that ends in the body', hangUpInBody, 'incomplete'],
  ])('a response of %s has a status and no body', async (_title, answer, bodyProblem) => {
    collector.respondNext(answer)
    expect(await send().result).toEqual({
      status: 200,
      retryAfter: undefined,
      contentType: bodyProblem === 'incomplete' && answer === hangUpInBody ? 'application/json' : undefined,
      body: undefined,
      bodyProblem,
    })
  })

  test('a response of 4 MiB is read', async () => {
    collector.respondNext(status(200, {}, Buffer.alloc(4 * 1024 * 1024)))
    expect(await send().result).toMatchObject({ status: 200, body: { length: 4 * 1024 * 1024 } })
  })

  test('an informational response is ignored', async () => {
    collector.respondNext((response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</x>; rel=preload' })
      response.writeHead(204).end()
    })
    expect(await send().result).toMatchObject({ status: 204 })
  })

  // Fault rows: 38
  test('a redirect is not followed', async () => {
    const elsewhere = await fakeCollector()
    collector.respondNext(status(307, { location: elsewhere.url }))
    expect(await send().result).toMatchObject({ status: 307 })
    collector.respondNext(status(308, { location: elsewhere.url }))
    expect(await send().result).toMatchObject({ status: 308 })
    expect(elsewhere.connectionCount).toBe(0)
    await elsewhere.close()
  })
})

// Requirements: OTL13
// Fault rows: 40
describe('the deadline of a request', () => {
  test.each([
    ['a server that never responds', neverRespond, { status: undefined, why: 'timed out', mayHaveArrived: true }],
    ['headers that arrive byte by byte', dripHeader(5), { status: undefined, mayHaveArrived: true }],
    ['a body that arrives byte by byte', dripBody(5), { status: 200, bodyProblem: 'incomplete' }],
    ['a body that stalls', stallInBody, { status: 200, bodyProblem: 'incomplete' }],
  ])('the deadline ends a request and closes its connection for %s', async (_title, answer, expected) => {
    collector.respondNext(answer)
    const start = performance.now()
    expect(await send({ timeoutMillis: 100 }).result).toMatchObject(expected)
    expect(performance.now() - start).toBeGreaterThanOrEqual(95)
    await waitUntil(() => socketsOf(agent) === 0 && collector.connections.size === 0)
  })

  test('a request that was not written completely before the deadline has not arrived', async () => {
    collector.respondNext(neverRead)
    const answer = await send({ timeoutMillis: 100, body: Buffer.alloc(32 * 1024 * 1024) }).result
    expect(answer).toMatchObject({ status: undefined, mayHaveArrived: false })
  })

  test('no timer is set for a deadline of 0', async () => {
    collector.respondAlways(neverRespond)
    const before = timers()
    const exchanges = [send({ timeoutMillis: 7_654 })]
    expect(timers()).toBe(before + 1)
    exchanges.push(send({ timeoutMillis: 0 }))
    expect(timers()).toBe(before + 1)
    await collector.waitFor(2)
    for (const exchange of exchanges) exchange.cancel('enough')
    collector.respondAlways((response) => setTimeout(() => response.end(), 50))
    expect(await send({ timeoutMillis: 0 }).result).toMatchObject({ status: 200 })
  })
})

describe('requests without a response', () => {
  let closedUrl: string

  beforeEach(async () => {
    const server = await listening(createServer())
    closedUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await new Promise((resolve) => server.close(resolve))
  })

  test.each([
    ['resets the connection after it has read the request', resetAfterBody, true],
    ['closes the connection', halfClose, true],
    ['sends a response that is not HTTP', respondWithoutHttp, true],
  ])('a request may have arrived when the server %s', async (_title, answer, mayHaveArrived) => {
    collector.respondNext(answer)
    expect(await send().result).toMatchObject({ status: undefined, mayHaveArrived })
  })

  test('a long request has not arrived when the connection is reset before it is read', async () => {
    collector.respondNext(resetBeforeBody)
    const answer = await send({ body: Buffer.alloc(32 * 1024 * 1024) }).result
    expect(answer).toMatchObject({ status: undefined, mayHaveArrived: false })
  })

  test('a request has not arrived when no server listens', async () => {
    const answer = await send({ url: closedUrl }).result
    expect(answer).toEqual({ status: undefined, why: 'ECONNREFUSED', mayHaveArrived: false })
  })

  test('a request has not arrived when the host cannot be resolved', async () => {
    const answer = await send({ url: 'http://collector.invalid/' }).result
    expect(answer).toMatchObject({ status: undefined, mayHaveArrived: false })
  })

  test('a request that is canceled before it has a connection has not arrived', () => {
    const cancelled = send().cancel('it was called off')
    expect(cancelled).toEqual({ status: undefined, why: 'it was called off', mayHaveArrived: false })
  })
})

test('a canceled request closes its connection at once', async () => {
  collector.respondNext(neverRespond)
  const exchange = send()
  await collector.waitFor(1)
  const cancelled = exchange.cancel('enough')
  expect(cancelled).toEqual({ status: undefined, why: 'enough', mayHaveArrived: true })
  expect(await exchange.result).toBe(cancelled)
  expect(exchange.cancel('again')).toBe(cancelled)
  await waitUntil(() => socketsOf(agent) === 0 && collector.connections.size === 0)
})

test('a request without a response has not arrived when its agent throws', async () => {
  class Throwing extends http.Agent {
    override createConnection(): never {
      throw new Error('secret')
    }
  }
  const exchange = post({ url: collector.url, headers: [], body, tls: {}, timeoutMillis: 100 }, new Throwing())
  expect(await exchange.result).toMatchObject({ status: undefined, mayHaveArrived: false })
})

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
