import { runAs } from '../../lifecycle/exit-guard-place.ts'
import type { EncodedBatch, Exporter, ExportResult } from '../../pipeline/exporter.ts'
import { noneKnown, noneTaken } from '../../pipeline/guarded-exporter.ts'
import { ownCopy } from '../../options/own-members.ts'
import { adaptedExporter } from '../sdk/readable-exporter.ts'
import type { ResourceReadiness } from './resource-readiness.ts'

/** The batch that waits, and the answer that was given for it meanwhile. */
interface Held {
  readonly batch: EncodedBatch
  readonly pending: readonly ResourceReadiness[]
  answer: ExportResult | undefined
}

/** The exporter of a provider with one resource. In lines a record has its resource when it comes to an exporter: those are not held. */
export function waitForResource(settlement: ResourceReadiness, exporter: Exporter): Exporter {
  if (settlement.isOver || /^(?:json:|pretty:|otlpJson$)/.test(exporter.encoding.key)) return exporter
  return holdingExporter(exporter, () => (settlement.isOver ? [] : [settlement]))
}

/**
 * An exporter whose batches wait until their resources are complete, for the time that the settlements allow (D14). For formats that
 * write the resource with the batch: in the text of a record it is fixed, so that waiting would only keep the record back.
 */
export function holdingExporter(
  exporter: Exporter,
  pendingIn: (batch: EncodedBatch) => readonly ResourceReadiness[],
): Exporter {
  const { exportSync, schedule, delivery } = exporter
  const patience = (delivery.exportTimeoutMillis || Infinity) / 2
  let held: Held | undefined
  let alive = false

  async function exportLater(
    batch: EncodedBatch,
    signal: AbortSignal | undefined,
    pending: readonly ResourceReadiness[],
  ): Promise<ExportResult> {
    const own: Held = { batch, pending, answer: undefined }
    held = own
    for (const settlement of pending) {
      settlement.hurry(patience)
      settlement.keepAlive(alive)
    }
    await Promise.all(pending.map((settlement) => settlement.wait()))
    if (held === own) held = undefined
    return own.answer ?? runAs('exporter', () => exporter.export(batch, signal))
  }

  return ownCopy<Exporter>({
    ...adaptedExporter(exporter, { schedule, delivery }),
    export(batch, signal) {
      const pending = pendingIn(batch)
      return pending.length === 0 ? exporter.export(batch, signal) : exportLater(batch, signal, pending)
    },
    abandon() {
      if (held === undefined) return exporter.abandon?.() ?? noneKnown
      held.answer = noneTaken
      return noneTaken
    },
    keepAlive(value) {
      alive = value
      for (const settlement of held?.pending ?? []) settlement.keepAlive(value)
      exporter.keepAlive?.(value)
    },
    ...(exportSync === undefined
      ? {}
      : {
          exportSync(batch, deadline, final) {
            const result = exporter.exportSync!(batch, deadline, final)
            // What the exporter does not take now comes to it by `export` all the same.
            const isAnswer = final || result.status !== 'retryable'
            if (isAnswer && held?.batch === batch) held.answer = result
            return result
          },
        }),
  })
}
