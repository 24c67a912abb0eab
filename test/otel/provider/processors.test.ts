import { afterEach, describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import * as currentSdk from '@opentelemetry/sdk-logs'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import type { LoggerProviderOptions } from '../../../src/otel/provider/provider-options.ts'
import type { ReadWriteLogRecord } from '../../../src/otel/api/types.ts'
import { thrower } from '../../support/values/hostile.ts'
import { emitting } from './emitting.ts'
import * as legacy from '../../legacy-otel/index.ts'

type Processors = NonNullable<LoggerProviderOptions['processors']>
// oxlint-disable-next-line typescript/no-explicit-any
type Editable = ReadWriteLogRecord & { readonly attributes: Record<string, any> } & Record<string, any>
type Change = (record: Editable, context?: unknown) => void

const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }

afterEach(() => api.context.disable())

function processor(onEmit: Change) {
  const calls: string[] = []
  return {
    calls,
    onEmit: (record: ReadWriteLogRecord, context?: unknown) => onEmit(record, context),
    forceFlush: async () => void calls.push('forceFlush'),
    shutdown: async () => void calls.push('shutdown'),
  }
}

function through(processors: Processors, options: LoggerProviderOptions = {}) {
  const exporter = memoryExporter()
  const diagnostics: string[] = []
  const provider = createLoggerProvider({
    exporter,
    processors,
    handleExit: false,
    onDiagnostic: ({ code }) => diagnostics.push(code),
    ...options,
  })
  const logger = provider.getLogger('shop', '1.0', { attributes: { part: 'x' } })
  return { provider, logger, diagnostics, records: () => exporter.records }
}

// Requirements: REC1
test('a processor reads every field, the scope and the resource', () => {
  let seen: Record<string, unknown> = {}
  const { logger } = through([processor((record) => (seen = { ...record, attributes: { ...record.attributes } }))], {
    resource: { 'service.name': 'shop' },
  })
  logger.emit({
    timestamp: [1_795_254_963, 123_456_789],
    observedTimestamp: [1_795_254_964, 1],
    severityNumber: 13,
    severityText: 'warn',
    body: { a: 1 },
    eventName: 'order.placed',
    attributes: { k: 'v' },
    exception: new RangeError('no'),
    context: api.trace.setSpanContext(api.ROOT_CONTEXT, ids),
  })
  expect(seen).toMatchObject({
    hrTime: [1_795_254_963, 123_456_789],
    hrTimeObserved: [1_795_254_964, 1],
    severityNumber: 13,
    severityText: 'warn',
    body: { a: 1 },
    eventName: 'order.placed',
    attributes: { k: 'v', 'exception.type': 'RangeError', 'exception.message': 'no' },
    spanContext: ids,
    instrumentationScope: { name: 'shop', version: '1.0', attributes: { part: 'x' } },
    droppedAttributesCount: 0,
  })
  expect((seen['resource'] as { attributes: object }).attributes).toMatchObject({ 'service.name': 'shop' })
})

// Requirements: REC2, D25
test('a processor can change every field, and add, change and remove attributes', () => {
  const change: Change = (record) => {
    record.hrTime = [1_000_000_000, 5_000_000]
    record.spanContext = ids
    record['setSeverityNumber'](17)['setSeverityText']('error')['setBody']('changed')['setEventName']('other')
    record['setAttribute']('added', 1)['setAttributes']({ changed: 'new' })['setAttribute']('kept', undefined)
    delete record['attributes'].removed
  }
  const { logger, records } = through([processor(change)])
  logger.emit({ severityNumber: 9, body: 'm', attributes: { changed: 'old', removed: 1, kept: 2 } })
  expect(records()).toMatchObject([
    {
      timestamp: '2001-09-09T01:46:40.005Z',
      level: 'error',
      message: 'changed',
      trace_id: ids.traceId,
      'otel.event.name': 'other',
    },
  ])
  expect(records()[0]!.attributes).toEqual({ changed: 'new', kept: 2, added: 1 })
})

test.each<[string, Change, object]>([
  [
    'the seconds of the time',
    ({ hrTime }) => void (hrTime[0] = 1_000_000_000),
    { timestamp: '2001-09-09T01:46:40.500Z' },
  ],
  [
    'the nanoseconds of the time',
    ({ hrTime }) => void (hrTime[1] = 5_000_000),
    { timestamp: '2026-11-21T09:56:03.005Z' },
  ],
])('a processor can change %s in place', (_, change, expected) => {
  const { logger, records } = through([processor(change)])
  logger.emit({ timestamp: [1_795_254_963, 500_000_000], observedTimestamp: [1_795_254_964, 1], body: 'm' })
  expect(records()).toMatchObject([expected])
})

test('a change of the time in place does not change the observed time, and the reverse', () => {
  for (const [timestamp, name] of [
    [undefined, 'timeUnixNano'],
    [1_795_254_963_000, 'timeUnixNano'],
    [1_795_254_963_000, 'observedTimeUnixNano'],
  ] as const) {
    const change: Change = ({ hrTime, hrTimeObserved }) =>
      void ((name === 'timeUnixNano' ? hrTime : hrTimeObserved)[0] = 1_000_000_000)
    const { provider, emitted } = emitting({ processors: [processor(change)] })
    provider.getLogger('a').emit({ ...(timestamp !== undefined && { timestamp }), body: 'm' })
    const { timeUnixNano, observedTimeUnixNano } = emitted()[0]!
    const seconds = {
      timeUnixNano: timeUnixNano!.slice(0, -9),
      observedTimeUnixNano: observedTimeUnixNano!.slice(0, -9),
    }
    expect(seconds[name]).toBe('1000000000')
    expect(new Set(Object.values(seconds)).size).toBe(2)
  }
})

function append(letter: string): Change {
  return (record) => void (record.body = `${String(record.body)}${letter}`)
}

// Requirements: PRO1
test('processors are called in order, and each reads the changes of earlier ones', () => {
  const { logger, records } = through([processor(append('a')), processor(append('b'))])
  logger.emit({ body: '' })
  expect(records()[0]!.message).toBe('ab')
})

// Requirements: SDK12
test('a processor receives the context of the record, or else the active context', () => {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const contexts: unknown[] = []
  const { logger } = through([processor((_, context) => contexts.push(context))])
  const own = api.ROOT_CONTEXT.setValue(Symbol('own'), 1)
  const active = api.ROOT_CONTEXT.setValue(Symbol('active'), 1)
  api.context.with(active, () => {
    logger.emit({ body: 'm', context: own })
    logger.emit({ body: 'm' })
  })
  expect(contexts).toEqual([own, active])
})

// Requirements: D4, ERR1
test('a processor that throws is reported, and later processors and the exporter receive the record', () => {
  const failing = processor(() => {
    throw new Error('canary')
  })
  const { logger, records, diagnostics } = through([failing, processor((record) => void (record.body = 'changed'))])
  expect(() => logger.emit({ body: 'm' })).not.toThrow()
  expect(records()[0]!.message).toBe('changed')
  expect(diagnostics).toEqual(['SLUICE_PROCESSOR_FAILED'])
})

test('the diagnostic of a processor distinguishes an error from a rejected promise', async () => {
  const failures: (() => unknown)[] = [() => Promise.reject(new Error('canary')), thrower]
  const messages: string[] = []
  for (const onEmit of failures) {
    const { logger } = through([processor(onEmit as Change)], { onDiagnostic: ({ message }) => messages.push(message) })
    logger.emit({ body: 'm' })
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(messages).toEqual([
    expect.stringMatching(/^onEmit\(\) of a processor returned a promise that rejected; /),
    expect.stringMatching(/^a processor of the provider threw; /),
  ])
})

// Requirements: D4
test.each<[string, unknown]>([
  ['a JSON fragment', '9,"forged":true'],
  ['a number out of range', 99],
  ['NaN', NaN],
  ['a fraction', 2.5],
  ['null', null],
])('a severity number that a processor sets to %s is unspecified, and the record is exported', (_, given) => {
  const { logger, records, diagnostics } = through([
    processor((record) => void Object.assign(record, { severityNumber: given })),
  ])
  logger.emit({ body: 'paid', severityNumber: 9, severityText: 'info' })
  expect(records()).toMatchObject([{ message: 'paid', level: 'info', severity_number: 0 }])
  expect(records()[0]).not.toHaveProperty('forged')
  expect(diagnostics).toEqual([])
})

// Requirements: D4
test('a severity text and an event name that a processor sets to a non-string are omitted', () => {
  const hostile = {
    toString() {
      throw new Error('no')
    },
  }
  for (const given of [hostile, 5, null]) {
    const change: Change = (record) => void Object.assign(record, { severityText: given, eventName: given })
    const { logger, records } = through([processor(change)])
    logger.emit({ body: 'paid', severityNumber: 9, severityText: 'notice', eventName: 'paid' })
    expect(records()).toMatchObject([{ message: 'paid' }])
    expect(records()[0]).not.toHaveProperty(['otel.event.name'])
    expect(JSON.stringify(records())).not.toContain('notice')
  }
})

// Requirements: D5
test('attributes that a processor adds are redacted, and changes after onEmit have no effect', () => {
  let kept: ReadWriteLogRecord | undefined
  const { logger, records } = through(
    [
      processor((record) => {
        kept = record
        record['attributes'].password = 'canary'
      }),
    ],
    { redact: ['password'] },
  )
  logger.emit({ body: 'm', attributes: { a: { b: 1 } } })
  kept!.body = 'later'
  Object.assign(kept!.attributes, { later: 1 })
  expect(records()[0]).toMatchObject({ message: 'm', attributes: { a: { b: 1 }, password: '[REDACTED]' } })
  expect(JSON.stringify(records())).not.toMatch(/canary|later/)
})

// Requirements: EXC1
test('an exception that no processor changes keeps its causes and its redaction rules', () => {
  const error = new TypeError('canary', { cause: new Error('because') })
  const quiet = through([processor(() => {})], { redact: ['err.message'] })
  quiet.logger.emit({ exception: error })
  const { attributes } = quiet.records()[0]!
  expect(attributes!['exception.stacktrace']).toContain('because')
  expect(JSON.stringify(attributes)).not.toContain('canary')
  const loud = through([processor((record) => void (record['attributes']['exception.message'] = 'changed'))])
  loud.logger.emit({ exception: error })
  expect(loud.records()[0]!.attributes).toMatchObject({ 'exception.type': 'TypeError', 'exception.message': 'changed' })
})

// Requirements: ERR4
test('attributes with a throwing getter, in a Map or behind a proxy lose only what throws', () => {
  const { logger, records } = through([processor(() => {})])
  const hostile = {
    fine: 1,
    get bad(): never {
      throw new Error('no')
    },
  }
  logger.emit({ body: 'm', attributes: hostile })
  logger.emit({ body: 'm', attributes: new Map([['a', 1]]) })
  logger.emit({ body: 'm', attributes: Proxy.revocable({}, {}).proxy })
  expect(records().map(({ attributes }) => attributes)).toMatchObject([{ fine: 1, bad: '[Threw: no]' }, { a: 1 }, {}])
})

// Requirements: D24
test('an own __proto__ key is exported as an attribute', () => {
  const { logger, records } = through([processor(() => {})])
  logger.emit({ body: 'm', attributes: JSON.parse('{"__proto__":{"a":1},"b":2}') as object })
  expect(JSON.stringify(records()[0]!.attributes)).toBe('{"__proto__":{"a":1},"b":2}')
})

// Requirements: LIM2
test('redaction patterns match the complete value of an attribute that processors read truncated', () => {
  const secret = 'CNRYsecret'
  const seen: unknown[] = []
  const change: Change = (record) => {
    seen.push(record['attributes'].kept, record['attributes'].deep)
    record['attributes'].changed = 'new'
  }
  const { logger, records } = through([processor(change)], {
    limits: { stringLength: 6 },
    redact: { patterns: [{ name: 'canary', pattern: /CNRY[a-z]{6}/ }] },
  })
  logger.emit({ attributes: { kept: secret, deep: { in: [secret, new Uint8Array(9)] }, changed: secret } })
  expect(seen).toEqual(['CNRYse', { in: ['CNRYse', new Uint8Array(6)] }])
  expect(records()[0]!.attributes).toMatchObject({
    kept: '[REDACTED]',
    deep: { in: ['[REDACTED]', expect.anything()] },
    changed: 'new',
  })
  expect(JSON.stringify(records())).not.toContain('CNRY')
})

// Requirements: LIM4
test('a processor reads objects over the depth limit, including cycles, as empty values', () => {
  const cycle: Record<string, unknown> = { text: 'x' }
  cycle['again'] = cycle
  let seen: any
  const { logger, records } = through([processor((record) => void (seen = { ...record['attributes'] }))], {
    limits: { depth: 2, stringLength: 3 },
  })
  logger.emit({ attributes: { a: { b: { c: {} } }, cycle, error: new Error('long'), big: Array(20_000).fill('long') } })
  expect(seen).toMatchObject({ a: { b: { c: null } }, cycle: { again: { again: null } }, error: new Error('long') })
  expect(seen.big[0]).toBe('lon')
  expect(records()[0]!.attributes!['big']).toEqual(Array(20_000).fill('lon'))
})

// Requirements: LIM3, JS9
test('attributes over the limit count once, also those of a processor, and undefined ones do not count', () => {
  for (const processors of [[], [processor(addLate)]]) {
    const { logger, records, diagnostics } = through(processors, { limits: { attributes: 5 } })
    logger.emit({ attributes: { none: undefined, a: 1, b: 2, c: 3 }, exception: new Error('e') })
    const [line] = records()
    const own = Object.keys(line!.attributes!).filter((key) => !key.startsWith('exception.'))
    expect([own, line!['otel.dropped_attributes_count']]).toEqual([['a', 'b'], processors.length + 1])
    expect(diagnostics).toEqual(['SLUICE_ATTRIBUTES_DROPPED'])
  }
})

const addLate: Change = (record) => void record['setAttribute']('late', 1)['setAttribute']('b', 'changed')

// Requirements: SDK10, PRO3
test('enabled returns true when enabled of a processor throws, returns undefined or a rejected promise', async () => {
  const answers = [
    () => {
      throw new Error('no')
    },
    () => Promise.reject(new Error('no')),
    () => undefined,
  ]
  for (const enabled of answers) {
    const { logger } = through([{ ...processor(() => {}), enabled: enabled as never }], {
      exporter: memoryExporter({ level: 'silent' }),
    })
    expect(logger.enabled({ severityNumber: 9 })).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
  }
})

// Requirements: D14
test('a processor of the official SDK receives records when a pending resource is complete', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const official = new currentSdk.InMemoryLogRecordExporter()
  const { logger, provider } = through([new currentSdk.SimpleLogRecordProcessor({ exporter: official })], {
    detectors: [{ detect: () => ({ attributes: { 'host.id': promise } }) }],
  })
  logger.emit({ body: 'm' })
  await new Promise((done) => setImmediate(done))
  expect(official.getFinishedLogRecords()).toHaveLength(0)
  resolve('h-1')
  await new Promise((done) => setImmediate(done))
  expect(official.getFinishedLogRecords()[0]!.resource.attributes).toMatchObject({ 'host.id': 'h-1' })
  await provider.shutdown()
})

describe('flush and shutdown', () => {
  // Requirements: SDK4, SDK5, PRO4
  test('forceFlush and shutdown call every processor once', async () => {
    const one = processor(() => {})
    const other = processor(() => {})
    const { provider } = through([one, other])
    expect(await provider.forceFlush()).toMatchObject({ ok: true })
    expect(await provider.shutdown()).toMatchObject({ ok: true })
    await provider.shutdown()
    expect([one.calls, other.calls]).toEqual([
      ['forceFlush', 'shutdown'],
      ['forceFlush', 'shutdown'],
    ])
  })

  // Requirements: SDK4, SDK5
  test('forceFlush and shutdown resolve with a failure when a processor stalls or rejects', async () => {
    const stuck = { ...processor(() => {}), forceFlush: () => new Promise<void>(() => {}) }
    const failing = { ...processor(() => {}), shutdown: () => Promise.reject(new Error('no')) }
    const { provider } = through([stuck, failing])
    expect(await provider.forceFlush({ timeoutMillis: 5 })).toMatchObject({ ok: false })
    expect(await provider.shutdown()).toMatchObject({ ok: false })
  })
})

// Requirements: REC1
test('processors of sdk-logs 3.x and 0.2xx accept records of the provider', async () => {
  const today = new currentSdk.InMemoryLogRecordExporter()
  const older = new legacy.sdkLogs.InMemoryLogRecordExporter()
  const { logger, provider } = through([
    new currentSdk.BatchLogRecordProcessor({ exporter: today }),
    new legacy.sdkLogs.BatchLogRecordProcessor({ exporter: older }),
  ])
  logger.emit({ severityNumber: 9, severityText: 'info', body: 'm', attributes: { k: 'v' } })
  await provider.forceFlush()
  for (const finished of [today.getFinishedLogRecords(), older.getFinishedLogRecords()]) {
    expect(finished).toMatchObject([{ body: 'm', severityNumber: 9, attributes: { k: 'v' } }])
    expect(finished[0]!.instrumentationScope).toMatchObject({ name: 'shop', version: '1.0' })
    expect(finished[0]!.resource.attributes).toMatchObject({ 'telemetry.sdk.name': 'sluice' })
  }
  await provider.shutdown()
})

test('createLoggerProvider rejects a processor without the methods of a LogRecordProcessor', () => {
  expect(() => createLoggerProvider({ processors: [{}] as never })).toThrow(
    /processors\[0\]: must be an OpenTelemetry LogRecordProcessor/,
  )
})
