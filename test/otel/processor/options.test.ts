import { afterEach, describe, expect, test } from '@jest/globals'
import type * as sdkNow from '@opentelemetry/sdk-logs'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { createLogger } from '../../../src/create/create-logger.ts'
import { fdExporter, memoryExporter, type Exporter } from '../../../src/entries/exporters.ts'
import { EncodingLogRecordExporter } from '../../../src/otel/sdk/encoding-exporter.ts'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import { PipelineLogRecordProcessor, type PipelineLogRecordProcessorOptions } from '../../../src/otel/sdk/processor.ts'
import { batchingExporter } from '../../../src/otel/sdk/processor-exporter.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import type { sdkLogs as sdkOld } from '../../legacy-otel/index.ts'
import { StallingExporter, AcceptingExporter } from '../../support/pipeline/exporters.ts'
import { sdks, StallingOtelExporter } from './sdks.ts'

const open: PipelineLogRecordProcessor[] = []

afterEach(async () => {
  for (const processor of open.splice(0)) await processor.shutdown()
})

function processorOf(options: PipelineLogRecordProcessorOptions): PipelineLogRecordProcessor {
  const processor = new PipelineLogRecordProcessor(options)
  open.push(processor)
  return processor
}

test('the classes are assignable to the types of both SDK versions, and the exporters of both lines are accepted', () => {
  const processor = processorOf({ exporter: memoryExporter() })
  const now: sdkNow.LogRecordProcessor = processor
  const old: sdkOld.LogRecordProcessor = processor
  const exporter = new EncodingLogRecordExporter({ exporter: memoryExporter() })
  const exporters: [sdkNow.LogRecordExporter, sdkOld.LogRecordExporter] = [exporter, exporter]
  const wrapped = adapted(new StallingOtelExporter(), new StallingOtelExporter())
  expect([now, old, ...exporters, ...wrapped]).toHaveLength(6)
  expect(PipelineLogRecordProcessor.name).toBe('PipelineLogRecordProcessor')
  expect(EncodingLogRecordExporter.name).toBe('EncodingLogRecordExporter')
})

describe('invalid options', () => {
  // Requirements: ERR2
  test('invalid options throw one error that lists all of them', () => {
    const options = {
      exporter: memoryExporter({ level: 'notice' }),
      redact: { keys: [5] },
      limits: { depths: 1, items: 0 },
      serializers: { a: 1 },
      maxQueueSize: -1,
      maxExportBatchSize: 0,
      scheduledDelayMillis: '5',
      exportTimeoutMillis: -1,
      onFull: 'drop',
      handleExit: 1,
      exporterr: 1,
      level: 'warn',
      onDiagnostic: 1,
      meterProvider: 1,
    }
    const found = problemsOf(() => new PipelineLogRecordProcessor(options as never))
    expect(found.map(([, path]) => path).toSorted()).toEqual(
      [
        'exporter.level',
        'exporterr',
        'exportTimeoutMillis',
        'handleExit',
        'level',
        'limits.depths',
        'limits.items',
        'maxExportBatchSize',
        'maxQueueSize',
        'meterProvider',
        'onFull',
        'onDiagnostic',
        'redact.keys[0]',
        'scheduledDelayMillis',
        'serializers.a',
      ]
        .map((path) => `PipelineLogRecordProcessor.${path}`)
        .toSorted(),
    )
  })

  test.each([null, {}, { getMeter: 1 }, () => {}])(
    'a meterProvider without getMeter is rejected (%p)',
    (meterProvider) => {
      const options = { exporter: memoryExporter(), meterProvider: meterProvider as never }
      for (const Class of [PipelineLogRecordProcessor, EncodingLogRecordExporter]) {
        expect(problemsOf(() => new Class(options))).toEqual([['SLUICE_OPTION_TYPE', `${Class.name}.meterProvider`]])
      }
    },
  )

  // Requirements: D30
  test.each(['maxQueueSize', 'maxExportBatchSize'])(
    'a %s below 0 is rejected, while the official processor accepts it',
    (name) => {
      for (const value of [-1, -5, -Infinity]) {
        const exporter = new StallingOtelExporter()
        const options = { [name]: value }
        expect(problemsOf(() => new PipelineLogRecordProcessor({ exporter, ...options }))).toEqual([
          ['SLUICE_OPTION_RANGE', `PipelineLogRecordProcessor.${name}`],
        ])
        expect(problemsOf(() => fromLogRecordExporter(exporter, options))).toEqual([
          ['SLUICE_OPTION_RANGE', `fromLogRecordExporter.${name}`],
        ])
        for (const sdk of sdks) expect(() => new sdk.BatchLogRecordProcessor({ exporter, ...options })).not.toThrow()
      }
    },
  )

  test.each([undefined, null, {}, { exporter: null }, { exporter: {} }, { exporter: [memoryExporter()] }])(
    'the options %p are rejected because they set no valid exporter',
    (options) => {
      expect(problemsOf(() => new PipelineLogRecordProcessor(options as never))).toEqual([
        ['SLUICE_OPTION_TYPE', 'PipelineLogRecordProcessor.exporter'],
      ])
    },
  )

  test('an exporter with a non-standard level is rejected', () => {
    expect(problemsOf(() => new PipelineLogRecordProcessor({ exporter: memoryExporter({ level: 'notice' }) }))).toEqual(
      [['SLUICE_LEVEL_UNKNOWN', 'PipelineLogRecordProcessor.exporter.level']],
    )
  })

  test('onFull: block is rejected for an exporter that cannot export synchronously', () => {
    const conflict = [['SLUICE_OPTION_CONFLICT', 'PipelineLogRecordProcessor.exporter.onFull']]
    for (const exporter of [new StallingExporter(), new StallingOtelExporter()]) {
      expect(problemsOf(() => new PipelineLogRecordProcessor({ exporter, onFull: 'block' }))).toEqual(conflict)
    }
    processorOf({ exporter: new AcceptingExporter(), onFull: 'block' })
  })

  test('an exporter that is already in use is rejected', () => {
    const inUse = [['SLUICE_EXPORTER_IN_USE', 'exporter']]
    const exporter = memoryExporter()
    processorOf({ exporter })
    expect(problemsOf(() => new PipelineLogRecordProcessor({ exporter }))).toEqual(inUse)
    const logged = memoryExporter()
    createLogger({ exporter: logged })
    expect(problemsOf(() => new PipelineLogRecordProcessor({ exporter: logged }))).toEqual(inUse)
    expect(problemsOf(() => createLogger({ exporter }))).toEqual(inUse)
    const official = new StallingOtelExporter(true)
    processorOf({ exporter: official })
    expect(problemsOf(() => new PipelineLogRecordProcessor({ exporter: official }))).toEqual([
      ['SLUICE_EXPORTER_IN_USE', 'exporter'],
    ])
  })
})

describe('the pipeline options of an exporter', () => {
  // Requirements: BLR1
  test('a pipeline has the defaults of OpenTelemetry when the exporter sets no options', () => {
    const { delivery, schedule } = batchingExporter(new StallingExporter({ schedule: { delayMillis: 1_000 } }), {})
    expect(schedule).toEqual({ delayMillis: 1_000 })
    expect(delivery).toEqual({
      maxQueueSize: 2_048,
      maxExportBatchSize: 512,
      exportTimeoutMillis: 30_000,
      onFull: 'dropNewest',
    })
  })

  test('a synchronous exporter has no export timeout and keeps its own schedule', () => {
    const { delivery, schedule } = batchingExporter(fdExporter({ fd: 2 }), {})
    expect(schedule).toBeUndefined()
    expect(delivery).toMatchObject({ maxQueueSize: 2_048, exportTimeoutMillis: 0 })
  })

  test('options of the exporter override the defaults, and options of the processor override both', () => {
    const exporterDelivery = {
      level: 'warn',
      maxQueueSize: 100,
      maxQueueBytes: 5_000,
      maxExportBatchSize: 50,
      exportTimeoutMillis: 7,
      onFull: 'dropOldest',
    } as const
    expect(batchingExporter(new StallingExporter({ delivery: exporterDelivery }), {}).delivery).toEqual(
      exporterDelivery,
    )
    const options = {
      maxQueueSize: 10,
      maxQueueBytes: 6_000,
      maxExportBatchSize: 5,
      scheduledDelayMillis: 3,
      exportTimeoutMillis: 9,
      onFull: 'dropLowest',
    } as const
    const { scheduledDelayMillis: delayMillis, ...delivery } = options
    const adapted = batchingExporter(new StallingExporter({ delivery: exporterDelivery }), options)
    expect(adapted.delivery).toEqual({ level: 'warn', ...delivery })
    expect(adapted.schedule).toEqual({ delayMillis })
  })

  test('a pipeline has no export timeout for an SDK exporter, whose adapter has its own timeout', () => {
    const exporter = fromLogRecordExporter(new StallingOtelExporter())
    expect(batchingExporter(exporter, {}).delivery).toEqual({
      maxQueueSize: 2_048,
      maxExportBatchSize: 512,
      exportTimeoutMillis: 0,
      onFull: 'dropNewest',
    })
  })

  test('a pipeline uses the name, encoding, destination and methods of the exporter', async () => {
    const exporter = new AcceptingExporter({ destination: { key: 'x', options: {} } })
    const adapted = batchingExporter(exporter, {})
    expect(adapted).toMatchObject({ name: 'double', encoding: exporter.encoding, destination: exporter.destination })
    adapted.keepAlive!(true)
    await adapted.flush!()
    await adapted.shutdown!()
    expect(exporter).toMatchObject({ isKeptAlive: true, flushes: 1, shutdowns: 1 })
    expect(batchingExporter(new StallingExporter(), {})).not.toHaveProperty('exportSync')
  })
})

test('meterProvider receives the number of exported records', async () => {
  const reader = new (class extends MetricReader {
    protected override async onForceFlush(): Promise<void> {}
    protected override async onShutdown(): Promise<void> {}
  })()
  const meterProvider = new MeterProvider({ readers: [reader] })
  const processor = processorOf({ exporter: memoryExporter(), meterProvider })
  const exporter = new EncodingLogRecordExporter({ exporter: memoryExporter(), meterProvider })
  const resource = { attributes: {} }
  const times = { hrTime: [1, 0] as [number, number], hrTimeObserved: [1, 0] as [number, number] }
  const record = { ...times, resource, instrumentationScope: { name: 'a' }, attributes: {}, droppedAttributesCount: 0 }
  processor.onEmit(record)
  exporter.export([record, record], () => {})
  const { resourceMetrics } = await reader.collect()
  const metrics = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics)
  const exported = metrics.find(({ descriptor }) => descriptor.name === 'otel.sdk.exporter.log.exported')!
  expect(exported.dataPoints.map(({ value }) => value)).toEqual([1, 2])
  await exporter.shutdown()
})

function problemsOf(make: () => unknown): [string, string][] {
  try {
    make()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ code, path }) => [code, path])
    throw error
  }
  return []
}

/** Wraps an exporter of each SDK version, with the types of that version. */
function adapted(now: sdkNow.LogRecordExporter, old: sdkOld.LogRecordExporter): Exporter[] {
  return [fromLogRecordExporter(now), fromLogRecordExporter(old)]
}
