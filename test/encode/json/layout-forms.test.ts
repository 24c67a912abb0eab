import { describe, expect, test } from '@jest/globals'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { LayoutName } from '../../../src/encode/json/layout-bases.ts'
import type { Layout } from '../../../src/encode/json/layout.ts'
import { emptyScopeDetails, type LogRecord } from '../../../src/record/record.ts'
import { recordOf, rules, span, time } from '../../support/values/records.ts'

function line(layout: LayoutName | Layout, record: LogRecord): Record<string, unknown> {
  return JSON.parse(encoderFor(jsonLines(layout), rules).encode(record) as string) as Record<string, unknown>
}

/** What each severity number is, from 0 to 25. */
function levels(layout: LayoutName, key: string): unknown[] {
  return Array.from({ length: 26 }, (_, severity) => line(layout, recordOf({ severity, level: 'own' }))[key])
}

const twice = (name: string): string[] => [name, name]
const often = (name: string): string[] => [...twice(name), ...twice(name)]

describe('a level', () => {
  test('as pino counts is 10 for trace, 30 for info, 60 for fatal, what lies between in proportion', () => {
    expect(levels('pino', 'level')).toEqual([
      30, 10, 12, 15, 17, 20, 22, 25, 27, 30, 32, 35, 37, 40, 42, 45, 47, 50, 52, 55, 57, 60, 62, 65, 67, 67,
    ])
  })

  test("is the LogSeverity that Google's exporter of the Collector makes of it", () => {
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

  test('as a standard one is that of its range, for Datadog would read another word into a name of our own', () => {
    const names = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].flatMap((name) => [name, name, name, name])
    expect(levels('datadog', 'status')).toEqual(['info', ...names, 'fatal'])
    expect(line('datadog', recordOf({ severity: 10, level: 'audit' }))).toMatchObject({ 'otel.severity_number': 10 })
    expect(Object.keys(line('datadog', recordOf()))).not.toContain('otel.severity_number')
  })

  test('without a name has that of its number', () => {
    expect(line('ecs', recordOf({ severity: 14, level: '' }))['log.level']).toBe('warn2')
    expect(line({ base: 'ecs', level: 'NAME' }, recordOf({ severity: 14, level: '' }))['log.level']).toBe('WARN2')
  })
})

describe('a time', () => {
  test.each<[Layout['time'], Partial<LogRecord>, unknown]>([
    ['isoMillis', {}, '2026-11-21T09:56:03.123Z'],
    ['isoMicros', {}, '2026-11-21T09:56:03.123000Z'],
    ['isoMicros', { time: time + 0.25 }, '2026-11-21T09:56:03.123250Z'],
    ['isoMicros', { exact: { nanos: 4_567, observed: undefined } }, '2026-11-21T09:56:03.123004Z'],
    ['isoMicros', { time: -0.5 }, '1969-12-31T23:59:59.999500Z'],
    ['epochMillis', { time: time + 0.7 }, time],
    ['epochNanos', {}, `${time}000000`],
    ['epochNanos', { time: time + 0.25 }, `${time}250000`],
    ['epochNanos', { exact: { nanos: 4_567, observed: undefined } }, `${time}004567`],
    ['epochNanos', { time: 0 }, '0'],
    ['epochNanos', { time: -1, exact: { nanos: 1, observed: undefined } }, '-999999'],
  ])('as %s, of %j, is %p', (form, parts, expected) => {
    expect(line({ time: form! }, recordOf(parts))['timestamp']).toBe(expected)
  })

  test('that differs by nanoseconds only is not taken for the one before', () => {
    const encoder = encoderFor(jsonLines({ time: 'epochNanos' }), rules)
    const nanos = [1, 2, undefined, 3].map(
      (nanos) => encoder.encode(recordOf({ exact: { nanos, observed: undefined } })) as string,
    )
    expect(nanos.map((text) => (JSON.parse(text) as { timestamp: string }).timestamp)).toEqual([
      `${time}000001`,
      `${time}000002`,
      `${time}000000`,
      `${time}000003`,
    ])
  })
})

describe('a span', () => {
  const traced = recordOf({ span })

  test('has the names and forms of Cloud Logging, with the project where it is known', () => {
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

  test('is the low 64 bits in decimals for Datadog', () => {
    expect(line('datadog', traced)).toMatchObject({
      'dd.trace_id': BigInt(`0x${span.traceId.slice(16)}`).toString(),
      'dd.span_id': BigInt(`0x${span.spanId}`).toString(),
    })
  })
})

/** The names of a line, and what stands in the object. */
function names(
  layout: LayoutName | Layout,
  attributes: object,
  bound: ReadonlyMap<string, string> = new Map(),
): { readonly top: string[]; readonly object: unknown } {
  const parsed = line(layout, recordOf({ body: 'm', attributes }, { attributes: bound }))
  return { top: Object.keys(parsed), object: parsed['attributes'] }
}

describe('attributes at the top level', () => {
  test('stand behind all that is ours', () => {
    expect(names('datadog', { usr: { id: 1 }, duration: 2 })).toEqual({
      top: ['timestamp', 'status', 'message', 'usr', 'duration'],
      object: undefined,
    })
  })

  test('stay in the object where they have the name of a field, or lead to one by a dot', () => {
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

  test('do so whoever says them, and where a constant has their name', () => {
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

  test('a name that has to be escaped is recognized', () => {
    expect(names({ attributes: 'flat', constants: { 'a"\u0007': 1 } }, { 'a"\u0007': 2 }).object).toEqual({
      'a"\u0007': 2,
    })
  })

  test('are left out with the object', () => {
    expect(names({ attributes: 'flat', keys: { attributes: false } }, { a: 1, level: 2 }).top).toEqual([
      'timestamp',
      'level',
      'message',
    ])
  })
})

describe('an exception', () => {
  const error = Object.assign(new TypeError('no route', { cause: { retry: 3 } }), { code: 'E_ROUTE' })
  const failed = (parts: Partial<LogRecord> = {}): LogRecord => recordOf({ body: 'm', exception: error, ...parts })
  const stack = expect.stringMatching(/^TypeError: no route\n/)

  test('is one object with the own members of the Error, for pino', () => {
    expect(line('pino', failed())).toEqual({
      level: 30,
      time,
      msg: 'm',
      err: { type: 'TypeError', message: 'no route', stack, code: 'E_ROUTE', cause: { retry: 3 } },
    })
  })

  test('has a field for each part, and its own members stay attributes', () => {
    expect(line('ecs', failed())).toMatchObject({
      'error.type': 'TypeError',
      'error.message': 'no route',
      'error.stack_trace': stack,
      attributes: { err: { code: 'E_ROUTE', cause: { retry: 3 } } },
    })
  })

  test('keeps among the attributes what the layout has no field for', () => {
    const { stack_trace: trace, attributes } = line('gcp', failed())
    expect(trace).toEqual(stack)
    expect(attributes).toMatchObject({ 'exception.type': 'TypeError', 'exception.message': 'no route' })
    expect(attributes).not.toHaveProperty(['exception.stacktrace'])
  })

  test('leaves parts out where a layout says so, and stands beside its fields in one object', () => {
    const keys = { exception: 'e', exceptionType: 't', exceptionStacktrace: false } as const
    const { t, e } = line({ keys }, failed())
    expect({ t, e }).toEqual({ t: 'TypeError', e: { message: 'no route', code: 'E_ROUTE', cause: { retry: 3 } } })
  })

  test('leaves alone what a call says under the names of its members', () => {
    const attributes = { err: { a: 1 }, error: { b: 2 } }
    const { err, attributes: rest } = line('pino', failed({ attributes }))
    expect(err).toEqual({ type: 'TypeError', message: 'no route', stack })
    expect(rest).toEqual({ err: { a: 1 } })
    expect(line('pino', failed({ attributes }))['error']).toEqual({ b: 2 })
  })

  test('gives way to the limit of a record, whatever its length, and the keys of attributes do not', () => {
    for (let length = 0; length < 200; length++) {
      const long = Object.assign(new Error('m'), { stack: 'at '.repeat(length), code: { deep: 'x'.repeat(1_000) } })
      const encoder = encoderFor(jsonLines('pino'), { ...rules, limits: { ...rules.limits, recordBytes: 300 } })
      const text = encoder.encode(recordOf({ body: 'm', exception: long, attributes: { a: 'y'.repeat(90) } })) as string
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300)
      expect(JSON.parse(text)).toMatchObject({ a: expect.anything(), err: { type: 'Error' } })
    }
  })

  test('is not what a call says under its names', () => {
    const attributes = { 'exception.type': 'forged', 'exception.message': 'forged' }
    expect(line('ecs', recordOf({ attributes }))).toMatchObject({ attributes })
    expect(Object.keys(line('ecs', recordOf({ attributes })))).not.toContain('error.type')
    const both = line('datadog', failed({ attributes }))
    expect(both).toMatchObject({ ...attributes, 'error.stack': stack })
    expect(Object.keys(both)).not.toContain('error.kind')
  })
})

test('who speaks is said where a schema has a place for it, and by the names of OpenTelemetry elsewhere', () => {
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
  const said = (layout: LayoutName | Layout): object => {
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
  expect(said('pino')).toEqual({ name: 'checkout', ...version, ...event, 'service.name': 'shop' })
  expect(said('gcp')).toEqual({
    'otel.scope.name': 'checkout',
    ...version,
    ...event,
    serviceContext: { service: 'shop', version: '7' },
  })
  expect(said('ecs')).toEqual({
    'ecs.version': '8.11.0',
    'log.logger': 'checkout',
    ...version,
    ...event,
    'service.name': 'shop',
    'service.version': '7',
  })
  expect(said('datadog')).toEqual({ 'logger.name': 'checkout', 'logger.version': '2.1.0', ...event, service: 'shop' })
  expect(said({ base: 'gcp', resource: 'none' })).not.toHaveProperty('serviceContext')
  expect(said({ base: 'datadog', resource: 'all' })).toMatchObject({
    resource: { 'service.name': 'shop', 'service.version': '7' },
  })
  expect(said({ base: 'datadog', resource: 'all' })).not.toHaveProperty('service')
})
