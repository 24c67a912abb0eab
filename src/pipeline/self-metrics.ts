import { componentAttributes } from './component-names.ts'
import type { BatchProcessor } from './batch-processor.ts'
import { dropReasons, type Account, type DropReason } from './ledger.ts'
import type { ExportOperation } from './outflow.ts'
import type { Histogram, Meter, MeterProvider, MetricAttributes, ObservableResult } from './meter.ts'

/** One way out, as metrics see it. */
export interface Measured {
  readonly processor: BatchProcessor
  readonly account: Account
}

/** Records that never came to the exporter, by what the semantic conventions call the reason. */
const neverExported: Partial<Record<DropReason, string>> = {
  queue_full: 'queue_full',
  shutdown: 'already_shutdown',
  too_large: 'too_large',
  not_encoded: 'not_encoded',
  exit_deadline: 'exit_deadline',
}

/** Records that the exporter had, and which its destination has not. */
const notTaken: readonly DropReason[] = ['io_error', 'retry_exhausted', 'rejected']

/**
 * Tells a MeterProvider what becomes of the records, by the semantic conventions for OpenTelemetry SDKs (`otel.sdk.*`). The
 * figures are read from the ledger when a reader collects them, so a record costs nothing more; only the duration of an
 * export is recorded when it ends.
 *
 * @param failed - called where the provider throws
 * @returns to be called when the queues are gone: they have no size and no capacity any more. What was counted stays.
 */
export function selfMetrics(
  provider: MeterProvider,
  version: string,
  all: readonly Measured[],
  failed: () => void,
): () => void {
  try {
    return startMetrics(provider.getMeter('sluice', version), all, failed)
  } catch {
    failed()
    return () => {}
  }
}

function startMetrics(meter: Meter, all: readonly Measured[], failed: () => void): () => void {
  const outlets = all.map((measured) => ({ ...measured, ...componentsOf(measured) }))
  const first = outlets[0]
  counter(meter, created, (result) => {
    // Each way out has counted all of them.
    if (first !== undefined) result.observe(Math.max(...outlets.map(({ account }) => account.emitted)))
  })
  counter(meter, processed, (result) => {
    for (const outlet of outlets) observeProcessed(result, outlet)
  })
  counter(meter, exported, (result) => {
    for (const { account, exporter } of outlets) {
      result.observe(account.written, exporter)
      for (const reason of notTaken) observeDropped(result, account, reason, exporter, reason)
    }
  })
  const duration = meter.createHistogram(operationDuration.name, {
    description: operationDuration.description,
    unit: 's',
    // A count and a sum: whoever wants more has views for it.
    advice: { explicitBucketBoundaries: [] },
  })
  for (const { processor, exporter } of outlets) {
    processor.observers.add((operation) => {
      try {
        recordDuration(duration, operation, exporter)
      } catch {
        failed()
      }
    })
  }
  const ends = [
    upDown(meter, queueSize, (result) => {
      for (const { processor, queue } of outlets) result.observe(processor.queuedRecords, queue)
    }),
    upDown(meter, queueCapacity, (result) => {
      for (const { processor, queue } of outlets) {
        if (processor.maxQueueSize !== Infinity) result.observe(processor.maxQueueSize, queue)
      }
    }),
    upDown(meter, inFlight, (result) => {
      for (const { processor, exporter } of outlets) result.observe(processor.inFlight, exporter)
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

interface Instrument {
  readonly name: string
  readonly description: string
}

const created = { name: 'otel.sdk.log.created', description: 'Records that were submitted to enabled loggers' }
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

interface Components {
  readonly queue: MetricAttributes
  readonly exporter: MetricAttributes
}

/** The names of a pipeline's parts: `<type>/<count>` over the whole process, never anything random. */
function componentsOf({ processor }: Measured): Components {
  const { exporter } = processor
  const { type, serverAddress, serverPort } = { type: exporter.name, ...exporter.component }
  const queueType = exporter.schedule === 'sync' ? 'simple_log_processor' : 'batching_log_processor'
  return {
    queue: componentAttributes(queueType),
    exporter: {
      ...componentAttributes(type),
      ...(serverAddress === undefined ? {} : { 'server.address': serverAddress }),
      ...(serverPort === undefined ? {} : { 'server.port': serverPort }),
    },
  }
}

/** What was handed over counts whatever becomes of it; what was dropped before counts with the reason. */
function observeProcessed(result: ObservableResult, { processor, account, queue }: Measured & Components): void {
  const { written, unknown, droppedByReason } = account
  const failed = notTaken.reduce((sum, reason) => sum + droppedByReason[dropReasons.indexOf(reason)]!, 0)
  result.observe(written + unknown + failed + processor.inFlight, queue)
  for (const [reason, type] of Object.entries(neverExported)) {
    observeDropped(result, account, reason as DropReason, queue, type)
  }
}

function observeDropped(
  result: ObservableResult,
  { droppedByReason }: Account,
  reason: DropReason,
  attributes: MetricAttributes,
  type: string,
): void {
  const count = droppedByReason[dropReasons.indexOf(reason)]!
  if (count > 0) result.observe(count, { ...attributes, 'error.type': type })
}

function recordDuration(histogram: Histogram, { millis, result }: ExportOperation, exporter: MetricAttributes): void {
  const { status, statusCode } = result
  const failed = status === 'accepted' ? undefined : status === 'rejected' ? result.reason : status
  histogram.record(millis / 1_000, {
    ...exporter,
    ...(failed === undefined ? {} : { 'error.type': failed }),
    ...(statusCode === undefined ? {} : { 'http.response.status_code': statusCode }),
  })
}

function counter(
  meter: Meter,
  { name, description }: Instrument,
  read: (result: ObservableResult) => void,
): () => void {
  const instrument = meter.createObservableCounter(name, { description, unit: '{log_record}' })
  instrument.addCallback(read)
  return () => instrument.removeCallback(read)
}

function upDown(meter: Meter, { name, description }: Instrument, read: (result: ObservableResult) => void): () => void {
  const instrument = meter.createObservableUpDownCounter(name, { description, unit: '{log_record}' })
  instrument.addCallback(read)
  return () => instrument.removeCallback(read)
}
