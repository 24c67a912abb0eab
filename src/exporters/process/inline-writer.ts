import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { DurableWriter } from '../file/durable.ts'
import type { FdWriter } from '../fd/fd-writer.ts'
import { writerFor, type WriterDestination } from './writer-settings.ts'

/**
 * Writes in this process while no other does. The destination is open only from the first batch until it is released, so that
 * a file which somebody has renamed meanwhile is not held.
 */
export class InlineWriter {
  private readonly destination: WriterDestination
  private host: ExporterHost | undefined
  private lines: FdWriter | undefined
  private writer: DurableWriter | undefined
  private alive = false

  constructor(destination: WriterDestination) {
    this.destination = destination
  }

  start(host: ExporterHost): void {
    this.host = host
  }

  /** `maybeTorn`: whoever wrote last may have left half a line. */
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

  keepAlive(alive: boolean): void {
    this.alive = alive
    this.lines?.keepAlive(alive)
  }

  /** Puts the file onto the disk, also what others have written to it. */
  async flush(): Promise<void> {
    const writer = this.open(false)
    this.lines!.open()
    await writer.flush()
  }

  /** Lets go of the destination. What is unanswered is rejected. */
  release(): void {
    this.lines?.close()
    this.lines = this.writer = undefined
  }

  private open(maybeTorn: boolean): DurableWriter {
    if (this.writer !== undefined) return this.writer
    const { lines, writer } = writerFor(this.destination, maybeTorn, this.host!)
    lines.keepAlive(this.alive)
    this.lines = lines
    this.writer = writer
    return writer
  }
}
