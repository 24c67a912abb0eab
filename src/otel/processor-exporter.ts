import { given } from '../export/options.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../pipeline/exporter.ts'
import { monotonic } from '../runtime/end-of-turn.ts'
import { batchDefaults } from './foreign-exporter-options.ts'
import { TimeLimit } from './foreign-exporter-time-limit.ts'
import { adaptedExporter } from './readable-exporter.ts'
import { pendingResource, type PendingResource } from './readable-sources.ts'

/** The part of a processor's options that belongs to its pipeline. */
export type Batching = Omit<Delivery, 'level'>

/**
 * The exporter of a batch processor: what the processor's options say holds over what the exporter says itself, and that
 * over the defaults of OpenTelemetry (BLR1). When an exporter has its records it says itself, as does one that can do without
 * the event loop how long it may take for an answer.
 *
 * Where the resource is said with the batch, and not in each record's text, batches of a resource that is still finding out
 * about itself wait for that, for a bounded time (D14).
 */
export function batchingExporter(exporter: Exporter, options: Batching): Exporter {
  const delivery = batchingDelivery(exporter, options)
  const { scheduledDelayMillis: delayMillis } = options
  const schedule = delayMillis === undefined ? exporter.schedule : { delayMillis }
  const adapted = adaptedExporter(exporter, { schedule, delivery })
  return exporter.encoding.key.startsWith('otlp:') ? resourceAwaiting(adapted) : adapted
}

function batchingDelivery({ delivery, exportSync }: Exporter, options: Batching): Delivery {
  const maxQueueSize = options.maxQueueSize ?? delivery.maxQueueSize ?? batchDefaults.maxQueueSize
  const maxBatch = options.maxExportBatchSize ?? delivery.maxExportBatchSize ?? batchDefaults.maxExportBatchSize
  const timeout = exportSync === undefined ? batchDefaults.exportTimeoutMillis : 0
  return {
    ...delivery,
    ...given(options, ['maxQueueBytes']),
    maxQueueSize,
    maxExportBatchSize: Math.min(maxBatch, maxQueueSize),
    exportTimeoutMillis: options.exportTimeoutMillis ?? delivery.exportTimeoutMillis ?? timeout,
    // The size of the queue means what it means elsewhere: nothing is kept for severe records.
    onFull: options.onFull ?? delivery.onFull ?? 'dropNewest',
  }
}

const unknownResult: ExportResult = { status: 'unknown', accepted: 0 }
const notSent: ExportResult = { status: 'retryable', accepted: 0 }

/** The batch that waits, and the answer that a drain got for it meanwhile. */
interface Waiting {
  readonly batch: EncodedBatch
  drained: ExportResult | undefined
}

function resourceAwaiting(exporter: Exporter): Exporter {
  const { exportSync } = exporter
  const patience = (exporter.delivery.exportTimeoutMillis || Infinity) / 2
  let waiting: Waiting | undefined

  async function exportLater(
    batch: EncodedBatch,
    signal: AbortSignal | undefined,
    pending: readonly PendingResource[],
  ): Promise<ExportResult> {
    const own: Waiting = { batch, drained: undefined }
    waiting = own
    await settledWithin(pending, patience)
    waiting = undefined
    return own.drained ?? exporter.export(batch, signal)
  }

  return {
    ...exporter,
    abandon: () => (waiting === undefined ? (exporter.abandon?.() ?? unknownResult) : notSent),
    export(batch, signal) {
      const pending = pendingIn(batch)
      return pending.length === 0 ? exporter.export(batch, signal) : exportLater(batch, signal, pending)
    },
    ...(exportSync === undefined
      ? {}
      : {
          exportSync(batch, deadline, final) {
            const result = exportSync(batch, deadline, final)
            const isAnswer = final || result.status !== 'retryable'
            if (isAnswer && waiting?.batch === batch) waiting.drained = result
            return result
          },
        }),
  } satisfies Exporter
}

/** The resources in a batch that are worth waiting for. */
function pendingIn(batch: EncodedBatch): PendingResource[] {
  const now = monotonic()
  const all = batch.sources().flatMap(({ resource }) => pendingResource(resource) ?? [])
  return all.filter(({ until }) => until > now)
}

async function settledWithin(pending: readonly PendingResource[], patience: number): Promise<void> {
  const until = Math.max(...pending.map((resource) => resource.until))
  const limit = new TimeLimit(Math.max(1, Math.min(until - monotonic(), patience)), undefined, true)
  await Promise.race([Promise.all(pending.map(({ settled }) => settled)), limit.over])
  limit.end()
}
