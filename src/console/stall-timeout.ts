import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import { isThenable } from '../pipeline/guarded-exporter.ts'

/** A destination that has taken nothing for so long is not slow but stalled, in ms. */
const PATIENCE_MILLIS = 1_000

/**
 * With it, `onFull: 'block'` waits for a reader that is slow, and not for one that has stopped: then what no longer fits is
 * lost and counted, and the process goes on.
 *
 * @param beforeWaiting - called before the thread waits: what can be written elsewhere must not wait with it
 */
export function withStallTimeout(exporter: Exporter, beforeWaiting: () => void): Exporter {
  let host: ExporterHost | undefined
  /** When the destination was first found to take nothing. */
  let stalledAt: number | undefined
  let seen: { readonly batch: EncodedBatch; readonly accepted: number } | undefined

  function note(batch: EncodedBatch, result: ExportResult): ExportResult {
    const accepted = result.status === 'accepted' ? batch.count : result.accepted
    const before = seen?.batch === batch ? seen.accepted : 0
    seen = { batch, accepted }
    if (accepted > before || result.status === 'accepted') stalledAt = undefined
    else stalledAt ??= host!.monotonic()
    return result
  }

  function wait(batch: EncodedBatch, deadline: number): ExportResult {
    beforeWaiting()
    const end = stalledAt === undefined ? deadline : Math.min(deadline, stalledAt + PATIENCE_MILLIS)
    return note(batch, exporter.exportSync!(batch, end, false))
  }

  return {
    ...exporter,
    start(given) {
      host = given
      exporter.start?.(given)
    },
    export(batch, signal) {
      const answer = exporter.export(batch, signal)
      // An answer that is there at once must not become a promise: the batch is no longer at hand.
      return isThenable(answer) ? answer.then((result) => note(batch, result)) : note(batch, answer)
    },
    exportSync(batch, deadline, final) {
      if (!final && deadline > host!.monotonic()) return wait(batch, deadline)
      return note(batch, exporter.exportSync!(batch, deadline, final))
    },
  }
}
