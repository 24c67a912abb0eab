import { afterEach, describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import type { ScopedLogger } from '../../../src/otel/api/scoped-logger.ts'
import type { EmittedLogRecord } from '../../../src/otel/api/types.ts'
import { nested, revoked, thrower, traps } from '../../support/values/hostile.ts'
import { emitting, type Emitted } from './emitting.ts'

const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }

afterEach(() => api.context.disable())

/** Emits a record and returns the exported one. */
function emit(record: unknown, alone = true): Emitted {
  const { provider, emitted } = emitting({}, alone)
  provider.getLogger('test').emit(record as EmittedLogRecord)
  expect(emitted()).toHaveLength(1)
  return emitted()[0]!
}

/** Emits a record with the official SDK and returns the exported one, or undefined if nothing was exported. */
function official(record: unknown): ReturnType<InMemoryLogRecordExporter['getFinishedLogRecords']>[number] | undefined {
  const exporter = new InMemoryLogRecordExporter()
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] })
  provider.getLogger('test').emit(record as api.LogRecord)
  return exporter.getFinishedLogRecords()[0]
}

describe.each([
  ['one exporter', true],
  ['exporters of two formats', false],
])('fields of an emitted record, with %s', (_, alone) => {
  // Requirements: API3
  test('every field of an emitted record is exported', () => {
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

  // Requirements: API3, API6, SDK11
  test('a record without fields is exported with its timestamps alone', () => {
    const before = Date.now()
    const { timeUnixNano, observedTimeUnixNano, attributes, ...rest } = emit({}, alone)
    expect(observedTimeUnixNano).toBe(timeUnixNano)
    expect(Number(timeUnixNano!.slice(0, -6))).toBeGreaterThanOrEqual(before)
    expect([attributes.size, rest]).toEqual([0, {}])
  })

  // Requirements: SDK11
  test('a record with only a timestamp has the current time as observed timestamp', () => {
    const before = Date.now()
    const { timeUnixNano, observedTimeUnixNano } = emit({ timestamp: new Date(1_000), body: 'old' }, alone)
    expect(timeUnixNano).toBe('1000000000')
    expect(Number(observedTimeUnixNano!.slice(0, -6))).toBeGreaterThanOrEqual(before)
  })
})

// Requirements: D4, ERR1
describe('invalid arguments of emit', () => {
  const cases: [string, unknown][] = [
    ['no argument', undefined],
    ['null', null],
    ['attributes that are null', { attributes: null, body: 'x' }],
    ['a timestamp that is a string', { timestamp: '2026-11-21' }],
    ['a timestamp that is a bigint', { timestamp: 1_700_000_000_000_000_000n }],
    [
      'an attribute whose getter throws',
      { attributes: Object.defineProperty({}, 'a', { get: thrower, enumerable: true }) },
    ],
    ['attributes 20,000 levels deep', { attributes: { deep: nested(20_000) } }],
    ['a revoked proxy', revoked()],
    ['attributes that are a revoked proxy', { attributes: revoked() }],
  ]
  test.each(cases)('emit does not throw for %s, unlike the official SDK', (_, record) => {
    expect(() => official(record)).toThrow(Error)
    expect(emit(record).timeUnixNano).toBeDefined()
    expect(emit(record, false).timeUnixNano).toBeDefined()
  })

  test.each<[string, unknown]>([
    ['a record that is a string', 'text'],
    ['a proxy that traps everything', new Proxy({}, traps)],
    ['a body that is a revoked proxy', { body: revoked() }],
    ['an exception that is a revoked proxy', { exception: revoked() }],
    ['a context that is a number', { context: 5 }],
    ['a context that throws when it is read', { context: { getValue: thrower } }],
    [
      'severity fields and an event name of the wrong types',
      { severityNumber: 'INFO', severityText: 5, eventName: {} },
    ],
    ['attributes that are a string', { attributes: 'a=1' }],
  ])('emit does not throw for %s', (_, record) => {
    expect(emit(record).timeUnixNano).toBeDefined()
    expect(emit(record, false).timeUnixNano).toBeDefined()
  })

  // Requirements: ERR4
  test('a field whose getter throws is replaced or omitted, and the other fields are kept', () => {
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

  test('emit on an exhausted stack drops at most its own record, and counts it', async () => {
    const { provider, emitted } = emitting({}, true)
    const logger = provider.getLogger('test')
    let calls = 0
    // Without a free stack frame the engine cannot call emit: that RangeError propagates to the caller.
    let entered = 0
    const deeper = (): void => {
      try {
        deeper()
      } catch {
        if (calls++ > 1_000) return
        logger.emit({ body: 'x', severityNumber: calls % 2 === 0 ? 17 : 0, attributes: { a: [1] } })
        entered++
        throw new RangeError('continue')
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
  test.each([[0], [25], [-1], [9.5], [NaN], [Infinity], ['9'], [null]])(
    'a severity number of %p is unspecified',
    (severityNumber) => {
      const { lines, provider, emitted } = emitting()
      provider.getLogger('a').emit({ severityNumber: severityNumber as number, body: 'x' })
      expect(emitted()[0]!.severityNumber).toBeUndefined()
      expect(lines()[0]).toMatchObject({ level: 'info', severity_number: 0 })
    },
  )

  // Requirements: SEV4, SEV6
  test('JSON lines have the short severity name if there is no severity text, and OTLP has none', () => {
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

  test('records with one severity text can have several severity numbers', () => {
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

  // Requirements: API3, SDK12
  test('a record without a context belongs to the active span', () => {
    expect(spanIdOf({ body: 'x' })).toBe(active.spanId)
  })

  // Requirements: D6
  test('a record whose context is undefined belongs to the active span, unlike with the official SDK', () => {
    expect(spanIdOf({ body: 'x', context: undefined })).toBe(active.spanId)
    expect(spanIdOf({ body: 'x', context: null })).toBe(active.spanId)
    inSpan(() => expect(official({ body: 'x', context: undefined })!.spanContext).toBeUndefined())
  })

  // Requirements: SDK12
  test('a record with a context belongs to the span of that context, or to none if it has no span', () => {
    expect(spanIdOf({ context: api.trace.setSpanContext(api.ROOT_CONTEXT, span) })).toBe(span.spanId)
    expect(spanIdOf({ context: api.ROOT_CONTEXT })).toBeUndefined()
  })

  test('a record has no span id with traceContext: false', () => {
    const { provider, emitted } = emitting({ traceContext: false })
    inSpan(() => provider.getLogger('a').emit({ body: 'x' }))
    expect(emitted()[0]!.spanId).toBeUndefined()
  })
})

describe('the body', () => {
  test('placeholders in a string body are not replaced', () => {
    expect(emit({ body: '{a} %s', attributes: { a: 1 } }).body).toEqual({ stringValue: '{a} %s' })
  })

  // Requirements: D5
  test('a body can contain dates, Maps, Sets, URLs and errors, which are empty values in the official SDK', () => {
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

  // Requirements: D5
  test('a circular reference in a body becomes [Circular], while the official SDK loses the whole batch', () => {
    const body: Record<string, unknown> = { a: 1 }
    body['self'] = body
    expect(emit({ body }).body!.kvlistValue!.values[1]!.value).toEqual({ stringValue: '[Circular]' })
  })

  // Requirements: D5
  test('later changes to a body do not affect the emitted record, unlike with the official SDK', () => {
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
  // Requirements: D8
  test('attribute values without an OTLP type are converted, while the official SDK drops them', () => {
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

  // Requirements: D20, REC3
  test('later changes to attribute bytes do not affect the emitted record, unlike with the official SDK', () => {
    const { provider, emitted } = emitting()
    const bytes = Uint8Array.of(1, 2, 3)
    const record = official({ attributes: { bytes } })!
    provider.getLogger('a').emit({ attributes: { bytes } })
    bytes.fill(0)
    expect(emitted()[0]!.attributes.get('bytes')).toEqual({ bytesValue: 'AQID' })
    expect(record.attributes).toEqual({ bytes: Uint8Array.of(0, 0, 0) })
  })

  // Requirements: D24
  test('attributes named __proto__, constructor and toString are kept, while the official SDK drops __proto__', () => {
    const attributes = JSON.parse('{"__proto__":{"a":1},"constructor":"c","toString":"t"}') as object
    expect([...emit({ attributes }).attributes.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.keys(official({ attributes })!.attributes)).not.toContain('__proto__')
    expect(({} as { a?: number }).a).toBeUndefined()
  })

  // Requirements: JS9
  test('undefined attributes are omitted, and null, 0, "" and false are kept', () => {
    const { attributes } = emit({ attributes: { a: undefined, b: null, c: 0, d: '', e: false } })
    expect(Object.fromEntries(attributes)).toEqual({
      b: {},
      c: { intValue: '0' },
      d: { stringValue: '' },
      e: { boolValue: false },
    })
  })

  test('attributes and the body of a record are redacted before it is queued', () => {
    const { provider, emitted } = emitting({ redact: { keys: ['password'] } })
    provider.getLogger('a').emit({ attributes: { user: { password: 'p' } }, body: { password: 'p' } })
    expect(JSON.stringify([emitted()[0]!.body, [...emitted()[0]!.attributes]])).not.toContain('"p"')
  })

  test.each<[string, readonly string[], unknown]>([
    ['an object, with the paths of attributes', ['card.pin'], { card: { pin: 'secret' } }],
    ['an array, with the paths of attributes in its items', ['card.pin'], [{ card: { pin: 'secret' } }]],
    ['a Map', ['pin'], new Map([['pin', 'secret']])],
    ['an Error, with the paths of the exception', ['err.message'], new Error('secret')],
  ])('a body is redacted if it is %s', (_, redact, body) => {
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

  // Requirements: EXC1, API4
  test('an exception becomes exception.type, exception.message and exception.stacktrace', () => {
    const { attributes } = emit({ exception: failure })
    expect(attributes.get('exception.type')).toEqual({ stringValue: 'PaymentError' })
    expect(attributes.get('exception.message')).toEqual({ stringValue: 'declined' })
    expect(attributes.get('exception.stacktrace')!.stringValue).toMatch(/declined\n {4}at /)
  })

  // Requirements: EXC3, D7
  test('an exception has its class as type and keeps its code and cause, unlike with the official SDK', () => {
    const { attributes } = emit({ exception: failure })
    expect(attributes.get('exception.type')).toEqual({ stringValue: 'PaymentError' })
    expect(attributes.get('exception.stacktrace')!.stringValue).toContain('TypeError: no route')
    expect(attributes.get('err')!.kvlistValue!.values[0]).toEqual({ key: 'code', value: { stringValue: 'ECONNRESET' } })
    const found = official({ exception: failure })!.attributes
    expect(found).toMatchObject({ 'exception.type': 'ECONNRESET' })
    expect(JSON.stringify(found)).not.toContain('no route')
  })

  // Requirements: LIM3, D7
  test('an exception is kept when its record reaches the attribute limit, unlike with the official SDK', () => {
    const attributes = Object.fromEntries(Array.from({ length: 128 }, (_, index) => [`a${index}`, index]))
    const record = emit({ attributes, exception: failure })
    expect([record.attributes.size, record.droppedAttributesCount]).toEqual([128, 4])
    expect(record.attributes.has('exception.type')).toBe(true)
    expect(record.attributes.has('exception.stacktrace')).toBe(true)
    expect(official({ attributes, exception: failure })!.attributes).not.toHaveProperty(['exception.type'])
  })

  // Requirements: EXC2
  test('attributes of a record override exception attributes with the same keys', () => {
    const { attributes } = emit({ exception: failure, attributes: { 'exception.type': 'mine' } })
    expect(attributes.get('exception.type')).toEqual({ stringValue: 'mine' })
    expect(attributes.get('exception.message')).toEqual({ stringValue: 'declined' })
  })

  // Requirements: EXC1
  test.each<[string, unknown, string, string]>([
    ['a string', 'boom', 'string', 'boom'],
    ['a number', 5, 'number', '5'],
    ['a symbol, for which the official SDK throws', Symbol('s'), 'symbol', 'Symbol(s)'],
    ['a function', () => {}, 'function', '[Function]'],
    ['an object parsed from JSON', { name: 'RangeError', message: 'm', stack: 's' }, 'RangeError', 'm'],
  ])('an exception can be %s', (_, exception, type, message) => {
    const { attributes } = emit({ exception })
    expect(attributes.get('exception.type')).toEqual({ stringValue: type })
    expect(attributes.get('exception.message')).toEqual({ stringValue: message })
  })

  test.each([[undefined], [null]])('an exception of %p adds no attributes', (exception) => {
    expect(emit({ exception, body: 'x' }).attributes.size).toBe(0)
  })
})

// Requirements: EVT1
test('an event record has its event name and a timestamp', () => {
  const { eventName, timeUnixNano } = emit({ eventName: 'order.placed', attributes: { id: 1 } })
  expect([eventName, timeUnixNano]).toEqual(['order.placed', expect.stringMatching(/^\d{19}$/)])
  expect(emit({ eventName: '' }).eventName).toBeUndefined()
})

// Requirements: ERR4
test('the clock option sets the timestamp, and the system clock is used when it throws', () => {
  let logger: ScopedLogger | undefined
  const { provider, emitted } = emitting({ clock: () => (emitted().length === 0 ? 5 : thrower()) })
  logger = provider.getLogger('a')
  logger.emit({})
  logger.emit({})
  expect(emitted()[0]!.timeUnixNano).toBe('5000000')
  expect(emitted()[1]!.timeUnixNano).toMatch(/^\d{19}$/)
})
