import { given as withValue } from '../../exporters/exporter-options.ts'
import type { Delivery, EncodedBatch, Exporter } from '../../pipeline/exporter.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import { batchDefaults } from './foreign-exporter-options.ts'
import { adaptedExporter } from './readable-exporter.ts'
import { pendingResource } from './readable-sources.ts'
import { holdingExporter } from '../provider/wait-for-resource.ts'
import type { ResourceReadiness } from '../provider/resource-readiness.ts'

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
export function batchingExporter(given: Exporter, options: Batching): Exporter {
  const exporter = snapshotExporter(given)
  const delivery = batchingDelivery(exporter, options)
  const delayMillis = member(options, 'scheduledDelayMillis')
  const schedule = delayMillis === undefined ? exporter.schedule : { delayMillis }
  const adapted = adaptedExporter(exporter, { schedule, delivery })
  return exporter.encoding.key.startsWith('otlp:') ? holdingExporter(adapted, pendingIn) : adapted
}

function batchingDelivery({ delivery, exportSync }: Exporter, given: Batching): Delivery {
  const options = ownCopy(given)
  const maxQueueSize = options.maxQueueSize ?? delivery.maxQueueSize ?? batchDefaults.maxQueueSize
  const maxBatch = options.maxExportBatchSize ?? delivery.maxExportBatchSize ?? batchDefaults.maxExportBatchSize
  const timeout = exportSync === undefined ? batchDefaults.exportTimeoutMillis : 0
  return ownCopy<Delivery>({
    ...delivery,
    ...withValue(options, ['maxQueueBytes']),
    maxQueueSize,
    maxExportBatchSize: Math.min(maxBatch, maxQueueSize),
    exportTimeoutMillis: options.exportTimeoutMillis ?? delivery.exportTimeoutMillis ?? timeout,
    // The size of the queue means what it means elsewhere: nothing is kept for severe records.
    onFull: options.onFull ?? delivery.onFull ?? 'dropNewest',
  })
}

/** What is pending of the resources in a batch. */
function pendingIn(batch: EncodedBatch): readonly ResourceReadiness[] {
  return batch.sources().flatMap(({ resource }) => pendingResource(resource) ?? [])
}
