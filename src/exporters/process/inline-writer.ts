import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { DurableWriter } from '../file/durable.ts'
import type { FdWriter } from '../fd/fd-writer.ts'
import { writerFor, type WriterDestination } from './writer-settings.ts'

/**
 * Writes in this process while there is no writer process. The destination is open only from the first batch until it is
 * released, so that a file that another program renames meanwhile is not kept open.
 */
export class InlineWriter {
  private readonly destination: WriterDestination
  private host: ExporterHost | undefined
  private fdWriter: FdWriter | undefined
  private writer: DurableWriter | undefined
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
   * @param maybeTorn - Whether the previous writer may have left an incomplete line.
   */
  export(
    batch: EncodedBatch,
    signal: AbortSignal | undefined,
    maybeTorn: boolean,
  ): ExportResult | PromiseLike<ExportResult> {
    return this.open(maybeTorn).export(batch, signal)
  }

  /** See `Exporter.exportSync`. */
  exportSync(batch: EncodedBatch, deadline: number, final: boolean, maybeTorn: boolean): ExportResult {
    return this.open(maybeTorn).exportSync(batch, deadline, final)
  }

  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.fdWriter?.keepAlive(keepsProcessAlive)
  }

  /** Syncs the file to the disk, including what other processes wrote to it. */
  async flush(): Promise<void> {
    const writer = this.open(false)
    this.fdWriter!.open()
    await writer.flush()
  }

  /** Closes the destination. A pending `export` is rejected. */
  release(): void {
    this.fdWriter?.close()
    this.fdWriter = this.writer = undefined
  }

  private open(maybeTorn: boolean): DurableWriter {
    if (this.writer !== undefined) return this.writer
    const { lines, writer } = writerFor(this.destination, maybeTorn, this.host!)
    lines.keepAlive(this.keepsProcessAlive)
    this.fdWriter = lines
    this.writer = writer
    return writer
  }
}
