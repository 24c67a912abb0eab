import type { BatchProcessor } from './batch-processor.ts'
import { createComponentAttributes } from './component-names.ts'
import { addCreatedCount } from './created-metric.ts'
import { guardedMeter } from './guarded-meter.ts'
import { dropReasons, type Counters, type DropReason } from './counters.ts'
import { addCounter, addUpDownCounter, type Observation } from './instruments.ts'
import type { Histogram, Meter, MeterProvider, MetricAttributes } from './meter.ts'
import { addRecorderMetrics } from './recorder-metrics.ts'
import type { ExportOperation } from './export-loop.ts'

/** A pipeline and its counters, which are reported as metrics. */
export interface MeasuredPipeline {
  readonly processor: BatchProcessor
  readonly counters: Counters
  /** Whether a flight recorder holds records of the pipeline. */
  readonly hasRecorder: boolean
}

/** What is measured: a logger with its pipelines, or a processor or an exporter of this package in another SDK. */
export type MeasuredPart = 'logger' | 'processor' | 'exporter'

/**
 * Reports delivery metrics to a MeterProvider, following the semantic conventions for OpenTelemetry SDKs (`otel.sdk.*`). The
 * values are read from the counters when a metric reader collects, so they add no cost per record; only the duration of an export
 * is recorded when it ends. At any time, all records in `exported`, whatever their `error.type`, and those in `inflight` are the
 * records in `processed` that were not dropped before they were passed to the exporter.
 *
 * @param version - the version of this package
 * @param onFailure - called when the provider throws or rejects
 * @returns a function to call when the queues are closed: up-down counters such as the queue size are 0 from then on, and counters
 * keep their values
 */
export function startSelfMetrics(
  provider: MeterProvider,
  version: string,
  measuredPart: MeasuredPart,
  pipelines: readonly MeasuredPipeline[],
  onFailure: () => void,
): () => void {
  try {
    const meter = guardedMeter(provider, version, onFailure)
    const stopFunctions = pipelines.flatMap((measured) => startMetrics(meter, measuredPart, measured))
    // Each pipeline has counted all records, so the largest count is the number of created records.
    if (measuredPart === 'logger')
      stopFunctions.push(addCreatedCount(provider, meter, () => Math.max(0, ...pipelines.map(countCreated))))
    return () => {
      for (const stop of stopFunctions) stop()
    }
  } catch {
    onFailure()
    return () => {}
  }
}

/** Returns how many records were created for a pipeline, without those of loggers that are not enabled. */
function countCreated({ counters: { emitted, disabled } }: MeasuredPipeline): number {
  return emitted - disabled
}

/** Creates the instruments of one pipeline. Returns the functions that stop them. */
function startMetrics(
  meter: Meter,
  measuredPart: MeasuredPart,
  { processor, counters, hasRecorder }: MeasuredPipeline,
): (() => void)[] {
  const exporterAttributes = createExporterAttributes(processor)
  const stopFunctions = [
    addUpDownCounter(meter, inFlightInstrument, exporterAttributes, () => processor.inFlight),
    addCounter(meter, exportedInstrument, exportedReader(counters, exporterAttributes)),
    measureDurations(meter, processor, exporterAttributes),
  ]
  if (measuredPart === 'exporter') return stopFunctions
  const isSimple = processor.exporter.schedule === 'sync'
  const queueAttributes = createComponentAttributes(isSimple ? 'simple_log_processor' : 'batching_log_processor')
  return [
    ...stopFunctions,
    ...(hasRecorder ? addRecorderMetrics(meter, counters, queueAttributes) : []),
    addUpDownCounter(meter, queueSizeInstrument, queueAttributes, () => processor.queuedRecords),
    ...(processor.maxQueueSize === Infinity
      ? []
      : [addUpDownCounter(meter, queueCapacityInstrument, queueAttributes, () => processor.maxQueueSize)]),
    addCounter(
      meter,
      processedInstrument,
      () => processedObservations(counters, processor.inFlight, queueAttributes),
      processedReader(counters, queueAttributes),
    ),
  ]
}

const queueSizeInstrument = {
  name: 'otel.sdk.processor.log.queue.size',
  description: 'The number of log records in the queue',
}
const queueCapacityInstrument = {
  name: 'otel.sdk.processor.log.queue.capacity',
  description: 'The maximum number of log records in the queue',
}
const processedInstrument = {
  name: 'otel.sdk.processor.log.processed',
  description: 'The number of log records passed to the exporter, or dropped before',
}
const inFlightInstrument = {
  name: 'otel.sdk.exporter.log.inflight',
  description: 'The number of log records passed to the exporter whose export has not finished',
}
const exportedInstrument = {
  name: 'otel.sdk.exporter.log.exported',
  description: 'The number of log records whose export has finished',
}
const durationInstrument = {
  name: 'otel.sdk.exporter.operation.duration',
  description: 'The duration of exporting a batch of log records, including retries',
}

/**
 * Returns the attributes of an exporter. Component names are `<type>/<count>`, counted over the whole process, and never random.
 */
function createExporterAttributes({ exporter }: BatchProcessor): MetricAttributes {
  const { name, component } = exporter
  const serverAddress = component?.serverAddress
  const serverPort = component?.serverPort
  return {
    ...createComponentAttributes(component?.type ?? name),
    ...(serverAddress === undefined ? {} : { 'server.address': serverAddress }),
    ...(serverPort === undefined ? {} : { 'server.port': serverPort }),
  }
}

/** Returns the `error.type` of the semantic conventions for a drop reason. */
function errorType(reason: DropReason): string {
  return reason === 'shutdown' ? 'already_shutdown' : reason
}

/**
 * Returns the counts of `processed`: first all records that were passed to the exporter, whatever their outcome, then by reason the
 * records that were dropped before.
 */
function processedObservations(counters: Counters, inFlight: number, queueAttributes: MetricAttributes): Observation[] {
  const { written, unknown, droppedByReason, failedByReason } = counters
  const exportedCount = written + unknown + failedByReason.reduce((sum, count) => sum + count, 0) + inFlight
  return [
    [exportedCount, queueAttributes],
    ...observationsByReason((index) => droppedByReason[index]! - failedByReason[index]!, queueAttributes),
  ]
}

/**
 * Returns a function that reads `processed` after the pipeline was closed, when no record is in flight. It references only the
 * counters, so that the pipeline can be garbage collected.
 */
function processedReader(counters: Counters, queueAttributes: MetricAttributes): () => Observation[] {
  return () => processedObservations(counters, 0, queueAttributes)
}

/** Returns a function that reads `exported`. It references only the counters. */
function exportedReader(counters: Counters, exporterAttributes: MetricAttributes): () => Observation[] {
  return () => exportedObservations(counters, exporterAttributes)
}

function exportedObservations(
  { written, unknown, failedByReason }: Counters,
  exporterAttributes: MetricAttributes,
): Observation[] {
  const unanswered: Observation[] =
    unknown > 0 ? [[unknown, { ...exporterAttributes, 'error.type': 'unanswered' }]] : []
  const failed = observationsByReason((index) => failedByReason[index]!, exporterAttributes)
  return [[written, exporterAttributes], ...unanswered, ...failed]
}

/** Returns an observation for each drop reason whose count is not 0. */
function observationsByReason(countOf: (index: number) => number, attributes: MetricAttributes): Observation[] {
  return dropReasons.flatMap((reason, index): Observation[] => {
    const count = countOf(index)
    return count > 0 ? [[count, { ...attributes, 'error.type': errorType(reason) }]] : []
  })
}

/** Creates the histogram of export durations, and records each export. Returns a function that stops it. */
function measureDurations(meter: Meter, processor: BatchProcessor, exporterAttributes: MetricAttributes): () => void {
  const { name, description } = durationInstrument
  // Without bucket boundaries, the histogram has only count and sum. A view can add boundaries.
  const histogram = meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: [] } })
  const observer = (operation: ExportOperation) => recordDuration(histogram, operation, exporterAttributes)
  processor.exportObservers.add(observer)
  return () => void processor.exportObservers.delete(observer)
}

/** Records the duration of an export with the `error.type` of its result. */
function recordDuration(
  histogram: Histogram,
  { millis, result, records }: ExportOperation,
  exporterAttributes: MetricAttributes,
): void {
  const { status, statusCode, refused = [] } = result
  const areAllRefused = refused.reduce((sum, part) => sum + part.records, 0) >= records
  const exportErrorType =
    status === 'accepted'
      ? areAllRefused
        ? refused.at(0)?.reason
        : undefined
      : status === 'rejected'
        ? result.reason
        : status === 'unknown'
          ? 'unanswered'
          : 'retry_exhausted'
  histogram.record(millis / 1_000, {
    ...exporterAttributes,
    ...(exportErrorType === undefined ? {} : { 'error.type': exportErrorType }),
    ...(statusCode === undefined ? {} : { 'http.response.status_code': statusCode }),
  })
}
