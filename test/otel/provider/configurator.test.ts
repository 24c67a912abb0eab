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

/** Which of some records pass, and whether `enabled` says the same. */
function passing(settings: LoggerSettings, records: readonly object[], name = 'http.client'): boolean[] {
  const { provider, emitted } = emitting(settings)
  const logger = provider.getLogger(name)
  return records.map((record) => {
    const before = emitted().length
    const said = logger.enabled(record)
    logger.emit(record)
    expect(emitted().length > before).toBe(said)
    return said
  })
}

test('a logger that is not enabled says nothing; enabled is the default (SDK6, SDK10)', () => {
  expect(passing({}, [{ severityNumber: 24 }])).toEqual([true])
  expect(passing({ defaultLogger: { enabled: false } }, [{ severityNumber: 24 }, {}])).toEqual([false, false])
})

test('records below the minimum severity are left out, those without one always pass (SDK7, SEV2)', () => {
  const records = [1, 12, 13, 24, 0].map((severityNumber) => ({ severityNumber, severityText: 'fatal' }))
  const expected = [false, false, true, true, true]
  expect(passing({ defaultLogger: { minimumSeverity: 13 } }, [...records, {}])).toEqual([...expected, true])
  expect(passing({ defaultLogger: { minimumSeverity: 'warn' } }, records)).toEqual(expected)
  expect(passing({ defaultLogger: { minimumSeverity: 'info4' } }, records)).toEqual([false, true, true, true, true])
  expect(passing({ defaultLogger: { minimumSeverity: 0 } }, records)).toEqual(Array(5).fill(true))
})

test('trace based, records of spans that are not sampled are left out, those of no span pass (SDK8)', () => {
  const invalid = contextOf({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 })
  const records = [sampled, unsampled, api.ROOT_CONTEXT, invalid].map((context) => ({ context }))
  expect(passing({ defaultLogger: { traceBased: true } }, records)).toEqual([true, false, true, true])
  expect(passing({}, records)).toEqual(Array(4).fill(true))
})

test('what is left out is counted as filtered, for each exporter, and before anything of it is read (SDK9)', () => {
  const { provider } = emitting({ defaultLogger: { minimumSeverity: 'error', traceBased: true } })
  const logger = provider.getLogger('a')
  const counts = () =>
    provider.stats().exporters.map(({ emitted, accepted, filtered }) => [emitted, accepted, filtered])
  const attributes = Object.defineProperty({}, 'a', { get: thrower, enumerable: true })
  logger.emit({ severityNumber: 9, attributes })
  logger.emit({ severityNumber: 17, context: unsampled, attributes })
  // Enabled comes first, then the severity: the span of a record that is too low is not looked for.
  let asked = 0
  const context: api.Context = { ...api.ROOT_CONTEXT, getValue: () => asked++ }
  logger.emit({ severityNumber: 9, context })
  provider.configure({ defaultLogger: { enabled: false, traceBased: true } })
  logger.emit({ severityNumber: 17, context })
  expect([asked, counts()]).toEqual([
    0,
    [
      [4, 0, 4],
      [4, 0, 4],
    ],
  ])
})

test('without a record that an exporter would take, enabled is false (SDK10)', () => {
  const exporters = [memoryExporter({ level: 'warn' }), memoryExporter({ level: 'error' })]
  const logger = createLoggerProvider({ exporter: exporters }).getLogger('a')
  expect([9, 13, 0].map((severityNumber) => logger.enabled({ severityNumber }))).toEqual([false, true, true])
  expect(logger.enabled()).toBe(true)
})

test('a record without a severity counts as one of INFO for the level of an exporter (SEV6)', () => {
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

describe('rules are found by the name of the scope (SDK6)', () => {
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
  ])('%j fits %j', (name, pattern) => expect(isOff(name, pattern)).toBe(true))

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
  ])('%j does not fit %j', (name, pattern) => expect(isOff(name, pattern)).toBe(false))

  test('a pattern that would keep an expression busy for ever is decided at once', () => {
    const start = performance.now()
    expect(isOff(`${'a'.repeat(2_000)}c`, `${'a*'.repeat(200)}b`)).toBe(false)
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  test('the first one that fits counts, and what it leaves open is the default', () => {
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

describe('a function may decide instead of rules (SDK6)', () => {
  test('it is asked once for a scope, with all that is known of it', () => {
    const asked: unknown[] = []
    const { provider } = emitting({
      loggers: (scope) => {
        asked.push(scope)
        return { enabled: scope.attributes?.get('team') !== 'quiet' }
      },
    })
    const logger = provider.getLogger('a', '1', { schemaUrl: 'u', attributes: { team: 'quiet' } })
    expect([logger.enabled(), logger.enabled(), provider.getLogger('b').enabled()]).toEqual([false, false, true])
    expect(asked).toEqual([
      expect.objectContaining({ name: 'a', version: '1', schemaUrl: 'u', attributes: new Map([['team', 'quiet']]) }),
      expect.objectContaining({ name: 'b' }),
    ])
  })

  test.each<[string, unknown]>([
    ['that throws', thrower],
    ['that answers a word', () => 'off'],
    ['whose answer has a wrong severity', () => ({ enabled: false, minimumSeverity: 'loud' })],
    ['whose answer has a wrong flag', () => ({ enabled: 'no' })],
  ])('one %s is told, and the default holds (ERR1)', (_, loggers) => {
    const { provider, problems } = emitting({
      loggers: loggers as LoggerConfigurator,
      defaultLogger: { minimumSeverity: 'error' },
    })
    const logger = provider.getLogger('a')
    expect([logger.enabled({ severityNumber: 9 }), logger.enabled({ severityNumber: 17 })]).toEqual([false, true])
    expect(problems.map(({ code }) => code)).toEqual(['SLUICE_CONFIGURATOR_FAILED'])
  })

  test('one that answers nothing leaves it to the default', () => {
    const { provider, problems } = emitting({ loggers: () => undefined, defaultLogger: { enabled: false } })
    expect([provider.getLogger('a').enabled(), problems]).toEqual([false, []])
  })

  test('one that logs comes to an end', () => {
    const { provider, emitted } = emitting({
      loggers: (scope) => {
        provider.getLogger(`about ${scope.name}`).emit({ body: 'asked' })
        return {}
      },
    })
    provider.getLogger('a').emit({ body: 'x' })
    expect(emitted()).toHaveLength(2)
  })
})

describe('the configuration is changed while loggers are in use (SDK3, SDK6)', () => {
  test('loggers handed out before follow at once, and what enabled says changes (API5)', () => {
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

  test('a wrong one throws an error that lists what is wrong, and nothing changes', () => {
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
