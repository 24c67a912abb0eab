import { attributeWorkTo } from '../../lifecycle/shared-exit-guard.ts'
import type { EncodedBatch, Exporter, ExportResult } from '../../pipeline/exporter.ts'
import { unknownResult, notSentResult } from '../../pipeline/guarded-exporter.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { adaptedExporter } from '../sdk/adapted-exporter.ts'
import type { ResourceReadiness } from './resource-readiness.ts'

/** A batch that waits for its resources. */
interface WaitingBatch {
  readonly batch: EncodedBatch
  readonly resourceWaits: readonly ResourceReadiness[]
  /** The result that `abandon` or `exportSync` has returned for it during the wait; the batch is not exported then. */
  result: ExportResult | undefined
}

/**
 * Wraps the exporter of a provider, so that its batches wait for the provider's resource. Returns the exporter unchanged if the wait for
 * the resource is over, or for a line format: the text of its records already contains the resource.
 */
export function withProviderResourceWait(resourceReadiness: ResourceReadiness, exporter: Exporter): Exporter {
  if (resourceReadiness.isReady || /^(?:json:|pretty:|otlpJson$)/.test(exporter.encoding.key)) return exporter
  return withResourceWait(exporter, () => (resourceReadiness.isReady ? [] : [resourceReadiness]))
}

/**
 * Wraps an exporter so that batches wait until their resources are complete, or until the time limits of the waits. It is for formats
 * that write the resource once for each batch: where the text of each record contains the resource, waiting would have no effect other
 * than the delay.
 *
 * @param waitsOf - returns the waits for resources of a batch that are not complete
 */
export function withResourceWait(
  exporter: Exporter,
  waitsOf: (batch: EncodedBatch) => readonly ResourceReadiness[],
): Exporter {
  const { exportSync, schedule, delivery } = exporter
  // The other half of the timeout is for the export itself. A timeout of 0 means no limit.
  const maxWaitMillis = (delivery.exportTimeoutMillis || Infinity) / 2
  let waiting: WaitingBatch | undefined
  let keepsProcessAlive = false

  async function exportWhenReady(
    batch: EncodedBatch,
    signal: AbortSignal | undefined,
    resourceWaits: readonly ResourceReadiness[],
  ): Promise<ExportResult> {
    const current: WaitingBatch = { batch, resourceWaits, result: undefined }
    waiting = current
    for (const resourceReadiness of resourceWaits) {
      resourceReadiness.shortenTo(maxWaitMillis)
      resourceReadiness.keepAlive(keepsProcessAlive)
    }
    await Promise.all(resourceWaits.map((resourceReadiness) => resourceReadiness.wait()))
    if (waiting === current) waiting = undefined
    return current.result ?? attributeWorkTo('exporter', () => exporter.export(batch, signal))
  }

  return withoutPrototype<Exporter>({
    ...adaptedExporter(exporter, { schedule, delivery }),
    export(batch, signal) {
      const resourceWaits = waitsOf(batch)
      return resourceWaits.length === 0 ? exporter.export(batch, signal) : exportWhenReady(batch, signal, resourceWaits)
    },
    abandon() {
      if (waiting === undefined) return exporter.abandon?.() ?? unknownResult
      waiting.result = notSentResult
      return notSentResult
    },
    keepAlive(value) {
      keepsProcessAlive = value
      for (const resourceReadiness of waiting?.resourceWaits ?? []) resourceReadiness.keepAlive(value)
      exporter.keepAlive?.(value)
    },
    ...(exportSync === undefined
      ? {}
      : {
          exportSync(batch, deadline, final) {
            const result = exporter.exportSync!(batch, deadline, final)
            // A batch with another result is still waiting, and is passed to `export` when the wait is over.
            const isFinalResult = final || result.status !== 'retryable'
            if (isFinalResult && waiting?.batch === batch) waiting.result = result
            return result
          },
        }),
  })
}
