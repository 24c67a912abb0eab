import { describe, expect, test } from '@jest/globals'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { layoutNames } from '../../../src/encode/json/layout-bases.ts'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { recordOf as logRecordOf, rules, span } from '../../support/values/records.ts'
import { attributesOf, plainValue, recordOf } from './read-line.ts'

const { traceId, spanId } = span

test.each(layoutNames)('the trace of a line of the layout %s is read', (layout) => {
  const line = encoderFor(jsonLines(layout), rules).encode(
    logRecordOf({ body: 'm', level: 'info', severity: 9, span }),
  ) as string
  const record = recordOf(line.trimEnd())
  // Datadog's IDs are the low 64 bits.
  expect(record.traceId).toBe(layout === 'datadog' ? '0'.repeat(16) + traceId.slice(16) : traceId)
  expect(record.spanId).toBe(spanId)
  expect(record.traceFlags).toBe(layout === 'datadog' || layout === 'ecs' ? undefined : 1)
})

// https://cloud.google.com/logging/docs/structured-logging and
// https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry
describe('lines of Google Cloud', () => {
  test('a structured log is read', () => {
    const record = recordOf({
      severity: 'ERROR',
      message: 'There was an error in the application.',
      httpRequest: { requestMethod: 'GET' },
      time: '2020-10-12T07:20:50.52Z',
      'logging.googleapis.com/insertId': '42',
      'logging.googleapis.com/labels': { user_label_1: 'value_1' },
      'logging.googleapis.com/spanId': '000000000000004a',
      'logging.googleapis.com/trace': 'projects/my-projectid/traces/06796866738c859f2f19b7cfb3214824',
      'logging.googleapis.com/trace_sampled': false,
    })
    expect(record).toMatchObject({
      format: 'gcp',
      time: Date.UTC(2020, 9, 12, 7, 20, 50, 520),
      level: 'error',
      severityNumber: 17,
      severityText: 'ERROR',
      message: 'There was an error in the application.',
      traceId: '06796866738c859f2f19b7cfb3214824',
      spanId: '000000000000004a',
      traceFlags: 0,
    })
    expect(attributesOf(record)).toEqual({
      httpRequest: { requestMethod: 'GET' },
      'logging.googleapis.com/insertId': '42',
      'logging.googleapis.com/labels': { user_label_1: 'value_1' },
    })
  })

  test('the forms of a timestamp are read', () => {
    const expected = { format: 'gcp', timeUnixNano: 1_602_487_250_520_000_001n }
    const line = { severity: 'NOTICE', message: 'm' }
    expect(recordOf({ ...line, timestamp: { seconds: 1_602_487_250, nanos: 520_000_001 } })).toMatchObject(expected)
    const separate = recordOf({ ...line, timestampSeconds: 1_602_487_250, timestampNanos: 520_000_001 })
    expect(separate).toMatchObject(expected)
    expect(attributesOf(separate)).toEqual({})
  })

  test.each([
    ['DEFAULT', 'default', 0],
    ['DEBUG', 'debug', 5],
    ['INFO', 'info', 9],
    ['NOTICE', 'notice', 11],
    ['WARNING', 'warn', 13],
    ['ERROR', 'error', 17],
    ['CRITICAL', 'critical', 21],
    ['ALERT', 'alert', 23],
    ['EMERGENCY', 'emergency', 24],
  ])('the severity %s is the level %s with the number %i', (severity, level, severityNumber) => {
    expect(recordOf({ severity, message: 'm' })).toMatchObject({ format: 'gcp', level, severityNumber })
  })

  test('an entry that gcloud reads is read with its payload', () => {
    const record = recordOf({
      insertId: 'x1',
      jsonPayload: { message: 'placed', order: 42, insertId: 'mine' },
      logName: 'projects/p/logs/run.googleapis.com%2Fstdout',
      receiveTimestamp: '2026-11-21T09:56:04.000000001Z',
      resource: { type: 'cloud_run_revision', labels: { service_name: 'shop' } },
      severity: 'INFO',
      timestamp: '2026-11-21T09:56:03.123456Z',
      trace: 'projects/p/traces/06796866738c859f2f19b7cfb3214824',
    })
    expect(record).toMatchObject({
      format: 'gcp',
      timeUnixNano: 1_795_254_963_123_456_000n,
      level: 'info',
      message: 'placed',
      traceId: '06796866738c859f2f19b7cfb3214824',
    })
    expect(attributesOf(record)).toMatchObject({ order: 42, insertId: 'x1', 'jsonPayload.insertId': 'mine' })
    expect(recordOf({ textPayload: 'plain', severity: 'ERROR', timestamp: '2026-11-21T09:56:03Z' })).toMatchObject({
      format: 'gcp',
      message: 'plain',
    })
  })

  test('the stack of Error Reporting is read as an exception', () => {
    const stack = 'TypeError: no route\n    at send (file:///app/mail.js:1:2)'
    const record = recordOf({
      severity: 'ERROR',
      message: 'failed',
      stack_trace: stack,
      serviceContext: { service: 'shop', version: '2' },
    })
    expect(attributesOf(record)).toEqual({
      'exception.type': 'TypeError',
      'exception.message': 'no route',
      'exception.stacktrace': stack,
    })
    expect(plainValue(record.resource)).toEqual({ 'service.name': 'shop', 'service.version': '2' })
  })
})

// https://docs.datadoghq.com/logs/log_configuration/attributes_naming_convention/ and
// https://docs.datadoghq.com/tracing/other_telemetry/connect_logs_and_traces/nodejs/
describe('lines of Datadog', () => {
  test('the reserved attributes, and the members that the tracer adds, are read', () => {
    const record = recordOf({
      date: 1_795_254_963_123,
      status: 'warn',
      message: 'slow',
      service: 'shop',
      host: 'web-1',
      dd: { trace_id: '13235353014750950193', span_id: '48', service: 'shop', version: '2', env: 'prod' },
      error: { kind: 'TypeError', message: 'no route', stack: 'TypeError: no route\n    at send', code: 'E' },
      duration: 5,
    })
    expect(record).toMatchObject({
      format: 'datadog',
      time: 1_795_254_963_123,
      level: 'warn',
      severityNumber: 13,
      message: 'slow',
      traceId: '0000000000000000b7ad6b7169203331',
      spanId: '0000000000000030',
    })
    expect(attributesOf(record)).toEqual({
      'exception.type': 'TypeError',
      'exception.message': 'no route',
      'exception.stacktrace': 'TypeError: no route\n    at send',
      error: { code: 'E' },
      duration: 5,
    })
    expect(plainValue(record.resource)).toEqual({
      'service.name': 'shop',
      'service.version': '2',
      'host.name': 'web-1',
      'deployment.environment.name': 'prod',
    })
  })

  test('the trace that the tracer adds to lines of pino is read, with 64 and with 128 bits', () => {
    const line = { level: 30, time: 1_795_254_963_123, pid: 1, hostname: 'h', msg: 'm' }
    const short = recordOf({ ...line, dd: { trace_id: '13235353014750950193', span_id: '48', service: 'shop' } })
    expect(short).toMatchObject({
      format: 'pino',
      traceId: '0000000000000000b7ad6b7169203331',
      spanId: '0000000000000030',
    })
    const long = recordOf({ ...line, dd: { trace_id: traceId, span_id: '48' } })
    expect(long).toMatchObject({ traceId })
    expect(attributesOf(long)).toEqual({})
  })
})

test('the IDs of Datadog that a line has as numbers keep all their digits', () => {
  // As Datadog's tracer for Go adds them to lines of logrus.
  const line = '{"dd.span_id":9223372036854775809,"dd.trace_id":13235353014750950193,"level":"info","msg":"m"}'
  expect(recordOf(line)).toMatchObject({ traceId: '0000000000000000b7ad6b7169203331', spanId: '8000000000000001' })
})

// https://www.elastic.co/guide/en/ecs-logging/overview/current/intro.html: dotted and nested names are equivalent.
test('nested fields of the Elastic Common Schema are read like dotted ones', () => {
  const record = recordOf({
    '@timestamp': '2026-11-21T09:56:03.123Z',
    log: { level: 'warn', logger: 'checkout', origin: { 'file.name': 'a.js' } },
    message: 'm',
    ecs: { version: '8.11.0' },
    trace: { id: traceId },
    span: { id: spanId },
    transaction: { id: 'b7ad6b7169203332' },
    service: { name: 'shop', version: '2' },
    process: { pid: 42, thread: { name: 'main' } },
    error: { type: 'TypeError', message: 'no route', stack_trace: 'TypeError: no route\n    at send', id: 'e1' },
  })
  expect(record).toMatchObject({ format: 'ecs', level: 'warn', scope: 'checkout', message: 'm', traceId, spanId })
  expect(attributesOf(record)).toEqual({
    log: { origin: { 'file.name': 'a.js' } },
    transaction: { id: 'b7ad6b7169203332' },
    process: { thread: { name: 'main' } },
    error: { id: 'e1' },
    'exception.type': 'TypeError',
    'exception.message': 'no route',
    'exception.stacktrace': 'TypeError: no route\n    at send',
  })
  expect(plainValue(record.resource)).toEqual({ 'service.name': 'shop', 'service.version': '2', 'process.pid': 42 })
})
