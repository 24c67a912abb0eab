import { describe, expect, test } from '@jest/globals'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { LayoutName } from '../../../src/encode/json/layout-bases.ts'
import type { Layout } from '../../../src/encode/json/layout.ts'
import type { LogRecord } from '../../../src/record/record.ts'
import { emptyScopeDetails } from '../../../src/record/instrumentation-source.ts'
import { recordOf, rules, span, time } from '../../support/values/records.ts'

function line(layout: LayoutName | Layout, record: LogRecord): Record<string, unknown> {
  return JSON.parse(encoderFor(jsonLines(layout), rules).encode(record) as string) as Record<string, unknown>
}

/** Returns the value of a key for each severity number from 0 to 25. */
function levels(layout: LayoutName, key: string): unknown[] {
  return Array.from({ length: 26 }, (_, severity) => line(layout, recordOf({ severity, level: 'own' }))[key])
}

const twice = (name: string): string[] => [name, name]
const often = (name: string): string[] => [...twice(name), ...twice(name)]

describe('levels in layouts', () => {
  test('the pino layout writes 10 for trace, 30 for info, 60 for fatal and proportional numbers between them', () => {
    expect(levels('pino', 'level')).toEqual([
      30, 10, 12, 15, 17, 20, 22, 25, 27, 30, 32, 35, 37, 40, 42, 45, 47, 50, 52, 55, 57, 60, 62, 65, 67, 67,
    ])
  })

  test('the gcp layout writes the LogSeverity that the Google exporter of the Collector writes', () => {
    expect(levels('gcp', 'severity')).toEqual([
      'DEFAULT',
      ...often('DEBUG'),
      ...often('DEBUG'),
      ...twice('INFO'),
      ...twice('NOTICE'),
      ...often('WARNING'),
      ...often('ERROR'),
      ...twice('CRITICAL'),
      'ALERT',
      ...twice('EMERGENCY'),
    ])
  })

  test('the datadog layout writes the standard level of the range, because Datadog misreads custom names', () => {
    const names = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].flatMap((name) => [name, name, name, name])
    expect(levels('datadog', 'status')).toEqual(['info', ...names, 'fatal'])
    expect(line('datadog', recordOf({ severity: 10, level: 'audit' }))).toMatchObject({ 'otel.severity_number': 10 })
    expect(Object.keys(line('datadog', recordOf()))).not.toContain('otel.severity_number')
  })

  test('a level without a name has the name of its severity number', () => {
    expect(line('ecs', recordOf({ severity: 14, level: '' }))['log.level']).toBe('warn2')
    expect(line({ base: 'ecs', level: 'NAME' }, recordOf({ severity: 14, level: '' }))['log.level']).toBe('WARN2')
  })
})

describe('timestamps in layouts', () => {
  test.each<[Layout['time'], Partial<LogRecord>, unknown]>([
    ['isoMillis', {}, '2026-11-21T09:56:03.123Z'],
    ['isoMicros', {}, '2026-11-21T09:56:03.123000Z'],
    ['isoMicros', { time: time + 0.25 }, '2026-11-21T09:56:03.123250Z'],
    ['isoMicros', { exactTimes: { nanos: 4_567, observedNanos: undefined } }, '2026-11-21T09:56:03.123004Z'],
    ['isoMicros', { time: -0.5 }, '1969-12-31T23:59:59.999500Z'],
    ['epochMillis', { time: time + 0.7 }, time],
    ['epochNanos', {}, `${time}000000`],
    ['epochNanos', { time: time + 0.25 }, `${time}250000`],
    ['epochNanos', { exactTimes: { nanos: 4_567, observedNanos: undefined } }, `${time}004567`],
    ['epochNanos', { time: 0 }, '0'],
    ['epochNanos', { time: -1, exactTimes: { nanos: 1, observedNanos: undefined } }, '-999999'],
  ])('a timestamp as %s, of %j, is %p', (form, parts, expected) => {
    expect(line({ time: form! }, recordOf(parts))['timestamp']).toBe(expected)
  })

  test('a timestamp that differs only by nanoseconds is not read from the cache', () => {
    const encoder = encoderFor(jsonLines({ time: 'epochNanos' }), rules)
    const nanos = [1, 2, undefined, 3].map(
      (nanos) => encoder.encode(recordOf({ exactTimes: { nanos, observedNanos: undefined } })) as string,
    )
    expect(nanos.map((text) => (JSON.parse(text) as { timestamp: string }).timestamp)).toEqual([
      `${time}000001`,
      `${time}000002`,
      `${time}000000`,
      `${time}000003`,
    ])
  })
})

describe('span context in layouts', () => {
  const traced = recordOf({ span })

  test('the gcp layout writes the trace fields of Cloud Logging, with the project if it is set', () => {
    const trace = 'logging.googleapis.com/trace'
    expect(line('gcp', traced)).toMatchObject({
      [trace]: span.traceId,
      'logging.googleapis.com/spanId': span.spanId,
      'logging.googleapis.com/trace_sampled': true,
    })
    expect(line({ base: 'gcp', project: 'my-project' }, traced)[trace]).toBe(
      `projects/my-project/traces/${span.traceId}`,
    )
    const unsampled = recordOf({ span: { ...span, traceFlags: 2 } })
    expect(line('gcp', unsampled)['logging.googleapis.com/trace_sampled']).toBe(false)
  })

  test('the datadog layout writes the low 64 bits of the ids as decimals', () => {
    expect(line('datadog', traced)).toMatchObject({
      'dd.trace_id': BigInt(`0x${span.traceId.slice(16)}`).toString(),
      'dd.span_id': BigInt(`0x${span.spanId}`).toString(),
    })
  })
})

/** Returns the keys of a line and the value of its attributes object. */
function names(
  layout: LayoutName | Layout,
  attributes: object,
  bound: ReadonlyMap<string, string> = new Map(),
): { readonly top: string[]; readonly object: unknown } {
  const parsed = line(layout, recordOf({ body: 'm', attributes }, { attributes: bound }))
  return { top: Object.keys(parsed), object: parsed['attributes'] }
}

describe('attributes at the top level', () => {
  test('flat attributes follow the fields of the layout', () => {
    expect(names('datadog', { usr: { id: 1 }, duration: 2 })).toEqual({
      top: ['timestamp', 'status', 'message', 'usr', 'duration'],
      object: undefined,
    })
  })

  test('flat attributes stay in the object if they have the name of a field or are a prefix of one', () => {
    const clashing = {
      status: 1,
      dd: { trace_id: '1' },
      error: 'text',
      'error.kind': 'X',
      level: 'fatal',
      hostname: 'h',
    }
    expect(names('datadog', { a: 1, ...clashing, attributes: 2 })).toEqual({
      top: ['timestamp', 'status', 'message', 'attributes', 'a'],
      object: { ...clashing, attributes: 2 },
    })
  })

  test('bound attributes stay in the object if they have the name of a constant', () => {
    const layout: Layout = { attributes: 'flat', constants: { env: 'staging' } }
    expect(
      names(
        layout,
        { b: 1 },
        new Map([
          ['env', 'forged'],
          ['a', 'x'],
        ]),
      ),
    ).toEqual({
      top: ['timestamp', 'level', 'env', 'message', 'attributes', 'a', 'b'],
      object: { env: 'forged' },
    })
  })

  test('a conflicting name that has to be escaped is detected', () => {
    expect(names({ attributes: 'flat', constants: { 'a"\u0007': 1 } }, { 'a"\u0007': 2 }).object).toEqual({
      'a"\u0007': 2,
    })
  })

  test('conflicting attributes are omitted if the attributes object is omitted', () => {
    expect(names({ attributes: 'flat', keys: { attributes: false } }, { a: 1, level: 2 }).top).toEqual([
      'timestamp',
      'level',
      'message',
    ])
  })
})

describe('exceptions in layouts', () => {
  const error = Object.assign(new TypeError('no route', { cause: { retry: 3 } }), { code: 'E_ROUTE' })
  const failed = (parts: Partial<LogRecord> = {}): LogRecord => recordOf({ body: 'm', exception: error, ...parts })
  const stack = expect.stringMatching(/^TypeError: no route\n/)

  test('the pino layout writes an exception as one object with the own members of the Error', () => {
    expect(line('pino', failed())).toEqual({
      level: 30,
      time,
      msg: 'm',
      err: { type: 'TypeError', message: 'no route', stack, code: 'E_ROUTE', cause: { retry: 3 } },
    })
  })

  test('the ecs layout has a field for each part of an exception and writes its own members as attributes', () => {
    expect(line('ecs', failed())).toMatchObject({
      'error.type': 'TypeError',
      'error.message': 'no route',
      'error.stack_trace': stack,
      attributes: { err: { code: 'E_ROUTE', cause: { retry: 3 } } },
    })
  })

  test('parts of an exception without a field in the layout are attributes', () => {
    const { stack_trace: trace, attributes } = line('gcp', failed())
    expect(trace).toEqual(stack)
    expect(attributes).toMatchObject({ 'exception.type': 'TypeError', 'exception.message': 'no route' })
    expect(attributes).not.toHaveProperty(['exception.stacktrace'])
  })

  test('a layout can omit parts of an exception and combine fields with one object', () => {
    const keys = { exception: 'e', exceptionType: 't', exceptionStacktrace: false } as const
    const { t, e } = line({ keys }, failed())
    expect({ t, e }).toEqual({ t: 'TypeError', e: { message: 'no route', code: 'E_ROUTE', cause: { retry: 3 } } })
  })

  test('attributes under the keys of an exception object are not changed', () => {
    const attributes = { err: { a: 1 }, error: { b: 2 } }
    const { err, attributes: rest } = line('pino', failed({ attributes }))
    expect(err).toEqual({ type: 'TypeError', message: 'no route', stack })
    expect(rest).toEqual({ err: { a: 1 } })
    expect(line('pino', failed({ attributes }))['error']).toEqual({ b: 2 })
  })

  test('an exception is truncated to recordBytes at every length, and the keys of attributes are not', () => {
    for (let length = 0; length < 200; length++) {
      const long = Object.assign(new Error('m'), { stack: 'at '.repeat(length), code: { deep: 'x'.repeat(1_000) } })
      const encoder = encoderFor(jsonLines('pino'), { ...rules, limits: { ...rules.limits, recordBytes: 300 } })
      const text = encoder.encode(recordOf({ body: 'm', exception: long, attributes: { a: 'y'.repeat(90) } })) as string
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300)
      expect(JSON.parse(text)).toMatchObject({ a: expect.anything(), err: { type: 'Error' } })
    }
  })

  test('attributes with the names of exception parts do not become the exception', () => {
    const attributes = { 'exception.type': 'forged', 'exception.message': 'forged' }
    expect(line('ecs', recordOf({ attributes }))).toMatchObject({ attributes })
    expect(Object.keys(line('ecs', recordOf({ attributes })))).not.toContain('error.type')
    const both = line('datadog', failed({ attributes }))
    expect(both).toMatchObject({ ...attributes, 'error.stack': stack })
    expect(Object.keys(both)).not.toContain('error.kind')
  })
})

test('scope and resource are written to the fields of a schema, or else under the names of OpenTelemetry', () => {
  const bound = {
    scope: { ...emptyScopeDetails, name: 'checkout', version: '2.1.0' },
    resource: {
      attributes: new Map([
        ['service.name', 'shop'],
        ['service.version', '7'],
      ]),
      serviceName: 'shop',
      schemaUrl: undefined,
    },
  }
  const fields = (layout: LayoutName | Layout): object => {
    const {
      timestamp,
      time,
      '@timestamp': at,
      level,
      'log.level': logLevel,
      severity,
      status,
      ...rest
    } = line(layout, recordOf({ eventName: 'order.placed' }, bound))
    void [timestamp, time, at, level, logLevel, severity, status]
    return rest
  }
  const event = { 'otel.event.name': 'order.placed' }
  const version = { 'otel.scope.version': '2.1.0' }
  expect(fields('pino')).toEqual({ name: 'checkout', ...version, ...event, 'service.name': 'shop' })
  expect(fields('gcp')).toEqual({
    'otel.scope.name': 'checkout',
    ...version,
    ...event,
    serviceContext: { service: 'shop', version: '7' },
  })
  expect(fields('ecs')).toEqual({
    'ecs.version': '8.11.0',
    'log.logger': 'checkout',
    ...version,
    ...event,
    'service.name': 'shop',
    'service.version': '7',
  })
  expect(fields('datadog')).toEqual({ 'logger.name': 'checkout', 'logger.version': '2.1.0', ...event, service: 'shop' })
  expect(fields({ base: 'gcp', resource: 'none' })).not.toHaveProperty('serviceContext')
  expect(fields({ base: 'datadog', resource: 'all' })).toMatchObject({
    resource: { 'service.name': 'shop', 'service.version': '7' },
  })
  expect(fields({ base: 'datadog', resource: 'all' })).not.toHaveProperty('service')
})
