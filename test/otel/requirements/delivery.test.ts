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
  AnsweringExporter,
  NarrowExporter,
  StallingExporter,
  TakingExporter,
} from '../../support/pipeline/exporters.ts'
import { promisesSettle } from '../../support/pipeline/host.ts'
import { pipeline, texts } from '../../support/pipeline/producers.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'

const failing: [string, string][] = [
  ['throws', `() => { throw new Error('no') }`],
  ['rejects', `async () => { throw new Error('no') }`],
]

describe('an exporter that fails, with 30 s for an export', () => {
  test.each(failing)('and %s keeps no process alive (D12, ERR1)', async (_, answer) => {
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

  test('and throws behind PipelineLogRecordProcessor keeps no process alive (D12, ERR1)', async () => {
    const program =
      importOf('{ PipelineLogRecordProcessor }', 'src/otel/sdk/processor.ts') +
      `import { LoggerProvider } from '@opentelemetry/sdk-logs'
       const exporter = { export() { throw new Error('no') }, async forceFlush() {}, async shutdown() {} }
       const processor = new PipelineLogRecordProcessor({ exporter, exportTimeoutMillis: 30_000, scheduledDelayMillis: 5 })
       new LoggerProvider({ processors: [processor] }).getLogger('a').emit({ body: 'm' })
       // So that it is exported after its delay, and not because the process exits.
       setTimeout(() => {}, 100)
       process.once('exit', () => console.log(JSON.stringify(process.getActiveResourcesInfo())))`
    const { code, signal, stdout, stderr } = await runModule(program)
    // A child that lives for 15 s is killed.
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(stdout).not.toContain('Timeout')
    expect(stderr).toContain('SLUICE_EXPORT_FAILED')
  })

  test('by throwing leaves no timer behind (D12)', async () => {
    const line = pipeline(new AnsweringExporter({ delivery: { exportTimeoutMillis: 30_000 } }))
    line.exporter.export = () => {
      throw new Error('no')
    }
    line.log('a\n')
    line.host.turn()
    await promisesSettle()
    expect(line.host.waiting).toBe(0)
    expect(line.ledger()).toMatchObject({ queued: 0, dropped: { byReason: { io_error: 1 } } })
  })
})

describe('what is set', () => {
  test.each([0, undefined])('an export timeout of %p is none (D30)', (exportTimeoutMillis) => {
    const delivery = exportTimeoutMillis === undefined ? {} : { exportTimeoutMillis }
    const line = pipeline(new StallingExporter({ delivery }))
    line.log('a\n')
    line.host.turn()
    line.host.advance(2 ** 31)
    expect(line.exporter.signals[0]?.aborted ?? false).toBe(false)
    expect(line.host.codes()).toEqual([])
  })

  test.each<[keyof Delivery, number]>([
    ['maxQueueSize', -1],
    ['maxQueueSize', 0],
    ['maxQueueBytes', -1],
    ['maxExportBatchSize', 0],
    ['scheduledDelayMillis', -1],
    ['exportTimeoutMillis', -1],
  ])('%s of %p is refused (D30, ERR2)', (name, value) => {
    const make = () => createLogger({ exporter: new TakingExporter({ delivery: { [name]: value } }) })
    const problem = expect.objectContaining({ path: `exporter.${name}`, code: 'SLUICE_OPTION_RANGE' })
    expect(make).toThrow(expect.objectContaining({ problems: [problem] }))
  })
})

test('a queue that overflows is told when it begins, and in the log when it is over (BLR3, D1)', async () => {
  const codes: string[] = []
  const exporter = new NarrowExporter({ delivery: { maxQueueSize: 10, onFull: 'dropNewest' } })
  const log = createLogger({ exporter, handleExit: false, onDiagnostic: ({ code }) => codes.push(code) })
  for (let seq = 0; seq < 2_560; seq++) log.info(`${seq}`)
  expect(codes).toEqual(['SLUICE_QUEUE_FULL'])
  exporter.makeRoom(100)
  expect(await log.shutdown()).toMatchObject({ dropped: 0, pending: 0 })
  const notices = exporter.lines().filter((line) => line['otel.event.name'] === 'sluice.records_dropped')
  expect(notices).toMatchObject([{ level: 'warn', attributes: { dropped: 2_550, by_reason: { queue_full: 2_550 } } }])
})

test('what is logged, flushed and logged on in one turn is never exported twice at a time (PRO6, CON1, D13)', async () => {
  const line = pipeline(new StallingExporter({ schedule: 'sync' }))
  line.logAll(texts(5))
  void line.processor.flush(1_000)
  line.logAll(texts(5, 10, 5))
  const over = line.processor.shutdown(1_000)
  for (let answers = 0; answers < 10 && line.exporter.pending !== undefined; answers++) {
    line.exporter.answer()
    await promisesSettle()
  }
  expect(line.exporter).toMatchObject({ overlapped: false, taken: texts(10) })
  await over
})

test('after shutdown the exporters of files, descriptors, memory and OTLP reject what they are given (EXP2)', async () => {
  const directory = temporaryDirectory()
  const exporters: Exporter[] = [
    fileExporter({ path: directory.path('file') }),
    fdExporter({ fd: 2 }),
    memoryExporter(),
    // Nothing listens there: a request would be tried again for a minute.
    otlpExporter({ url: 'http://127.0.0.1:9/v1/logs' }),
  ]
  for (const exporter of exporters) {
    exporter.start?.({ reportDiagnostic: () => {}, monotonic: () => performance.now(), exitTimeoutMillis: 100 })
    await exporter.shutdown!()
    expect(await exporter.export(batchOf(['late\n']), undefined)).toMatchObject({ status: 'rejected', accepted: 0 })
  }
  directory.remove()
})

test('records that trace-based logging leaves out were created all the same (MET1)', async () => {
  const memory = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: memory, exportIntervalMillis: 2 ** 30 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const log = createLogger({ exporter: new TakingExporter(), traceBased: true, meterProvider, handleExit: false })
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 0 }
  log.info('kept')
  log.debug('not enabled')
  log.child({}, { context: trace.setSpanContext(ROOT_CONTEXT, ids) }).info('left out')
  await reader.forceFlush()
  const metrics = memory.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  const created = metrics.find(({ descriptor }) => descriptor.name === 'otel.sdk.log.created')
  expect(created!.dataPoints.map(({ value }) => value)).toEqual([2])
  expect(log.stats().exporters[0]).toMatchObject({ emitted: 2, filtered: 1 })
})
