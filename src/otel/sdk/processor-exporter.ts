import { definedOptions } from '../../exporters/exporter-options.ts'
import type { Delivery, EncodedBatch, Exporter } from '../../pipeline/exporter.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { batchDefaults } from './foreign-exporter-options.ts'
import { adaptedExporter } from './adapted-exporter.ts'
import { resourceWaitOf } from './sdk-bound-states.ts'
import { withResourceWait } from '../provider/wait-for-resource.ts'
import type { ResourceReadiness } from '../provider/resource-readiness.ts'

/** The options of a processor that configure its pipeline. */
export type BatchingOptions = Omit<Delivery, 'level'>

/**
 * Returns the exporter of a batch processor. The processor's options override the exporter's delivery options, which override
 * OpenTelemetry's defaults. Two defaults are not OpenTelemetry's: the schedule is the exporter's, and an exporter that supports synchronous
 * export has no timeout.
 *
 * For formats that write the resource once for each batch, batches wait for pending resource attributes, within a time limit.
 */
export function batchingExporter(original: Exporter, options: BatchingOptions): Exporter {
  const exporter = snapshotExporter(original)
  const delivery = batchingDelivery(exporter, options)
  const delayMillis = member(options, 'scheduledDelayMillis')
  const schedule = delayMillis === undefined ? exporter.schedule : { delayMillis }
  const adapted = adaptedExporter(exporter, { schedule, delivery })
  return exporter.encoding.key.startsWith('otlp:') ? withResourceWait(adapted, resourceWaitsOf) : adapted
}

function batchingDelivery({ delivery, exportSync }: Exporter, batchingOptions: BatchingOptions): Delivery {
  const options = withoutPrototype(batchingOptions)
  const maxQueueSize = options.maxQueueSize ?? delivery.maxQueueSize ?? batchDefaults.maxQueueSize
  const maxBatchSize = options.maxExportBatchSize ?? delivery.maxExportBatchSize ?? batchDefaults.maxExportBatchSize
  const defaultTimeoutMillis = exportSync === undefined ? batchDefaults.exportTimeoutMillis : 0
  return withoutPrototype<Delivery>({
    ...delivery,
    ...definedOptions(options, ['maxQueueBytes']),
    maxQueueSize,
    maxExportBatchSize: Math.min(maxBatchSize, maxQueueSize),
    exportTimeoutMillis: options.exportTimeoutMillis ?? delivery.exportTimeoutMillis ?? defaultTimeoutMillis,
    // As in OpenTelemetry, `maxQueueSize` is for records of every severity; `dropLowest` would reserve a part for severe ones.
    onFull: options.onFull ?? delivery.onFull ?? 'dropNewest',
  })
}

/** Returns the waits for the resources of a batch that are not over. */
function resourceWaitsOf(batch: EncodedBatch): readonly ResourceReadiness[] {
  return batch.sources().flatMap(({ resource }) => resourceWaitOf(resource) ?? [])
}
