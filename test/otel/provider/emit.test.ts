import { afterEach, describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import type { ScopedLogger } from '../../../src/otel/api/emit.ts'
import type { EmittedLogRecord } from '../../../src/otel/api/types.ts'
import { nested, revoked, thrower, traps } from '../../support/values/hostile.ts'
import { emitting, type Emitted } from './emitting.ts'

const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }

afterEach(() => api.context.disable())

/** What becomes of one record. */
function emit(record: unknown, alone = true): Emitted {
  const { provider, emitted } = emitting({}, alone)
  provider.getLogger('test').emit(record as EmittedLogRecord)
  expect(emitted()).toHaveLength(1)
  return emitted()[0]!
}

/** The same by the official SDK; undefined where nothing was exported. */
function official(record: unknown): ReturnType<InMemoryLogRecordExporter['getFinishedLogRecords']>[number] | undefined {
  const exporter = new InMemoryLogRecordExporter()
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] })
  provider.getLogger('test').emit(record as api.LogRecord)
  return exporter.getFinishedLogRecords()[0]
}

describe.each([
  ['one exporter', true],
  ['exporters of two formats', false],
])('with %s', (_, alone) => {
  test('every field of a record arrives (API3)', () => {
    const context = api.trace.setSpanContext(api.ROOT_CONTEXT, span)
    const record = emit(
      {
        timestamp: [1_700_000_000, 123_456_789],
        observedTimestamp: [1_700_000_001, 1],
        context,
        severityNumber: 18,
        severityText: 'critical',
        body: 'stock {item} is low',
        attributes: { item: 'tea', left: 3 },
        eventName: 'stock.low',
      },
      alone,
    )
    expect({ ...record, attributes: Object.fromEntries(record.attributes) }).toEqual({
      timeUnixNano: '1700000000123456789',
      observedTimeUnixNano: '1700000001000000001',
      severityNumber: 18,
      severityText: 'critical',
      body: { stringValue: 'stock {item} is low' },
      attributes: { item: { stringValue: 'tea' }, left: { intValue: '3' } },
      flags: 1,
      traceId: span.traceId,
      spanId: span.spanId,
      eventName: 'stock.low',
    })
  })

  test('every field is optional, and then nothing is said but the time (API3, API6, SDK11)', () => {
    const before = Date.now()
    const { timeUnixNano, observedTimeUnixNano, attributes, ...rest } = emit({}, alone)
    expect(observedTimeUnixNano).toBe(timeUnixNano)
    expect(Number(timeUnixNano!.slice(0, -6))).toBeGreaterThanOrEqual(before)
    expect([attributes.size, rest]).toEqual([0, {}])
  })

  test('a record with the time of its event alone was observed now (SDK11)', () => {
    const before = Date.now()
    const { timeUnixNano, observedTimeUnixNano } = emit({ timestamp: new Date(1_000), body: 'old' }, alone)
    expect(timeUnixNano).toBe('1000000000')
    expect(Number(observedTimeUnixNano!.slice(0, -6))).toBeGreaterThanOrEqual(before)
  })
})

describe('emit never throws, where the official SDK does (D4, ERR1)', () => {
  const cases: [string, unknown][] = [
    ['no argument', undefined],
    ['null', null],
    ['attributes that are null', { attributes: null, body: 'x' }],
    ['a time that is text', { timestamp: '2026-11-21' }],
    ['a time that is a bigint', { timestamp: 1_700_000_000_000_000_000n }],
    [
      'an attribute whose getter throws',
      { attributes: Object.defineProperty({}, 'a', { get: thrower, enumerable: true }) },
    ],
    ['attributes 20,000 levels deep', { attributes: { deep: nested(20_000) } }],
    ['a revoked proxy', revoked()],
    ['attributes that are a revoked proxy', { attributes: revoked() }],
  ]
  test.each(cases)('%s', (_, record) => {
    expect(() => official(record)).toThrow(Error)
    expect(emit(record).timeUnixNano).toBeDefined()
    expect(emit(record, false).timeUnixNano).toBeDefined()
  })

  test.each<[string, unknown]>([
    ['a record that is text', 'text'],
    ['a proxy that traps everything', new Proxy({}, traps)],
    ['a body that is a revoked proxy', { body: revoked() }],
    ['an exception that is a revoked proxy', { exception: revoked() }],
    ['a context that is a number', { context: 5 }],
    ['a context whose reading throws', { context: { getValue: thrower } }],
    ['severities that are none', { severityNumber: 'INFO', severityText: 5, eventName: {} }],
    ['attributes that are text', { attributes: 'a=1' }],
  ])('nor does it for %s', (_, record) => {
    expect(emit(record).timeUnixNano).toBeDefined()
    expect(emit(record, false).timeUnixNano).toBeDefined()
  })

  test('a member whose reading throws costs itself alone, and shows that (ERR4)', () => {
    for (const key of ['body', 'attributes', 'exception', 'timestamp', 'severityNumber', 'eventName', 'context']) {
      const record = { severityText: 'WARN', ...(key === 'body' ? {} : { body: 'kept' }) }
      Object.defineProperty(record, key, { get: thrower, enumerable: true })
      const { severityText, body, attributes } = emit(record)
      expect([severityText, body]).toEqual(['WARN', { stringValue: key === 'body' ? '[Threw: no]' : 'kept' }])
      const shown = key === 'attributes' ? 'attributes' : 'exception.message'
      const shows = key === 'attributes' || key === 'exception'
      expect(attributes.get(shown)).toEqual(shows ? { stringValue: '[Threw: no]' } : undefined)
    }
  })

  test('a stack that is exhausted loses the record at most, and then it is counted', async () => {
    const { provider, emitted } = emitting({}, true)
    const logger = provider.getLogger('test')
    let calls = 0
    // With the stack used up to its last frame the function cannot be entered: that error is the caller's.
    let entered = 0
    const deeper = (): void => {
      try {
        deeper()
      } catch {
        if (calls++ > 200) return
        logger.emit({ body: 'x', severityNumber: calls % 2 === 0 ? 17 : 0, attributes: { a: [1] } })
        entered++
        throw new RangeError('go on')
      }
    }
    deeper()
    await provider.forceFlush()
    const { exporters, dropped, written, queued } = provider.stats()
    const notices = emitted().filter(({ eventName }) => eventName === 'sluice.records_dropped').length
    expect([exporters[0]!.emitted, written, queued]).toEqual([entered + notices, emitted().length, 0])
    expect(exporters[0]!.accepted).toBe(written + dropped.total)
    expect([dropped.total > 0, written > 0]).toEqual([true, true])
    expect(Object.values(dropped.byLevel).reduce((sum, count) => sum + count, 0)).toBe(dropped.total)
  })
})

describe('severity', () => {
  test.each([[0], [25], [-1], [9.5], [NaN], [Infinity], ['9'], [null]])('%p is unspecified', (severityNumber) => {
    const { lines, provider, emitted } = emitting()
    provider.getLogger('a').emit({ severityNumber: severityNumber as number, body: 'x' })
    expect(emitted()[0]!.severityNumber).toBeUndefined()
    expect(lines()[0]).toMatchObject({ level: 'info', severity_number: 0 })
  })

  test('lines say the short name where no text is given, OTLP nothing (SEV4, SEV6)', () => {
    const { lines, provider, emitted } = emitting()
    for (const severityNumber of [9, 10, 17, 24, 9]) provider.getLogger('a').emit({ severityNumber, body: 'x' })
    expect(lines().map(({ level, severity_number }) => [level, severity_number])).toEqual([
      ['info', undefined],
      ['info2', 10],
      ['error', undefined],
      ['fatal4', 24],
      ['info', undefined],
    ])
    expect(emitted().map(({ severityText }) => severityText)).toEqual(Array(5).fill(undefined))
  })

  test('one text may stand for several numbers', () => {
    const { lines, provider } = emitting()
    for (const severityNumber of [17, 18, 9, 17]) {
      provider.getLogger('a').emit({ severityNumber, severityText: 'error', body: 'x' })
    }
    expect(lines().map(({ severity_number }) => severity_number)).toEqual([undefined, 18, 9, undefined])
  })
})

describe('the context of a record', () => {
  const active = { ...span, spanId: '00f067aa0ba902b7' }
  const inSpan = (fn: () => void) => {
    api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    api.context.with(api.trace.setSpanContext(api.ROOT_CONTEXT, active), fn)
  }
  const spanIdOf = (record: object) => {
    let found: Emitted | undefined
    inSpan(() => (found = emit(record)))
    return found!.spanId
  }

  test('is the active one where none is given (API3, SDK12)', () => {
    expect(spanIdOf({ body: 'x' })).toBe(active.spanId)
  })

  test('is the active one where it is given as undefined: the official SDK loses the span (D6)', () => {
    expect(spanIdOf({ body: 'x', context: undefined })).toBe(active.spanId)
    expect(spanIdOf({ body: 'x', context: null })).toBe(active.spanId)
    inSpan(() => expect(official({ body: 'x', context: undefined })!.spanContext).toBeUndefined())
  })

  test('is the given one otherwise, also where that has no span (SDK12)', () => {
    expect(spanIdOf({ context: api.trace.setSpanContext(api.ROOT_CONTEXT, span) })).toBe(span.spanId)
    expect(spanIdOf({ context: api.ROOT_CONTEXT })).toBeUndefined()
  })

  test('is left out with traceContext: false', () => {
    const { provider, emitted } = emitting({ traceContext: false })
    inSpan(() => provider.getLogger('a').emit({ body: 'x' }))
    expect(emitted()[0]!.spanId).toBeUndefined()
  })
})

describe('the body', () => {
  test('is text as it is: what looks like a placeholder is none', () => {
    expect(emit({ body: '{a} %s', attributes: { a: 1 } }).body).toEqual({ stringValue: '{a} %s' })
  })

  test('is any value, where the official SDK exports empty ones (D5)', () => {
    const when = new Date(0)
    const { body } = emit({
      body: { when, map: new Map([['k', new Set([1n])]]), url: new URL('https://example.com/') },
    })
    expect(body).toEqual({
      kvlistValue: {
        values: [
          { key: 'when', value: { stringValue: '1970-01-01T00:00:00.000Z' } },
          {
            key: 'map',
            value: { kvlistValue: { values: [{ key: 'k', value: { arrayValue: { values: [{ intValue: '1' }] } } }] } },
          },
          { key: 'url', value: { stringValue: 'https://example.com/' } },
        ],
      },
    })
    expect(emit({ body: new RangeError('out') }).body!.kvlistValue!.values[0]!.value).toEqual({
      stringValue: 'RangeError',
    })
    expect(emit({ body: null }).body).toEqual({})
  })

  test('that holds itself is cut there, where the official SDK loses the whole batch (D5)', () => {
    const body: Record<string, unknown> = { a: 1 }
    body['self'] = body
    expect(emit({ body }).body!.kvlistValue!.values[1]!.value).toEqual({ stringValue: '[Circular]' })
  })

  test('is as it was when emit returned (D5)', () => {
    const { provider, emitted } = emitting()
    const body = { count: 1 }
    provider.getLogger('a').emit({ body })
    body.count = 2
    expect(emitted()[0]!.body!.kvlistValue!.values[0]!.value).toEqual({ intValue: '1' })
    const seen = { count: 1 }
    const record = official({ body: seen })!
    seen.count = 2
    expect(record.body).toEqual({ count: 2 })
  })
})

describe('attributes', () => {
  test('that cannot be written as they are become what says most, where the official SDK drops them whole (D8)', () => {
    const attributes = {
      date: new Date(0),
      error: { nested: new Error('in') },
      big: 2n ** 64n,
      map: new Map([[1, 2]]),
      fn: emit,
      own: new (class Own {
        a = 1
      })(),
      holds: { one: { date: new Date(0), n: 1 } },
    }
    const found = emit({ attributes }).attributes
    expect([...found.keys()]).toEqual(Object.keys(attributes))
    expect(found.get('big')).toEqual({ stringValue: '18446744073709551616' })
    expect(found.get('fn')).toEqual({ stringValue: '[Function: emit]' })
    expect(found.get('holds')!.kvlistValue!.values[0]!.value.kvlistValue!.values).toHaveLength(2)
    expect(Object.keys(official({ attributes })!.attributes)).toEqual([])
  })

  test('are as they were when emit returned, bytes included: the official SDK keeps the buffer (D20, REC3)', () => {
    const { provider, emitted } = emitting()
    const bytes = Uint8Array.of(1, 2, 3)
    const record = official({ attributes: { bytes } })!
    provider.getLogger('a').emit({ attributes: { bytes } })
    bytes.fill(0)
    expect(emitted()[0]!.attributes.get('bytes')).toEqual({ bytesValue: 'AQID' })
    expect(record.attributes).toEqual({ bytes: Uint8Array.of(0, 0, 0) })
  })

  test('named __proto__, constructor and toString survive, where the official SDK loses the first (D24)', () => {
    const attributes = JSON.parse('{"__proto__":{"a":1},"constructor":"c","toString":"t"}') as object
    expect([...emit({ attributes }).attributes.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.keys(official({ attributes })!.attributes)).not.toContain('__proto__')
    expect(({} as { a?: number }).a).toBeUndefined()
  })

  test('that are undefined are none, and null, 0, "" and false are values (JS9)', () => {
    const { attributes } = emit({ attributes: { a: undefined, b: null, c: 0, d: '', e: false } })
    expect(Object.fromEntries(attributes)).toEqual({
      b: {},
      c: { intValue: '0' },
      d: { stringValue: '' },
      e: { boolValue: false },
    })
  })

  test('and body are redacted before anything is queued', () => {
    const { provider, emitted } = emitting({ redact: { keys: ['password'] } })
    provider.getLogger('a').emit({ attributes: { user: { password: 'p' } }, body: { password: 'p' } })
    expect(JSON.stringify([emitted()[0]!.body, [...emitted()[0]!.attributes]])).not.toContain('"p"')
  })

  test.each<[string, readonly string[], unknown]>([
    ['an object, whose members are addressed like attributes', ['card.pin'], { card: { pin: 'secret' } }],
    ['an array, whose items are', ['card.pin'], [{ card: { pin: 'secret' } }]],
    ['a Map', ['pin'], new Map([['pin', 'secret']])],
    ['an Error, for which the rules of the exception hold', ['err.message'], new Error('secret')],
  ])('a body is redacted that is %s', (_, redact, body) => {
    const { provider, emitted } = emitting({ redact })
    provider.getLogger('a').emit({ body })
    expect(JSON.stringify(emitted()[0]!.body)).not.toContain('secret')
    expect(JSON.stringify(emitted()[0]!.body)).toContain('[REDACTED]')
  })
})

describe('an exception', () => {
  class PaymentError extends Error {}
  const failure = Object.assign(new PaymentError('declined', { cause: new TypeError('no route') }), {
    code: 'ECONNRESET',
  })

  test('becomes exception.type, exception.message and exception.stacktrace (EXC1, API4)', () => {
    const { attributes } = emit({ exception: failure })
    expect(attributes.get('exception.type')).toEqual({ stringValue: 'PaymentError' })
    expect(attributes.get('exception.message')).toEqual({ stringValue: 'declined' })
    expect(attributes.get('exception.stacktrace')!.stringValue).toMatch(/declined\n {4}at /)
  })

  test('has its class for a type and keeps its code and cause, where the official SDK says ECONNRESET (EXC3, D7)', () => {
    const { attributes } = emit({ exception: failure })
    expect(attributes.get('exception.type')).toEqual({ stringValue: 'PaymentError' })
    expect(attributes.get('exception.stacktrace')!.stringValue).toContain('TypeError: no route')
    expect(attributes.get('err')!.kvlistValue!.values[0]).toEqual({ key: 'code', value: { stringValue: 'ECONNRESET' } })
    const found = official({ exception: failure })!.attributes
    expect(found).toMatchObject({ 'exception.type': 'ECONNRESET' })
    expect(JSON.stringify(found)).not.toContain('no route')
  })

  test('is kept when it counts as the last attributes that the limit allows: the official SDK loses it (LIM3, D7)', () => {
    const attributes = Object.fromEntries(Array.from({ length: 128 }, (_, index) => [`a${index}`, index]))
    const record = emit({ attributes, exception: failure })
    expect([record.attributes.size, record.droppedAttributesCount]).toEqual([128, 4])
    expect(record.attributes.has('exception.type')).toBe(true)
    expect(record.attributes.has('exception.stacktrace')).toBe(true)
    expect(official({ attributes, exception: failure })!.attributes).not.toHaveProperty(['exception.type'])
  })

  test('gives way to attributes of the same names (EXC2)', () => {
    const { attributes } = emit({ exception: failure, attributes: { 'exception.type': 'mine' } })
    expect(attributes.get('exception.type')).toEqual({ stringValue: 'mine' })
    expect(attributes.get('exception.message')).toEqual({ stringValue: 'declined' })
  })

  test.each<[string, unknown, string, string]>([
    ['text', 'boom', 'string', 'boom'],
    ['a number', 5, 'number', '5'],
    ['a symbol, at which the official SDK throws', Symbol('s'), 'symbol', 'Symbol(s)'],
    ['a function', () => {}, 'function', '[Function]'],
    ['what a parser of JSON made', { name: 'RangeError', message: 'm', stack: 's' }, 'RangeError', 'm'],
  ])('may be %s (EXC1)', (_, exception, type, message) => {
    const { attributes } = emit({ exception })
    expect(attributes.get('exception.type')).toEqual({ stringValue: type })
    expect(attributes.get('exception.message')).toEqual({ stringValue: message })
  })

  test.each([[undefined], [null]])('%p is none', (exception) => {
    expect(emit({ exception, body: 'x' }).attributes.size).toBe(0)
  })
})

test('an event has its name and a time (EVT1)', () => {
  const { eventName, timeUnixNano } = emit({ eventName: 'order.placed', attributes: { id: 1 } })
  expect([eventName, timeUnixNano]).toEqual(['order.placed', expect.stringMatching(/^\d{19}$/)])
  expect(emit({ eventName: '' }).eventName).toBeUndefined()
})

test('the clock that is given tells the time, and one that throws costs nothing (ERR4)', () => {
  let logger: ScopedLogger | undefined
  const { provider, emitted } = emitting({ clock: () => (emitted().length === 0 ? 5 : thrower()) })
  logger = provider.getLogger('a')
  logger.emit({})
  logger.emit({})
  expect(emitted()[0]!.timeUnixNano).toBe('5000000')
  expect(emitted()[1]!.timeUnixNano).toMatch(/^\d{19}$/)
})
