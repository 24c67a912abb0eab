import { expect, test } from '@jest/globals'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { createLogger } from '../../../src/create/create-logger.ts'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { otlpExporter } from '../../../src/exporters/otlp/otlp-exporter.ts'
import { EncodingLogRecordExporter } from '../../../src/otel/sdk/encoding-exporter.ts'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import { AcceptingExporter } from '../../support/pipeline/exporters.ts'
import { fakeCollector } from '../../support/otlp/fake-collector.ts'
import { createTestLogger } from '../../support/files/test-logger.ts'
import { otlpRecordsOf, recordsIn } from './otlp-lines.ts'

// Requirements: DM6
test('attribute keys are case-sensitive and unique, and can be empty', () => {
  const [record] = otlpRecordsOf((log) => log.child({ a: 'bound', b: 1 }).info('m', { A: 1, a: 'call', '': 'kept' }))
  expect(record!.attributes!.map(({ key }) => key).toSorted()).toEqual(['', 'A', 'a', 'b'])
  expect(record!.attributes).toContainEqual({ key: 'a', value: { stringValue: 'call' } })
})

// Requirements: TXT6
test('a JSON line has NaN and infinities as strings, bytes as base64 and null, in arrays, Maps and objects', () => {
  const { log, captureLine } = createTestLogger()
  const values = [NaN, Infinity, -Infinity, Uint8Array.of(104, 105), null]
  const written = ['NaN', 'Infinity', '-Infinity', 'aGk=', null]
  const members = Object.fromEntries(values.map((value, index) => [`k${index}`, value]))
  const expected = Object.fromEntries(written.map((value, index) => [`k${index}`, value]))
  expect(
    captureLine(() => log.info('m', { values, map: new Map(Object.entries(members)), members })).attributes,
  ).toEqual({
    values: written,
    map: expected,
    members: expected,
  })
})

// Requirements: JS10
test('a logger without enabled records exports nothing, even when it is flushed and shut down', async () => {
  const exporter = new AcceptingExporter({ encoding: otlpJsonLines(), schedule: { delayMillis: 1 } })
  const log = createLogger({ exporter, level: 'warn', handleExit: false })
  log.info('not enabled')
  log.flushSync()
  await log.flush()
  await log.shutdown()
  expect(exporter).toMatchObject({ batches: [], shutdowns: 1 })
  expect(exporter.flushes).toBeGreaterThan(0)
})

// Requirements: JS10
test('a provider whose records are all filtered exports nothing, even when it is flushed and shut down', async () => {
  const exporter = new AcceptingExporter({ encoding: otlpJsonLines(), schedule: { delayMillis: 1 } })
  const provider = createLoggerProvider({ exporter, handleExit: false, defaultLogger: { minimumSeverity: 'warn' } })
  provider.getLogger('a').emit({ severityNumber: 9 })
  await provider.forceFlush()
  await provider.shutdown()
  expect(exporter).toMatchObject({ batches: [], shutdowns: 1 })
})

// Requirements: JS10
test('EncodingLogRecordExporter and PipelineLogRecordProcessor export nothing without a record', async () => {
  const behind = new AcceptingExporter({ encoding: otlpJsonLines() })
  const exporter = new EncodingLogRecordExporter({ exporter: behind })
  const result = await new Promise((resolve) => exporter.export([], resolve))
  await exporter.forceFlush()
  await exporter.shutdown()
  const own = new AcceptingExporter({ encoding: otlpJsonLines() })
  const processor = new PipelineLogRecordProcessor({ exporter: own, handleExit: false })
  await processor.forceFlush()
  await processor.shutdown()
  expect([result, behind.batches, own.batches]).toEqual([{ code: 0 }, [], []])
})

// Requirements: JS10
test.each(['http/protobuf', 'http/json'] as const)(
  'no %s request is sent without a record, or when the only record of a batch is too long',
  async (protocol) => {
    const collector = await fakeCollector()
    const exporter = otlpExporter({ url: collector.url, protocol, maxRequestBytes: 1_000 })
    const log = createLogger({ exporter, handleExit: false, onDiagnostic: () => {} })
    await log.flush()
    log.info('x'.repeat(2_000))
    await log.flush()
    expect(log.stats()).toMatchObject({ written: 0, dropped: { byReason: { too_large: 1 } } })
    expect(collector.received).toHaveLength(0)
    await log.shutdown()
    await collector.close()
  },
)

// Requirements: FIL1, FIL2
test('fdExporter with the otlpJson format writes lines of the OTLP File Exporter to stdout by default', async () => {
  const program =
    importOf('{ createLogger }', 'src/create/create-logger.ts') +
    importOf('{ fdExporter }', 'src/exporters/fd/fd-exporter.ts') +
    `const log = createLogger({ exporter: fdExporter({ format: 'otlpJson' }) })
     log.info('first')
     log.info('second')`
  const { code, stdout } = await runModule(program)
  expect(code).toBe(0)
  expect(recordsIn(stdout).map(({ body }) => body)).toEqual([{ stringValue: 'first' }, { stringValue: 'second' }])
})

// Requirements: D28
test('JSON lines on stdout contain the timestamp, nested values and the dropped attributes count', async () => {
  const program =
    importOf('{ createLogger }', 'src/create/create-logger.ts') +
    `const deep = { a: { b: { c: { d: { e: 'found' } } } } }
     createLogger({ limits: { attributes: 1 } }).info('m', { deep, surplus: 1 })`
  const { stdout } = await runModule(program, { env: { SLUICE_FORMAT: 'json' } })
  expect(JSON.parse(stdout)).toMatchObject({
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    message: 'm',
    'otel.dropped_attributes_count': 1,
    attributes: { deep: { a: { b: { c: { d: { e: 'found' } } } } } },
  })
})

// Requirements: DM9, DM10
test('a record omits the trace id and the span id when the trace id is invalid', () => {
  const ids = { traceId: 'x', spanId: 'b7ad6b7169203331', traceFlags: 1 }
  const [record] = otlpRecordsOf((log) => log.child({}, { context: trace.setSpanContext(ROOT_CONTEXT, ids) }).info('m'))
  expect(record).not.toHaveProperty('traceId')
  expect(record).not.toHaveProperty('spanId')
})
