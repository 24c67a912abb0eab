import { describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { createLogger } from '../../../src/create/create-logger.ts'
import type { RootLogger } from '../../../src/logger/types.ts'
import type { LoggerProviderOptions } from '../../../src/otel/provider/provider-options.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import { formats, recordsOf, type Json } from './formats.ts'

const now = 1_795_254_963_123
const nowNanos = `${now}000000`
const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
const contextOf = (given: object) => api.trace.setSpanContext(api.ROOT_CONTEXT, given as api.SpanContext)

describe.each(formats)('record fields in %s', (_, open, requests) => {
  function emitted(fields: object, options: LoggerProviderOptions = {}): Json {
    const keeper = open()
    const provider = createLoggerProvider({ exporter: keeper, handleExit: false, clock: () => now, ...options })
    provider.getLogger('a').emit(fields)
    return recordsOf(requests(keeper)[0]!)[0]!
  }

  // Requirements: DM1, DM2, SDK11
  test.each<[string, object, string, string]>([
    ['no timestamp', {}, nowNanos, nowNanos],
    ['a timestamp', { timestamp: [5, 6] }, '5000000006', nowNanos],
    ['an observed timestamp', { observedTimestamp: [7, 8] }, '7000000008', '7000000008'],
    ['both timestamps', { timestamp: [5, 6], observedTimestamp: [7, 8] }, '5000000006', '7000000008'],
  ])(
    'a record that is emitted with %s keeps nanosecond precision and always has an observed timestamp',
    (_, fields, time, observed) => {
      expect(emitted(fields)).toMatchObject({ timeUnixNano: time, observedTimeUnixNano: observed })
    },
  )

  // Requirements: DM2
  test('records of a logger and of its child have the time of the log call as observed timestamp', () => {
    const uses: ((log: RootLogger) => void)[] = [
      (log) => log.info('m'),
      (log) => log.child({ k: 1 }).error('m', new Error('no')),
    ]
    for (const use of uses) {
      const keeper = open()
      use(createLogger({ exporter: keeper, handleExit: false, clock: () => now }))
      const [record] = recordsOf(requests(keeper)[0]!)
      expect(record).toMatchObject({ timeUnixNano: nowNanos, observedTimeUnixNano: nowNanos })
    }
  })

  // Requirements: DM3
  test('a record has a severity number from 1 to 24, and none for any other value', () => {
    for (let severityNumber = 1; severityNumber <= 24; severityNumber++) {
      expect(emitted({ severityNumber })['severityNumber']).toBe(severityNumber)
    }
    for (const severityNumber of [0, -1, 25, 1.5, NaN, Infinity, '9', null, undefined]) {
      expect(emitted({ severityNumber })['severityNumber'] ?? 0).toBe(0)
    }
  })

  // Requirements: DM4
  test('the severity text is written unchanged, regardless of the severity number', () => {
    expect(emitted({ severityText: 'Warnung', severityNumber: 13 })['severityText']).toBe('Warnung')
    expect(emitted({ severityText: 'only text' })['severityText']).toBe('only text')
    expect(emitted({ severityNumber: 13 })).not.toHaveProperty('severityText')
  })

  // Requirements: DM5, JS9
  test.each<[string, unknown, object]>([
    ['a string', 'x', { stringValue: 'x' }],
    ['an empty string', '', { stringValue: '' }],
    ['a boolean', false, { boolValue: false }],
    ['a double', 0.5, { doubleValue: 0.5 }],
    ['bytes', Uint8Array.of(1), { bytesValue: 'AQ==' }],
    ['an array', ['x'], { arrayValue: { values: [{ stringValue: 'x' }] } }],
    ['a map', { k: 'x' }, { kvlistValue: { values: [{ key: 'k', value: { stringValue: 'x' } }] } }],
    ['null', null, {}],
  ])('a body that is %s is written, and a record without a body has none', (_, body, expected) => {
    expect(emitted({ body })['body']).toEqual(expected)
    expect(emitted({})).not.toHaveProperty('body')
  })

  // Requirements: DM7, LIM3
  test('droppedAttributesCount is the number of attributes over the limit', () => {
    const attributes = { a: 1, b: 2, c: 3, d: 4 }
    expect(emitted({ attributes }, { limits: { attributes: 3 } })['droppedAttributesCount']).toBe(1)
    expect(emitted({ attributes }, { limits: { attributes: 1 } })['droppedAttributesCount']).toBe(3)
    expect(emitted({ attributes }, { limits: { attributes: 4 } })['droppedAttributesCount'] ?? 0).toBe(0)
  })

  // Requirements: DM8
  test.each([0, 1, 0x80, 0xff, 0x100, 0x101, 0xffff_ff01])(
    'a record has only the low eight bits of the trace flags %i',
    (traceFlags) => {
      expect(emitted({ context: contextOf({ ...span, traceFlags }) })['flags'] ?? 0).toBe(traceFlags & 0xff)
    },
  )

  // Requirements: DM9, DM10
  test.each<[string, object]>([
    ['a trace id of zeros', { ...span, traceId: '0'.repeat(32) }],
    ['a short trace id', { ...span, traceId: span.traceId.slice(1) }],
    ['a long trace id', { ...span, traceId: `${span.traceId}0` }],
    ['a trace id that is not hex', { ...span, traceId: 'g'.repeat(32) }],
    ['a span id of zeros', { ...span, spanId: '0'.repeat(16) }],
    ['a short span id', { ...span, spanId: span.spanId.slice(1) }],
    ['no trace id', { spanId: span.spanId, traceFlags: 1 }],
  ])('a record has no trace context when its span has %s', (_, given) => {
    const record = emitted({ context: contextOf(given) })
    expect([record['traceId'], record['spanId'], record['flags'] ?? 0]).toEqual([undefined, undefined, 0])
    expect(emitted({ context: contextOf(span) })).toMatchObject({ traceId: span.traceId, spanId: span.spanId })
  })

  // Requirements: DM11
  test('a record has an event name only if it is a non-empty string', () => {
    expect(emitted({ eventName: 'order.placed' })['eventName']).toBe('order.placed')
    for (const eventName of ['', undefined, null, 5]) expect(emitted({ eventName })).not.toHaveProperty('eventName')
  })
})
