import { beforeEach, describe, expect, test } from '@jest/globals'
import realBunyan from 'bunyan'
import type { ReadRecord } from '../../../src/read/record.ts'
import {
  bunyanLines,
  ecsPinoLines,
  ecsWinstonLines,
  logTapeLines,
  pinoLines,
  tslogLines,
  winstonLines,
} from './library-lines.ts'
import { attributesOf, plainValue, recordOf } from './read-line.ts'

/** The logged error. winston adds members to it, so each test has its own. */
let failure: Error & { readonly code: string }
let cause: Error
beforeEach(() => {
  cause = new RangeError('too far')
  failure = Object.assign(new TypeError('no route', { cause }), { code: 'E_ROUTE' })
})

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const span = { trace_id: traceId, span_id: spanId, trace_flags: '01' }

/** Reads lines, and checks that they have the time at which they were written. */
function recordsOf(lines: readonly string[], format: string): ReadRecord[] {
  return lines.map((line) => {
    const record = recordOf(line)
    expect(record.format).toBe(format)
    expect(Math.abs(record.time! - Date.now())).toBeLessThan(60_000)
    expect(record.timeUnixNano! / 1_000_000n).toBe(BigInt(Math.floor(record.time!)))
    return record
  })
}

/** Returns what most tests check: level, severity number and message. */
function headsOf(records: readonly ReadRecord[]): unknown[] {
  return records.map(({ level, severityNumber, message }) => [level, severityNumber, message])
}

/** Returns a record of pino with this JSON as its time. */
function withTime(text: string): ReadRecord {
  return recordOf(pinoLines({ timestamp: () => `,"time":${text}` }, (log) => log.info('m'))[0]!)
}

describe('lines of pino', () => {
  test('have the level, message, name, process, trace and attributes of the log call', () => {
    const [record] = recordsOf(
      pinoLines({ name: 'shop' }, (log) => log.info({ ...span, a: 1, b: { c: [true, null] } }, 'hi')),
      'pino',
    )
    expect(record).toMatchObject({
      level: 'info',
      severityNumber: 9,
      severityText: undefined,
      message: 'hi',
      scope: 'shop',
    })
    expect(record).toMatchObject({ traceId, spanId, traceFlags: 1 })
    expect(attributesOf(record!)).toEqual({ a: 1, b: { c: [true, null] } })
    expect(plainValue(record!.resource)).toEqual({ 'process.pid': process.pid, 'host.name': expect.any(String) })
  })

  test('have the severity of each level, with custom levels between the standard ones', () => {
    const lines = pinoLines({ level: 'trace', customLevels: { notice: 35, audit: 70 } }, (log) => {
      for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'notice', 'audit'])
        (log as unknown as Record<string, (message: string) => void>)[level]!(level)
    })
    expect(headsOf(recordsOf(lines, 'pino'))).toEqual([
      ['trace', 1, 'trace'],
      ['debug', 5, 'debug'],
      ['info', 9, 'info'],
      ['warn', 13, 'warn'],
      ['error', 17, 'error'],
      ['fatal', 21, 'fatal'],
      ['info3', 11, 'notice'],
      ['fatal4', 24, 'audit'],
    ])
  })

  test('have the error as an exception, and its other members as an attribute', () => {
    const [alone, withMessage] = recordsOf(
      pinoLines({}, (log) => {
        log.error(failure)
        log.error({ err: failure, x: 1 }, 'failed')
      }),
      'pino',
    )
    const exception = {
      'exception.type': 'TypeError',
      // The serializer of pino adds the messages and the stacks of causes.
      'exception.message': 'no route: too far',
      'exception.stacktrace': `${failure.stack}\ncaused by: ${cause.stack}`,
      err: { code: 'E_ROUTE' },
    }
    expect(attributesOf(alone!)).toEqual(exception)
    expect(alone!.message).toBe('no route')
    expect(attributesOf(withMessage!)).toEqual({ ...exception, x: 1 })
  })

  test('are read with levels as text, ISO times, and other keys of the message and the error', () => {
    const options = {
      messageKey: 'message',
      errorKey: 'error',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level: string) => ({ level: level.toUpperCase() }) },
    }
    const [record] = recordsOf(
      pinoLines(options, (log) => log.warn(failure, 'hi')),
      'pino',
    )
    expect(record).toMatchObject({ level: 'warn', severityNumber: 13, severityText: 'WARN', message: 'hi' })
    expect(attributesOf(record!)).toMatchObject({ 'exception.type': 'TypeError', error: { code: 'E_ROUTE' } })
  })

  test('are read with times in seconds and in nanoseconds', () => {
    expect(withTime('1795254963')).toMatchObject({ time: 1_795_254_963_000, timeUnixNano: 1_795_254_963_000_000_000n })
    expect(withTime('1795254963123456789')).toMatchObject({ timeUnixNano: 1_795_254_963_123_456_789n })
    expect(withTime('"2026-11-21T09:56:03.123456789Z"')).toMatchObject({
      time: 1_795_254_963_123 + 0.456_789,
      timeUnixNano: 1_795_254_963_123_456_789n,
    })
    expect(pinoLines({ timestamp: false }, (log) => log.info('m')).map((line) => recordOf(line))).toMatchObject([
      { format: 'pino', time: undefined, timeUnixNano: undefined, message: 'm' },
    ])
  })

  test('have the severity of a level that a formatter writes as a text of digits', () => {
    const formatters = { level: (_label: string, number: number) => ({ level: String(number) }) }
    const lines = pinoLines({ formatters }, (log) => {
      log.warn('w')
      log.fatal('f')
    })
    expect(headsOf(recordsOf(lines, 'pino'))).toEqual([
      ['warn', 13, 'w'],
      ['fatal', 21, 'f'],
    ])
  })

  test('are read with other keys of the message, the error and the attributes if they are named', () => {
    const fieldNames = new Map([
      ['message', 'text'],
      ['attributes', 'payload'],
      ['exception', 'payload.problem'],
    ])
    const lines = pinoLines({ messageKey: 'text', nestedKey: 'payload', errorKey: 'problem' }, (log) => {
      log.warn({ a: 1, b: { c: 2 } }, 'hi')
      log.error(failure)
    })
    const [attributes, error] = lines.map((line) => recordOf(line, { fieldNames }))
    expect(attributes).toMatchObject({ format: 'pino', level: 'warn', message: 'hi' })
    expect(attributesOf(attributes!)).toEqual({ a: 1, b: { c: 2 } })
    expect(error).toMatchObject({ format: 'pino', level: 'error', message: 'no route' })
    expect(attributesOf(error!)).toMatchObject({ 'exception.type': 'TypeError' })
  })

  test('keep attributes that have the name of a field of another logger', () => {
    const given = { message: 'attribute', attributes: { a: 1 }, severity: 'odd', 5: 'index', v: 1 }
    const [record] = recordsOf(
      pinoLines({}, (log) => log.info(given, 'hi')),
      'pino',
    )
    expect(record!.message).toBe('hi')
    expect(attributesOf(record!)).toEqual(given)
  })
})

describe('lines of bunyan', () => {
  test('have the level, message, name, process, trace and attributes of the log call', () => {
    const records = recordsOf(
      bunyanLines({ component: 'cart' }, (log) => {
        log.info({ ...span, a: 1 }, 'hi')
        log.child({ b: 2 }).fatal('end')
      }),
      'bunyan',
    )
    expect(headsOf(records)).toEqual([
      ['info', 9, 'hi'],
      ['fatal', 21, 'end'],
    ])
    expect(records[0]).toMatchObject({ scope: 'shop', traceId, spanId, traceFlags: 1 })
    expect(records.map(attributesOf)).toEqual([
      { component: 'cart', a: 1 },
      { component: 'cart', b: 2 },
    ])
    expect(plainValue(records[0]!.resource)).toEqual({ 'process.pid': process.pid, 'host.name': expect.any(String) })
  })

  test('have the error as an exception with its causes', () => {
    const [record] = recordsOf(
      bunyanLines({ serializers: realBunyan.stdSerializers }, (log) => log.error({ err: failure }, 'failed')),
      'bunyan',
    )
    expect(record!.message).toBe('failed')
    expect(attributesOf(record!)).toEqual({
      'exception.type': 'TypeError',
      'exception.message': 'no route',
      'exception.stacktrace': failure.stack,
      err: { code: 'E_ROUTE' },
    })
  })
})

describe('lines of winston', () => {
  test('have the level, message, service, trace and attributes of the log call', () => {
    const records = recordsOf(
      winstonLines(
        ({ combine, timestamp, json }) => combine(timestamp(), json()),
        (log) => {
          log.info('hi', { ...span, a: 1 })
          for (const level of ['error', 'warn', 'http', 'verbose', 'debug', 'silly']) log.log(level, level)
        },
        { defaultMeta: { service: 'shop' } },
      ),
      'winston',
    )
    expect(headsOf(records)).toEqual([
      ['info', 9, 'hi'],
      ['error', 17, 'error'],
      ['warn', 13, 'warn'],
      ['http', 7, 'http'],
      ['verbose', 6, 'verbose'],
      ['debug', 5, 'debug'],
      ['silly', 1, 'silly'],
    ])
    expect(records[0]).toMatchObject({ severityText: 'info', traceId, spanId, traceFlags: 1 })
    expect(attributesOf(records[0]!)).toEqual({ a: 1 })
    expect(plainValue(records[0]!.resource)).toEqual({ 'service.name': 'shop' })
  })

  test('have the level without the colors that the format colorize adds', () => {
    const records = recordsOf(
      winstonLines(
        ({ combine, timestamp, colorize, json }) => combine(colorize(), timestamp(), json()),
        (log) => {
          log.error('failed')
          log.silly('s')
        },
      ),
      'winston',
    )
    expect(headsOf(records)).toEqual([
      ['error', 17, 'failed'],
      ['silly', 1, 's'],
    ])
    expect(records[0]!.severityText).toBe('error')
  })

  test('have the stack of the format errors as an exception', () => {
    const records = recordsOf(
      winstonLines(
        ({ combine, timestamp, errors, json }) => combine(timestamp(), errors({ stack: true }), json()),
        (log) => {
          log.error(failure)
          log.error('failed:', failure)
        },
      ),
      'winston',
    )
    const exception = {
      'exception.type': 'TypeError',
      'exception.message': 'no route',
      'exception.stacktrace': failure.stack,
      code: 'E_ROUTE',
    }
    expect(records.map(({ message }) => message)).toEqual(['no route', 'failed: no route'])
    expect(attributesOf(records[0]!)).toMatchObject(exception)
    expect(attributesOf(records[1]!)).toMatchObject(exception)
  })

  test('are read with the formats splat, metadata and logstash, and with other times', () => {
    const [splat] = recordsOf(
      winstonLines(
        ({ combine, timestamp, splat, json }) => combine(timestamp({ format: 'YYYY-MM-DD HH:mm:ss' }), splat(), json()),
        (log) => log.info('hi %s', 'you', { m: 1 }),
      ),
      'winston',
    )
    expect([splat!.message, attributesOf(splat!)]).toEqual(['hi you', { m: 1 }])
    const [metadata] = recordsOf(
      winstonLines(
        ({ combine, timestamp, metadata, json }) => combine(timestamp(), metadata(), json()),
        (log) => log.warn('hi', { m: 1 }),
      ),
      'winston',
    )
    expect([metadata!.level, attributesOf(metadata!)]).toEqual(['warn', { m: 1 }])
    const [logstash] = recordsOf(
      winstonLines(
        ({ combine, timestamp, logstash }) => combine(timestamp(), logstash()),
        (log) => log.error('hi', { m: 1 }),
      ),
      'winston',
    )
    expect([headsOf([logstash!]), attributesOf(logstash!)]).toEqual([[['error', 17, 'hi']], { m: 1 }])
  })
})

/** Returns attributes without the place of the log call, which tslog 4 writes. */
function withoutSource(attributes: Record<string, unknown>): Record<string, unknown> {
  const others = Object.entries(attributes).filter(([key]) => !key.startsWith('code.'))
  expect(attributes['code.file.path'] ?? '/libraries.test.ts').toMatch(/libraries\.test\.ts$/)
  return Object.fromEntries(others)
}

describe.each([4, 5] as const)('lines of tslog %i', (version) => {
  test('have the level, message, name and attributes of the log call', async () => {
    const records = recordsOf(
      await tslogLines(version, (log) => {
        log.info('hi', { ...span, a: 1 })
        log.warn({ a: 1, b: { c: 2 } })
        for (const level of ['silly', 'trace', 'debug', 'error', 'fatal'] as const) log[level](level)
        log.getSubLogger({ name: 'sub' }).info('deeper')
      }),
      'tslog',
    )
    expect(headsOf(records)).toEqual([
      ['info', 9, 'hi'],
      ['warn', 13, undefined],
      ['silly', 1, 'silly'],
      ['trace', 1, 'trace'],
      ['debug', 5, 'debug'],
      ['error', 17, 'error'],
      ['fatal', 21, 'fatal'],
      ['info', 9, 'deeper'],
    ])
    expect(records[0]).toMatchObject({ severityText: 'INFO', scope: 'main', traceId, spanId, traceFlags: 1 })
    expect(records.at(-1)!.scope).toBe('main:sub')
    expect(withoutSource(attributesOf(records[0]!))).toEqual({ a: 1 })
    expect(withoutSource(attributesOf(records[1]!))).toEqual({ a: 1, b: { c: 2 } })
    expect(plainValue(records[0]!.resource)).toMatchObject({
      'process.runtime.name': 'node',
      'host.name': expect.any(String),
    })
  })

  test('have an error as an exception with its causes', async () => {
    const records = recordsOf(
      await tslogLines(version, (log) => {
        log.error('failed', failure)
        log.error(failure)
      }),
      'tslog',
    )
    expect(records[0]!.message).toBe('failed')
    for (const record of records) {
      const attributes = attributesOf(record)
      expect(attributes).toMatchObject({ 'exception.type': 'TypeError', 'exception.message': 'no route' })
      const stack = attributes['exception.stacktrace'] as string
      expect(stack).toMatch(/^TypeError: no route\n {4}at .*libraries\.test\.ts/)
      expect(stack).toMatch(/\nCaused by: RangeError: too far\n {4}at /)
    }
  })
})

describe('lines of LogTape', () => {
  test.each([
    [{}],
    [{ categorySeparator: (category: readonly string[]) => category }],
    [{ message: 'rendered', properties: 'flatten' }],
  ] as const)('have the level, message, category, trace and attributes of the log call with %j', async (options) => {
    const lines = await logTapeLines(options, (log) => {
      log.info('hello {x}', { x: 1, ...span })
      for (const level of ['trace', 'debug', 'warn', 'error', 'fatal'] as const) log[level](level)
    })
    const records = recordsOf(lines, 'logtape')
    expect(headsOf(records)).toEqual([
      ['info', 9, 'hello 1'],
      ['trace', 1, 'trace'],
      ['debug', 5, 'debug'],
      ['warn', 13, 'warn'],
      ['error', 17, 'error'],
      ['fatal', 21, 'fatal'],
    ])
    expect(records[0]).toMatchObject({ severityText: 'INFO', scope: 'app.db', traceId, spanId, traceFlags: 1 })
    expect(attributesOf(records[0]!)).toEqual({ x: 1 })
  })

  test('have an error in the properties as an exception with its causes', async () => {
    const [record] = recordsOf(
      await logTapeLines({}, (log) => log.error('failed', { error: failure, x: 1 })),
      'logtape',
    )
    expect(attributesOf(record!)).toEqual({
      'exception.type': 'TypeError',
      'exception.message': 'no route',
      'exception.stacktrace': `${failure.stack}\nCaused by: ${cause.stack}`,
      error: { code: 'E_ROUTE' },
      x: 1,
    })
  })

  test('are read when a record was written as JSON, with the message as parts', () => {
    const record = recordOf({
      category: ['app', 'db'],
      level: 'warning',
      message: ['hello ', { id: 1 }, ', ', 'you', ''],
      rawMessage: 'hello {user}, {name}',
      timestamp: 1_795_254_963_123,
      properties: { user: { id: 1 }, name: 'you' },
    })
    expect(record).toMatchObject({ format: 'logtape', level: 'warn', scope: 'app.db', message: 'hello {"id":1}, you' })
    expect(attributesOf(record)).toEqual({ user: { id: 1 }, name: 'you' })
  })
})

describe('lines of the Elastic Common Schema', () => {
  test('are read as pino writes them', () => {
    const records = recordsOf(
      ecsPinoLines((log) => {
        log.info({ 'trace.id': traceId, 'span.id': spanId, a: 1 }, 'hi')
        log.error({ err: failure }, 'failed')
      }),
      'ecs',
    )
    expect(headsOf(records)).toEqual([
      ['info', 9, 'hi'],
      ['error', 17, 'failed'],
    ])
    expect(records[0]).toMatchObject({ traceId, spanId })
    expect(records.map(attributesOf)).toEqual([
      { a: 1 },
      {
        'exception.type': 'TypeError',
        'exception.message': 'no route',
        'exception.stacktrace': failure.stack,
      },
    ])
    expect(plainValue(records[0]!.resource)).toEqual({ 'process.pid': process.pid, 'host.name': expect.any(String) })
  })

  test('are read as winston writes them', () => {
    const records = recordsOf(
      ecsWinstonLines((log) => {
        log.info('hi', { trace: { id: traceId }, a: 1 })
        log.error('failed', { err: failure })
        log.silly('s')
      }),
      'ecs',
    )
    expect(headsOf(records)).toEqual([
      ['info', 9, 'hi'],
      ['error', 17, 'failed'],
      ['silly', 1, 's'],
    ])
    expect(records[0]!.traceId).toBe(traceId)
    expect(attributesOf(records[0]!)).toEqual({ a: 1 })
    expect(attributesOf(records[1]!)).toEqual({
      'exception.type': 'TypeError',
      'exception.message': 'no route',
      'exception.stacktrace': failure.stack,
      error: { code: 'E_ROUTE', cause: cause.stack },
    })
  })
})
