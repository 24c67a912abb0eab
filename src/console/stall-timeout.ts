import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import { isThenable } from '../pipeline/guarded-exporter.ts'

/** Time after which a destination that accepts nothing counts as stalled rather than slow, in milliseconds. */
const stallTimeoutMillis = 1_000

/**
 * Limits how long `onFull: 'block'` waits. The call waits for a slow reader, but not for one that has stopped reading: lines that no
 * longer fit are then dropped and counted, and the process continues.
 *
 * @param beforeWaiting - called before the thread waits, to drain other destinations that can be written meanwhile
 */
export function withStallTimeout(exporter: Exporter, beforeWaiting: () => void): Exporter {
  let host: ExporterHost | undefined
  /**
   * The time since which the destination accepts nothing, in milliseconds of the monotonic clock; undefined while it accepts something.
   */
  let stalledAt: number | undefined
  let lastResult: { readonly batch: EncodedBatch; readonly accepted: number } | undefined

  function track(batch: EncodedBatch, result: ExportResult): ExportResult {
    const accepted = result.status === 'accepted' ? batch.count : result.accepted
    const acceptedBefore = lastResult?.batch === batch ? lastResult.accepted : 0
    lastResult = { batch, accepted }
    if (accepted > acceptedBefore || result.status === 'accepted') stalledAt = undefined
    else stalledAt ??= host!.monotonic()
    return result
  }

  /** Exports synchronously. Waits until the deadline, or only until the stall timeout has elapsed. */
  function exportWaiting(batch: EncodedBatch, deadline: number): ExportResult {
    beforeWaiting()
    const waitDeadline = stalledAt === undefined ? deadline : Math.min(deadline, stalledAt + stallTimeoutMillis)
    return track(batch, exporter.exportSync!(batch, waitDeadline, false))
  }

  return {
    ...exporter,
    start(exporterHost) {
      host = exporterHost
      exporter.start?.(exporterHost)
    },
    export(batch, signal) {
      const result = exporter.export(batch, signal)
      // A synchronous result must not become a promise, because the batch is no longer available by then.
      return isThenable(result) ? result.then((asyncResult) => track(batch, asyncResult)) : track(batch, result)
    },
    exportSync(batch, deadline, final) {
      if (!final && deadline > host!.monotonic()) return exportWaiting(batch, deadline)
      return track(batch, exporter.exportSync!(batch, deadline, final))
    },
  }
}
