import type { ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import type { DurableWriter } from '../file/durable.ts'
import { WriterBatch } from './writer-batch.ts'
import { frame, FrameReader, Kind, type Frame } from './writer-frames.ts'
import { isThenable } from '../../pipeline/guarded-exporter.ts'

/**
 * The writer's side of the conversation: batches are written one after the other, in the order they came, and each is
 * answered once.
 *
 * Invariant: `queue[0]` is with the writer while `isWriting`. The parent sends no more than it may have unanswered, which
 * bounds the queue.
 */
export class WriterSession {
  private readonly writer: DurableWriter
  private readonly send: (bytes: Uint8Array) => void
  private readonly reader: FrameReader
  private readonly queue: WriterBatch[] = []
  /** The pieces of the batch that is still coming. */
  private parts: Uint8Array[] = []
  private partRecords = 0
  private isWriting = false
  private drained: (() => void) | undefined

  constructor(writer: DurableWriter, send: (bytes: Uint8Array) => void) {
    this.writer = writer
    this.send = send
    this.reader = new FrameReader((frame) => this.take(frame))
  }

  /** Takes what the parent has sent. */
  receive(bytes: Uint8Array): void {
    this.reader.push(bytes)
  }

  /**
   * The parent is gone. Writes what it left for at most `millis`.
   *
   * @returns how many records were given up, those of a batch included that had not come whole.
   */
  async finish(millis: number): Promise<number> {
    if (this.queue.length > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.drained = resolve
      const timer = delay(millis, resolve)
      timer.keepAlive(true)
      await promise
      timer.cancel()
    }
    const lost = this.settle(monotonic())
    // A disk that does not answer must not keep a process whose parent is gone.
    const { promise, resolve } = Promise.withResolvers<void>()
    const limit = delay(Math.max(millis, 1), resolve)
    limit.keepAlive(true)
    await Promise.race([this.writer.flush(), promise])
    limit.cancel()
    return lost + this.partRecords
  }

  private take({ kind, id, value, payload }: Frame): void {
    switch (kind) {
      case Kind.part:
        this.parts.push(payload)
        this.partRecords = value
        return
      case Kind.last:
        this.enqueue(new WriterBatch(id, value, this.parts.length === 0 ? payload : this.joined(payload)))
        return
      case Kind.forget:
        this.parts = []
        this.partRecords = 0
        return
      case Kind.finish:
        return void this.settle(monotonic() + millisUntil(payload))
      case Kind.sync:
        return void this.sync(id)
    }
  }

  private joined(last: Uint8Array): Uint8Array {
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
        void this.await(batch, result)
        return
      }
      this.answer(batch, result)
    }
    this.drained?.()
  }

  private async await(batch: WriterBatch, pending: PromiseLike<ExportResult>): Promise<void> {
    const result = await pending
    // It was settled without waiting.
    if (this.queue[0] !== batch) return
    this.isWriting = false
    this.answer(batch, result)
    this.writeNext()
  }

  /** Writes what is there without the event loop, until `deadline`. Returns how many records were given up. */
  private settle(deadline: number): number {
    let lost = 0
    for (let batch = this.queue[0]; batch !== undefined; batch = this.queue[0]) {
      const result = this.writer.exportSync(batch, deadline, true)
      this.isWriting = false
      if (result.status !== 'accepted') lost += batch.recordsAfter(result.accepted)
      this.answer(batch, result)
    }
    return lost
  }

  private answer(batch: WriterBatch, result: ExportResult): void {
    this.queue.shift()
    const written = result.status === 'accepted' ? batch.byteLength : result.accepted
    this.send(frame(Kind[result.status], batch.id, written))
  }

  private async sync(id: number): Promise<void> {
    await this.writer.flush()
    this.send(frame(Kind.synced, id))
  }
}

/** The clock of `process.hrtime` is the same in all processes of a machine (CLOCK_MONOTONIC). */
export function timeIn(millis: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(process.hrtime.bigint() + BigInt(Math.round(millis * 1e6)))
  return bytes
}

function millisUntil(time: Uint8Array): number {
  return Number(Buffer.from(time).readBigInt64LE() - process.hrtime.bigint()) / 1e6
}

/** Sends what goes wrong to the parent, which tells it. */
export function writerHost(send: (bytes: Uint8Array) => void, exitTimeoutMillis: number): ExporterHost {
  return {
    reportDiagnostic: (code, message) =>
      send(frame(Kind.problem, 0, 0, Buffer.from(JSON.stringify({ code, message })))),
    monotonic,
    exitTimeoutMillis,
  }
}
