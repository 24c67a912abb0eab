import { describe, expect, test } from '@jest/globals'
import { TraceFlags, context, trace } from '@opentelemetry/api'
import { SeverityNumber } from '@opentelemetry/api-logs'
import { JsonLogsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { encoderFor } from '../../../src/encode/encoding.ts'
import type { ReadRecord } from '../../../src/read/record.ts'
import { recordOf as logRecordOf, rules, span, time } from '../../support/values/records.ts'
import { attributesOf, plainValue, readLine } from './read-line.ts'

function recordsOf(line: string | object): readonly ReadRecord[] {
  const read = readLine(typeof line === 'string' ? line : JSON.stringify(line))
  expect(read).toBeInstanceOf(Array)
  return read as readonly ReadRecord[]
}

const { traceId, spanId } = span

test('a request of the OpenTelemetry SDK is read with all its records, scopes and resources', () => {
  const exporter = new InMemoryLogRecordExporter()
  for (const name of ['shop', 'mail']) {
    const provider = new LoggerProvider({
      resource: resourceFromAttributes({ 'service.name': name, 'process.pid': 42 }),
      processors: [new SimpleLogRecordProcessor({ exporter })],
    })
    const log = provider.getLogger('checkout', '2.1.0')
    log.emit({
      timestamp: [1_795_254_963, 123_456_789],
      severityNumber: SeverityNumber.WARN2,
      severityText: 'WARNING',
      body: 'order placed',
      eventName: 'order.placed',
      attributes: {
        count: 42,
        ratio: 0.5,
        ok: true,
        list: ['a', 1],
        map: { b: null },
        bytes: new Uint8Array([104, 105]),
      },
      context: trace.setSpanContext(context.active(), { traceId, spanId, traceFlags: TraceFlags.SAMPLED }),
    })
    provider.getLogger('other').emit({ body: { structured: [1] }, timestamp: 1_795_254_963_124 })
  }
  const request = JsonLogsSerializer.serializeRequest(exporter.getFinishedLogRecords())!
  const records = recordsOf(Buffer.from(request).toString())
  expect(records.map(({ scope, resource }) => [resource.get('service.name'), scope])).toEqual([
    ['shop', 'checkout'],
    ['shop', 'other'],
    ['mail', 'checkout'],
    ['mail', 'other'],
  ])
  expect(records[0]).toMatchObject({
    format: 'otlp',
    timeUnixNano: 1_795_254_963_123_456_789n,
    severityNumber: 14,
    level: 'warning',
    severityText: 'WARNING',
    message: 'order placed',
    eventName: 'order.placed',
    scopeVersion: '2.1.0',
    traceId,
    spanId,
    traceFlags: 1,
  })
  expect(records[0]!.time).toBeCloseTo(1_795_254_963_123.456, 2)
  expect(attributesOf(records[0]!)).toEqual({
    count: 42,
    ratio: 0.5,
    ok: true,
    list: ['a', 1],
    map: { b: null },
    bytes: new Uint8Array([104, 105]),
  })
  expect(records[1]).toMatchObject({ level: '', severityNumber: 0, message: undefined, traceId: undefined })
  expect(plainValue(records[1]!.body)).toEqual({ structured: [1] })
  expect(plainValue(records[2]!.resource)).toEqual({ 'service.name': 'mail', 'process.pid': 42 })
})

test('a line that this package writes for the File Exporter is read', () => {
  const line = encoderFor(otlpJsonLines(), rules).encode(
    logRecordOf({ body: 'placed', level: 'notice', severity: 10, attributes: { a: 1n }, span, droppedAttributes: 3 }),
  ) as string
  const [record, ...others] = recordsOf(line.trimEnd())
  expect(others).toEqual([])
  expect(record).toMatchObject({
    level: 'notice',
    severityNumber: 10,
    time,
    message: 'placed',
    traceId,
    spanId,
    traceFlags: 1,
  })
  expect(attributesOf(record!)).toEqual({ a: 1, 'otel.dropped_attributes_count': 3 })
})

/** Returns a request with one record. */
function request(logRecord: object): object {
  return { resourceLogs: [{ scopeLogs: [{ logRecords: [logRecord] }] }] }
}

/** Returns an attribute whose value has this form. */
function valueOf(value: object): unknown {
  const [record] = recordsOf(request({ attributes: [{ key: 'a', value }] }))
  return attributesOf(record!)['a']
}

// The forms are those of the JSON encoding of OTLP: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
describe('values of OTLP/JSON', () => {
  test.each([
    ['a 64-bit integer as text', { intValue: '9223372036854775807' }, 9_223_372_036_854_775_807n],
    ['a small integer as text', { intValue: '-5' }, -5],
    ['an integer as a number', { intValue: 5 }, 5],
    ['a double', { doubleValue: 1.5 }, 1.5],
    ['an infinity', { doubleValue: '-Infinity' }, -Infinity],
    ['a text of bytes in base64', { bytesValue: 'aGk=' }, new Uint8Array([104, 105])],
    ['a flag', { boolValue: false }, false],
    ['no value', {}, null],
    ['an empty array', { arrayValue: {} }, []],
    [
      'nested values',
      { kvlistValue: { values: [{ key: '__proto__', value: { arrayValue: { values: [{}] } } }] } },
      [null],
    ],
    ['names of protobuf', { string_value: 's' }, 's'],
    ['a value of an unknown kind', { newValue: 1 }, null],
    ['a text that is not one', { stringValue: { a: 1 } }, { a: 1 }],
  ])('%s is read', (_, value, expected) => {
    const read = valueOf(value)
    expect(Object.hasOwn(value, 'kvlistValue') ? Object.values(read as object)[0] : read).toEqual(expected)
  })

  test.each([
    [13, 13],
    ['SEVERITY_NUMBER_WARN2', 14],
    ['SEVERITY_NUMBER_FATAL4', 24],
    ['SEVERITY_NUMBER_UNSPECIFIED', 0],
    [99, 0],
  ])('the severity number %j is read', (severityNumber, expected) => {
    expect(recordsOf(request({ severityNumber }))[0]!.severityNumber).toBe(expected)
  })

  test('the observed time is used for a record without a time', () => {
    const observed = { timeUnixNano: '0', observedTimeUnixNano: '1795254963123000000' }
    expect(recordsOf(request(observed))[0]!.time).toBe(1_795_254_963_123)
  })

  test('a request without records has none, and damaged parts are omitted', () => {
    expect(recordsOf({ resourceLogs: [] })).toEqual([])
    const damaged = {
      resourceLogs: [null, 5, { scopeLogs: 7 }, { scopeLogs: [{ logRecords: [null, { body: 'text' }, 'x'] }] }],
    }
    const records = recordsOf(damaged)
    expect(records).toHaveLength(1)
    expect(records[0]).toMatchObject({ format: 'otlp', time: undefined, level: '', body: undefined })
  })
})
