import { describe, expect, test } from '@jest/globals'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { createLogger } from '../../../src/create/create-logger.ts'
import { fdExporter } from '../../../src/exporters/fd/fd-exporter.ts'
import { fileExporter } from '../../../src/exporters/file/file-exporter.ts'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import { otlpExporter } from '../../../src/exporters/otlp/otlp-exporter.ts'
import type { Delivery, Exporter } from '../../../src/pipeline/exporter.ts'
import { batchOf } from '../../support/pipeline/batch.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import {
  ScriptedExporter,
  LimitedExporter,
  StallingExporter,
  AcceptingExporter,
} from '../../support/pipeline/exporters.ts'
import { settlePromises } from '../../support/pipeline/manual-host.ts'
import { createPipeline, texts } from '../../support/pipeline/producers.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'

const failing: [string, string][] = [
  ['throws', `() => { throw new Error('no') }`],
  ['rejects', `async () => { throw new Error('no') }`],
]

describe('a failing exporter with an export timeout of 30 s', () => {
  // Requirements: D12, ERR1
  test.each(failing)('an exporter that %s does not keep the process alive', async (_, answer) => {
    const program =
      importOf('{ createLogger }', 'src/create/create-logger.ts') +
      importOf('{ jsonLines }', 'src/encode/json/json-lines.ts') +
      `const delivery = { exportTimeoutMillis: 30_000 }
       const exporter = { name: 'x', encoding: jsonLines(), schedule: 'turn', delivery, export: ${answer} }
       createLogger({ exporter }).info('m')`
    const { code, signal, stderr } = await runModule(program)
    // A child that lives for 15 s is killed.
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(stderr).toContain('SLUICE_EXPORT_FAILED')
  })

  // Requirements: D12, ERR1
  test('an exporter that throws in PipelineLogRecordProcessor does not keep the process alive', async () => {
    const program =
      importOf('{ PipelineLogRecordProcessor }', 'src/otel/sdk/processor.ts') +
      `import { LoggerProvider } from '@opentelemetry/sdk-logs'
       const exporter = { export() { throw new Error('no') }, async forceFlush() {}, async shutdown() {} }
       const processor = new PipelineLogRecordProcessor({ exporter, exportTimeoutMillis: 30_000, scheduledDelayMillis: 5 })
       new LoggerProvider({ processors: [processor] }).getLogger('a').emit({ body: 'm' })
       // Keeps the process alive until the delay is over, so that the exit does not trigger the export.
       setTimeout(() => {}, 100)
       process.once('exit', () => console.log(JSON.stringify(process.getActiveResourcesInfo())))`
    const { code, signal, stdout, stderr } = await runModule(program)
    // A child that lives for 15 s is killed.
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(stdout).not.toContain('Timeout')
    expect(stderr).toContain('SLUICE_EXPORT_FAILED')
  })

  // Requirements: D12
  test('an exporter that throws leaves no timer running', async () => {
    const pipeline = createPipeline(new ScriptedExporter({ delivery: { exportTimeoutMillis: 30_000 } }))
    pipeline.exporter.export = () => {
      throw new Error('no')
    }
    pipeline.log('a\n')
    pipeline.host.endTurn()
    await settlePromises()
    expect(pipeline.host.pendingDelays).toBe(0)
    expect(pipeline.stats()).toMatchObject({ queued: 0, dropped: { byReason: { io_error: 1 } } })
  })
})

describe('delivery options', () => {
  // Requirements: D30
  test.each([0, undefined])('an export timeout of %p disables the timeout', (exportTimeoutMillis) => {
    const delivery = exportTimeoutMillis === undefined ? {} : { exportTimeoutMillis }
    const pipeline = createPipeline(new StallingExporter({ delivery }))
    pipeline.log('a\n')
    pipeline.host.endTurn()
    pipeline.host.advance(2 ** 31)
    expect(pipeline.exporter.signals[0]?.aborted ?? false).toBe(false)
    expect(pipeline.host.codes()).toEqual([])
  })

  // Requirements: D30, ERR2
  test.each<[keyof Delivery, number]>([
    ['maxQueueSize', -1],
    ['maxQueueSize', 0],
    ['maxQueueBytes', -1],
    ['maxExportBatchSize', 0],
    ['scheduledDelayMillis', -1],
    ['exportTimeoutMillis', -1],
  ])('createLogger rejects the exporter setting %s of %p', (name, value) => {
    const make = () => createLogger({ exporter: new AcceptingExporter({ delivery: { [name]: value } }) })
    const problem = expect.objectContaining({ path: `exporter.${name}`, code: 'SLUICE_OPTION_RANGE' })
    expect(make).toThrow(expect.objectContaining({ problems: [problem] }))
  })
})

// Requirements: BLR3, D1
test('a queue overflow is reported to onDiagnostic when it begins, and in the log when it ends', async () => {
  const codes: string[] = []
  const exporter = new LimitedExporter({ delivery: { maxQueueSize: 10, onFull: 'dropNewest' } })
  const log = createLogger({ exporter, handleExit: false, onDiagnostic: ({ code }) => codes.push(code) })
  for (let seq = 0; seq < 2_560; seq++) log.info(`${seq}`)
  expect(codes).toEqual(['SLUICE_QUEUE_FULL'])
  exporter.addCapacity(100)
  expect(await log.shutdown()).toMatchObject({ dropped: 0, pending: 0 })
  const notices = exporter.lines().filter((line) => line['otel.event.name'] === 'sluice.records_dropped')
  expect(notices).toMatchObject([{ level: 'warn', attributes: { dropped: 2_550, by_reason: { queue_full: 2_550 } } }])
})

// Requirements: PRO6, CON1, D13
test('records that are logged around a flush in one turn are exported once, without overlapping exports', async () => {
  const pipeline = createPipeline(new StallingExporter({ schedule: 'sync' }))
  pipeline.logAll(texts(5))
  void pipeline.processor.flush(1_000)
  pipeline.logAll(texts(5, 10, 5))
  const shutdown = pipeline.processor.shutdown(1_000)
  for (let answers = 0; answers < 10 && pipeline.exporter.pending !== undefined; answers++) {
    pipeline.exporter.complete()
    await settlePromises()
  }
  expect(pipeline.exporter).toMatchObject({ hasOverlapped: false, accepted: texts(10) })
  await shutdown
})

// Requirements: EXP2
test('the file, descriptor, memory and OTLP exporters reject batches after shutdown', async () => {
  const directory = temporaryDirectory()
  const exporters: Exporter[] = [
    fileExporter({ path: directory.path('file') }),
    fdExporter({ fd: 2 }),
    memoryExporter(),
    // Nothing listens on this port: a request would be retried for a minute.
    otlpExporter({ url: 'http://127.0.0.1:9/v1/logs' }),
  ]
  for (const exporter of exporters) {
    exporter.start?.({ reportDiagnostic: () => {}, monotonic: () => performance.now(), exitTimeoutMillis: 100 })
    await exporter.shutdown!()
    expect(await exporter.export(batchOf(['late\n']), undefined)).toMatchObject({ status: 'rejected', accepted: 0 })
  }
  directory.remove()
})

// Requirements: MET1
test('otel.sdk.log.created includes records that traceBased filters out', async () => {
  const memory = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: memory, exportIntervalMillis: 2 ** 30 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const log = createLogger({ exporter: new AcceptingExporter(), traceBased: true, meterProvider, handleExit: false })
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 0 }
  log.info('kept')
  log.debug('not enabled')
  log.child({}, { context: trace.setSpanContext(ROOT_CONTEXT, ids) }).info('filtered')
  await reader.forceFlush()
  const metrics = memory.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  const created = metrics.find(({ descriptor }) => descriptor.name === 'otel.sdk.log.created')
  expect(created!.dataPoints.map(({ value }) => value)).toEqual([2])
  expect(log.stats().exporters[0]).toMatchObject({ emitted: 2, filtered: 1 })
})
