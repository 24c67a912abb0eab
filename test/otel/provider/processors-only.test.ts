import { describe, expect, test } from '@jest/globals'
import * as currentSdk from '@opentelemetry/sdk-logs'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import * as legacy from '../../legacy-otel/index.ts'

const sdks = [
  ['sdk-logs 3.x', currentSdk],
  ['sdk-logs 0.2xx', legacy.sdkLogs],
] as const

describe.each(sdks)('a provider without an exporter, with a processor of %s', (_, sdk) => {
  test('a provider without an exporter delivers records to its processor and counts them', async () => {
    const finished: unknown[] = []
    const exporter = {
      export(records: readonly unknown[], done: (result: { code: number }) => void) {
        finished.push(...records)
        done({ code: 0 })
      },
      async forceFlush() {},
      async shutdown() {},
    }
    const processor = new sdk.BatchLogRecordProcessor({ exporter })
    const provider = createLoggerProvider({ exporter: [], processors: [processor], handleExit: false })
    const logger = provider.getLogger('shop', '1.0')
    expect(logger.enabled({ severityNumber: 1 })).toBe(true)
    logger.emit({ body: 'x', severityNumber: 9, attributes: { a: 1 } })
    expect(finished).toEqual([])
    expect(await provider.forceFlush()).toMatchObject({ ok: true, dropped: 0 })
    expect(finished).toMatchObject([
      { body: 'x', severityNumber: 9, attributes: { a: 1 }, instrumentationScope: { name: 'shop' } },
    ])
    expect(provider.stats()).toMatchObject({ emitted: 1, written: 1, exporters: [{ name: 'processors', accepted: 1 }] })
    expect(await provider.shutdown()).toMatchObject({ ok: true })
  })
})

test('a provider without an exporter applies logger rules and counts filtered records', async () => {
  const received: unknown[] = []
  const processor = {
    onEmit: ({ body }: { body?: unknown }) => received.push(body),
    async forceFlush() {},
    async shutdown() {},
  }
  const provider = createLoggerProvider({
    exporter: [],
    processors: [processor],
    loggers: [{ name: 'off', enabled: false }],
    defaultLogger: { minimumSeverity: 'warn' },
  })
  provider.getLogger('off').emit({ body: 'off', severityNumber: 17 })
  provider.getLogger('on').emit({ body: 'info', severityNumber: 9 })
  provider.getLogger('on').emit({ body: 'warn', severityNumber: 13 })
  expect([received, provider.getLogger('on').enabled({ severityNumber: 9 })]).toEqual([['warn'], false])
  expect(provider.stats().exporters).toMatchObject([{ emitted: 3, filtered: 2, accepted: 1, written: 1 }])
})

test('a record that is emitted after shutdown counts as dropped', async () => {
  const processor = { onEmit() {}, async forceFlush() {}, async shutdown() {} }
  const provider = createLoggerProvider({ exporter: [], processors: [processor] })
  const logger = provider.getLogger('a')
  await provider.shutdown()
  logger.emit({ body: 'late' })
  expect(provider.stats()).toMatchObject({ written: 0, dropped: { total: 1, byReason: { shutdown: 1 } } })
})

test('a provider without an exporter can have PipelineLogRecordProcessor as its only processor', async () => {
  const exporter = memoryExporter()
  const provider = createLoggerProvider({
    exporter: [],
    processors: [new PipelineLogRecordProcessor({ exporter, redact: ['card'] })],
  })
  provider.getLogger('shop').emit({ body: 'x', attributes: { card: '4111' } })
  await provider.shutdown()
  expect(exporter.records).toMatchObject([{ message: 'x', attributes: { card: '[REDACTED]' } }])
  expect(provider.stats()).toMatchObject({ written: 1 })
})

const problemsOf = (options: object): unknown => {
  try {
    return createLoggerProvider(options)
  } catch (error) {
    return (error as ConfigurationError).problems.map(({ code, path }) => [code, path])
  }
}

describe('invalid options of a provider without an exporter', () => {
  const processor = { onEmit() {}, async shutdown() {} }

  test('createLoggerProvider rejects options without an exporter and without a processor', () => {
    for (const processors of [undefined, []])
      expect(problemsOf({ exporter: [], processors })).toEqual([['SLUICE_OPTION_RANGE', 'exporter']])
  })

  test('createLoggerProvider rejects redaction rules when there is no exporter', () => {
    expect(problemsOf({ exporter: [], processors: [processor], redact: ['a'] })).toEqual([
      ['SLUICE_OPTION_CONFLICT', 'redact'],
    ])
  })
})
