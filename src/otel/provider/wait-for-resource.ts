import { runAs } from '../../lifecycle/exit-guard-place.ts'
import type { EncodedBatch, Exporter, ExportResult } from '../../pipeline/exporter.ts'
import { unknownResult, notSentResult } from '../../pipeline/guarded-exporter.ts'
import { ownCopy } from '../../options/own-members.ts'
import { adaptedExporter } from '../sdk/readable-exporter.ts'
import type { ResourceReadiness } from './resource-readiness.ts'

/** A batch that waits for its resource, and the result that was determined for it in the meantime. */
interface Held {
  readonly batch: EncodedBatch
  readonly pending: readonly ResourceReadiness[]
  answer: ExportResult | undefined
}

/**
 * Wraps the exporter of a provider with one resource so that it waits for the resource. Line formats are not delayed: their records
 * contain the resource already when they reach the exporter.
 */
export function waitForResource(resourceReadiness: ResourceReadiness, exporter: Exporter): Exporter {
  if (resourceReadiness.isOver || /^(?:json:|pretty:|otlpJson$)/.test(exporter.encoding.key)) return exporter
  return withResourceWait(exporter, () => (resourceReadiness.isOver ? [] : [resourceReadiness]))
}

/**
 * Wraps an exporter so that batches wait until their resources are complete, within the time limits of the readiness objects (D14).
 * It is for formats that write the resource once for each batch; where each record's text contains the resource, waiting would only
 * delay the record.
 */
export function withResourceWait(
  exporter: Exporter,
  pendingIn: (batch: EncodedBatch) => readonly ResourceReadiness[],
): Exporter {
  const { exportSync, schedule, delivery } = exporter
  const maxWaitMillis = (delivery.exportTimeoutMillis || Infinity) / 2
  let held: Held | undefined
  let alive = false

  async function exportWhenReady(
    batch: EncodedBatch,
    signal: AbortSignal | undefined,
    pending: readonly ResourceReadiness[],
  ): Promise<ExportResult> {
    const current: Held = { batch, pending, answer: undefined }
    held = current
    for (const resourceReadiness of pending) {
      resourceReadiness.hurry(maxWaitMillis)
      resourceReadiness.keepAlive(alive)
    }
    await Promise.all(pending.map((resourceReadiness) => resourceReadiness.wait()))
    if (held === current) held = undefined
    return current.answer ?? runAs('exporter', () => exporter.export(batch, signal))
  }

  return ownCopy<Exporter>({
    ...adaptedExporter(exporter, { schedule, delivery }),
    export(batch, signal) {
      const pending = pendingIn(batch)
      return pending.length === 0 ? exporter.export(batch, signal) : exportWhenReady(batch, signal, pending)
    },
    abandon() {
      if (held === undefined) return exporter.abandon?.() ?? unknownResult
      held.answer = notSentResult
      return notSentResult
    },
    keepAlive(value) {
      alive = value
      for (const resourceReadiness of held?.pending ?? []) resourceReadiness.keepAlive(value)
      exporter.keepAlive?.(value)
    },
    ...(exportSync === undefined
      ? {}
      : {
          exportSync(batch, deadline, final) {
            const result = exporter.exportSync!(batch, deadline, final)
            // A batch that this call does not accept is passed to `export` later.
            const isFinalResult = final || result.status !== 'retryable'
            if (isFinalResult && held?.batch === batch) held.answer = result
            return result
          },
        }),
  })
}
