import { describe, expect, test } from '@jest/globals'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { captureLogs } from '../../src/create/capture-logs.ts'
import { createLogger as createCoreLogger } from '../../src/create/create-core-logger.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import type { HandledRecord, Handler, HandlerHost } from '../../src/handler/handler.ts'
import { defineEvent } from '../../src/logger/events.ts'
import type { RootLogger } from '../../src/logger/types.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { thrower } from '../support/values/hostile.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'

/** Creates a handler decorator from a function that handles each record. */
const each =
  (handle: (record: HandledRecord, next: Handler) => unknown) =>
  (next: Handler): Handler => ({ handle: (record) => handle(record, next) as void })

const passing = each((record, next) => next.handle(record))

/** The emitted, accepted and filtered records of each exporter. */
const counts = (log: Pick<RootLogger, 'stats'>) =>
  log.stats().exporters.map(({ emitted, accepted, filtered }) => [emitted, accepted, filtered])

describe('records that a handler filters', () => {
  test('a record that a handler filters is not written and counts as filtered for each exporter', () => {
    const handler = each((record, next) => record.body === 'kept' && next.handle(record))
    const exporters = [capturingExporter(), capturingExporter(undefined, { level: 'error' })]
    const log = createLogger({ exporter: exporters, handler, handleExit: false })
    for (const body of ['kept', 'omitted', 'omitted']) log.info(body)
    log.debug('below the level')
    expect(exporters.map((exporter) => exporter.lines().length)).toEqual([1, 0])
    expect(counts(log)).toEqual([
      [3, 1, 2],
      [3, 0, 3],
    ])
  })

  test('enrich is not called for a filtered record, and traceBased is applied before the handler', () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager())
    const calls: string[] = []
    const handler = each((record, next) => {
      calls.push(`handler ${String(record.body)}`)
      if (record.body !== 'b') next.handle(record)
    })
    const { log, captureLines } = createTestLogger({
      handler,
      traceBased: true,
      enrich: () => ({ n: calls.push('enrich') }),
    })
    const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
    const unsampled = trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags: 0 })
    const lines = captureLines(() => {
      log.info('a')
      log.info('b')
      context.with(unsampled, () => log.info('c'))
    })
    context.disable()
    expect(calls).toEqual(['handler a', 'enrich', 'handler b'])
    expect(lines.map(({ message }) => message)).toEqual(['a'])
    expect(counts(log)).toEqual([[3, 1, 2]])
  })

  test('a handler filters records of a logger that uses a provider', () => {
    const exporter = capturingExporter()
    const provider = createLoggerProvider({ exporter: exporter, handleExit: false })
    const handler = each((record, next) => record.level !== 'info' && next.handle(record))
    const log = createLogger({ provider, handler })
    log.info('omitted')
    log.warn('kept')
    expect(exporter.lines().map((line) => JSON.parse(line).message)).toEqual(['kept'])
    expect(counts(log)).toEqual([[2, 1, 1]])
  })

  test('a record that a handler filters is not captured by captureLogs', () => {
    const handler = each((record, next) => record.level !== 'info' && next.handle(record))
    const { log, captureLines } = createTestLogger({ handler })
    using logs = captureLogs({ from: log, handler })
    const lines = captureLines(() => {
      log.info('omitted')
      log.warn('kept')
      logs.logger.info('omitted')
      logs.logger.error('kept, too')
    })
    expect(lines).toEqual([])
    expect(logs.records.map(({ message }) => message)).toEqual(['kept', 'kept, too'])
  })

  test('a handler filters records of the core logger', () => {
    const exporter = capturingExporter()
    const handler = each((record, next) => record.level !== 'info' && next.handle(record))
    const log = createCoreLogger({ exporter: exporter, handler })
    log.info('omitted')
    log.warn('kept')
    expect(exporter.lines()).toHaveLength(1)
  })
})

/** The record that a handler receives for a call that logs one line. */
function seen(log: (log: RootLogger) => void, options: Parameters<typeof createTestLogger>[0] = {}): HandledRecord {
  let record: HandledRecord | undefined
  const handler = each((given, next) => {
    record = given
    next.handle(given)
  })
  createTestLogger({ ...options, handler }).captureLine(log)
  return record!
}

describe('the record that a handler receives', () => {
  test('a handler receives the arguments of the call without interpolation or redaction', () => {
    const attributes = { id: 7, password: 'x' }
    const error = new Error('no')
    const record = seen((log) => log.warn('order {id}', attributes, error), { redact: ['password'], clock: () => 5 })
    expect(record).toMatchObject({ time: 5, level: 'warn', severity: 13, body: 'order {id}', eventName: undefined })
    expect(record.attributes).toBe(attributes)
    expect(record.exception).toBe(error)
    expect(record.span).toBeUndefined()
  })

  test('inspecting a record in a handler shows all of its fields', () => {
    const record = seen((log) => log.child({ shop: 3 }).warn('order {id}', { id: 7 }), { clock: () => 5 })
    expect(inspect(record)).toMatch(/time: 5,\s+level: 'warn',.*body: 'order \{id\}',.*id: 7.*'shop' => 3/s)
  })

  test('a handler receives the name of an event', () => {
    const placed = defineEvent('order.placed')
    expect(seen((log) => placed(log, { id: 7 })).eventName).toBe('order.placed')
  })

  test('a handler receives a copy of the bound attributes, redacted by the rules of the logger', () => {
    const handler = each((record, next) => {
      const bound = record.bound as Map<string, unknown>
      expect(bound.get('user')).toEqual(new Map([['name', '[REDACTED]']]))
      expect([...bound.keys()]).toEqual(['user', 'requestId'])
      bound.set('user', 'leaked')
      ;(record.bound.get('requestId') as unknown[]).push('leaked')
      next.handle(record)
    })
    const { log, captureLine } = createTestLogger({ handler })
    const child = log.child({ user: { name: 'ann' } }, { redact: ['user.name'] })
    expect(captureLine(() => withContext({ requestId: ['r'] }, () => child.info('m'))).attributes).toEqual({
      user: { name: '[REDACTED]' },
      requestId: ['r'],
    })
  })

  test('a handler receives a copy of bound bytes', () => {
    const handler = each((record, next) => {
      ;(record.bound.get('bytes') as Uint8Array).fill(0)
      next.handle(record)
    })
    const { log, captureLine } = createTestLogger({ handler })
    expect(captureLine(() => log.child({ bytes: Uint8Array.of(1, 2, 3) }).info('m')).attributes).toEqual({
      bytes: 'AQID',
    })
  })

  test('a handler receives the span of a record and cannot change it', () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager())
    const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
    const handler = each((record, next) => {
      expect(record.span).toEqual({ ...ids, traceFlags: 1 })
      expect(() => Object.assign(record.span!, { traceId: '"' })).toThrow(TypeError)
      next.handle(record)
    })
    const { log, captureLine } = createTestLogger({ handler })
    const active = trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags: 1 })
    expect(context.with(active, () => captureLine(() => log.info('m')))).toMatchObject({ trace_id: ids.traceId })
    context.disable()
  })
})

describe('values that a handler sets', () => {
  test('values that a handler sets are redacted, limited and serialized like those of a log call', () => {
    const handler = each((record, next) => {
      record.body = 'for {user:json}'
      record.attributes = { ...record.attributes, user: { password: 'x' }, id: 7, long: 'x'.repeat(50) }
      next.handle(record)
    })
    const options = { redact: ['user.password'], serializers: { id: String }, limits: { stringLength: 10 } }
    expect(createTestLogger({ ...options, handler }).captureLine((log) => log.info('m', { a: 1 }))).toMatchObject({
      message: 'for {"password":"[REDACTED]"}',
      attributes: { a: 1, id: '7', user: { password: '[REDACTED]' }, long: expect.stringMatching(/^x{10}…/) },
    })
  })

  test('a level that a handler sets changes the severity that exporters filter by', () => {
    const errors = capturingExporter(undefined, { level: 'error' })
    const { log, captureLines } = createTestLogger(
      {
        levels: { alert: 19 },
        handler: (next) => ({
          handle(record) {
            record.level = record.exception === undefined ? 'debug' : 'alert'
            expect(record.severity).toBe(record.exception === undefined ? 5 : 19)
            next.handle(record)
          },
        }),
      },
      errors,
    )
    const lines = captureLines(() => {
      log.error('nothing failed')
      log.info('failed', new Error('no'))
    })
    expect(lines).toMatchObject([{ level: 'alert', message: 'failed' }])
    expect(counts(log)).toEqual([[2, 1, 1]])
  })

  test('arguments that a body set by a handler does not interpolate are kept in the args attribute', () => {
    const bodies = ['%s and more', 'nothing', 'b', '%s %s']
    const handler = each((record, next) => {
      record.body = bodies.shift()
      next.handle(record)
    })
    const { log, captureLines } = createTestLogger({ handler })
    const lines = captureLines(() => {
      log.info('%s %d', 'a', 5)
      log.info('%s %d', 'a', 5, 'b')
      log.info('b', { c: 1 })
      log.info('%s', 'a')
    })
    expect(lines.map(({ message, attributes }) => [message, attributes])).toEqual([
      ['a and more', { args: [5] }],
      ['nothing', { args: ['a', 5, 'b'] }],
      ['b', { c: 1 }],
      ['a %s', undefined],
    ])
  })

  test('a handler that passes a record on twice writes it twice, with its changes in the second one', () => {
    const handler = each((record, next) => {
      next.handle(record)
      record.level = 'error'
      record.attributes = undefined
      next.handle(record)
    })
    const { log, captureLines } = createTestLogger({ handler, enrich: () => ({ e: 1 }) })
    expect(captureLines(() => log.info('m', { a: 1 }))).toMatchObject([
      { level: 'info', attributes: { e: 1, a: 1 } },
      { level: 'error', attributes: { e: 1 } },
    ])
    expect(counts(log)).toEqual([[2, 2, 0]])
  })

  test('properties that a handler redefines on the record are not read', () => {
    const handler = each((record, next) => {
      for (const name of ['level', 'severity', 'body', 'attributes', 'time', 'span', 'bound', 'exception'])
        Object.defineProperty(record, name, { value: '","forged":"' })
      next.handle(record)
    })
    const { captureLine, diagnostics } = createTestLogger({ handler, redact: ['a'] })
    expect(captureLine((log) => log.info('m', { a: 1 }))).toMatchObject({
      level: 'info',
      message: 'm',
      attributes: { a: '[REDACTED]' },
    })
    expect(diagnostics).toEqual([])
  })
})

const throwing = (thrown: unknown): never => {
  throw thrown
}

describe('handlers that fail', () => {
  const failed = { code: 'SLUICE_HANDLER_FAILED' }

  test.each<[string, (record: HandledRecord, next: Handler) => unknown, RegExp]>([
    [
      'throws',
      thrower,
      /^the handler threw \(Error\); the record is written unchanged, unless it was already passed to next\.handle\(\)$/,
    ],
    [
      'sets an unknown level',
      (record) => {
        record.level = 'loud' as 'info'
      },
      /^the handler set an unknown level; valid levels are trace, debug, info, warn, error, fatal$/,
    ],
    [
      'sets attributes that are not an object',
      (record) => {
        record.attributes = 'text' as never
      },
      /^the handler set attributes that are not an object$/,
    ],
    [
      'passes on another object',
      (record, next) => next.handle({ ...record }),
      /^the handler passed another object to next\.handle\(\); pass the record that it received$/,
    ],
    ['passes on undefined', (_, next) => next.handle(undefined as never), /^the handler passed another object/],
    ['sets a read-only property', (record) => Object.assign(record, { time: 0 }), /^the handler threw/],
  ])('a handler that %s is reported once, and the record is written as it was logged', (_, handle, message) => {
    const handler = each((record, next) => {
      record.body = 'changed'
      handle(record, next)
    })
    const { log, captureLines, diagnostics } = createTestLogger({ handler, redact: ['a'] })
    const lines = captureLines(() => {
      log.info('m', { a: 1 })
      log.info('m', { a: 1 })
    })
    const line = { message: 'm', attributes: { a: '[REDACTED]' } }
    expect(lines).toMatchObject([line, line])
    expect(counts(log)).toEqual([[2, 2, 0]])
    expect(diagnostics).toEqual([{ ...failed, message: expect.stringMatching(message) }])
  })

  test.each<[string, unknown, string]>([
    ['an error', new RangeError('canary'), 'RangeError'],
    ['an error with a code', Object.assign(new Error('canary'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    ['an error whose name is not a word', Object.assign(new Error('canary'), { name: 'canary canary' }), 'Error'],
    ['text', 'canary', 'string'],
    ['undefined', undefined, 'undefined'],
  ])('a handler that throws %s is reported with its name and without its message', async (_, thrown, name) => {
    for (const [handle, start] of [
      [() => throwing(thrown), 'the handler threw'],
      [() => Promise.reject(thrown), 'the handler returned a promise that rejected'],
      [(host: HandlerHost) => host.delay(0, () => throwing(thrown)), 'a function that the handler passed to delay()'],
    ] as const) {
      const handler = (_next: Handler, host: HandlerHost): Handler => ({ handle: () => handle(host) as never })
      const { captureLines, diagnostics } = createTestLogger({ handler })
      captureLines((log) => log.info('m'))
      for (let wait = 0; wait < 200 && diagnostics.length === 0; wait++) await setTimeout(5)
      expect(diagnostics).toEqual([{ ...failed, message: expect.stringContaining(`(${name})`) }])
      expect(diagnostics[0]!.message.startsWith(start)).toBe(true)
      expect(JSON.stringify(diagnostics)).not.toContain('canary')
    }
  })

  test('a record is counted once when its handler throws a value that throws on inspection', () => {
    const handler = each(() => {
      throw new Proxy({}, { getPrototypeOf: thrower })
    })
    const { log, captureLine, diagnostics } = createTestLogger({ handler })
    expect(captureLine(() => log.info('m')).message).toBe('m')
    expect(counts(log)).toEqual([[1, 1, 0]])
    expect(diagnostics).toMatchObject([failed])
  })

  test('a record is written once, as passed on, when its handler throws after passing it on', () => {
    const handler = each((record, next) => {
      record.body = 'changed'
      next.handle(record)
      thrower()
    })
    const { log, captureLine, diagnostics } = createTestLogger({ handler })
    expect(captureLine(() => log.info('m')).message).toBe('changed')
    expect(counts(log)).toEqual([[1, 1, 0]])
    expect(diagnostics).toMatchObject([failed])
  })

  test('a record that a handler passes on after it returned counts as filtered and is reported', () => {
    const held: HandledRecord[] = []
    let later: Handler
    const handler = each((record, next) => {
      later = next
      if (record.body === 'bad') return next.handle(held[0]!)
      if (record.body === 'held') held.push(record)
      else next.handle(record)
    })
    const { log, captureLines, diagnostics } = createTestLogger({ handler })
    const lines = captureLines(() => {
      log.info('held')
      log.info('good')
      log.info('bad')
      later.handle(held[0]!)
    })
    expect(lines.map(({ message }) => message)).toEqual(['good'])
    expect(counts(log)).toEqual([[3, 1, 2]])
    expect(diagnostics).toEqual([{ code: 'SLUICE_HANDLER_LATE', message: expect.stringMatching(/had returned/) }])
  })

  test('an async handler that passes a record on too late is reported, and its rejection is handled', async () => {
    const handler = each(async (record, next) => {
      await Promise.resolve()
      next.handle(record)
      throw new Error('later')
    })
    const { log, captureLines, diagnostics } = createTestLogger({ handler })
    expect(captureLines(() => log.info('m'))).toEqual([])
    await new Promise(setImmediate)
    expect(counts(log)).toEqual([[1, 0, 1]])
    expect(diagnostics.map(({ code }) => code)).toEqual(['SLUICE_HANDLER_LATE', 'SLUICE_HANDLER_FAILED'])
  })
})

describe('records that are logged inside a handler', () => {
  test('a record that a handler logs itself bypasses the handler', () => {
    const own: { log?: RootLogger } = {}
    const handler = each((record) => own.log!.warn('omitted: {body}', { body: record.body }))
    const { log, captureLine } = createTestLogger({ handler })
    own.log = log
    expect(captureLine(() => log.info('m')).message).toBe('omitted: m')
    expect(counts(log)).toEqual([[2, 1, 1]])
  })

  test('a record that a toJSON method logs during encoding passes through the handler', () => {
    const bodies: unknown[] = []
    const handler = each((record, next) => {
      bodies.push(record.body)
      if (record.body !== 'inner') next.handle(record)
      bodies.push(`end of ${String(record.body)}`)
    })
    const { log, captureLine } = createTestLogger({ handler })
    expect(captureLine(() => log.info('outer', { toJSON: () => (log.info('inner'), { a: 1 }) })).message).toBe('outer')
    expect(bodies).toEqual(['outer', 'inner', 'end of inner', 'end of outer'])
    expect(counts(log)).toEqual([[2, 1, 1]])
  })

  test('handlers that log through new loggers with the same handler do not recurse endlessly', () => {
    let created = 0
    const handler = each((record, next) => {
      created++
      createLogger({ exporter: capturingExporter(), handler, handleExit: false }).info('inner')
      next.handle(record)
    })
    const { log, captureLine } = createTestLogger({ handler })
    expect(captureLine(() => log.info('outer')).message).toBe('outer')
    expect(created).toBeLessThan(20)
  })
})

test('child loggers share the handler of their root and its state, regardless of their redaction rules', () => {
  let created = 0
  const handler = (next: Handler): Handler => {
    created++
    let count = 0
    return {
      handle(record) {
        if (count++ % 2 === 0) next.handle(record)
      },
    }
  }
  const { log, captureLines } = createTestLogger({ handler })
  const lines = captureLines(() => {
    log.info('1')
    log.child({}).info('2')
    log.child({}, { redact: ['a'] }).info('3', { a: 1, b: 1 })
    log.child({}, { redact: ['b'], limits: { depth: 1 } }).info('4')
    log.child({}, { redact: ['b'] }).info('5', { a: 1, b: 1 })
  })
  expect(created).toBe(1)
  expect(lines.map(({ message, attributes }) => [message, attributes])).toEqual([
    ['1', undefined],
    ['3', { a: '[REDACTED]', b: 1 }],
    ['5', { a: 1, b: '[REDACTED]' }],
  ])
})

const tagging = (tag: string) =>
  each((record, next) => {
    record.attributes = { ...record.attributes, [tag]: Object.keys(record.attributes ?? {}).length }
    next.handle(record)
  })

test('several handlers are composed by a function', () => {
  const { captureLine } = createTestLogger({ handler: (next) => tagging('a')(tagging('b')(passing(next))) })
  expect(captureLine((log) => log.info('m')).attributes).toEqual({ a: 0, b: 1 })
})

/** Logs with every kind of arguments. */
function logAllKinds(log: RootLogger): void {
  log.info('{a} %s %j', 'text', { b: 1 })
  log.error(new RangeError('no', { cause: 1 }), 'failed')
  log.warn(undefined)
  log.child({ c: 1 }, { messagePrefix: '> ' }).fatal([1, 2])
  defineEvent('e')(log, { a: 1 }, new Error('x'))
}

test('a record that a handler passes on unchanged is written exactly as without a handler', () => {
  const [without, within] = [{}, { handler: passing }].map((options) =>
    JSON.stringify(createTestLogger({ attributes: { bound: 1 }, ...options }).captureLines(logAllKinds)).replaceAll(
      stack,
      '',
    ),
  )
  expect(within).toBe(without)
})

const stack = /\\n {4}at [^"]*/g

describe('the handler option', () => {
  test.each<[unknown]>([[thrower], [() => undefined], [() => ({})], [() => ({ handle: 5 })], [5], [{ handle() {} }]])(
    '%p is rejected as a handler, together with the other invalid options',
    (handler) => {
      expect(() => createLogger({ handler: handler as never, level: 'loud' as 'info' })).toThrow(
        expect.objectContaining({
          problems: expect.arrayContaining([
            expect.objectContaining({ path: 'handler', code: 'SLUICE_OPTION_TYPE' }),
            expect.objectContaining({ path: 'level' }),
          ]),
        }),
      )
    },
  )
})
