import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import { isThenable } from '../pipeline/guarded-exporter.ts'

/** Time after which a destination that accepts nothing counts as stalled rather than slow, in milliseconds. */
const STALL_TIMEOUT_MILLIS = 1_000

/**
 * Limits how long `onFull: 'block'` waits. The call waits for a slow reader, but not for one that has stopped reading: lines that no
 * longer fit are then dropped and counted, and the process continues.
 *
 * @param beforeWaiting - called before the thread waits, to drain other destinations that can be written meanwhile
 */
export function withStallTimeout(exporter: Exporter, beforeWaiting: () => void): Exporter {
  let host: ExporterHost | undefined
  /** When the destination was first found to accept nothing, in milliseconds of the monotonic clock. */
  let stalledAt: number | undefined
  let lastResult: { readonly batch: EncodedBatch; readonly accepted: number } | undefined

  function track(batch: EncodedBatch, result: ExportResult): ExportResult {
    const accepted = result.status === 'accepted' ? batch.count : result.accepted
    const before = lastResult?.batch === batch ? lastResult.accepted : 0
    lastResult = { batch, accepted }
    if (accepted > before || result.status === 'accepted') stalledAt = undefined
    else stalledAt ??= host!.monotonic()
    return result
  }

  function wait(batch: EncodedBatch, deadline: number): ExportResult {
    beforeWaiting()
    const end = stalledAt === undefined ? deadline : Math.min(deadline, stalledAt + STALL_TIMEOUT_MILLIS)
    return track(batch, exporter.exportSync!(batch, end, false))
  }

  return {
    ...exporter,
    start(given) {
      host = given
      exporter.start?.(given)
    },
    export(batch, signal) {
      const result = exporter.export(batch, signal)
      // A synchronous result must not become a promise, because the batch is no longer available by then.
      return isThenable(result) ? result.then((settled) => track(batch, settled)) : track(batch, result)
    },
    exportSync(batch, deadline, final) {
      if (!final && deadline > host!.monotonic()) return wait(batch, deadline)
      return track(batch, exporter.exportSync!(batch, deadline, final))
    },
  }
}
