import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { FdWriter } from '../fd/fd-writer.ts'
import type { FileSyncs } from './file-syncs.ts'

/** A writer whose `flush` syncs the file to the disk (POSIX fsync), if that is configured. */
export interface DurableWriter extends Required<Pick<Exporter, 'export' | 'exportSync' | 'flush'>> {
  start(host: ExporterHost): void
}

/**
 * Adds fsync to a writer.
 *
 * @param when - `batch`: a batch is accepted once it is on the disk, and `unknown` if fsync fails, since the system may have
 *   discarded the bytes. `shutdown`: only `flush()` syncs the file. `never`: no fsync.
 */
export function withFsync(writer: FdWriter, syncs: FileSyncs, when: 'never' | 'batch' | 'shutdown'): DurableWriter {
  let host: ExporterHost | undefined
  // The batch whose bytes are written and whose fsync is in progress. It must not be written again.
  let syncingBatch: EncodedBatch | undefined

  function start(exporterHost: ExporterHost): void {
    host = exporterHost
    writer.start(exporterHost)
  }

  function exportBatch(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | PromiseLike<ExportResult> {
    const result = writer.export(batch, signal)
    if (when !== 'batch') return result
    return result instanceof Promise
      ? result.then((writeResult) => syncBatch(batch, writeResult))
      : syncBatch(batch, result)
  }

  /** Syncs the file after a batch was written. Returns the result of the batch. */
  async function syncBatch(batch: EncodedBatch, result: ExportResult): Promise<ExportResult> {
    if (result.status !== 'accepted') return result
    syncingBatch = batch
    const isSynced = await syncs.sync()
    if (syncingBatch === batch) syncingBatch = undefined
    return isSynced ? result : { status: 'unknown', accepted: 0 }
  }

  function exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    const mayBlock = final || deadline > (host?.monotonic() ?? 0)
    // fsync always blocks, and bytes that were written without it could be exported again, so leave the batch to the event loop.
    if (when === 'batch' && !mayBlock) return { status: 'retryable', accepted: 0 }
    const result: ExportResult =
      batch === syncingBatch ? { status: 'accepted' } : writer.exportSync(batch, deadline, final)
    if (when !== 'batch' || result.status !== 'accepted') return result
    return syncs.syncNow() ? result : { status: 'unknown', accepted: 0 }
  }

  async function flush(): Promise<void> {
    if (when !== 'never') await syncs.sync()
  }

  return { start, export: exportBatch, exportSync, flush }
}
