import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { FdWriter } from '../fd/fd-writer.ts'
import type { FileSyncs } from './file-syncs.ts'

/** The writer of a file that can be synced to the disk (POSIX fsync). */
export interface DurableWriter extends Required<Pick<Exporter, 'export' | 'exportSync' | 'flush'>> {
  start(host: ExporterHost): void
}

/**
 * Adds fsync to a writer.
 *
 * @param when - `batch`: a batch is accepted once it is on the disk, and `unknown` if fsync fails, since the system may have
 *   discarded the bytes. `shutdown`: files are synced by `flush()`. `never`: no fsync.
 */
export function durable(writer: FdWriter, syncs: FileSyncs, when: 'never' | 'batch' | 'shutdown'): DurableWriter {
  let host: ExporterHost | undefined
  // The batch whose bytes are written and whose fsync is in progress. It must not be written again.
  let syncing: EncodedBatch | undefined

  function start(given: ExporterHost): void {
    host = given
    writer.start(given)
  }

  function exportBatch(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | PromiseLike<ExportResult> {
    const result = writer.export(batch, signal)
    if (when !== 'batch') return result
    return result instanceof Promise ? result.then((answer) => syncBatch(batch, answer)) : syncBatch(batch, result)
  }

  async function syncBatch(batch: EncodedBatch, result: ExportResult): Promise<ExportResult> {
    if (result.status !== 'accepted') return result
    syncing = batch
    const synced = await syncs.sync()
    if (syncing === batch) syncing = undefined
    return synced ? result : { status: 'unknown', accepted: 0 }
  }

  function exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    const mayBlock = final || deadline > (host?.monotonic() ?? 0)
    // fsync always blocks, and bytes that are written must not be exported again, so the event loop completes this batch.
    if (when === 'batch' && !mayBlock) return { status: 'retryable', accepted: 0 }
    const result: ExportResult = batch === syncing ? { status: 'accepted' } : writer.exportSync(batch, deadline, final)
    if (when !== 'batch' || result.status !== 'accepted') return result
    return syncs.syncNow() ? result : { status: 'unknown', accepted: 0 }
  }

  async function flush(): Promise<void> {
    if (when !== 'never') await syncs.sync()
  }

  return { start, export: exportBatch, exportSync, flush }
}
