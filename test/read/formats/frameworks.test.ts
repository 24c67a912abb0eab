import { describe, expect, it, jest } from '@jest/globals'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConsoleLogger, type ConsoleLoggerOptions } from '@nestjs/common'
import realFastify from 'fastify'
import { pinoHttp } from 'pino-http'
import { recordIn, recordsIn } from '../lines/read-bytes.ts'
import { Lines } from './library-lines.ts'
import { plainValue } from './read-line.ts'

/** Returns what the logger of NestJS writes to standard output and standard error. */
function nestOutput(options: ConsoleLoggerOptions, use: (log: ConsoleLogger) => void): string {
  let output = ''
  const write = (chunk: unknown): boolean => {
    output += String(chunk)
    return true
  }
  const spies = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, 'write').mockImplementation(write))
  try {
    use(new ConsoleLogger('Orders', options))
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return output
}

const stack = 'Error: no route\n    at pay (/app/pay.js:3:9)'
function useNest(log: ConsoleLogger): void {
  log.log('started')
  log.warn({ order: 43 })
  log.error('failed', stack)
  log.verbose('v')
  log.fatal('f')
}

describe('lines of NestJS', () => {
  it.each<ConsoleLoggerOptions>([
    { colors: false },
    { colors: true },
    { colors: false, timestamp: true },
    { colors: true, timestamp: true, prefix: 'Shop' },
  ])('are read with %j', (options) => {
    const before = Date.now()
    const records = recordsIn(nestOutput(options, useNest))
    expect(records.map(({ level, severityNumber, scope }) => [level, severityNumber, scope])).toEqual([
      ['info', 9, 'Orders'],
      ['warn', 13, 'Orders'],
      ['error', 17, 'Orders'],
      ['verbose', 6, 'Orders'],
      ['fatal', 21, 'Orders'],
    ])
    expect(records.map(({ message }) => message?.split('\n')[0])).toEqual([
      'started',
      'Object(1) {',
      'failed',
      'v',
      'f',
    ])
    for (const { time, resource } of records) {
      expect(Math.abs(time! - before)).toBeLessThan(60_000)
      expect(resource.get('process.pid')).toBe(process.pid)
    }
    expect(records[2]!.attributes.get('exception.stacktrace')).toBe(stack)
  })

  it('are read as JSON', () => {
    const records = recordsIn(nestOutput({ json: true }, useNest))
    expect(records.map(({ level, scope, message }) => [level, scope, message])).toEqual([
      ['info', 'Orders', 'started'],
      ['warn', 'Orders', undefined],
      ['error', 'Orders', 'failed'],
      ['verbose', 'Orders', 'v'],
      ['fatal', 'Orders', 'f'],
    ])
    expect(plainValue(records[1]!.body)).toEqual({ order: 43 })
    expect(records[2]!.attributes.get('exception.stacktrace')).toBe(stack)
    for (const { time, attributes, resource } of records) {
      expect(Math.abs(time! - Date.now())).toBeLessThan(60_000)
      expect(resource.get('process.pid')).toBe(process.pid)
      expect(attributes.has('pid') || attributes.has('context')).toBe(false)
    }
  })

  it('have a time with the narrow space that some versions of Node write', () => {
    const time = new Date(2026, 10, 21, 21, 56, 3).getTime()
    for (const space of [' ', '\u202F'])
      expect(recordIn(`[Nest] 42  - 11/21/2026, 9:56:03${space}PM     LOG [Orders] started`)).toMatchObject({ time })
  })

  it('have no time if the locale of the writer is not known', () => {
    expect(recordIn('[Nest] 42  - 12/11/2026, 09:56:03     LOG [Orders] started')).toMatchObject({
      time: undefined,
      level: 'info',
      message: 'started',
    })
  })
})

describe('lines of requests', () => {
  it('are read as pino-http writes them', async () => {
    const lines = new Lines()
    const handle = pinoHttp({}, lines)
    const server = createServer((request, response) => {
      handle(request, response)
      response.statusCode = 503
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/orders?x=1`)
    server.close()
    const [line] = lines.take()
    const record = recordIn(line!)
    expect(record).toMatchObject({ format: 'pino', level: 'info', severityNumber: 9, message: 'request errored' })
    expect(Math.abs(record.time! - Date.now())).toBeLessThan(60_000)
    expect(plainValue(record.attributes)).toMatchObject({
      req: { method: 'GET', url: '/orders?x=1' },
      res: { statusCode: 503 },
      responseTime: expect.any(Number),
      'exception.message': 'failed with status code 503',
    })
  })

  it('are read as Fastify writes them', async () => {
    const lines = new Lines()
    const app = realFastify({ logger: { stream: lines } })
    app.get('/orders', () => 'ok')
    await app.inject('/orders?x=1')
    await app.close()
    const records = recordsIn(lines.take().join('\n'))
    expect(records.map(({ format, level, message }) => [format, level, message])).toEqual([
      ['pino', 'info', 'incoming request'],
      ['pino', 'info', 'request completed'],
    ])
    expect(plainValue(records[0]!.attributes)).toMatchObject({ reqId: 'req-1', req: { url: '/orders?x=1' } })
    expect(plainValue(records[1]!.attributes)).toMatchObject({ res: { statusCode: 200 } })
  })

  // morgan 1.12.1 wrote these lines, and the last ones are of the development server of Next.js.
  it.each([
    ['GET /orders/42?x=1 200 - - 2.649 ms', 200, { 'http.server.request.duration': 0.002_649 }],
    [
      '::ffff:127.0.0.1 - GET /orders/42?x=1 HTTP/1.1 404 5 - 12.5 ms',
      404,
      {
        'network.protocol.version': '1.1',
        'http.response.body.size': 5,
        'http.server.request.duration': 0.012_5,
        'client.address': '::ffff:127.0.0.1',
      },
    ],
    [
      '\u001B[0mGET /orders/42?x=1 \u001B[32m500\u001B[0m 2.649 ms - 7\u001B[0m',
      500,
      { 'http.response.body.size': 7, 'http.server.request.duration': 0.002_649 },
    ],
    [' GET /orders/42?x=1 200 in 45ms', 200, { 'http.server.request.duration': 0.045 }],
    ['GET /orders/42?x=1 200 in 1.5s (compile: 1.2s, render: 300ms)', 200, { 'http.server.request.duration': 1.5 }],
  ])('are read from %j', (line, status, attributes) => {
    const record = recordIn(line)
    expect(record).toMatchObject({
      format: 'access',
      level: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
      time: undefined,
      message: `GET /orders/42 ${status}`,
    })
    expect(plainValue(record.attributes)).toEqual({
      'http.request.method': 'GET',
      'url.path': '/orders/42',
      'url.query': 'x=1',
      'http.response.status_code': status,
      ...attributes,
    })
    expect(recordIn(`web-1  | ${line}`)).toMatchObject({ format: 'access', origin: { container: 'web-1' } })
  })

  it('are not read from sentences', () => {
    for (const line of [
      'GET /orders failed after 200 ms',
      'the request GET /orders 200',
      'GET /orders 200 bytes in 5 ms',
    ])
      expect(recordsIn(line)).toEqual([])
  })
})
