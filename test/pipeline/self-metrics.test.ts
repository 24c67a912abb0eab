import { describe, expect, jest, test } from '@jest/globals'
import { LoggerProvider } from '@opentelemetry/sdk-logs'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { createLogger } from '../../src/create/create-logger.ts'
import type { LoggerOptions } from '../../src/logger/types.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { retry } from '../../src/exporters/retry/retry.ts'
import { PipelineLogRecordProcessor } from '../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import type { EncodedBatch, Exporter, ExportResult } from '../../src/pipeline/exporter.ts'
import type { ObservableResult } from '../../src/pipeline/meter.ts'
import { AcceptingExporter } from '../support/pipeline/exporters.ts'
import { waitUntil } from '../support/wait-until.ts'

/** An exporter whose exports settle when the test calls `answer`. */
class ManualExporter implements Exporter {
  readonly name = 'asked'
  readonly component = { type: 'asked_exporter', serverAddress: 'collector.test', serverPort: 4318 }
  readonly encoding = jsonLines()
  readonly schedule = 'turn'
  readonly delivery = { maxQueueSize: 8, onFull: 'dropNewest' as const, maxExportBatchSize: 4 }
  private readonly answers: ((result: ExportResult) => void)[] = []

  export(_batch: EncodedBatch): Promise<ExportResult> {
    return new Promise((resolve) => this.answers.push(resolve))
  }

  get isPending(): boolean {
    return this.answers.length > 0
  }

  async answer(result: ExportResult): Promise<void> {
    this.answers.shift()!(result)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

interface Point {
  readonly value: unknown
  readonly attributes: Readonly<Record<string, unknown>>
}

function metered(around: (exporter: Exporter) => Exporter = (exporter) => exporter, options: LoggerOptions = {}) {
  const memory = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: memory, exportIntervalMillis: 2 ** 30 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const exporter = new ManualExporter()
  const log = createLogger({
    exporter: around(exporter),
    meterProvider,
    handleExit: false,
    onDiagnostic: () => {},
    ...options,
  })

  async function points(name: string): Promise<Point[]> {
    memory.reset()
    await reader.forceFlush()
    const metrics = memory.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    const metric = metrics.find(({ descriptor }) => descriptor.name === name)
    return (metric?.dataPoints ?? []).map(({ value, attributes }) => ({ value, attributes }))
  }

  async function descriptor(name: string): Promise<object | undefined> {
    memory.reset()
    await reader.forceFlush()
    const metrics = memory.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    const metric = metrics.find((one) => one.descriptor.name === name)
    return (
      metric && {
        unit: metric.descriptor.unit,
        kind: metric.dataPointType,
        monotonic: 'isMonotonic' in metric && metric.isMonotonic,
      }
    )
  }

  /** Each value by its error type; '' for points without one. */
  async function byError(name: string): Promise<Record<string, unknown>> {
    return Object.fromEntries(
      (await points(name)).map(({ value, attributes }) => [attributes['error.type'] ?? '', value]),
    )
  }

  return { exporter, log, points, byError, descriptor, meterProvider }
}

const withValue = (value: number) => (points: Point[]) => points.map((point) => ({ ...point, value }))
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('pipeline metrics', () => {
  // Requirements: MET1, MET2, MET3, MET4, MET5, MET6, MET7
  test('pipeline metrics have the names, units and kinds of the semantic conventions', async () => {
    const { log, exporter, descriptor } = metered()
    log.info('one')
    await turn()
    await exporter.answer({ status: 'accepted' })
    const sum = { unit: '{log_record}', kind: 3 }
    expect(await descriptor('otel.sdk.log.created')).toEqual({ ...sum, monotonic: true })
    expect(await descriptor('otel.sdk.processor.log.processed')).toEqual({ ...sum, monotonic: true })
    expect(await descriptor('otel.sdk.exporter.log.exported')).toEqual({ ...sum, monotonic: true })
    expect(await descriptor('otel.sdk.processor.log.queue.size')).toEqual({ ...sum, monotonic: false })
    expect(await descriptor('otel.sdk.processor.log.queue.capacity')).toEqual({ ...sum, monotonic: false })
    expect(await descriptor('otel.sdk.exporter.log.inflight')).toEqual({ ...sum, monotonic: false })
    expect(await descriptor('otel.sdk.exporter.operation.duration')).toMatchObject({ unit: 's', kind: 0 })
  })

  test('a logger with a flight recorder reports held, released and expired records, and still does after shutdown', async () => {
    const { log, exporter, descriptor, points } = metered(undefined, { recorder: { by: 'tenant', maxRecords: 2 } })
    const child = log.child({ tenant: 'a' })
    const values = async () =>
      Promise.all(
        ['held', 'released', 'expired'].map(
          async (name) => (await points(`sluice.recorder.log.${name}`)).map(({ value }) => value)[0],
        ),
      )
    expect(await values()).toEqual([0, 0, 0])
    for (let i = 0; i < 5; i++) child.debug('held')
    expect(await values()).toEqual([2, 0, 3])
    child.error('failed')
    expect(await values()).toEqual([0, 2, 3])
    log.child({ tenant: 'b' }).debug('held')
    const sum = { unit: '{log_record}', kind: 3 }
    expect(await descriptor('sluice.recorder.log.held')).toEqual({ ...sum, monotonic: false })
    expect(await descriptor('sluice.recorder.log.released')).toEqual({ ...sum, monotonic: true })
    expect(await descriptor('sluice.recorder.log.expired')).toEqual({ ...sum, monotonic: true })
    expect(await points('sluice.recorder.log.held')).toEqual(
      await points('otel.sdk.processor.log.queue.size').then(withValue(1)),
    )
    const closed = log.shutdown()
    await turn()
    await exporter.answer({ status: 'accepted' })
    await closed
    expect(await values()).toEqual([0, 2, 4])
  })

  test('a logger without a flight recorder has no metrics of held records', async () => {
    const { points } = metered()
    expect(await points('sluice.recorder.log.held')).toEqual([])
  })

  // Requirements: MET8
  test('metrics identify components by type and count, and exporter metrics include the server address and port', async () => {
    const { log, exporter, points } = metered()
    log.info('one')
    await turn()
    const [queue] = await points('otel.sdk.processor.log.queue.size')
    expect(queue!.attributes).toEqual({
      'otel.component.type': 'batching_log_processor',
      'otel.component.name': expect.stringMatching(/^batching_log_processor\/\d+$/),
    })
    const [inflight] = await points('otel.sdk.exporter.log.inflight')
    expect(inflight!.attributes).toEqual({
      'otel.component.type': 'asked_exporter',
      'otel.component.name': expect.stringMatching(/^asked_exporter\/\d+$/),
      'server.address': 'collector.test',
      'server.port': 4318,
    })
    await exporter.answer({ status: 'accepted' })
  })

  // Requirements: MET8
  test('all metrics of a component have the same component name, and the next component has the next count', async () => {
    const one = metered()
    const other = createLogger({ exporter: new ManualExporter(), meterProvider: one.meterProvider, handleExit: false })
    for (const log of [one.log, other]) log.info('m')
    await turn()
    await one.exporter.answer({ status: 'accepted' })
    const namesOn = async (metric: string) =>
      (await one.points(`otel.sdk.${metric}`)).map(({ attributes }) => String(attributes['otel.component.name']))
    const [first] = await namesOn('processor.log.queue.size')
    const [exporter] = await namesOn('exporter.log.inflight')
    for (const metric of ['processor.log.queue.size', 'processor.log.queue.capacity', 'processor.log.processed'])
      expect(await namesOn(metric)).toEqual([first, nextName(first!)])
    for (const metric of ['exporter.log.inflight', 'exporter.log.exported'])
      expect(await namesOn(metric)).toEqual([exporter, nextName(exporter!)])
    // Only the export of the first exporter has settled.
    expect(await namesOn('exporter.operation.duration')).toEqual([exporter])
    await other.shutdown({ timeoutMillis: 1 })
  })

  // Requirements: MET8
  test('the component type is simple_log_processor when each record is exported synchronously', async () => {
    const { log, points } = metered(() => new AcceptingExporter({ schedule: 'sync', delivery: { maxQueueSize: 8 } }))
    log.info('one')
    for (const metric of ['queue.size', 'queue.capacity', 'processed']) {
      expect((await points(`otel.sdk.processor.log.${metric}`)).map(({ attributes }) => attributes)).toEqual([
        {
          'otel.component.type': 'simple_log_processor',
          'otel.component.name': expect.stringMatching(/^simple_log_processor\/\d+$/),
        },
      ])
    }
    await log.shutdown()
  })

  // Requirements: MET2, MET3, MET4, MET5, MET6
  test('records count as processed when they are passed to the exporter, regardless of the result', async () => {
    const { log, exporter, byError, points } = metered()
    for (let seq = 0; seq < 10; seq++) log.info(`${seq}`)
    await turn()
    expect(await byError('otel.sdk.log.created')).toEqual({ '': 10 })
    expect(await byError('otel.sdk.processor.log.processed')).toEqual({ '': 4, queue_full: 2 })
    expect(await byError('otel.sdk.exporter.log.exported')).toEqual({ '': 0 })
    expect((await points('otel.sdk.processor.log.queue.size'))[0]!.value).toBe(8)
    expect((await points('otel.sdk.processor.log.queue.capacity'))[0]!.value).toBe(8)
    expect((await points('otel.sdk.exporter.log.inflight'))[0]!.value).toBe(4)

    await exporter.answer({ status: 'rejected', accepted: 0, reason: 'io_error' })
    expect(await byError('otel.sdk.processor.log.processed')).toEqual({ '': 8, queue_full: 2 })
    await exporter.answer({ status: 'accepted', refused: [{ records: 1, reason: 'rejected' }] })
    expect(await byError('otel.sdk.processor.log.processed')).toMatchObject({ '': 8, queue_full: 2 })
    expect(await byError('otel.sdk.exporter.log.exported')).toEqual({ '': 3, io_error: 4, rejected: 1 })
  })

  // Requirements: MET2, MET3, MET5
  test('gauges report the queue size, the queue capacity and the records in flight', async () => {
    const { log, exporter, points } = metered()
    const gauges = async () => {
      const names = ['processor.log.queue.size', 'processor.log.queue.capacity', 'exporter.log.inflight']
      const found = await Promise.all(names.map((name) => points(`otel.sdk.${name}`)))
      return found.map((all) => all.map(({ value }) => value))
    }
    expect(await gauges()).toEqual([[0], [8], [0]])
    log.info('first')
    await turn()
    expect(await gauges()).toEqual([[1], [8], [1]])
    for (let seq = 0; seq < 3; seq++) log.info(`${seq}`)
    await turn()
    // The queue holds a batch until its export settles, and the capacity includes it.
    expect(await gauges()).toEqual([[4], [8], [1]])
    await exporter.answer({ status: 'accepted' })
    expect(await gauges()).toEqual([[3], [8], [3]])
    await exporter.answer({ status: 'accepted' })
    expect(await gauges()).toEqual([[0], [8], [0]])
    await log.shutdown()
  })

  // Requirements: MET4, MET5, MET6, MET7
  test('a batch that is waiting for a retry counts as in flight, and its export is counted once', async () => {
    const { log, exporter, points, byError } = metered((inner) => retry(inner, { initialDelayMillis: 30 }))
    for (let seq = 0; seq < 3; seq++) log.info(`${seq}`)
    await turn()
    for (let tries = 0; tries < 2; tries++) {
      await waitUntil(() => exporter.isPending)
      await exporter.answer({ status: 'retryable', accepted: 0 })
      expect(exporter.isPending).toBe(false)
      expect(await byError('otel.sdk.exporter.log.inflight')).toEqual({ '': 3 })
      expect(await byError('otel.sdk.processor.log.processed')).toEqual({ '': 3 })
      expect(await byError('otel.sdk.exporter.log.exported')).toEqual({ '': 0 })
      expect(await points('otel.sdk.exporter.operation.duration')).toEqual([])
    }
    await waitUntil(() => exporter.isPending)
    await exporter.answer({ status: 'accepted' })
    expect(await byError('otel.sdk.exporter.log.inflight')).toEqual({ '': 0 })
    expect(await byError('otel.sdk.exporter.log.exported')).toEqual({ '': 3 })
    const [duration] = await points('otel.sdk.exporter.operation.duration')
    expect(duration!.value).toMatchObject({ count: 1 })
    expect((duration!.value as { sum: number }).sum).toBeGreaterThan(0.025)
    await log.shutdown()
  })

  // Requirements: MET7
  test('metrics report the same values as stats()', async () => {
    const { log, exporter, byError, points } = metered()
    for (let seq = 0; seq < 10; seq++) log.info(`${seq}`)
    await turn()
    await exporter.answer({ status: 'accepted' })
    const { emitted, exporters } = log.stats()
    const { queued, inFlight, capacity, exports, written, dropped, exportMillis } = exporters[0]!
    expect({ queued, inFlight, capacity, exports, written, dropped: dropped.total }).toEqual({
      // includes the drop report
      queued: 5,
      inFlight: 4,
      capacity: 8,
      exports: 1,
      written: 4,
      dropped: 2,
    })
    expect(await byError('otel.sdk.log.created')).toEqual({ '': emitted })
    expect((await points('otel.sdk.processor.log.queue.size'))[0]!.value).toBe(queued)
    expect(await byError('otel.sdk.exporter.log.exported')).toEqual({ '': written })
    const [duration] = await points('otel.sdk.exporter.operation.duration')
    expect(duration!.value).toMatchObject({ count: exports, buckets: { boundaries: [], counts: [1] } })
    expect((duration!.value as { sum: number }).sum * 1_000).toBeCloseTo(exportMillis, 3)
  })

  // Requirements: MET7
  test('the duration of an export is recorded once, with its error type and HTTP status code', async () => {
    const { log, exporter, points } = metered()
    log.info('one')
    await turn()
    await exporter.answer({ status: 'rejected', accepted: 0, reason: 'rejected', statusCode: 400 })
    expect(await points('otel.sdk.exporter.operation.duration')).toEqual([
      {
        value: expect.objectContaining({ count: 1 }),
        attributes: expect.objectContaining({ 'error.type': 'rejected', 'http.response.status_code': 400 }),
      },
    ])
  })

  // Requirements: MET2, MET3, MET4, MET5
  test('gauges are 0 after shutdown, and counters keep their values', async () => {
    const { log, exporter, byError } = metered()
    const gauges = ['processor.log.queue.size', 'processor.log.queue.capacity', 'exporter.log.inflight']
    for (const text of ['one', 'two', 'three']) log.info(text)
    await turn()
    // A cumulative reader repeats the last observed value.
    for (const name of gauges) expect((await byError(`otel.sdk.${name}`))['']).toBeGreaterThan(0)
    const closed = log.shutdown()
    await exporter.answer({ status: 'accepted' })
    await closed
    log.info('late')
    for (const name of gauges) expect(await byError(`otel.sdk.${name}`)).toEqual({ '': 0 })
    expect(await byError('otel.sdk.exporter.log.exported')).toEqual({ '': 3 })
    expect(await byError('otel.sdk.processor.log.processed')).toEqual({ '': 3, already_shutdown: 1 })
  })
})

function failing(): never {
  throw new Error('no')
}

/** The component name with the next count. */
function nextName(name: string): string {
  return name.replace(/\d+$/, (count) => String(Number(count) + 1))
}

// Requirements: MET1
test('loggers with the same MeterProvider share one sum of created records', async () => {
  const one = metered()
  const other = createLogger({
    exporter: new ManualExporter(),
    meterProvider: one.meterProvider,
    handleExit: false,
    onDiagnostic: () => {},
  })
  one.log.info('a')
  other.info('b')
  other.info('c')
  expect(await one.byError('otel.sdk.log.created')).toEqual({ '': 3 })
  await other.shutdown({ timeoutMillis: 1 })
  expect((await one.points('otel.sdk.log.created'))[0]!.value).toBeGreaterThanOrEqual(3)
})

// Requirements: MET1
test('filtered records count as created, and records of a disabled logger do not', async () => {
  const { meterProvider, points, log } = metered()
  const provider = createLoggerProvider({
    exporter: new AcceptingExporter({ delivery: { level: 'error' } }),
    defaultLogger: { minimumSeverity: 9 },
    loggers: [{ name: 'off', enabled: false }],
    meterProvider,
    handleExit: false,
  })
  const created = () => points('otel.sdk.log.created')
  for (const [name, severityNumber, count] of [
    ['a', 17, 1], // exported
    ['a', 9, 2], // filtered by the level of the exporter
    ['a', 5, 3], // below the minimum severity
    ['off', 17, 3],
  ] as const) {
    provider.getLogger(name).emit({ body: 'm', severityNumber })
    expect(await created()).toEqual([{ value: count, attributes: {} }])
  }
  await provider.forceFlush()
  expect(provider.stats().exporters[0]).toMatchObject({ emitted: 4, written: 1, filtered: 3 })
  await provider.shutdown()
  expect(await created()).toEqual([{ value: 3, attributes: {} }])
  await log.shutdown()
})

// Requirements: MET6
test('records without a response count as exported with error type unanswered, and sums match those processed', async () => {
  const { log, exporter, byError } = metered()
  for (let seq = 0; seq < 6; seq++) log.info(`${seq}`)
  await turn()
  await exporter.answer({ status: 'unknown', accepted: 1 })
  await exporter.answer({ status: 'accepted', refused: [{ records: 1, reason: 'too_large' }] })
  expect(await byError('otel.sdk.exporter.log.exported')).toEqual({ '': 2, unanswered: 3, too_large: 1 })
  // the drop report is in flight
  expect(await byError('otel.sdk.exporter.log.inflight')).toEqual({ '': 1 })
  expect(await byError('otel.sdk.processor.log.processed')).toEqual({ '': 7 })
})

// Requirements: ERR1
test('shutdown calls no method of a meter, because it could throw', async () => {
  const codes: string[] = []
  const instrument = {
    addCallback() {},
    record() {},
  }
  const meter = {
    createObservableCounter: () => instrument,
    createObservableUpDownCounter: () => instrument,
    createHistogram: () => instrument,
  }
  const log = createLogger({
    exporter: new ManualExporter(),
    meterProvider: { getMeter: () => meter },
    onDiagnostic: ({ code }) => void codes.push(code),
    handleExit: false,
  })
  expect(await log.shutdown()).toMatchObject({ ok: true })
  expect(codes).toEqual([])
})

// Requirements: ERR1, MET9
test('a MeterProvider that throws disables its metrics and loses no record', async () => {
  const codes: string[] = []
  const onDiagnostic = ({ code }: { code: string }) => void codes.push(code)
  const exporter = new ManualExporter()
  const log = createLogger({ exporter, meterProvider: { getMeter: failing }, onDiagnostic, handleExit: false })
  log.info('one')
  await turn()
  await exporter.answer({ status: 'accepted' })
  expect(log.stats().written).toBe(1)
  expect(codes).toEqual(['SLUICE_METRICS_FAILED'])
})

// Requirements: ERR1, MET9
test.each([
  'createObservableCounter',
  'createObservableUpDownCounter',
  'createHistogram',
  'addCallback',
  'record',
  'observe',
] as const)('a MeterProvider whose %s throws disables its metrics and loses no record', async (name) => {
  const failed = jest.fn(failing)
  const callbacks: ((result: ObservableResult) => void)[] = []
  const broken = { [name]: failed }
  const instrument = {
    addCallback: (callback: (result: ObservableResult) => void) => void callbacks.push(callback),
    record() {},
    ...broken,
  }
  const create = () => instrument
  const meter = {
    createObservableCounter: create,
    createObservableUpDownCounter: create,
    createHistogram: create,
    ...broken,
  }
  const collect = () => callbacks.forEach((callback) => callback({ observe() {}, ...broken }))
  const codes: string[] = []
  const exporter = new ManualExporter()
  const log = createLogger({
    exporter,
    meterProvider: { getMeter: () => meter },
    onDiagnostic: ({ code }) => void codes.push(code),
    handleExit: false,
  })
  log.info('one')
  await turn()
  await exporter.answer({ status: 'accepted' })
  collect()
  const closed = log.shutdown()
  collect()
  expect(await closed).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(log.stats()).toMatchObject({ written: 1, queued: 0 })
  expect(failed).toHaveBeenCalled()
  expect(new Set(codes)).toEqual(new Set(['SLUICE_METRICS_FAILED']))
})

// Requirements: MET9
test('the globally registered MeterProvider is not read when the meterProvider option is not set', async () => {
  const key = Symbol.for('opentelemetry.js.api.1')
  const read = jest.fn()
  // Other parts of the API may be read, such as spans.
  const globals = Object.defineProperty({}, 'metrics', { get: () => void read(), enumerable: true })
  Object.defineProperty(globalThis, key, { value: globals, configurable: true })
  try {
    const log = createLogger({ exporter: new AcceptingExporter(), handleExit: false })
    const provider = createLoggerProvider({ exporter: new AcceptingExporter(), handleExit: false })
    const processor = new PipelineLogRecordProcessor({ exporter: new AcceptingExporter() })
    log.info('m')
    provider.getLogger('a').emit({ body: 'm' })
    const official = new LoggerProvider({ processors: [processor] })
    official.getLogger('a').emit({ body: 'm' })
    for (const each of [log, provider, official]) await each.shutdown()
    expect([log, provider, processor].map((each) => each.stats().written)).toEqual([1, 1, 1])
    expect(read).not.toHaveBeenCalled()
    // Control: with `meterProvider: 'global'` it is read.
    await createLoggerProvider({
      exporter: new AcceptingExporter(),
      meterProvider: 'global',
      handleExit: false,
    }).shutdown()
    expect(read).toHaveBeenCalled()
  } finally {
    delete (globalThis as { [key]?: object })[key]
  }
})

test('a meterProvider option that is not a MeterProvider is rejected', () => {
  expect(() => createLogger({ meterProvider: {} as never })).toThrow(
    /meterProvider: must be an OpenTelemetry MeterProvider/,
  )
})
