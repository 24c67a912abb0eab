import type { ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import type { DurableWriter } from '../file/durable.ts'
import { WriterBatch } from './writer-batch.ts'
import { frame, FrameReader, Kind, type Frame } from './writer-frames.ts'
import { isThenable } from '../../pipeline/guarded-exporter.ts'

/**
 * The protocol in the writer process: batches are written one after the other in the order of their arrival, and each gets one
 * answer.
 *
 * Invariant: the writer has `queue[0]` while `isWriting`. The queue is bounded because the parent limits its unacknowledged
 * bytes.
 */
export class WriterSession {
  private readonly writer: DurableWriter
  private readonly send: (bytes: Uint8Array) => void
  private readonly reader: FrameReader
  private readonly queue: WriterBatch[] = []
  /** The pieces received so far of an incomplete batch. */
  private parts: Uint8Array[] = []
  private partRecords = 0
  private isWriting = false
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
   * Writes the remaining batches for at most `millis`, after the parent has exited.
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
    const limit = delay(Math.max(millis, 1), resolve)
    limit.keepAlive(true)
    await Promise.race([this.writer.flush(), promise])
    limit.cancel()
    return lost + this.partRecords
  }

  private onFrame({ kind, id, value, payload }: Frame): void {
    switch (kind) {
      case Kind.part:
        this.parts.push(payload)
        this.partRecords = value
        return
      case Kind.last:
        this.enqueue(new WriterBatch(id, value, this.parts.length === 0 ? payload : this.joinParts(payload)))
        return
      case Kind.forget:
        this.parts = []
        this.partRecords = 0
        return
      case Kind.finish:
        return void this.writeSync(monotonic() + millisUntil(payload))
      case Kind.sync:
        return void this.sync(id)
    }
  }

  private joinParts(last: Uint8Array): Uint8Array {
    const content = Buffer.concat([...this.parts, last])
    this.parts = []
    this.partRecords = 0
    return content
  }

  private enqueue(batch: WriterBatch): void {
    this.queue.push(batch)
    if (!this.isWriting) this.writeNext()
  }

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

  private async awaitResult(batch: WriterBatch, pending: PromiseLike<ExportResult>): Promise<void> {
    const result = await pending
    // The batch was completed synchronously meanwhile.
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

  private complete(batch: WriterBatch, result: ExportResult): void {
    this.queue.shift()
    const written = result.status === 'accepted' ? batch.byteLength : result.accepted
    this.send(frame(Kind[result.status], batch.id, written))
  }

  private async sync(id: number): Promise<void> {
    await this.writer.flush()
    this.send(frame(Kind.synced, id))
  }
}

/**
 * Returns the time in `millis` from now, encoded for the other process. `process.hrtime` is the same clock in all processes of
 * a machine (CLOCK_MONOTONIC).
 */
export function timeIn(millis: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(process.hrtime.bigint() + BigInt(Math.round(millis * 1e6)))
  return bytes
}

function millisUntil(time: Uint8Array): number {
  return Number(Buffer.from(time).readBigInt64LE() - process.hrtime.bigint()) / 1e6
}

/** Creates a host that sends diagnostics to the parent, which reports them. */
export function writerHost(send: (bytes: Uint8Array) => void, exitTimeoutMillis: number): ExporterHost {
  return {
    reportDiagnostic: (code, message) =>
      send(frame(Kind.problem, 0, 0, Buffer.from(JSON.stringify({ code, message })))),
    monotonic,
    exitTimeoutMillis,
  }
}
