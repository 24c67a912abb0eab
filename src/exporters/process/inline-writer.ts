import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { DurableWriter } from '../file/durable-writer.ts'
import type { FdWriter } from '../fd/fd-writer.ts'
import { createWriter, type WriterDestination } from './writer-settings.ts'

/**
 * Writes in this process while there is no writer process. The destination is open only from the first batch or flush until
 * `release`, so that a file that another program renames later is not kept open.
 */
export class InlineWriter {
  private readonly destination: WriterDestination
  private host: ExporterHost | undefined
  private fdWriter: FdWriter | undefined
  private durableWriter: DurableWriter | undefined
  private keepsProcessAlive = false

  constructor(destination: WriterDestination) {
    this.destination = destination
  }

  start(host: ExporterHost): void {
    this.host = host
  }

  /**
   * Writes a batch.
   *
   * @param mayEndInsideLine - Whether the destination may end with an incomplete line of the previous writer. Not used while this
   *   writer has the destination open.
   */
  export(
    batch: EncodedBatch,
    signal: AbortSignal | undefined,
    mayEndInsideLine: boolean,
  ): ExportResult | PromiseLike<ExportResult> {
    return this.ensureWriter(mayEndInsideLine).export(batch, signal)
  }

  /** See `Exporter.exportSync`. */
  exportSync(batch: EncodedBatch, deadline: number, final: boolean, mayEndInsideLine: boolean): ExportResult {
    return this.ensureWriter(mayEndInsideLine).exportSync(batch, deadline, final)
  }

  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.fdWriter?.keepAlive(keepsProcessAlive)
  }

  /** Syncs the file to the disk, including what a writer process has written. */
  async flush(): Promise<void> {
    const writer = this.ensureWriter(false)
    this.fdWriter!.open()
    await writer.flush()
  }

  /** Closes the destination. A pending `export` ends with the records written so far. */
  release(): void {
    this.fdWriter?.close()
    this.fdWriter = this.durableWriter = undefined
  }

  /** Returns the writer. Creates it at the first call, and at the first call after `release`. */
  private ensureWriter(mayEndInsideLine: boolean): DurableWriter {
    if (this.durableWriter !== undefined) return this.durableWriter
    const { fdWriter, durableWriter } = createWriter(this.destination, mayEndInsideLine, this.host!)
    fdWriter.keepAlive(this.keepsProcessAlive)
    this.fdWriter = fdWriter
    this.durableWriter = durableWriter
    return durableWriter
  }
}
