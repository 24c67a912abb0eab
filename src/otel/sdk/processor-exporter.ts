import { definedOptions as withValue } from '../../exporters/exporter-options.ts'
import type { Delivery, EncodedBatch, Exporter } from '../../pipeline/exporter.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import { batchDefaults } from './foreign-exporter-options.ts'
import { adaptedExporter } from './readable-exporter.ts'
import { pendingResource } from './readable-sources.ts'
import { withResourceWait } from '../provider/wait-for-resource.ts'
import type { ResourceReadiness } from '../provider/resource-readiness.ts'

/** The options of a processor that configure its pipeline. */
export type Batching = Omit<Delivery, 'level'>

/**
 * Returns the exporter of a batch processor. The processor's options override the exporter's delivery options, which override
 * OpenTelemetry's defaults (BLR1). Two defaults come from the exporter itself: its schedule, and no timeout when it supports
 * synchronous export.
 *
 * For formats that write the resource once for each batch, batches wait for pending resource attributes for a bounded time (D14).
 */
export function batchingExporter(given: Exporter, options: Batching): Exporter {
  const exporter = snapshotExporter(given)
  const delivery = batchingDelivery(exporter, options)
  const delayMillis = member(options, 'scheduledDelayMillis')
  const schedule = delayMillis === undefined ? exporter.schedule : { delayMillis }
  const adapted = adaptedExporter(exporter, { schedule, delivery })
  return exporter.encoding.key.startsWith('otlp:') ? withResourceWait(adapted, pendingIn) : adapted
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
    // The queue size has its usual meaning: no part of the queue is reserved for severe records.
    onFull: options.onFull ?? delivery.onFull ?? 'dropNewest',
  })
}

/** Returns the pending resources of a batch. */
function pendingIn(batch: EncodedBatch): readonly ResourceReadiness[] {
  return batch.sources().flatMap(({ resource }) => pendingResource(resource) ?? [])
}
