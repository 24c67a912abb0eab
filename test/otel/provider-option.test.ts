import { afterEach, describe, expect, test } from '@jest/globals'
import * as currentApi from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import * as currentSdk from '@opentelemetry/sdk-logs'
import { createLogger } from '../../src/create/create-logger.ts'
import * as legacy from '../legacy-otel/index.ts'

const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }

/** The functions that these tests use from the current and the older SDK. */
interface Sdk {
  readonly provider: (exporter: { getFinishedLogRecords(): readonly Finished[] }) => Provider
  readonly exporter: () => { getFinishedLogRecords(): readonly Finished[] }
  readonly setGlobal: (provider: Provider) => void
  readonly disable: () => void
}

interface Provider {
  getLogger(name: string, version?: string): { emit(record: object): void }
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

interface Finished {
  readonly body?: unknown
  readonly severityNumber?: number
  readonly severityText?: string
  readonly eventName?: string
  readonly hrTime: readonly [number, number]
  readonly attributes: Readonly<Record<string, unknown>>
  readonly droppedAttributesCount: number
  readonly spanContext?: { readonly traceId: string }
  readonly instrumentationScope: { readonly name: string; readonly version?: string }
}

const sdks: Readonly<Record<string, Sdk>> = {
  'the current SDK': {
    exporter: () => new currentSdk.InMemoryLogRecordExporter(),
    provider: (exporter) =>
      new currentSdk.LoggerProvider({
        processors: [new currentSdk.SimpleLogRecordProcessor({ exporter: exporter as never })],
      }),
    setGlobal: (provider) => void currentApi.logs.setGlobalLoggerProvider(provider as never),
    disable: () => currentApi.logs.disable(),
  },
  'the older SDK': {
    exporter: () => new legacy.sdkLogs.InMemoryLogRecordExporter(),
    provider: (exporter) =>
      new legacy.sdkLogs.LoggerProvider({
        processors: [new legacy.sdkLogs.SimpleLogRecordProcessor({ exporter: exporter as never })],
      }),
    setGlobal: (provider) => void legacy.apiLogs.logs.setGlobalLoggerProvider(provider as never),
    disable: () => legacy.apiLogs.logs.disable(),
  },
}

const manager = new AsyncLocalStorageContextManager()

afterEach(() => {
  currentApi.logs.disable()
  legacy.apiLogs.logs.disable()
  currentApi.context.disable()
})

describe.each(Object.entries(sdks))('a logger that emits to a provider of %s', (_, sdk) => {
  function setUp(options: Parameters<typeof createLogger>[0] = {}) {
    const exporter = sdk.exporter()
    const provider = sdk.provider(exporter)
    const log = createLogger({ name: 'shop', version: '1.2.0', provider, ...options })
    return { exporter, provider, log, records: () => exporter.getFinishedLogRecords() }
  }

  test('a logger passes message, severity, attributes, time and scope of each record to its provider', () => {
    const { log, records } = setUp({ clock: () => 1_795_254_963_123 })
    log.child({ region: 'eu' }).warn('order {orderId} placed', { orderId: 'o-1', total: 12.5 })
    expect(records()).toMatchObject([
      {
        body: 'order o-1 placed',
        severityNumber: 13,
        severityText: 'warn',
        hrTime: [1_795_254_963, 123_000_000],
        attributes: { region: 'eu', orderId: 'o-1', total: 12.5 },
        instrumentationScope: { name: 'shop', version: '1.2.0' },
      },
    ])
    expect(log.stats()).toMatchObject({ emitted: 1, written: 1, dropped: { total: 0 } })
  })

  test('a logger redacts attributes and message before it passes a record to its provider', () => {
    const { log, records } = setUp({ redact: ['password'] })
    log.info('signed in with {password}', { password: 'canary', user: 'u' })
    expect(JSON.stringify(records()[0]!.attributes)).not.toContain('canary')
    expect(records()[0]!.body).toBe('signed in with [REDACTED]')
  })

  // Requirements: D5, D8
  test('a logger converts attribute values that the SDK rejects, so none is dropped', () => {
    const { log, records } = setUp()
    const cycle: Record<string, unknown> = { name: 'cycle' }
    cycle['self'] = cycle
    log.info('values', {
      big: 2n ** 60n,
      small: 7n,
      date: new Date(0),
      map: new Map([['a', 1n]]),
      set: new Set([1]),
      error: new RangeError('inner'),
      cycle,
      bytes: Uint8Array.of(1, 2),
      nothing: null,
      classes: { constructor: 'mine' },
      fn: () => 1,
    })
    const { attributes, droppedAttributesCount } = records()[0]!
    expect(droppedAttributesCount).toBe(0)
    expect(attributes).toMatchObject({
      big: String(2n ** 60n),
      small: 7,
      date: '1970-01-01T00:00:00.000Z',
      map: { a: 1 },
      set: [1],
      cycle: { name: 'cycle', self: '[Circular]' },
      bytes: Uint8Array.of(1, 2),
      nothing: null,
      classes: '{"constructor":"mine"}',
      'exception.type': 'RangeError',
    })
  })

  // Requirements: EXC1, EXC3, D7
  test('a logger adds the exception attributes with the causes to the record', () => {
    const { log, records } = setUp()
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    log.error('failed', new TypeError('no answer', { cause }))
    const { attributes } = records()[0]!
    expect(attributes).toMatchObject({ 'exception.type': 'TypeError', 'exception.message': 'no answer' })
    expect(attributes['exception.stacktrace']).toContain('refused')
  })

  test('a logger uses a global provider that is registered later, and counts earlier records as rejected', () => {
    const problems: string[] = []
    const { log, provider, records } = setUp({ provider: 'global', onDiagnostic: ({ code }) => problems.push(code) })
    log.info('too early')
    sdk.setGlobal(provider)
    log.info('in time')
    expect(records().map(({ body }) => body)).toEqual(['in time'])
    expect(log.stats()).toMatchObject({ emitted: 2, written: 1, dropped: { total: 1, byReason: { rejected: 1 } } })
    expect(problems).toEqual(['SLUICE_PROVIDER_MISSING'])
  })

  // Requirements: SDK12, D6
  test('a record has the active span, the span of an explicit context, or no span with traceContext: false', () => {
    currentApi.context.setGlobalContextManager(manager)
    const active = currentApi.trace.setSpanContext(currentApi.ROOT_CONTEXT, span)
    const other = currentApi.trace.setSpanContext(currentApi.ROOT_CONTEXT, { ...span, traceId: 'a'.repeat(32) })
    const { log, records } = setUp()
    const untraced = setUp({ traceContext: false })
    currentApi.context.with(active, () => {
      log.info('active')
      log.child({}, { context: other }).info('explicit')
      untraced.log.info('none')
    })
    expect(records().map(({ spanContext }) => spanContext?.traceId)).toEqual([span.traceId, 'a'.repeat(32)])
    expect(untraced.records()[0]!.spanContext).toBeUndefined()
  })

  test('flush and shutdown of a logger leave its provider open', async () => {
    const { log, provider, records } = setUp()
    log.info('one')
    expect(await log.flush()).toMatchObject({ ok: true, pending: 0, dropped: 0 })
    expect(await log.shutdown()).toMatchObject({ ok: true })
    log.info('late')
    provider.getLogger('other').emit({ body: 'still open' })
    expect(records().map(({ body }) => body)).toEqual(['one', 'still open'])
    expect(log.stats().dropped.byReason.shutdown).toBe(1)
  })
})

// Requirements: ERR1, D4
test('a log call does not throw when the provider throws, and the record is counted as rejected', () => {
  const problems: string[] = []
  const provider = {
    getLogger: () => ({
      emit() {
        throw new Error('canary')
      },
    }),
  }
  const log = createLogger({ provider, onDiagnostic: ({ code, message }) => problems.push(`${code} ${message}`) })
  expect(() => log.info('m')).not.toThrow()
  expect(log.stats()).toMatchObject({ emitted: 1, written: 0, dropped: { byReason: { rejected: 1 } } })
  expect(problems).toEqual([expect.stringMatching(/^SLUICE_PROVIDER_FAILED (?!.*canary)/)])
})

// Requirements: API5
test('a record is not emitted to a provider whose enabled() returns false', () => {
  const enabledCalls: unknown[] = []
  const emitted: unknown[] = []
  const provider = {
    getLogger: () => ({
      enabled: (options: { severityNumber: number }) => (enabledCalls.push(options), options.severityNumber >= 13),
      emit: (record: unknown) => void emitted.push(record),
    }),
  }
  const log = createLogger({ provider })
  log.info('quiet')
  log.warn('loud')
  expect(emitted).toHaveLength(1)
  expect(enabledCalls).toEqual([{ severityNumber: 9 }, { severityNumber: 13 }])
  expect(log.stats()).toMatchObject({ emitted: 2, written: 1, exporters: [{ filtered: 1, accepted: 1 }] })
})

test('a flush times out when the forceFlush of the provider never settles', async () => {
  const provider = { getLogger: () => ({ emit() {} }), forceFlush: () => new Promise(() => {}) }
  expect(await createLogger({ provider }).flush({ timeoutMillis: 5 })).toMatchObject({ ok: false })
})

test('createLogger throws for a provider together with exporters, and for an invalid provider', () => {
  expect(() => createLogger({ provider: 'global', exporter: [] })).toThrow(
    expect.objectContaining({
      problems: expect.arrayContaining([expect.objectContaining({ code: 'SLUICE_OPTION_CONFLICT', path: 'provider' })]),
    }),
  )
  expect(() => createLogger({ provider: {} as never })).toThrow(/provider: must be an OpenTelemetry LoggerProvider/)
})

// Requirements: SDK12
test('enabled() of the provider is called with the context of the record', () => {
  const enabledCalls: { context?: unknown }[] = []
  const provider = {
    getLogger: () => ({
      enabled: (options: object) => (enabledCalls.push(options), true),
      emit() {},
    }),
  }
  const own = currentApi.ROOT_CONTEXT.setValue(Symbol('own'), 1)
  createLogger({ provider }).child({}, { context: own }).info('m')
  createLogger({ provider, traceContext: false }).info('m')
  createLogger({ provider }).info('m')
  expect(enabledCalls[0]!.context).toBe(own)
  expect(currentApi.trace.getSpan(enabledCalls[1]!.context as currentApi.Context)).toBeUndefined()
  expect(enabledCalls[2]).not.toHaveProperty('context')
})

test('getLogger of a provider is called again after it throws once', () => {
  let calls = 0
  const emitted: unknown[] = []
  const provider = {
    getLogger() {
      if (++calls === 1) throw new Error('not yet')
      return { emit: (record: unknown) => void emitted.push(record) }
    },
  }
  const problems: string[] = []
  const log = createLogger({ provider, onDiagnostic: ({ code }) => problems.push(code) })
  log.info('lost')
  log.info('kept')
  expect([emitted.length, problems]).toEqual([1, ['SLUICE_PROVIDER_FAILED']])
})

test('createLogger throws for traceBased: true together with traceContext: false', () => {
  expect(() => createLogger({ traceBased: true, traceContext: false })).toThrow(
    /traceBased: requires the trace context/,
  )
})
