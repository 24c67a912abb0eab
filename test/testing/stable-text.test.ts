import { expect, test } from '@jest/globals'
import express from 'express'
import fastify, { LogController } from 'fastify'
import { createServer } from 'node:http'
import { captureLogs } from '../../src/create/capture-logs.ts'
import { requestLog as expressLog } from '../../src/entries/express.ts'
import { requestLog as fastifyLog } from '../../src/entries/fastify.ts'
import { requestLog as nodeLog } from '../../src/entries/node.ts'
import type { Logger } from '../../src/logger/types.ts'
import { listening } from '../http/hosts/listening.ts'
import { waitUntil } from '../support/wait-until.ts'

const uuid = (last: number): string => `a072efbc-c033-4655-b788-a2d9fd72f30${last}`

function textOf(body: string, attributes: Readonly<Record<string, unknown>> = {}): string {
  const logs = captureLogs()
  logs.logger.info({ ...attributes }, body)
  return logs.text().slice('info '.length, -1)
}

const attributesOf = (attributes: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(textOf('', attributes)) as unknown

test.each([
  [`job ${uuid(1)} started`, 'job [id 1] started'],
  [`${uuid(1)} and ${uuid(2)}, then ${uuid(1).toUpperCase()}`, '[id 1] and [id 2], then [id 1]'],
  ['trace 4bf92f3577b34da6a3ce929d0e0e4736, span 00f067aa0ba902b7', 'trace [id 1], span [id 2]'],
  ['upload 01ARZ3NDEKTSV4RRFFQ69G5FAV', 'upload [id 1]'],
  ['due 2026-11-26T10:28:48.123Z, not 2026-11-26T10:28:48+01:00', 'due [time], not [time]'],
  ['since Thu, 26 Nov 2026 10:28:48 GMT', 'since [time]'],
  ['since Thu Nov 26 2026 10:28:48 GMT+0000 (Coordinated Universal Time)', 'since [time]'],
  ['took 12 ms, 0.3s and 17µs', 'took [duration], [duration] and [duration]'],
  ['took 1.5 seconds', 'took [duration]'],
  ['connect ECONNREFUSED 127.0.0.1:41234', 'connect ECONNREFUSED 127.0.0.1:[port]'],
  ['connect ECONNREFUSED ::1:41234', 'connect ECONNREFUSED ::1:[port]'],
  ['GET http://a.example:41234/x and http://[::1]:41234/', 'GET http://a.example:[port]/x and http://[::1]:[port]/'],
  ['listening on port 41234 of localhost:41234', 'listening on port [port] of localhost:[port]'],
])('`text()` replaces what differs between runs: %s', (message, stable) => {
  expect(textOf(message)).toBe(stable)
})

test.each([
  'order 7 of 12345 placed, version 1.2.3',
  'reads 12 messages, 3 sets and 5 minor errors',
  'born on 2001-02-03, due at 12:30',
  'https://a.example:443/x on port 80',
  'line 41234, ratio 1:41234',
  `digits ${'1234'.repeat(4)}, letters ${'abcd'.repeat(4)}`,
])('`text()` keeps what only resembles such a value: %s', (message) => {
  expect(textOf(message)).toBe(message)
})

test('`text()` replaces numbers by the name of their attribute, at any depth', () => {
  expect(
    attributesOf({
      'server.port': 41234,
      peer: { remotePort: 41234, list: [{ port: 41234 }] },
      'http.server.request.duration': 0.012,
      durationMs: 12,
      duration_ms: 12,
      responseTime: 3,
      elapsed: 4,
      createdAt: 1764152928123,
      time: 1764152928,
      pid: 4711,
    }),
  ).toEqual({
    'server.port': '[port]',
    peer: { remotePort: '[port]', list: [{ port: '[port]' }] },
    'http.server.request.duration': '[duration]',
    durationMs: '[duration]',
    duration_ms: '[duration]',
    responseTime: '[duration]',
    elapsed: '[duration]',
    createdAt: '[time]',
    time: '[time]',
    pid: '[pid]',
  })
})

test('`text()` keeps numbers with other names, reserved ports and redacted values', () => {
  const logs = captureLogs({ redact: ['pid'] })
  const attributes = { orderId: 1764152928123, port: 443, report: 41234, durations: 3, maxAt: 7, pid: 4711 }
  logs.logger.info({ ...attributes }, '')
  expect(JSON.parse(logs.text().slice('info '.length))).toEqual({ ...attributes, pid: '[REDACTED]' })
})

test('`text()` gives an id the same number in messages, attributes and errors of all records', () => {
  const logs = captureLogs()
  logs.logger.info(`job ${uuid(1)}`, { next: uuid(2) })
  logs.logger.error(new Error(`job ${uuid(2)} failed after ${uuid(1)}`))
  expect(logs.text()).toBe(`info job [id 1] {"next":"[id 2]"}
error job [id 2] failed after [id 1]
  Error: job [id 2] failed after [id 1]
`)
})

test('`text({ exact: true })` keeps ids, times, durations and ports', () => {
  const logs = captureLogs()
  logs.logger.info(`job ${uuid(1)} took 3 ms`, { port: 41234 })
  expect(logs.text({ exact: true })).toBe(`info job ${uuid(1)} took 3 ms {"port":41234}\n`)
})

test('`text()` keeps an attribute named `__proto__` as an attribute', () => {
  const attributes = JSON.parse('{"__proto__":{"port":41234}}') as object
  const logs = captureLogs()
  logs.logger.info('a', attributes as Readonly<Record<string, unknown>>)
  expect(logs.text()).toBe('info a {"__proto__":{"port":"[port]"}}\n')
})

const servers: Readonly<Record<string, (logger: Logger) => ReturnType<typeof listening>>> = {
  'node:http': (logger) => {
    const server = createServer((_, response) => void response.end('done'))
    return listening(nodeLog({ logger, generateRequestId: idOf() }).wrap(server).listen(0, '127.0.0.1'))
  },
  express: (logger) => {
    const app = express().use(expressLog({ logger, requestHeaders: ['host'], responseHeaders: ['date'] }))
    return listening(app.get('/a', (_, response) => void response.send('done')).listen(0, '127.0.0.1'))
  },
  fastify: async (logger) => {
    const app = fastify({ loggerInstance: logger, logController: new LogController({ disableRequestLogging: true }) })
    await app.register(fastifyLog({ logger, logStart: true }))
    app.get('/a', () => 'done')
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { port: (app.server.address() as { port: number }).port, close: () => app.close() }
  },
}

/** Returns a function that creates ids that have no known form. */
function idOf(): () => string {
  return () => `req-${Math.random().toString(36).slice(2)}`
}

test.each(Object.keys(servers))('the text of the request log of %s is the same in each run', async (name) => {
  const run = async (): Promise<string> => {
    using logs = captureLogs()
    const { port, close } = await servers[name]!(logs.logger)
    for (const count of [1, 2]) {
      await (await fetch(`http://127.0.0.1:${port}/a`)).text()
      await waitUntil(() => logs.filter(/^GET \S+ 200 /).length === count)
    }
    await close()
    return logs.text()
  }
  const [first, second] = [await run(), await run()]
  expect(first).toContain('"request.id":"[id 1]"')
  expect(first).toContain('"request.id":"[id 2]"')
  expect(first).toMatch(/"server.port":"\[port\]".*"http.server.request.duration":"\[duration\]"/)
  expect(second).toBe(first)
})
