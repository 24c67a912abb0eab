import type { BatchProcessor } from './batch-processor.ts'
import { componentAttributes } from './component-names.ts'
import { addCreatedCount } from './created-metric.ts'
import { guardedMeter } from './guarded-meter.ts'
import { dropReasons, type Counters, type DropReason } from './counters.ts'
import type { Histogram, Meter, MeterProvider, MetricAttributes, ObservableResult } from './meter.ts'
import type { ExportOperation } from './export-loop.ts'

/** A pipeline and its counters, which are reported as metrics. */
export interface MeasuredPipeline {
  readonly processor: BatchProcessor
  readonly counters: Counters
}

/** What is measured: a logger with its pipelines, or a processor or an exporter of this package in another SDK. */
export type MeasuredPart = 'logger' | 'processor' | 'exporter'

/**
 * Reports delivery metrics to a MeterProvider, following the semantic conventions for OpenTelemetry SDKs (`otel.sdk.*`). The
 * values are read from the counters when a metric reader collects, so they add no cost per record; only the duration of an export
 * is recorded when it ends. `processed = exported + inflight` holds at any time.
 *
 * @param failed - called when the provider throws or rejects
 * @returns a function to call when the queues are closed: their size and capacity are 0 from then on, and counters keep their
 * values
 */
export function selfMetrics(
  provider: MeterProvider,
  version: string,
  part: MeasuredPart,
  all: readonly MeasuredPipeline[],
  failed: () => void,
): () => void {
  try {
    const meter = guardedMeter(provider, version, failed)
    const ends = all.flatMap((measured) => startMetrics(meter, part, measured))
    // Each pipeline has counted all records, so the largest count is the number of created records.
    if (part === 'logger') ends.push(addCreatedCount(provider, meter, () => Math.max(0, ...all.map(createdIn))))
    return () => {
      for (const end of ends) end()
    }
  } catch {
    failed()
    return () => {}
  }
}

/** Returns the number of created records, which does not include records of loggers that are not enabled. */
function createdIn({ counters: { emitted, disabled } }: MeasuredPipeline): number {
  return emitted - disabled
}

function startMetrics(meter: Meter, part: MeasuredPart, { processor, counters }: MeasuredPipeline): (() => void)[] {
  const exporter = exporterAttributes(processor)
  const ends = [
    upDown(meter, inFlight, exporter, () => processor.inFlight),
    counter(meter, exported, exportedBy(counters, exporter)),
    durations(meter, processor, exporter),
  ]
  if (part === 'exporter') return ends
  const isSimple = processor.exporter.schedule === 'sync'
  const queue = componentAttributes(isSimple ? 'simple_log_processor' : 'batching_log_processor')
  return [
    ...ends,
    upDown(meter, queueSize, queue, () => processor.queuedRecords),
    ...(processor.maxQueueSize === Infinity ? [] : [upDown(meter, queueCapacity, queue, () => processor.maxQueueSize)]),
    counter(meter, processed, () => processedOf(counters, processor.inFlight, queue), processedBy(counters, queue)),
  ]
}

interface Instrument {
  readonly name: string
  readonly description: string
}

const queueSize = { name: 'otel.sdk.processor.log.queue.size', description: 'The number of log records in the queue' }
const queueCapacity = {
  name: 'otel.sdk.processor.log.queue.capacity',
  description: 'The maximum number of log records in the queue',
}
const processed = {
  name: 'otel.sdk.processor.log.processed',
  description: 'The number of log records passed to the exporter, or dropped before',
}
const inFlight = {
  name: 'otel.sdk.exporter.log.inflight',
  description: 'The number of log records passed to the exporter whose export has not finished',
}
const exported = {
  name: 'otel.sdk.exporter.log.exported',
  description: 'The number of log records whose export has finished',
}
const operationDuration = {
  name: 'otel.sdk.exporter.operation.duration',
  description: 'The duration of exporting a batch of log records, including retries',
}

/**
 * Returns the attributes of an exporter. Component names are `<type>/<count>`, counted over the whole process, and never random.
 */
function exporterAttributes({ exporter }: BatchProcessor): MetricAttributes {
  const { name, component } = exporter
  const serverAddress = component?.serverAddress
  const serverPort = component?.serverPort
  return {
    ...componentAttributes(component?.type ?? name),
    ...(serverAddress === undefined ? {} : { 'server.address': serverAddress }),
    ...(serverPort === undefined ? {} : { 'server.port': serverPort }),
  }
}

type Observation = readonly [value: number, attributes: MetricAttributes]

/** Returns the `error.type` of the semantic conventions for a drop reason. */
function errorType(reason: DropReason): string {
  return reason === 'shutdown' ? 'already_shutdown' : reason
}

/**
 * Returns the processed counts: all records handed to the exporter whatever their outcome, and the records dropped before, by
 * reason.
 */
function processedOf(counters: Counters, inFlight: number, queue: MetricAttributes): Observation[] {
  const { written, unknown, droppedByReason, failedByReason } = counters
  const exportedCount = written + unknown + failedByReason.reduce((sum, count) => sum + count, 0) + inFlight
  return [[exportedCount, queue], ...byReason((index) => droppedByReason[index]! - failedByReason[index]!, queue)]
}

/** Returns a function that references only the counters, so that the pipeline can be garbage collected after it was closed. */
function processedBy(counters: Counters, queue: MetricAttributes): () => Observation[] {
  return () => processedOf(counters, 0, queue)
}

function exportedBy(counters: Counters, exporter: MetricAttributes): () => Observation[] {
  return () => exportedOf(counters, exporter)
}

function exportedOf({ written, unknown, failedByReason }: Counters, exporter: MetricAttributes): Observation[] {
  const unanswered: Observation[] = unknown > 0 ? [[unknown, { ...exporter, 'error.type': 'unanswered' }]] : []
  return [[written, exporter], ...unanswered, ...byReason((index) => failedByReason[index]!, exporter)]
}

function byReason(countOf: (index: number) => number, attributes: MetricAttributes): Observation[] {
  return dropReasons.flatMap((reason, index): Observation[] => {
    const count = countOf(index)
    return count > 0 ? [[count, { ...attributes, 'error.type': errorType(reason) }]] : []
  })
}

function durations(meter: Meter, processor: BatchProcessor, exporter: MetricAttributes): () => void {
  const { name, description } = operationDuration
  // Records only count and sum; views can configure more.
  const histogram = meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: [] } })
  const observer = (operation: ExportOperation) => recordDuration(histogram, operation, exporter)
  processor.observers.add(observer)
  return () => void processor.observers.delete(observer)
}

function recordDuration(
  histogram: Histogram,
  { millis, result, records }: ExportOperation,
  exporter: MetricAttributes,
): void {
  const { status, statusCode, refused = [] } = result
  const isRefused = refused.reduce((sum, part) => sum + part.records, 0) >= records
  const errorName =
    status === 'accepted'
      ? isRefused
        ? refused.at(0)?.reason
        : undefined
      : status === 'rejected'
        ? result.reason
        : status === 'unknown'
          ? 'unanswered'
          : 'retry_exhausted'
  histogram.record(millis / 1_000, {
    ...exporter,
    ...(errorName === undefined ? {} : { 'error.type': errorName }),
    ...(statusCode === undefined ? {} : { 'http.response.status_code': statusCode }),
  })
}

/**
 * Creates a counter. It remains after the pipeline was closed, and `last` then reads it, because late records are still counted.
 */
function counter(
  meter: Meter,
  { name, description }: Instrument,
  read: () => readonly Observation[],
  last: () => readonly Observation[] = read,
): () => void {
  let current = read
  const callback = (result: ObservableResult) => {
    for (const [value, attributes] of current()) result.observe(value, attributes)
  }
  meter.createObservableCounter(name, { description, unit: '{log_record}' }).addCallback(callback)
  return () => {
    current = last
  }
}

/**
 * Creates an up-down counter. Its value is 0 after the pipeline was closed: a cumulative reader would repeat the last value if
 * none were observed.
 */
function upDown(
  meter: Meter,
  { name, description }: Instrument,
  attributes: MetricAttributes,
  read: () => number,
): () => void {
  let current = read
  const callback = (result: ObservableResult) => result.observe(current(), attributes)
  meter.createObservableUpDownCounter(name, { description, unit: '{log_record}' }).addCallback(callback)
  return () => {
    current = noRecords
  }
}

function noRecords(): number {
  return 0
}
