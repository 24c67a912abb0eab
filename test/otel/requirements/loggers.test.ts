import { afterEach, describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { LoggerProvider as OfficialProvider } from '@opentelemetry/sdk-logs'
import { array, assert, boolean, constantFrom, dictionary, option, property, record } from 'fast-check'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import { standardSeverities } from '../../../src/record/severity.ts'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import { emitting } from '../provider/emitting.ts'

afterEach(() => api.context.disable())

function reversed(attributes: object | undefined): object {
  return Object.fromEntries(Object.entries(attributes ?? {}).toReversed())
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

describe('getLogger', () => {
  const scopeValue = constantFrom<unknown>(
    0,
    1,
    '',
    '1',
    1.5,
    true,
    'true',
    false,
    [],
    ['x'],
    ['x', 'y'],
    ['x,y'],
    [1],
    ['1'],
  )
  const attributes = dictionary(constantFrom('a', 'b', 'a.b', '__proto__', '"'), scopeValue, {
    maxKeys: 3,
    noNullPrototype: true,
  })
  const scope = record({
    name: constantFrom('a', 'b', 'a","1', 'a,1', 'null'),
    version: option(constantFrom('1', '1,1', 'null', '1","2'), { nil: undefined }),
    schemaUrl: option(constantFrom('1', 'https://example.test/1'), { nil: undefined }),
    attributes: option(attributes, { nil: undefined }),
  })

  // Requirements: API1
  test('getLogger returns the identical logger for the same four parameters, and a different one otherwise', () => {
    const { provider } = emitting()
    assert(
      property(array(scope, { minLength: 1, maxLength: 6 }), (given) => {
        // Repeat each scope with its attributes in reverse order.
        const scopes = [...given, ...given.map((each) => ({ ...each, attributes: reversed(each.attributes) }))]
        const loggers = scopes.map(({ name, version, schemaUrl, attributes }) =>
          provider.getLogger(name, version, { ...(schemaUrl === undefined ? {} : { schemaUrl }), attributes }),
        )
        const keys = scopes.map(({ name, version, schemaUrl, attributes }) => {
          const texts = Object.entries(attributes ?? {}).map((entry) => JSON.stringify(entry))
          return JSON.stringify([name, version, schemaUrl, texts.toSorted(inOrder)])
        })
        for (const [index, logger] of loggers.entries()) {
          expect(loggers.map((other) => other === logger)).toEqual(keys.map((key) => key === keys[index]))
        }
      }),
      { numRuns: 300 },
    )
  })

  // Requirements: API1, SDK3
  test('getLogger returns the identical logger after the provider is reconfigured', () => {
    const { provider } = emitting()
    const logger = provider.getLogger('shop', '1')
    provider.configure({ loggers: [{ name: 'shop', enabled: false }] })
    expect(provider.getLogger('shop', '1')).toBe(logger)
  })

  // Requirements: API1, DM12
  test.each([
    ['name', 'a', [{ name: 'a' }, { name: 'b' }]],
    ['version', '1', [{ version: '1' }, { version: '2' }]],
    ['schema URL', 'u:1', [{ schemaUrl: 'u:1' }, { schemaUrl: 'u:2' }]],
    ['attributes', '{"k":"1"}', [{ attributes: { k: '1' } }, { attributes: { k: '2' } }]],
  ] as const)('getLogger gives each logger the requested %s', (_, expected, scopes) => {
    const { provider, sources } = emitting()
    for (const given of scopes) {
      const { name = 'scope', version, ...options } = given as Record<string, string>
      provider.getLogger(name, version, options).emit({})
    }
    const texts = sources().map((source) => {
      const { name, version, attributes } = source.scope as Record<string, string> & {
        attributes?: { key: string; value: { stringValue: string } }[]
      }
      const pairs = attributes?.map(({ key, value }) => [key, value.stringValue])
      return [name, version, source.scopeSchemaUrl, pairs && JSON.stringify(Object.fromEntries(pairs))]
    })
    expect(texts[0]).toContain(expected)
    expect(texts[1]).not.toContain(expected)
  })
})

describe('enabled', () => {
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  const contexts = {
    sampled: api.trace.setSpanContext(api.ROOT_CONTEXT, { ...ids, traceFlags: 1 }),
    unsampled: api.trace.setSpanContext(api.ROOT_CONTEXT, { ...ids, traceFlags: 0 }),
    none: api.ROOT_CONTEXT,
  }
  const contextName = constantFrom('sampled', 'unsampled', 'none')
  const severity = constantFrom(undefined, 0, 1, 8, 9, 12, 13, 17, 24)
  const levels = constantFrom('trace', 'info', 'warn', 'fatal')

  // Requirements: SDK10, API5, SDK7, SDK8, SDK12
  test('enabled returns whether a record with a severity reaches an exporter', () => {
    api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    const settings = record({
      enabled: boolean(),
      minimumSeverity: constantFrom(0, 9, 17),
      traceBased: boolean(),
    })
    const exporterLevels = array(levels, { minLength: 1, maxLength: 3 })
    const given = option(contextName, { nil: undefined })
    assert(
      property(
        settings,
        exporterLevels,
        severity,
        given,
        contextName,
        (defaultLogger, levels, severityNumber, explicit, active) => {
          const exporters = levels.map((level) => memoryExporter({ level }))
          const logger = createLoggerProvider({ exporter: exporters, defaultLogger, handleExit: false }).getLogger('a')
          const fields = {
            ...(severityNumber === undefined ? {} : { severityNumber }),
            ...(explicit === undefined ? {} : { context: contexts[explicit] }),
          }
          api.context.with(contexts[active], () => {
            const isEnabled = logger.enabled(fields)
            logger.emit({ ...fields, body: 'm' })
            const isExported = exporters.some(({ records }) => records.length > 0)
            const isUnspecified = (severityNumber ?? 0) === 0
            const passes =
              defaultLogger.enabled &&
              (isUnspecified || severityNumber! >= defaultLogger.minimumSeverity) &&
              (!defaultLogger.traceBased || (explicit ?? active) !== 'unsampled')
            // A record without a severity passes, and is INFO for the level of an exporter (SEV6).
            const least = Math.min(...levels.map((level) => standardSeverities[level]))
            expect(isExported).toBe(passes && (isUnspecified ? 9 : severityNumber!) >= least)
            expect(isEnabled).toBe(isUnspecified ? passes : isExported)
          })
        },
      ),
      { numRuns: 400 },
    )
  })

  // Requirements: SDK10, PRO3
  test('enabled in the official SDK returns false only if every PipelineLogRecordProcessor returns false', async () => {
    const warn = new PipelineLogRecordProcessor({ exporter: memoryExporter({ level: 'warn' }) })
    const error = new PipelineLogRecordProcessor({ exporter: memoryExporter({ level: 'error' }) })
    const provider = new OfficialProvider({ processors: [warn, error] })
    const logger = provider.getLogger('a')
    const answers = () => [9, 13, 17, undefined].map((severityNumber) => logger.enabled({ severityNumber }))
    expect(answers()).toEqual([false, true, true, true])
    await warn.shutdown()
    expect(answers()).toEqual([false, false, true, true])
    await error.shutdown()
    expect(answers()).toEqual([false, false, false, false])
  })
})
