import type { BatchProcessor } from './batch-processor.ts'
import { componentAttributes } from './component-names.ts'
import { createdBy } from './created-metric.ts'
import { guardedMeter } from './guarded-meter.ts'
import { dropReasons, type Counters, type DropReason } from './counters.ts'
import type { Histogram, Meter, MeterProvider, MetricAttributes, ObservableResult } from './meter.ts'
import type { ExportOperation } from './export-loop.ts'

/** One way out, as metrics see it. */
export interface Measured {
  readonly processor: BatchProcessor
  readonly counters: Counters
}

/** What is measured: a logger and all behind it, what stands in somebody's SDK as a processor, or as an exporter. */
export type MeasuredPart = 'logger' | 'processor' | 'exporter'

/**
 * Tells a MeterProvider what becomes of the records, by the semantic conventions for OpenTelemetry SDKs (`otel.sdk.*`). The
 * figures are read from the ledger when a reader collects them, so a record costs nothing more; only the duration of an
 * export is recorded when it ends. `processed = exported + inflight` holds at any time.
 *
 * @param failed - called when the provider throws or rejects
 * @returns to be called when the queues are gone: their size and capacity are 0 from then on. What was counted stays.
 */
export function selfMetrics(
  provider: MeterProvider,
  version: string,
  part: MeasuredPart,
  all: readonly Measured[],
  failed: () => void,
): () => void {
  try {
    const meter = guardedMeter(provider, version, failed)
    const ends = all.flatMap((measured) => startMetrics(meter, part, measured))
    // Each way out has counted all of them.
    if (part === 'logger') ends.push(createdBy(provider, meter, () => Math.max(0, ...all.map(createdIn))))
    return () => {
      for (const end of ends) end()
    }
  } catch {
    failed()
    return () => {}
  }
}

/** Records of loggers that are not enabled were not created. */
function createdIn({ counters: { emitted, disabled } }: Measured): number {
  return emitted - disabled
}

function startMetrics(meter: Meter, part: MeasuredPart, { processor, counters }: Measured): (() => void)[] {
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

const queueSize = { name: 'otel.sdk.processor.log.queue.size', description: 'Records that wait in the queue' }
const queueCapacity = { name: 'otel.sdk.processor.log.queue.capacity', description: 'Records that the queue can hold' }
const processed = {
  name: 'otel.sdk.processor.log.processed',
  description: 'Records that were handed to the exporter, or dropped before',
}
const inFlight = { name: 'otel.sdk.exporter.log.inflight', description: 'Records that the exporter has, unanswered' }
const exported = { name: 'otel.sdk.exporter.log.exported', description: 'Records that the exporter has done with' }
const operationDuration = {
  name: 'otel.sdk.exporter.operation.duration',
  description: 'How long an export took, with its retries',
}

/** A component is `<type>/<count>` over the whole process, never anything random. */
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

/** The word of the semantic conventions for a reason. */
function errorType(reason: DropReason): string {
  return reason === 'shutdown' ? 'already_shutdown' : reason
}

/** What was handed over counts whatever becomes of it; what was dropped before counts with the reason. */
function processedOf(counters: Counters, inFlight: number, queue: MetricAttributes): Observation[] {
  const { written, unknown, droppedByReason, notTakenByReason } = counters
  const handed = written + unknown + notTakenByReason.reduce((sum, count) => sum + count, 0) + inFlight
  return [[handed, queue], ...byReason((index) => droppedByReason[index]! - notTakenByReason[index]!, queue)]
}

/** Made here, so that it holds nothing but the account: the pipeline is let go of in the end. */
function processedBy(counters: Counters, queue: MetricAttributes): () => Observation[] {
  return () => processedOf(counters, 0, queue)
}

function exportedBy(counters: Counters, exporter: MetricAttributes): () => Observation[] {
  return () => exportedOf(counters, exporter)
}

function exportedOf({ written, unknown, notTakenByReason }: Counters, exporter: MetricAttributes): Observation[] {
  const unanswered: Observation[] = unknown > 0 ? [[unknown, { ...exporter, 'error.type': 'unanswered' }]] : []
  return [[written, exporter], ...unanswered, ...byReason((index) => notTakenByReason[index]!, exporter)]
}

function byReason(countOf: (index: number) => number, attributes: MetricAttributes): Observation[] {
  return dropReasons.flatMap((reason, index): Observation[] => {
    const count = countOf(index)
    return count > 0 ? [[count, { ...attributes, 'error.type': errorType(reason) }]] : []
  })
}

function durations(meter: Meter, processor: BatchProcessor, exporter: MetricAttributes): () => void {
  const { name, description } = operationDuration
  // A count and a sum: whoever wants more has views for it.
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
  const failed =
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
    ...(failed === undefined ? {} : { 'error.type': failed }),
    ...(statusCode === undefined ? {} : { 'http.response.status_code': statusCode }),
  })
}

/** Counters stay when the pipeline has ended; then `last` reads them, since what comes too late is counted still. */
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

/** At the end the value is 0: a cumulative reader would go on with the last one if nothing was observed any more. */
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
