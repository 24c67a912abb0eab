import type { ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import type { DurableWriter } from '../file/durable-writer.ts'
import { WriterBatch } from './writer-batch.ts'
import { encodeFrame, FrameReader, FrameKind, type Frame } from './writer-frames.ts'
import { isThenable } from '../../pipeline/guarded-exporter.ts'

/**
 * The writer process's side of the protocol: writes batches one after the other in the order of their arrival, and sends one
 * answer for each.
 *
 * Invariant: while `isWriting`, the writer's pending `export` is that of `queue[0]`. The queue needs no limit, because the parent
 * limits the number of unacknowledged bytes.
 */
export class WriterSession {
  private readonly writer: DurableWriter
  private readonly send: (bytes: Uint8Array) => void
  private readonly reader: FrameReader
  /** The complete batches without an answer. */
  private readonly queue: WriterBatch[] = []
  /** The pieces received so far of an incomplete batch. */
  private parts: Uint8Array[] = []
  /** The number of records in that batch. */
  private partialBatchRecords = 0
  private isWriting = false
  /** Called when the queue is empty, while `finish` waits. */
  private onDrained: (() => void) | undefined

  constructor(writer: DurableWriter, send: (bytes: Uint8Array) => void) {
    this.writer = writer
    this.send = send
    this.reader = new FrameReader((frame) => this.onFrame(frame))
  }

  /** Processes bytes from the parent. */
  receive(bytes: Uint8Array): void {
    this.reader.push(bytes)
  }

  /**
   * Writes the remaining batches for at most `millis` after the parent has exited, and then syncs for at most as long.
   *
   * @returns How many records were dropped, including those of an incomplete batch.
   */
  async finish(millis: number): Promise<number> {
    if (this.queue.length > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.onDrained = resolve
      const timer = delay(millis, resolve)
      timer.keepAlive(true)
      await promise
      timer.cancel()
    }
    const lost = this.writeSync(monotonic())
    // A blocked disk must not keep this process alive after its parent has exited.
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = delay(Math.max(millis, 1), resolve)
    timer.keepAlive(true)
    await Promise.race([this.writer.flush(), promise])
    timer.cancel()
    return lost + this.partialBatchRecords
  }

  private onFrame({ kind, id, value, payload }: Frame): void {
    switch (kind) {
      case FrameKind.part:
        this.parts.push(payload)
        this.partialBatchRecords = value
        return
      case FrameKind.last:
        this.enqueue(new WriterBatch(id, value, this.parts.length === 0 ? payload : this.joinParts(payload)))
        return
      case FrameKind.cancel:
        this.parts = []
        this.partialBatchRecords = 0
        return
      case FrameKind.finish:
        return void this.writeSync(monotonic() + millisUntilDeadline(payload))
      case FrameKind.sync:
        return void this.sync(id)
    }
  }

  /** Returns the content of a batch in several frames. */
  private joinParts(last: Uint8Array): Uint8Array {
    const content = Buffer.concat([...this.parts, last])
    this.parts = []
    this.partialBatchRecords = 0
    return content
  }

  private enqueue(batch: WriterBatch): void {
    this.queue.push(batch)
    if (!this.isWriting) this.writeNext()
  }

  /** Writes batches until one is not completed synchronously, or the queue is empty. */
  private writeNext(): void {
    for (let batch = this.queue[0]; batch !== undefined; batch = this.queue[0]) {
      const result = this.writer.export(batch, undefined)
      if (isThenable(result)) {
        this.isWriting = true
        void this.awaitResult(batch, result)
        return
      }
      this.complete(batch, result)
    }
    this.onDrained?.()
  }

  private async awaitResult(batch: WriterBatch, promise: PromiseLike<ExportResult>): Promise<void> {
    const result = await promise
    // If it is another batch, `writeSync` has completed this one meanwhile.
    if (this.queue[0] !== batch) return
    this.isWriting = false
    this.complete(batch, result)
    this.writeNext()
  }

  /** Writes the queue synchronously until `deadline`. Returns how many records were dropped. */
  private writeSync(deadline: number): number {
    let lost = 0
    for (let batch = this.queue[0]; batch !== undefined; batch = this.queue[0]) {
      const result = this.writer.exportSync(batch, deadline, true)
      this.isWriting = false
      if (result.status !== 'accepted') lost += batch.recordsAfter(result.accepted)
      this.complete(batch, result)
    }
    return lost
  }

  /** Removes the first batch from the queue and sends its answer. */
  private complete(batch: WriterBatch, result: ExportResult): void {
    this.queue.shift()
    const writtenBytes = result.status === 'accepted' ? batch.byteLength : result.accepted
    this.send(encodeFrame(FrameKind[result.status], batch.id, writtenBytes))
  }

  private async sync(id: number): Promise<void> {
    await this.writer.flush()
    this.send(encodeFrame(FrameKind.synced, id))
  }
}

/**
 * Encodes the time `millis` from now for the other process. `process.hrtime` is the same clock in all processes of a machine
 * (CLOCK_MONOTONIC).
 */
export function encodeDeadline(millis: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(process.hrtime.bigint() + BigInt(Math.round(millis * 1e6)))
  return bytes
}

/** Decodes a time of `encodeDeadline`. Returns how far it is from now, in ms. */
function millisUntilDeadline(deadline: Uint8Array): number {
  return Number(Buffer.from(deadline).readBigInt64LE() - process.hrtime.bigint()) / 1e6
}

/** Creates a host that sends diagnostics to the parent, which reports them. */
export function createWriterHost(send: (bytes: Uint8Array) => void, exitTimeoutMillis: number): ExporterHost {
  return {
    reportDiagnostic: (code, message) =>
      send(encodeFrame(FrameKind.diagnostic, 0, 0, Buffer.from(JSON.stringify({ code, message })))),
    monotonic,
    exitTimeoutMillis,
  }
}
