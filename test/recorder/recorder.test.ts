import { describe, expect, test } from '@jest/globals'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { withContext } from '../../src/platform/node/with-context.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { pretty } from '../../src/exporters/pretty-encoding.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import type { Diagnostic } from '../../src/options/configuration-error.ts'
import type { LoggerOptions } from '../../src/logger/types.ts'
import { captureLogs } from '../../src/create/capture-logs.ts'
import { AcceptingExporter } from '../support/pipeline/exporters.ts'
import { countsOf, ManualTime, timedLogger } from '../support/recorder/timed-logger.ts'

const byTenant = { by: 'tenant' }

function spanContext(traceId: string) {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: 'b7ad6b7169203331', traceFlags: 1 })
}

function baggageContext(tenant: string) {
  return propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage({ tenant: { value: tenant } }))
}

test('the total limit includes keys without held records, so that many triggers do not use more memory', () => {
  const { log, messages } = timedLogger({ recorder: { ...byTenant, maxTotalBytes: 65_536 } })
  for (let tenant = 0; tenant < 2_000; tenant++) log.child({ tenant }).error('failed')
  const written = messages().length
  // The first key was forgotten, so that its later records are held; the last one was triggered.
  log.child({ tenant: 0 }).debug('held')
  expect(messages()).toHaveLength(written)
  log.child({ tenant: 1_999 }).debug('written')
  expect(messages().slice(written)).toEqual(['written'])
})

describe('what is recorded', () => {
  test('debug records of the trace of an error are written before it, marked, with their own time', () => {
    const { log, time, exporter, counts } = timedLogger({ recorder: {} })
    const first = log.child({}, { context: spanContext('a'.repeat(32)) })
    const second = log.child({}, { context: spanContext('b'.repeat(32)) })
    first.debug('read {rows} rows', { rows: 3 })
    second.debug('other trace')
    time.advance(5)
    first.error('failed')
    expect(exporter.records).toEqual([
      expect.objectContaining({
        timestamp: '1970-01-01T00:00:01.000Z',
        level: 'debug',
        message: 'read 3 rows',
        attributes: { rows: 3, 'sluice.recorded': true },
      }),
      expect.objectContaining({ timestamp: '1970-01-01T00:00:01.005Z', level: 'error', message: 'failed' }),
    ])
    expect(exporter.records[1]).not.toHaveProperty('attributes')
    expect(counts()).toEqual({ emitted: 3, accepted: 2, filtered: 0, recorded: 1, released: 1, expired: 0 })
  })

  test('records without a key are filtered, and records below the level of the recorder are not created', () => {
    const { log, messages, counts } = timedLogger({ recorder: byTenant })
    log.debug('no tenant')
    log.child({ tenant: 'a' }).trace('too detailed')
    log.child({ tenant: 'a' }).error('failed')
    expect(messages()).toEqual(['failed'])
    expect(counts()).toMatchObject({ emitted: 2, filtered: 1, recorded: 0, expired: 0 })
  })

  test('a logger without a recorder creates no debug record', () => {
    const { log, counts } = timedLogger({})
    let calls = 0
    log.debug(() => [String(calls++)])
    expect([calls, log.isLevelEnabled('debug')]).toEqual([0, false])
    expect(counts()).toMatchObject({ emitted: 0, recorded: 0 })
  })

  test('recorded levels are enabled, and lazy calls run once, when they are logged', () => {
    const { log, messages } = timedLogger({ recorder: byTenant })
    const child = log.child({ tenant: 'a' })
    let calls = 0
    child.debug(() => [`call ${++calls}`])
    expect([child.isLevelEnabled('debug'), child.isLevelEnabled('trace'), calls]).toEqual([true, false, 1])
    child.error('failed')
    expect([messages(), calls]).toEqual([['call 1', 'failed'], 1])
  })

  test('held records contain what the values were when they were logged', () => {
    const { log, exporter } = timedLogger({ recorder: byTenant })
    const child = log.child({ tenant: 'a' })
    const order = { id: 1 }
    child.debug({ order }, 'before')
    order.id = 2
    child.error('failed')
    expect(exporter.records[0]!.attributes).toMatchObject({ order: { id: 1 } })
  })

  test('events and calls of other APIs are recorded as well', () => {
    const { log, messages } = timedLogger({ recorder: byTenant, levels: { notice: 10 }, level: 'warn' })
    const child = log.child({ tenant: 'a' }) as unknown as typeof log & { notice(message: string): void }
    child.notice('notice')
    child.info('info')
    child.error('failed')
    expect(messages()).toEqual(['notice', 'info', 'failed'])
  })

  test.each([
    ['silent', []],
    ['fatal', []],
    ['debug', ['debug', 'info', 'error', 'after']],
  ] as const)('a child with the level %s writes %j', (level, expected) => {
    const { log, messages } = timedLogger({ recorder: byTenant })
    const child = log.child({ tenant: 'a' }, { level })
    child.debug('debug')
    child.info('info')
    child.error('error')
    child.debug('after')
    expect(messages()).toEqual(expected)
  })

  test('a level that is changed later decides which records are held', () => {
    const { log, messages, counts } = timedLogger({ recorder: byTenant })
    const child = log.child({ tenant: 'a' })
    log.level = 'debug'
    child.debug('written at once')
    log.level = 'warn'
    child.info('held')
    expect(messages()).toEqual(['written at once'])
    expect(counts()).toMatchObject({ recorded: 1 })
  })
})

const turn = () => new Promise((resolve) => void setImmediate(resolve))

function setUpByTrace(options: LoggerOptions = {}) {
  const diagnostics: Diagnostic[] = []
  const timed = timedLogger({ recorder: {}, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic), ...options })
  return { ...timed, diagnostics }
}

describe('records without a trace', () => {
  test.each(['debug', 'error'] as const)(
    'without OpenTelemetry, the first %s record is reported once',
    async (level) => {
      const { log, diagnostics } = setUpByTrace()
      for (let i = 0; i < 3; i++) {
        log[level]('no trace')
        await turn()
      }
      expect(diagnostics).toEqual([
        {
          code: 'SLUICE_RECORDER_NO_TRACE',
          message: expect.stringMatching(/set recorder\.by to 'request' or an attribute$/),
        },
      ])
    },
  )

  test('records without a span are not reported if OpenTelemetry is set up by the end of the turn', async () => {
    const { log, diagnostics } = setUpByTrace()
    log.debug('too early')
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    try {
      await turn()
      log.debug('no span')
      await turn()
    } finally {
      context.disable()
    }
    expect(diagnostics).toEqual([])
  })

  test('records without a trace are not reported after a record with one', async () => {
    const { log, diagnostics } = setUpByTrace()
    log.child({}, { context: spanContext('a'.repeat(32)) }).debug('with a trace')
    log.debug('no trace')
    await turn()
    expect(diagnostics).toEqual([])
  })

  test.each([{ by: 'request' }, { by: 'tenant' }])(
    'records without a key of $by are not reported',
    async (recorder) => {
      const { log, diagnostics } = setUpByTrace({ recorder })
      log.debug('no key')
      log.error('no key')
      await turn()
      expect(diagnostics).toEqual([])
    },
  )
})

describe('keys', () => {
  test.each([
    ['text', 'a', 'b'],
    ['numbers', 1, 2],
    ['a number and text', 1, '1'],
    ['booleans', true, false],
    ['bigints', 1n, 2n],
    ['names of Object.prototype', '__proto__', 'constructor'],
  ])('%s are different keys', (_, one, other) => {
    const { log, messages } = timedLogger({ recorder: byTenant })
    log.child({ tenant: one }).debug('one')
    log.child({ tenant: other }).debug('other')
    log.child({ tenant: one }).error('failed')
    expect(messages()).toEqual(['one', 'failed'])
  })

  test.each([
    ['an object', { id: 1 }],
    ['a list', [1]],
    ['null', null],
    ['undefined', undefined],
  ])('%s is no key, so the record is filtered', (_, tenant) => {
    const { log, messages, counts } = timedLogger({ recorder: byTenant })
    const child = log.child({ tenant })
    child.debug('debug')
    child.error('failed')
    expect(messages()).toEqual(['failed'])
    expect(counts()).toMatchObject({ filtered: 1, recorded: 0 })
  })

  test('the attribute of the inner child or context is the key', () => {
    const { log, messages } = timedLogger({ recorder: byTenant })
    const outer = log.child({ tenant: 'outer' })
    const inner = outer.child({ tenant: 'inner' }).child({ part: 1 })
    inner.debug('inner')
    withContext({ tenant: 'context' }, () => inner.debug('context'))
    outer.debug('outer')
    outer.error('failed')
    withContext({ tenant: 'context' }, () => log.error('failed in context'))
    expect(messages()).toEqual(['outer', 'failed', 'context', 'failed in context'])
  })

  test('an attribute that is copied from baggage is the key of records that have no bound attribute of that name', () => {
    const { log, messages } = timedLogger({ recorder: byTenant, baggage: ['tenant'] })
    log.child({}, { context: baggageContext('a') }).debug('a')
    log.child({}, { context: baggageContext('b') }).debug('b')
    log.child({ tenant: 'c' }, { context: baggageContext('a') }).debug('c')
    log.child({ tenant: 'a' }).error('failed')
    expect(messages()).toEqual(['a', 'failed'])
  })

  test('attributes of a call are no key', () => {
    const { log, messages } = timedLogger({ recorder: byTenant })
    log.debug('debug', { tenant: 'a' })
    log.error('failed', { tenant: 'a' })
    expect(messages()).toEqual(['failed'])
  })
})

describe('after the trigger', () => {
  test('later records of a trace are written at once, without a mark, until it had no record for maxAgeMillis', () => {
    const { log, time, exporter, messages } = timedLogger({ recorder: { maxAgeMillis: 100 } })
    const child = log.child({}, { context: spanContext('a'.repeat(32)) })
    child.error('failed')
    time.advance(99)
    child.debug('first')
    time.advance(99)
    child.info('info')
    time.advance(99)
    child.debug('second')
    expect(messages()).toEqual(['failed', 'first', 'info', 'second'])
    expect(exporter.records.some(({ attributes }) => attributes !== undefined && 'sluice.recorded' in attributes)).toBe(
      false,
    )
    time.advance(100)
    child.debug('held again')
    expect(messages()).toHaveLength(4)
  })

  test('records of an attribute that is used all the time are held again maxAgeMillis after the last trigger', () => {
    const { log, time, messages, counts } = timedLogger({ recorder: { ...byTenant, maxAgeMillis: 100 } })
    const child = log.child({ tenant: 'a' })
    child.error('failed')
    time.advance(60)
    child.debug('written')
    child.error('failed again')
    time.advance(60)
    child.debug('written too')
    child.info('no trigger')
    time.advance(39)
    child.debug('last')
    time.advance(1)
    child.debug('held')
    expect(messages()).toEqual(['failed', 'written', 'failed again', 'written too', 'no trigger', 'last'])
    time.advance(60)
    child.error('third failure')
    expect(messages().slice(6)).toEqual(['held', 'third failure'])
    expect(counts()).toMatchObject({ recorded: 0, released: 1, expired: 0 })
  })

  test('after an exception that the program handles, records of an attribute are held again after maxAgeMillis', () => {
    const callbacks: (() => void)[] = []
    const { log, time, messages } = timedLogger(
      { handleExit: true, recorder: { ...byTenant, maxAgeMillis: 100 } },
      new ManualTime(),
      { onFailure: (callback) => (callbacks.push(callback), () => {}) },
    )
    const child = log.child({ tenant: 'a' })
    child.debug('held')
    callbacks.forEach((callback) => callback())
    time.advance(50)
    child.debug('written')
    time.advance(50)
    child.debug('held again')
    expect(messages()).toEqual(['held', 'written'])
  })

  test('a second trigger releases only what was held since, after the key has ended', () => {
    const { log, time, messages } = timedLogger({ recorder: { ...byTenant, maxAgeMillis: 100 } })
    const child = log.child({ tenant: 'a' })
    child.debug('first')
    child.error('failed')
    child.error('failed again')
    time.advance(200)
    child.debug('second')
    child.fatal('fatal')
    expect(messages()).toEqual(['first', 'failed', 'failed again', 'second', 'fatal'])
  })

  test('the level `trigger` and those above it release records', () => {
    const { log, messages } = timedLogger({ recorder: { ...byTenant, trigger: 'warn' } })
    const a = log.child({ tenant: 'a' })
    const b = log.child({ tenant: 'b' })
    a.debug('a')
    b.debug('b')
    a.info('info')
    a.warn('warn')
    b.error('error')
    expect(messages()).toEqual(['info', 'a', 'warn', 'b', 'error'])
  })
})

describe('limits', () => {
  test('only the last maxRecords records of a key are kept', () => {
    const { log, messages, counts } = timedLogger({ recorder: { ...byTenant, maxRecords: 2 } })
    const child = log.child({ tenant: 'a' })
    for (let i = 0; i < 5; i++) child.debug(String(i))
    expect(counts()).toMatchObject({ recorded: 2, expired: 3, filtered: 3 })
    child.error('failed')
    expect(messages()).toEqual(['3', '4', 'failed'])
  })

  test('a record that is longer than maxBytes is discarded, and the others are kept', () => {
    const { log, messages, counts } = timedLogger({ recorder: { ...byTenant, maxBytes: 1_000 } })
    const child = log.child({ tenant: 'a' })
    child.debug('short')
    child.debug('x'.repeat(1_000))
    child.error('failed')
    expect(messages()).toEqual(['short', 'failed'])
    expect(counts()).toMatchObject({ emitted: 3, expired: 1, filtered: 1, released: 1 })
  })

  test('records older than maxAgeMillis are not written, even if the key was used since', () => {
    const { log, time, messages, counts } = timedLogger({ recorder: { ...byTenant, maxAgeMillis: 100 } })
    const child = log.child({ tenant: 'a' })
    child.debug('old')
    time.advance(60)
    child.debug('new')
    time.advance(60)
    child.error('failed')
    expect(messages()).toEqual(['new', 'failed'])
    expect(counts()).toMatchObject({ expired: 1, released: 1, recorded: 0 })
  })

  test('a key that has no record for maxAgeMillis ends, also while the event loop is blocked', () => {
    const { log, time, messages } = timedLogger({ recorder: { ...byTenant, maxAgeMillis: 100 } })
    const child = log.child({ tenant: 'a' })
    child.debug('old')
    child.error('failed')
    time.advance(500, false)
    child.debug('after')
    expect(messages()).toEqual(['old', 'failed'])
  })

  test('over maxTotalBytes, the records of the keys that were not used for the longest time are discarded', () => {
    const { log, messages } = timedLogger({ recorder: { ...byTenant, maxTotalBytes: 65_536 } })
    const used = log.child({ tenant: 'used' })
    const unused = log.child({ tenant: 'unused' })
    used.debug('first of used')
    unused.debug('first of unused')
    for (let i = 0; i < 500; i++) {
      log.child({ tenant: i }).debug('other')
      if (i % 10 === 0) used.debug('later')
    }
    used.error('failed')
    unused.error('failed')
    expect(messages()[0]).toBe('first of used')
    expect(messages()).not.toContain('first of unused')
  })

  test('when nothing is held, no timer is set', () => {
    const { log, time } = timedLogger({ recorder: { ...byTenant, maxAgeMillis: 100 } })
    log.info('info')
    expect(time.timerCount).toBe(0)
    log.child({ tenant: 'a' }).debug('held')
    expect(time.timerCount).toBe(1)
    time.advance(100)
    expect(time.timerCount).toBe(0)
  })
})

describe('handlers, exporters and redaction', () => {
  test('handlers, enrich and traceBased apply to held records when they are logged', () => {
    const calls: string[] = []
    const { log, exporter, counts } = timedLogger({
      recorder: byTenant,
      enrich: () => ({ host: 'h1' }),
      handler: (next) => ({
        handle(record) {
          calls.push(String(record.body))
          if (record.body !== 'health check') next.handle(record)
        },
      }),
    })
    const child = log.child({ tenant: 'a' })
    child.debug('health check')
    child.debug('held')
    expect(calls).toEqual(['health check', 'held'])
    expect(counts()).toMatchObject({ emitted: 2, filtered: 1, recorded: 1 })
    child.error('failed')
    expect(exporter.records[0]!.attributes).toEqual({ tenant: 'a', host: 'h1', 'sluice.recorded': true })
    expect(calls).toEqual(['health check', 'held', 'failed'])
  })

  test('a trigger that a handler drops releases nothing', () => {
    const { log, messages } = timedLogger({
      recorder: byTenant,
      handler: (next) => ({ handle: (record) => (record.level === 'error' ? undefined : next.handle(record)) }),
    })
    const child = log.child({ tenant: 'a' })
    child.debug('held')
    child.error('dropped')
    expect(messages()).toEqual([])
  })

  test('a debug record that a handler changes to error releases the records of its key, and is the last of them', () => {
    const { log, messages } = timedLogger({
      recorder: byTenant,
      handler: (next) => ({
        handle(record) {
          if (record.body === 'second') record.level = 'error'
          next.handle(record)
        },
      }),
    })
    const child = log.child({ tenant: 'a' })
    child.debug('first')
    child.debug('second')
    expect(messages()).toEqual(['first', 'second'])
  })

  test('getters of the attributes that enrich returns are read once, and one that throws leaves a marker', () => {
    let reads = 0
    const hostile = Object.defineProperty({ host: 'h1' }, 'a', {
      enumerable: true,
      get() {
        reads++
        throw new Error('no')
      },
    })
    const { log, exporter } = timedLogger({ recorder: byTenant, enrich: () => hostile })
    const child = log.child({ tenant: 'a' })
    child.debug('held')
    expect(reads).toBe(1)
    child.error('failed')
    expect(exporter.records[0]!.attributes).toMatchObject({ 'sluice.recorded': true, host: 'h1', a: '[Threw: no]' })
  })

  test('baggage and the mark are both added', () => {
    const { log, exporter } = timedLogger({ recorder: byTenant, baggage: ['plan'] })
    const context = propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage({ plan: { value: 'free' } }))
    const child = log.child({ tenant: 'a' }, { context })
    child.debug('held')
    child.error('failed')
    expect(exporter.records.map(({ attributes }) => attributes)).toEqual([
      { tenant: 'a', plan: 'free', 'sluice.recorded': true },
      { tenant: 'a', plan: 'free' },
    ])
  })

  test('user code that logs while a record is encoded does not change the order, and can be the trigger', () => {
    const { log, messages } = timedLogger({ recorder: byTenant })
    const child = log.child({ tenant: 'a' })
    const hostile = (level: 'debug' | 'error', message: string) => ({
      toJSON() {
        child[level](message)
        return 1
      },
    })
    child.debug({ value: hostile('debug', 'inner') }, 'outer')
    child.debug({ value: hostile('error', 'inner error') }, 'second')
    expect(messages()).toEqual(['inner', 'outer', 'inner error', 'second'])
  })

  test('each exporter gets held records in its own format, and its own level applies', () => {
    const json = new AcceptingExporter({ encoding: jsonLines() })
    const warnings = new AcceptingExporter({ encoding: jsonLines(), delivery: { level: 'warn' } })
    const terminal = new AcceptingExporter({ encoding: pretty({ colors: false }) })
    const { log } = timedLogger({ recorder: byTenant, exporter: [json, warnings, terminal] })
    const child = log.child({ tenant: 'a' })
    child.debug('held')
    expect([0, 1, 2].map((index) => countsOf(log, index))).toMatchObject([
      { recorded: 1, filtered: 0 },
      { recorded: 0, filtered: 1 },
      { recorded: 1, filtered: 0 },
    ])
    child.error('failed')
    log.flushSync()
    expect(json.lines().map(({ message }) => message)).toEqual(['held', 'failed'])
    expect(warnings.lines().map(({ message }) => message)).toEqual(['failed'])
    expect(terminal.accepted.join('')).toMatch(/DEBUG.*held[^]*ERROR.*failed/)
    expect(countsOf(log, 2)).toMatchObject({ recorded: 0, released: 1, accepted: 2 })
  })

  test('the diagnostics channel publishes records when they are logged to the exporters, and not those that are held', () => {
    const published: unknown[] = []
    const subscriber = (record: unknown) => void published.push((record as { body: unknown }).body)
    subscribe('sluice:record', subscriber)
    try {
      const { log, messages } = timedLogger({ recorder: byTenant })
      const child = log.child({ tenant: 'a' })
      child.debug('held')
      child.error('failed')
      child.debug('later')
      expect(messages()).toEqual(['held', 'failed', 'later'])
    } finally {
      unsubscribe('sluice:record', subscriber)
    }
    expect(published).toEqual(['failed', 'later'])
  })

  test('held text is redacted by the rules of the logger, the child and the patterns', () => {
    const exporter = new AcceptingExporter()
    const { log } = timedLogger({
      recorder: byTenant,
      exporter,
      redact: { paths: ['user.password'], patterns: [/canary-\w+/] },
    })
    const child = log.child({ tenant: 'a' }, { redact: ['token'] })
    child.debug('login with canary-1', { user: { password: 'canary2' }, token: 'canary3' })
    child.error('failed')
    log.flushSync()
    expect(exporter.accepted[0]).toContain('login with')
    expect(exporter.accepted.join('')).not.toContain('canary')
  })

  test('truncated records are counted when they are released', () => {
    const { log } = timedLogger({ recorder: byTenant, limits: { recordBytes: 1_024 } })
    const child = log.child({ tenant: 'a' })
    child.debug('x'.repeat(5_000))
    child.debug('short')
    expect(log.stats().truncated).toBe(0)
    child.error('failed')
    expect(log.stats().truncated).toBe(1)
  })

  test('held records that are captured by a test reach its sink when they are released, and not the exporters', () => {
    const { log, messages, counts } = timedLogger({ recorder: byTenant })
    const child = log.child({ tenant: 'a' })
    child.debug('before')
    const logs = captureLogs({ from: log })
    child.debug('held')
    expect(logs.records).toHaveLength(0)
    child.error('failed')
    expect(logs.records.map(({ message }) => message)).toEqual(['held', 'failed'])
    logs.restore()
    expect(messages()).toEqual([])
    expect(counts()).toMatchObject({ emitted: 3, filtered: 3, recorded: 0, expired: 1, released: 0 })
  })

  test('a new logger of captureLogs can have a recorder', () => {
    using logs = captureLogs({ recorder: byTenant })
    const child = logs.logger.child({ tenant: 'a' })
    child.debug('held')
    child.error('failed')
    expect(logs.records.map(({ message }) => message)).toEqual(['held', 'failed'])
  })
})

describe('lifecycle', () => {
  test('without a trigger, no byte is written, also by flush, flushSync and shutdown', async () => {
    const exporter = new AcceptingExporter()
    const { log, time, counts } = timedLogger({ recorder: byTenant, exporter })
    const child = log.child({ tenant: 'a' })
    for (let i = 0; i < 100; i++) child.debug('held')
    await log.flush()
    log.flushSync()
    expect(counts()).toMatchObject({ recorded: 100 })
    await log.shutdown()
    child.debug('after shutdown')
    expect(exporter.accepted).toEqual([])
    expect(counts()).toMatchObject({ emitted: 101, recorded: 0, filtered: 101, expired: 100 })
    expect(time.timerCount).toBe(0)
  })

  test('records that do not fit the queue are dropped and counted when they are released', () => {
    const exporter = new AcceptingExporter({ delivery: { maxQueueSize: 10, onFull: 'dropNewest' } })
    exporter.exportSync = undefined as never
    const { log } = timedLogger({ recorder: byTenant, exporter })
    const child = log.child({ tenant: 'a' })
    for (let i = 0; i < 20; i++) child.debug(String(i))
    child.error('failed')
    const { released, accepted, queued, dropped } = log.stats().exporters[0]!
    expect({ released, accepted, queued, dropped: dropped.byReason.queue_full }).toEqual({
      released: 20,
      accepted: 21,
      queued: 10,
      dropped: 11,
    })
  })

  test('a clock option that always returns the same time does not keep a key alive', () => {
    const time = new ManualTime()
    const { log, messages } = timedLogger({ recorder: { ...byTenant, maxAgeMillis: 100 }, clock: () => 5 }, time)
    const child = log.child({ tenant: 'a' })
    child.error('failed')
    time.advance(100)
    child.debug('held')
    expect(messages()).toEqual(['failed'])
  })

  test('with a clock option that always returns the same time, a record has the age that it has', () => {
    const time = new ManualTime()
    const { log, messages } = timedLogger({ recorder: { ...byTenant, maxAgeMillis: 300 }, clock: () => 5 }, time)
    const child = log.child({ tenant: 'a' })
    child.debug('old')
    time.advance(250)
    child.debug('new')
    time.advance(100)
    child.error('failed')
    expect(messages()).toEqual(['new', 'failed'])
  })
})

test('memoryExporter, which exports in the log call, gets released records before the trigger', () => {
  const exporter = memoryExporter()
  const { log } = timedLogger({ recorder: byTenant, exporter })
  const child = log.child({ tenant: 'a' })
  child.debug('held')
  child.error('failed')
  expect(exporter.records.map(({ level }) => level)).toEqual(['debug', 'error'])
})
