import { describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import type { LoggerConfigurator, LoggerSettings } from '../../../src/otel/provider/configurator.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { thrower } from '../../support/values/hostile.ts'
import { emitting } from './emitting.ts'

const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const contextOf = (spanContext: api.SpanContext) => api.trace.setSpanContext(api.ROOT_CONTEXT, spanContext)
const sampled = contextOf({ ...ids, traceFlags: 1 })
const unsampled = contextOf({ ...ids, traceFlags: 0 })

/** Returns which of the records are emitted. Expects that `enabled` returns the same. */
function passing(settings: LoggerSettings, records: readonly object[], name = 'http.client'): boolean[] {
  const { provider, emitted } = emitting(settings)
  const logger = provider.getLogger(name)
  return records.map((record) => {
    const before = emitted().length
    const isEnabled = logger.enabled(record)
    logger.emit(record)
    expect(emitted().length > before).toBe(isEnabled)
    return isEnabled
  })
}

// Requirements: SDK6, SDK10
test('a disabled logger emits nothing, and loggers are enabled by default', () => {
  expect(passing({}, [{ severityNumber: 24 }])).toEqual([true])
  expect(passing({ defaultLogger: { enabled: false } }, [{ severityNumber: 24 }, {}])).toEqual([false, false])
})

// Requirements: SDK7, SEV2
test('records below the minimum severity are filtered out, and records without a severity always pass', () => {
  const records = [1, 12, 13, 24, 0].map((severityNumber) => ({ severityNumber, severityText: 'fatal' }))
  const expected = [false, false, true, true, true]
  expect(passing({ defaultLogger: { minimumSeverity: 13 } }, [...records, {}])).toEqual([...expected, true])
  expect(passing({ defaultLogger: { minimumSeverity: 'warn' } }, records)).toEqual(expected)
  expect(passing({ defaultLogger: { minimumSeverity: 'info4' } }, records)).toEqual([false, true, true, true, true])
  expect(passing({ defaultLogger: { minimumSeverity: 0 } }, records)).toEqual(Array(5).fill(true))
})

// Requirements: SDK8
test('traceBased filters out records of unsampled spans, and records without a span pass', () => {
  const invalid = contextOf({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 })
  const records = [sampled, unsampled, api.ROOT_CONTEXT, invalid].map((context) => ({ context }))
  expect(passing({ defaultLogger: { traceBased: true } }, records)).toEqual([true, false, true, true])
  expect(passing({}, records)).toEqual(Array(4).fill(true))
})

// Requirements: SDK9
test('records that are filtered out are counted for each exporter, and their attributes are not read', () => {
  const { provider } = emitting({ defaultLogger: { minimumSeverity: 'error', traceBased: true } })
  const logger = provider.getLogger('a')
  const counts = () =>
    provider.stats().exporters.map(({ emitted, accepted, filtered }) => [emitted, accepted, filtered])
  const attributes = Object.defineProperty({}, 'a', { get: thrower, enumerable: true })
  logger.emit({ severityNumber: 9, attributes })
  logger.emit({ severityNumber: 17, context: unsampled, attributes })
  // `enabled` is checked first, then the severity, so the span of these records is not looked up.
  let lookups = 0
  const context: api.Context = { ...api.ROOT_CONTEXT, getValue: () => lookups++ }
  logger.emit({ severityNumber: 9, context })
  provider.configure({ defaultLogger: { enabled: false, traceBased: true } })
  logger.emit({ severityNumber: 17, context })
  expect([lookups, counts()]).toEqual([
    0,
    [
      [4, 0, 4],
      [4, 0, 4],
    ],
  ])
})

// Requirements: SDK10
test('enabled returns false when no exporter accepts the severity', () => {
  const exporters = [memoryExporter({ level: 'warn' }), memoryExporter({ level: 'error' })]
  const logger = createLoggerProvider({ exporter: exporters }).getLogger('a')
  expect([9, 13, 0].map((severityNumber) => logger.enabled({ severityNumber }))).toEqual([false, true, true])
  expect(logger.enabled()).toBe(true)
})

// Requirements: SEV6
test('the level of an exporter treats a record without a severity as INFO', () => {
  const exporters = [memoryExporter({ level: 'info' }), memoryExporter({ level: 'warn' })]
  createLoggerProvider({ exporter: exporters }).getLogger('a').emit({ body: 'x' })
  const alone = memoryExporter({ level: 'info' })
  createLoggerProvider({ exporter: alone }).getLogger('a').emit({ body: 'x' })
  expect([...exporters, alone].map(({ records }) => records.length)).toEqual([1, 0, 1])
})

function isOff(name: string, pattern: string): boolean {
  const { provider } = emitting({ loggers: [{ name: pattern, enabled: false }] })
  return !provider.getLogger(name).enabled()
}

// Requirements: SDK6
describe('logger rules by scope name', () => {
  test.each([
    ['http', 'http'],
    ['http', 'http*'],
    ['http.client', 'http*'],
    ['@scope/http.client', '*http*'],
    ['', '*'],
    ['anything', '*'],
    ['http', 'h??p'],
    ['abcabd', 'a*abd'],
    ['aXbXc', 'a*b*c'],
    ['a*b', 'a*b'],
    ['a.b', 'a.b'],
    ['line\nbreak', 'line*break'],
    ['a?', 'a?'],
  ])('scope name %j matches the pattern %j', (name, pattern) => expect(isOff(name, pattern)).toBe(true))

  test.each([
    ['HTTP', 'http'],
    ['http2', 'http'],
    ['http', 'http?'],
    ['http', '?http'],
    ['axb', 'a.b'],
    ['abc', 'a*b'],
    ['ab', 'a*b*c'],
    ['', '?'],
    ['x', ''],
  ])('scope name %j does not match the pattern %j', (name, pattern) => expect(isOff(name, pattern)).toBe(false))

  test('a pattern with many wildcards is matched without exponential backtracking', () => {
    const start = performance.now()
    expect(isOff(`${'a'.repeat(2_000)}c`, `${'a*'.repeat(200)}b`)).toBe(false)
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  test('the first matching rule applies, and settings that it omits come from defaultLogger', () => {
    const settings: LoggerSettings = {
      loggers: [
        { name: 'http.client', minimumSeverity: 'debug' },
        { name: 'http*', minimumSeverity: 'error' },
      ],
      defaultLogger: { minimumSeverity: 'warn', traceBased: true },
    }
    const records = [5, 13, 17].map((severityNumber) => ({ severityNumber }))
    expect(passing(settings, records, 'http.client')).toEqual([true, true, true])
    expect(passing(settings, records, 'http.server')).toEqual([false, false, true])
    expect(passing(settings, records, 'other')).toEqual([false, true, true])
    expect(passing(settings, [{ severityNumber: 17, context: unsampled }], 'http.server')).toEqual([false])
  })
})

// Requirements: SDK6
describe('a function as logger configurator', () => {
  test('a configurator is called once for each scope, with all properties of the scope', () => {
    const scopes: unknown[] = []
    const { provider } = emitting({
      loggers: (scope) => {
        scopes.push(scope)
        return { enabled: scope.attributes?.get('team') !== 'quiet' }
      },
    })
    const logger = provider.getLogger('a', '1', { schemaUrl: 'u', attributes: { team: 'quiet' } })
    expect([logger.enabled(), logger.enabled(), provider.getLogger('b').enabled()]).toEqual([false, false, true])
    expect(scopes).toEqual([
      expect.objectContaining({ name: 'a', version: '1', schemaUrl: 'u', attributes: new Map([['team', 'quiet']]) }),
      expect.objectContaining({ name: 'b' }),
    ])
  })

  // Requirements: ERR1
  test.each<[string, unknown]>([
    ['that throws', thrower],
    ['that returns a string', () => 'off'],
    ['that returns an invalid severity', () => ({ enabled: false, minimumSeverity: 'loud' })],
    ['that returns an invalid flag', () => ({ enabled: 'no' })],
  ])('a configurator %s is reported, and defaultLogger applies', (_, loggers) => {
    const { provider, diagnostics } = emitting({
      loggers: loggers as LoggerConfigurator,
      defaultLogger: { minimumSeverity: 'error' },
    })
    const logger = provider.getLogger('a')
    expect([logger.enabled({ severityNumber: 9 }), logger.enabled({ severityNumber: 17 })]).toEqual([false, true])
    expect(diagnostics.map(({ code }) => code)).toEqual(['SLUICE_CONFIGURATOR_FAILED'])
  })

  test('a configurator that returns undefined selects defaultLogger without a diagnostic', () => {
    const { provider, diagnostics } = emitting({ loggers: () => undefined, defaultLogger: { enabled: false } })
    expect([provider.getLogger('a').enabled(), diagnostics]).toEqual([false, []])
  })

  test('a configurator that logs does not recurse infinitely', () => {
    const { provider, emitted } = emitting({
      loggers: (scope) => {
        provider.getLogger(`about ${scope.name}`).emit({ body: 'configured' })
        return {}
      },
    })
    provider.getLogger('a').emit({ body: 'x' })
    expect(emitted()).toHaveLength(2)
  })
})

// Requirements: SDK3, SDK6
describe('configure', () => {
  // Requirements: API5
  test('configure changes existing loggers and their enabled method immediately', () => {
    const { provider, emitted } = emitting()
    const logger = provider.getLogger('http.client')
    provider.configure({ loggers: [{ name: 'http*', minimumSeverity: 'error' }] })
    logger.emit({ severityNumber: 9 })
    expect([emitted().length, logger.enabled({ severityNumber: 9 })]).toEqual([0, false])
    provider.configure({})
    logger.emit({ severityNumber: 9 })
    expect([emitted().length, logger.enabled({ severityNumber: 9 })]).toEqual([1, true])
    expect(provider.getLogger('http.client')).toBe(logger)
  })

  test('configure throws an error that lists every invalid setting, and changes nothing', () => {
    const { provider } = emitting({ defaultLogger: { enabled: false } })
    const logger = provider.getLogger('a')
    const wrong = {
      loggers: [{ name: 5 }, { nmae: 'x', minimumSeverity: 25, traceBased: 1 }, null],
      defaultLogger: { enabled: 'yes', minimumSeverity: 'info5' },
      logger: [],
    }
    expect(problemsOf(() => provider.configure(wrong as unknown as LoggerSettings)).map(({ path }) => path)).toEqual([
      'loggers[0].name',
      'loggers[1].nmae',
      'loggers[1].minimumSeverity',
      'loggers[1].traceBased',
      'loggers[1].name',
      'loggers[2]',
      'defaultLogger.enabled',
      'defaultLogger.minimumSeverity',
      'logger',
    ])
    expect(logger.enabled()).toBe(false)
  })
})

function problemsOf(action: () => void): ConfigurationError['problems'] {
  try {
    action()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  throw new Error('nothing was thrown')
}
