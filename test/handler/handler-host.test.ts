import { describe, expect, test } from '@jest/globals'
import { setTimeout } from 'node:timers/promises'
import { createLogger } from '../../src/create/create-logger.ts'
import type { HandledRecord, Handler, HandlerHost, NewRecord, RecordOrigin } from '../../src/handler/handler.ts'
import type { RootLogger } from '../../src/logger/types.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { eachRecord } from '../support/each-record.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'

/** A handler whose functions a test sets, with the host and the next handler that it received. */
function openHandler(
  handle: (record: HandledRecord, next: Handler) => unknown = (record, next) => next.handle(record),
) {
  const opened = {} as { next: Handler; host: HandlerHost; emit(record: NewRecord): void }
  const handler = (next: Handler, host: HandlerHost): Handler => {
    Object.assign(opened, { next, host, emit: (record: NewRecord) => host.emit(record, next) })
    return { handle: (record) => handle(record, next) as void }
  }
  return { handler, opened }
}

function throwing(): never {
  throw new Error('no')
}

const failed = (message: string | RegExp) => ({
  code: 'SLUICE_HANDLER_FAILED',
  message: expect.stringMatching(message),
})

describe('records that a handler emits', () => {
  test('an emitted record has the time, the attributes and the redaction of the root logger', () => {
    const { handler, opened } = openHandler()
    const { log, captureLines } = createTestLogger({
      handler,
      redact: ['token'],
      clock: manualClock(1_000),
      attributes: { region: 'eu' },
      messagePrefix: '> ',
    })
    const lines = captureLines(() =>
      opened.emit({ level: 'warn', body: 'held {count}', attributes: { count: 3, token: 'x' }, eventName: 'held' }),
    )
    expect(lines).toEqual([
      expect.objectContaining({
        timestamp: '1970-01-01T00:00:01.000Z',
        level: 'warn',
        message: '> held 3',
        attributes: { region: 'eu', count: 3, token: '[REDACTED]' },
      }),
    ])
    expect(lines[0]).toMatchObject({ 'otel.event.name': 'held' })
    expect(log.stats().exporters[0]).toMatchObject({ emitted: 1, accepted: 1, filtered: 0, written: 1 })
  })

  test('an emitted record without a level has the level info', () => {
    const { handler, opened } = openHandler()
    const { captureLines } = createTestLogger({ handler })
    expect(captureLines(() => opened.emit({ body: 'm' }))[0]).toMatchObject({ level: 'info', message: 'm' })
  })

  test('an emitted record is passed to the next handler and not to the handlers before it', () => {
    const received: string[] = []
    const noting =
      (name: string) =>
      (next: Handler): Handler => ({
        handle(record) {
          received.push(`${name} ${String(record.body)}`)
          next.handle(record)
        },
      })
    const { handler, opened } = openHandler()
    const { captureLines } = createTestLogger({
      handler: (next, host) => noting('outer')(handler(noting('inner')(next), host)),
    })
    expect(captureLines(() => opened.emit({ body: 'own' }))).toHaveLength(1)
    expect(received).toEqual(['inner own'])
  })

  test('a record that a handler emits while it handles another one is written before it', () => {
    const handler = eachRecord((record, next, host) => {
      host.emit({ body: `before ${String(record.body)}` }, next)
      next.handle(record)
    })
    const { log, captureLines } = createTestLogger({ handler })
    const lines = captureLines(() => {
      log.info('a')
      log.child({ id: 1 }).error('b')
    })
    expect(lines.map(({ level, message, attributes }) => [level, message, attributes])).toEqual([
      ['info', 'before a', undefined],
      ['info', 'a', undefined],
      ['error', 'before b', undefined],
      ['error', 'b', { id: 1 }],
    ])
    expect(log.stats().exporters[0]).toMatchObject({ emitted: 4, accepted: 4 })
  })

  test('an emitted record is redacted by the rules of the logger whose record it is about', () => {
    let origin: RecordOrigin | undefined
    const { handler, opened } = openHandler((record) => void (origin ??= opened.host.originOf(record)))
    const { log, captureLines } = createTestLogger({ handler, name: 'shop' })
    log.child({ user: 'ann' }, { redact: { patterns: ['email'], keys: ['pin'] } }).warn('from child')
    const lines = captureLines(() => opened.emit({ body: 'mail to ann@example.com', attributes: { pin: 7 }, origin }))
    expect(lines).toEqual([
      expect.objectContaining({ level: 'warn', message: 'mail to [REDACTED]', attributes: { pin: '[REDACTED]' } }),
    ])
    expect(origin!.loggerName).toBe('shop')
    expect(JSON.stringify(origin)).toBe('{"loggerName":"shop"}')
  })

  test('a record that is emitted during handle is redacted by the rules of the child that logged', () => {
    const handler = eachRecord((record, next, host) =>
      host.emit({ body: record.body, attributes: record.attributes }, next),
    )
    const { log, captureLines } = createTestLogger({ handler })
    const lines = captureLines(() => log.child({}, { redact: ['pin'] }).info('m', { pin: 7 }))
    expect(lines[0]!.attributes).toEqual({ pin: '[REDACTED]' })
  })

  test('an emitted record that a later handler drops counts as filtered', () => {
    const { handler, opened } = openHandler()
    const { log, captureLines } = createTestLogger({ handler: (_next, host) => handler({ handle() {} }, host) })
    expect(captureLines(() => opened.emit({ body: 'm' }))).toEqual([])
    expect(log.stats().exporters[0]).toMatchObject({ emitted: 1, accepted: 0, filtered: 1 })
  })

  test('an emitted record that is below the level of an exporter counts as filtered', () => {
    const exporter = capturingExporter(undefined, { level: 'error' })
    const { handler, opened } = openHandler()
    const log = createLogger({ exporter, handler, handleExit: false })
    opened.emit({ body: 'm' })
    expect(exporter.lines()).toEqual([])
    expect(log.stats().exporters[0]).toMatchObject({ emitted: 1, accepted: 0, filtered: 1 })
  })

  test('an emitted record is passed to a LoggerProvider', () => {
    const exporter = capturingExporter()
    const provider = createLoggerProvider({ exporter, handleExit: false })
    const { handler, opened } = openHandler()
    createLogger({ provider, handler })
    opened.emit({ level: 'error', body: 'm' })
    expect(exporter.lines().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'error', message: 'm' }),
    ])
  })

  test('a record that is emitted after shutdown counts as dropped', async () => {
    const { handler, opened } = openHandler()
    const { log, captureLines } = createTestLogger({ handler })
    await log.shutdown()
    expect(captureLines(() => opened.emit({ body: 'm' }))).toEqual([])
    expect(log.stats().dropped.byReason.shutdown).toBe(1)
  })

  test('a handler that emits a record for each record that it emits does not exhaust the stack', () => {
    const { log, captureLines, diagnostics } = createTestLogger({
      handler(next, host) {
        const echo: Handler = {
          handle(record) {
            host.emit({ body: 'echo' }, echo)
            next.handle(record)
          },
        }
        return echo
      },
    })
    expect(captureLines(() => log.info('m')).length).toBeLessThan(20)
    expect(diagnostics).toEqual([])
  })

  test.each<[string, unknown, RegExp]>([
    ['an unknown level', { level: 'loud' }, /unknown level; valid levels are trace/],
    ['a level that is a number', { level: 9 }, /unknown level/],
    ['attributes that are a string', { attributes: 'x' }, /attributes that are not an object/],
    ['an event name that is an object', { eventName: {} }, /event name that is not a string/],
    ['an origin that is another object', { origin: { loggerName: 'x' } }, /an origin that originOf/],
    [
      'a getter that throws',
      {
        get level(): string {
          throw new Error('secret')
        },
      },
      /delay\(\) or onFlush\(\) threw/,
    ],
  ])('an emitted record with %s is reported and not written', (_case, record, message) => {
    const { handler, opened } = openHandler()
    const { log, captureLines, diagnostics } = createTestLogger({ handler })
    opened.host.onFlush(() => opened.emit(record as NewRecord))
    expect(captureLines(() => log.flushSync())).toEqual([])
    expect(diagnostics).toEqual([failed(message)])
    expect(JSON.stringify(diagnostics)).not.toContain('secret')
  })

  test.each([[undefined], [null], [7]])('emitting %p writes a record without a message', (record) => {
    const { handler, opened } = openHandler()
    const { captureLines } = createTestLogger({ handler })
    const [line] = captureLines(() => opened.emit(record as unknown as NewRecord))
    expect(line).toMatchObject({ level: 'info' })
    expect(line!.message).toBeUndefined()
  })

  test('emitting to something that is not a handler is reported, and the handled record is written', () => {
    const { handler, opened } = openHandler(() => opened.host.emit({ body: 'own' }, undefined as unknown as Handler))
    const { log, captureLines, diagnostics } = createTestLogger({ handler })
    expect(captureLines(() => log.info('m')).map(({ message }) => message)).toEqual(['m'])
    expect(diagnostics).toEqual([failed(/emit\(\) without a handler/)])
  })

  test('emitting before the logger is created is a problem of the option', () => {
    const { handler } = openHandler()
    expect(() =>
      createLogger({
        handleExit: false,
        handler(next, host) {
          host.emit({ body: 'm' }, next)
          return handler(next, host)
        },
      }),
    ).toThrow('handler: must be a function that returns')
  })

  test('the origin of a record that is not being handled is a misuse', () => {
    let last: HandledRecord | undefined
    const { handler, opened } = openHandler((record) => {
      if (last !== undefined) opened.host.originOf(last)
      last = record
    })
    const { log, captureLines, diagnostics } = createTestLogger({ handler })
    expect(captureLines(() => (log.info('a'), log.info('b'))).map(({ message }) => message)).toEqual(['b'])
    expect(diagnostics).toEqual([failed(/originOf\(\) with a record that it does not handle/)])
  })
})

/** Logs one record with a handler that calls `filter` with a counter and then something else. Returns the counter. */
function countOf(handle: (record: HandledRecord, next: Handler) => unknown, counter: object = { count: 0 }) {
  const handler = eachRecord((record, next, host) => {
    host.filter(record, 'full', counter as { count: number })
    handle(record, next)
  })
  const { log, captureLines, diagnostics } = createTestLogger({ handler })
  const lines = captureLines(() => log.info('m'))
  return { counter, diagnostics, lines: lines.length, filtered: log.stats().filteredByReason }
}

describe('counters of filtered records', () => {
  test('a record that is filtered is counted once', () => {
    expect(countOf(() => {})).toMatchObject({ counter: { count: 1 }, lines: 0, filtered: { full: 1 } })
  })

  test.each<[string, (record: HandledRecord, next: Handler) => unknown]>([
    ['passes it on after filter', (record, next) => next.handle(record)],
    ['throws after filter', throwing],
  ])('a record is not counted if the handler %s, because it is written', (_, handle) => {
    expect(countOf(handle)).toMatchObject({ counter: { count: 0 }, lines: 1, filtered: {} })
  })

  test.each<[string, object]>([
    ['is frozen', Object.freeze({ count: 0 })],
    ['throws when it is read', Object.defineProperty({}, 'count', { get: throwing })],
    ['is null', null as never],
    ['is a number', 7 as never],
  ])('a record is filtered and nothing is reported if the counter %s', (_, counter) => {
    expect(countOf(() => {}, counter)).toMatchObject({ lines: 0, filtered: { full: 1 }, diagnostics: [] })
  })
})

describe('the test whether a record was passed on', () => {
  test('a record is passed on once the logger has received it', () => {
    const results: boolean[] = []
    const outer = eachRecord((record, next, host) => {
      results.push(host.isPassedOn(record))
      next.handle(record)
      results.push(host.isPassedOn(record))
    })
    const inner = eachRecord((record, next) => record.body === 'kept' && next.handle(record))
    const { log, captureLines } = createTestLogger({ handler: (next, host) => outer(inner(next, host), host) })
    captureLines(() => {
      log.info('dropped')
      log.info('kept', { nested: { toJSON: () => log.info('dropped') } })
    })
    expect(results).toEqual([false, false, false, false, false, true])
  })

  test('a record of another call is not passed on', () => {
    let last: HandledRecord | undefined
    const { handler, opened } = openHandler((record, next) => next.handle((last = record)))
    const { captureLines } = createTestLogger({ handler })
    captureLines((log) => log.info('m'))
    expect([opened.host.isPassedOn(last!), opened.host.isPassedOn({} as never)]).toEqual([false, false])
  })
})

describe('the reasons for which a handler filters records', () => {
  test('filtered records are counted by reason, or under handler without one', () => {
    const { handler, opened } = openHandler((record, next) => {
      const { body } = record
      if (body === 'kept') next.handle(record)
      if (typeof body === 'string' && body !== 'none') opened.host.filter(record, body)
    })
    const exporters = [capturingExporter(), capturingExporter()]
    const log = createLogger({ exporter: exporters, handler, handleExit: false })
    for (const body of ['kept', 'a', 'none', 'a', '__proto__', 'b']) log.info(body)
    const {
      filteredByReason,
      exporters: [stats],
    } = log.stats()
    expect(Object.entries(filteredByReason)).toEqual([
      ['handler', 1],
      ['a', 2],
      ['__proto__', 1],
      ['b', 1],
    ])
    expect(stats).toMatchObject({ emitted: 6, accepted: 1, filtered: 5 })
  })

  test('reasons after the first 32 are counted together', () => {
    const { handler, opened } = openHandler((record) => opened.host.filter(record, String(record.body)))
    const log = createLogger({ exporter: capturingExporter(), handler, handleExit: false })
    for (let reason = 0; reason < 100; reason++) log.info(`reason ${reason}`)
    const { filteredByReason } = log.stats()
    expect(Object.keys(filteredByReason)).toHaveLength(32)
    expect(filteredByReason['other']).toBe(69)
  })

  test.each([[undefined], [7], [{}], [Symbol('s')]])('the reason %p counts as handler', (reason) => {
    const { handler, opened } = openHandler((record) => opened.host.filter(record, reason as never))
    const log = createLogger({ exporter: capturingExporter(), handler, handleExit: false })
    log.info('m')
    expect(log.stats().filteredByReason).toEqual({ handler: 1 })
  })

  test('the reason of a record that is not being handled has no effect', () => {
    let last: HandledRecord | undefined
    const { handler, opened } = openHandler((record) => {
      if (last !== undefined) opened.host.filter(last, 'late')
      last = record
    })
    const log = createLogger({ exporter: capturingExporter(), handler, handleExit: false })
    log.info('a')
    log.info('b')
    expect(log.stats().filteredByReason).toEqual({ handler: 2 })
  })

  test('a logger without a handler has no filtered records by reason', () => {
    expect(createTestLogger().log.stats().filteredByReason).toEqual({})
  })
})

describe('timers of a handler', () => {
  test('a handler emits a record after a delay', async () => {
    const { handler, opened } = openHandler()
    const { exporter } = createTestLogger({ handler })
    opened.host.delay(1, () => opened.emit({ body: 'later' }))
    expect(exporter.lines()).toEqual([])
    await setTimeout(20)
    expect(exporter.lines().map((line) => JSON.parse(line).message)).toEqual(['later'])
  })

  test('a canceled delay does not call its function', async () => {
    const { handler, opened } = openHandler()
    createTestLogger({ handler })
    let calls = 0
    opened.host.delay(1, () => calls++)()
    await setTimeout(20)
    expect(calls).toBe(0)
  })

  test.each<[string, () => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
      /passed to delay\(\) or onFlush\(\) threw/,
    ],
    ['rejects', () => Promise.reject(new Error('secret')), /passed to delay\(\) or onFlush\(\) threw/],
  ])('a function of a delay or a flush that %s is reported', async (_case, callback, message) => {
    const [delayed, flushed] = [openHandler(), openHandler()]
    const { diagnostics } = createTestLogger({ handler: delayed.handler })
    delayed.opened.host.delay(1, callback)
    const other = createTestLogger({ handler: flushed.handler })
    flushed.opened.host.onFlush(callback)
    await other.log.flush()
    await setTimeout(20)
    for (const reported of [diagnostics, other.diagnostics]) {
      expect(reported).toEqual([failed(message)])
      expect(JSON.stringify(reported)).not.toContain('secret')
    }
  })

  test.each([[NaN], [-1], [Infinity], ['x']])(
    'a delay of %p calls the function soon, or after the longest delay',
    async (millis) => {
      const { handler, opened } = openHandler()
      createTestLogger({ handler })
      let calls = 0
      const cancel = opened.host.delay(millis as number, () => calls++)
      await setTimeout(20)
      cancel()
      expect(calls).toBe(millis === Infinity ? 0 : 1)
    },
  )

  test.each(['delay', 'onFlush'] as const)('%s without a function is a misuse', (name) => {
    const { handler, opened } = openHandler(() => (opened.host[name] as (...args: unknown[]) => void)(1))
    const { log, captureLines, diagnostics } = createTestLogger({ handler })
    expect(captureLines(() => log.info('m'))).toHaveLength(1)
    expect(diagnostics).toEqual([failed(`called ${name}\\(\\) without a function`)])
  })

  test('the time of a handler is that of the logger, or of the system if the clock of the logger throws', () => {
    const { handler, opened } = openHandler()
    createTestLogger({ handler, clock: () => 5 })
    expect(opened.host.now()).toBe(5)
    createTestLogger({
      handler,
      clock() {
        throw new Error('no time')
      },
    })
    expect(Math.abs(opened.host.now() - Date.now())).toBeLessThan(60_000)
  })
})

describe('flushing a handler', () => {
  const flushes: [string, (log: RootLogger) => unknown][] = [
    ['flush', (log) => log.flush()],
    ['flushSync', (log) => log.flushSync()],
    ['shutdown', (log) => log.shutdown()],
    ['fatal', (log) => log.fatal('the end')],
  ]
  test.each(flushes)('%s writes what a handler has held back before it flushes the exporters', async (_name, flush) => {
    const { handler, opened } = openHandler()
    const { log, exporter } = createTestLogger({ handler })
    opened.host.onFlush(() => opened.emit({ body: 'held' }))
    await flush(log)
    expect(
      exporter
        .lines()
        .map((line) => JSON.parse(line).message)
        .at(-1),
    ).toBe('held')
    expect(log.stats()).toMatchObject({ queued: 0, dropped: { total: 0 } })
  })

  test('an outer handler is flushed before the handlers that it passes records to', () => {
    const order: string[] = []
    const noting =
      (name: string) =>
      (next: Handler, host: HandlerHost): Handler => {
        host.onFlush(() => order.push(name))
        return next
      }
    const { log } = createTestLogger({ handler: (next, host) => noting('outer')(noting('inner')(next, host), host) })
    log.flushSync()
    expect(order).toEqual(['outer', 'inner'])
  })

  test('a flush that a handler starts while it is flushed does not flush it again', () => {
    const { handler, opened } = openHandler()
    const { log } = createTestLogger({ handler })
    let calls = 0
    opened.host.onFlush(() => {
      calls++
      log.flushSync()
    })
    log.flushSync()
    expect(calls).toBe(1)
  })
})

test('a handler of one parameter still works', () => {
  const { log, captureLines } = createTestLogger({ handler: (next) => ({ handle: (record) => next.handle(record) }) })
  expect(captureLines(() => log.info('m'))).toHaveLength(1)
})
