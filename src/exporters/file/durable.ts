import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { FdWriter } from '../fd/fd-writer.ts'
import type { FileSyncs } from './file-syncs.ts'

/** A file's writer with the wish to have the system put records onto the disk (POSIX fsync). */
export interface DurableWriter extends Required<Pick<Exporter, 'export' | 'exportSync' | 'flush'>> {
  start(host: ExporterHost): void
}

/**
 * Adds fsync to a writer. `batch`: a batch is accepted once it is on the disk, and `unknown` when fsync fails, since the
 * system may then have let go of the bytes. `shutdown`: at `flush()`.
 */
export function durable(writer: FdWriter, syncs: FileSyncs, when: 'never' | 'batch' | 'shutdown'): DurableWriter {
  let host: ExporterHost | undefined
  // The batch whose bytes are written and whose fsync is under way: it must not be written again.
  let syncing: EncodedBatch | undefined

  function start(given: ExporterHost): void {
    host = given
    writer.start(given)
  }

  function exportBatch(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | PromiseLike<ExportResult> {
    const result = writer.export(batch, signal)
    if (when !== 'batch') return result
    return result instanceof Promise ? result.then((answer) => confirmed(batch, answer)) : confirmed(batch, result)
  }

  async function confirmed(batch: EncodedBatch, result: ExportResult): Promise<ExportResult> {
    if (result.status !== 'accepted') return result
    syncing = batch
    const synced = await syncs.sync()
    if (syncing === batch) syncing = undefined
    return synced ? result : { status: 'unknown', accepted: 0 }
  }

  function exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    const waits = final || deadline > (host?.monotonic() ?? 0)
    // No fsync is without waiting, and what is written must not come again: the event loop sees to it.
    if (when === 'batch' && !waits) return { status: 'retryable', accepted: 0 }
    const result: ExportResult = batch === syncing ? { status: 'accepted' } : writer.exportSync(batch, deadline, final)
    if (when !== 'batch' || result.status !== 'accepted') return result
    return syncs.syncNow() ? result : { status: 'unknown', accepted: 0 }
  }

  async function flush(): Promise<void> {
    if (when !== 'never') await syncs.sync()
  }

  return { start, export: exportBatch, exportSync, flush }
}
