import { fsync, fsyncSync } from 'node:fs'
import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import type { FdWriter } from './fd-writer.ts'
import { errorCode } from './write-errors.ts'

/** A file's writer with the wish to have the system put records onto the disk (POSIX fsync). */
export interface DurableWriter extends Required<Pick<Exporter, 'export' | 'exportSync' | 'flush'>> {
  start(host: ExporterHost): void
}

/**
 * Adds fsync to a writer. `batch`: a batch is accepted once it is on the disk, and `unknown` when fsync fails, since the
 * system may then have let go of the bytes. `shutdown`: at `flush()`. Only regular files are synced.
 */
export function durable(writer: FdWriter, name: string, when: 'never' | 'batch' | 'shutdown'): DurableWriter {
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
    const synced = await sync()
    if (syncing === batch) syncing = undefined
    return synced ? result : { status: 'unknown', accepted: 0 }
  }

  function exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    const result: ExportResult = batch === syncing ? { status: 'accepted' } : writer.exportSync(batch, deadline, final)
    const waits = final || deadline > (host?.monotonic() ?? 0)
    if (when !== 'batch' || result.status !== 'accepted' || !waits) return result
    return syncNow() ? result : { status: 'unknown', accepted: 0 }
  }

  async function flush(): Promise<void> {
    if (when !== 'never') await sync()
  }

  function sync(): Promise<boolean> {
    const file = writer.descriptor
    if (file?.kind !== 'file') return Promise.resolve(true)
    return new Promise((resolve) => fsync(file.fd, (error) => resolve(error === null || failed(error))))
  }

  function syncNow(): boolean {
    if (writer.descriptor?.kind !== 'file') return true
    try {
      fsyncSync(writer.descriptor.fd)
      return true
    } catch (error) {
      return failed(error)
    }
  }

  function failed(error: unknown): false {
    host?.problem('SLUICE_SYNC_FAILED', `${name}: cannot fsync (${errorCode(error)}); what was written may be lost`)
    return false
  }

  return { start, export: exportBatch, exportSync, flush }
}
