import { member } from '../options/own-members.ts'
import type { EncodedRecord } from '../encode/encoding.ts'
import { OverflowPolicy, type Backpressure } from './overflow-policy.ts'
import { BoundedQueue } from './bounded-queue.ts'
import { RecordOwner } from './batch-buffer.ts'
import type { Exporter } from './exporter.ts'
import { runAsExporter } from './guarded-exporter.ts'
import { settleWithin } from './flush-waiters.ts'
import type { PipelineHost } from './host.ts'
import type { Producer } from './producer.ts'
import { Counters } from './counters.ts'
import { ExportLoop, type ExportOperation } from './export-loop.ts'

/** The result of a flush of one pipeline. */
export interface FlushOutcome {
  readonly ok: boolean
  /** The number of records still queued. */
  readonly pending: number
}

const defaultQueueBytes = 16 * 1024 * 1024
// How long a log call blocks at a time with the policy `block`, in ms.
const blockMillis = 100
// The minimum time for closing an exporter, in ms, which applies even when the timeout has passed.
const minClosingMillis = 100

/** The pipeline of one destination. It adds the records of producers to a bounded queue and exports them. */
export class BatchProcessor {
  readonly exporter: Exporter
  readonly host: PipelineHost
  readonly producers: Set<Producer> = new Set()
  /** Called with each completed export. They must not throw. */
  readonly observers: Set<(operation: ExportOperation) => void> = new Set()
  /** The maximum number of queued records. */
  readonly maxQueueSize: number
  private readonly queue: BoundedQueue
  private readonly exportLoop: ExportLoop
  private readonly overflowPolicy: OverflowPolicy
  private readonly backpressure: Backpressure
  private readonly maxBytes: number
  /** The number of records that were evicted. */
  private evictedCount = 0
  private closing: Promise<void> | undefined
  private closed = false

  constructor(exporter: Exporter, host: PipelineHost) {
    const { delivery } = exporter
    this.exporter = exporter
    this.host = host
    this.maxBytes = delivery.maxQueueBytes ?? defaultQueueBytes
    this.maxQueueSize = delivery.maxQueueSize ?? Infinity
    const buffers = member(exporter.encoding, 'binary') === true ? host.binaryBuffers : host.buffers
    this.queue = new BoundedQueue(buffers, delivery.maxExportBatchSize ?? Infinity, exporter.batchBytes)
    this.overflowPolicy = new OverflowPolicy(this.queue, {
      maxBytes: this.maxBytes,
      maxRecords: this.maxQueueSize,
      onFull: delivery.onFull ?? 'dropLowest',
    })
    this.backpressure = { now: () => void this.writeWithin(0), wait: () => this.writeWithin(blockMillis) }
    exporter.start?.(host)
    this.exportLoop = new ExportLoop(
      exporter,
      host,
      this.queue,
      (operation) => {
        for (const observer of this.observers) observer(operation)
      },
      () => this.addDropReports(),
      () => [...this.producers].reduce((sum, { unreported }) => sum + unreported, 0),
    )
  }

  /** The size of the queue in bytes, including records in flight. */
  get queuedBytes(): number {
    return this.queue.bytes
  }

  /** The number of queued records, including records in flight. */
  get queuedRecords(): number {
    return this.queue.records
  }

  /** The number of records in flight. */
  get inFlight(): number {
    return this.queue.inFlightRecords
  }

  /** Whether records are queued that a drain cannot export, because the exporter has no `exportSync`. */
  get needsEventLoop(): boolean {
    return this.exporter.exportSync === undefined && this.queue.records > 0
  }

  /** The number of completed exports, and their total duration in ms. */
  get exports(): { readonly count: number; readonly millis: number } {
    return this.exportLoop.ended
  }

  /** Queues or drops one record. Throws only if the stack is exhausted, and then before anything was counted. */
  push(text: EncodedRecord, severity: number, owner: RecordOwner): void {
    const { counters } = owner
    // A long record creates a batch inside `add`, which must not fail halfway.
    if (typeof text !== 'string' && !stackReaches(1_000)) throw new RangeError('the stack is exhausted')
    if (!this.queue.fits(text.length)) this.cutAndExport()
    if (counters.closed || this.closing !== undefined) {
      counters.accepted++
      counters.drop('shutdown', severity)
    } else if (this.overflowPolicy.fitsWithoutReserve(text.length)) {
      this.enqueue(text, severity, owner)
    } else {
      this.enqueueAtLimit(text, severity, owner)
    }
  }

  /** Waits until every record that is queued now has left, at most `timeoutMillis`. Never rejects. */
  async flush(timeoutMillis: number): Promise<FlushOutcome> {
    const { queue, exporter, host, exportLoop } = this
    const deadline = host.monotonic() + timeoutMillis
    let ok = false
    try {
      host.onFlush?.(timeoutMillis)
      this.addDropReports()
      const upTo = queue.cut()
      exportLoop.exportReady(true)
      if (queue.oldest <= upTo) await exportLoop.waiters.wait(upTo, timeoutMillis)
      ok = queue.oldest > upTo
      exportLoop.cancelIdleDelay()
      if (ok && exporter.flush !== undefined) {
        ok = await settleWithin(host, Math.max(0, deadline - host.monotonic()), () =>
          runAsExporter(host, () => exporter.flush!()),
        )
      }
    } catch {
      // Out of memory or an exhausted stack: the records stay queued.
    }
    return { ok, pending: queue.records }
  }

  /**
   * Exports queued records without the event loop until `deadline`, in ms of the host's clock. With `final` the process exits, so
   * the remaining records are dropped and reported.
   */
  drain(deadline: number, final: boolean): FlushOutcome {
    this.addDropReports()
    const ran = this.exportLoop.drain(deadline, final)
    return { ok: ran && this.queue.records === 0, pending: this.queue.records }
  }

  /** Makes log calls export synchronously, because the event loop will not run again. */
  writeThrough(): void {
    this.exportLoop.writeThrough()
  }

  /**
   * Reports the producer's drops if there are any, and calls `onEmpty` when none of its records is queued: immediately, or after
   * a later export. For a producer that adds no more records.
   */
  whenEmpty(producer: Producer, onEmpty: () => void): void {
    try {
      this.addDropReports()
    } catch {
      // The report could not be encoded. This runs in a callback of the garbage collector, where an error would end the process.
    }
    const check = (): void => {
      if (producer.owner.counters.queued > 0) return
      this.observers.delete(check)
      onEmpty()
    }
    this.observers.add(check)
    check()
  }

  /** Removes a producer. Its records that are still queued may arrive later, but count as unknown in its counters. */
  removeProducer(producer: Producer): void {
    this.producers.delete(producer)
    const { counters } = producer.owner
    if (counters.queued === 0) return
    this.queue.transferOwnership(counters, new RecordOwner(new Counters(), producer.owner.source))
    counters.unknown += counters.queued
    counters.queued = 0
  }

  /** Flushes, drops the remaining records, and closes the exporter. Never rejects. */
  shutdown(timeoutMillis: number): Promise<void> {
    if (this.closing === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.closing = promise
      void this.close(timeoutMillis).then(resolve, () => resolve())
    }
    return this.closing
  }

  private async close(timeoutMillis: number): Promise<void> {
    const { host, exporter } = this
    const deadline = host.monotonic() + timeoutMillis
    const remaining = () => Math.max(0, deadline - host.monotonic())
    const { ok } = await this.flush(timeoutMillis)
    // A drop report was queued after the flushed records.
    if (ok && this.queue.records > 0) await this.flush(remaining())
    this.closed = true
    this.exportLoop.close()
    await settleWithin(host, Math.max(remaining(), minClosingMillis), () => exporter.shutdown?.())
  }

  private enqueue(text: EncodedRecord, severity: number, owner: RecordOwner): void {
    const full = this.queue.add(text, severity, owner)
    owner.counters.accepted++
    owner.counters.queued++
    const { schedule } = this.exportLoop
    if (full || this.queue.bytes >= schedule.maxBytes || (severity >= urgentSeverity && schedule.canExportEarly)) {
      this.afterEnqueue(full)
    }
  }

  /** Schedules or starts the export after a record was counted. Must not throw. */
  private afterEnqueue(full: boolean): void {
    if (full) this.cutAndExport()
    const { schedule } = this.exportLoop
    try {
      if (schedule.canExportEarly) {
        if (stackReaches(framesToSchedule)) schedule.hasten()
      } else if (stackReaches(this.exportLoop.exportsAtOnce ? framesToExport : framesToSchedule))
        this.exportLoop.scheduleExport()
    } catch {
      // Out of memory: the batch stays open, and the next record tries again.
    }
  }

  /** Closes the open batch and exports it if the exporter is free. User code may run here. */
  private cutAndExport(): void {
    try {
      // An exhausted stack must not interrupt a write. If it could, the next record starts the export.
      if (!stackReaches(framesToExport)) return
      this.queue.cut()
      this.exportLoop.exportReady(false)
    } catch {
      // Out of memory: the batch stays open, and the next record tries again.
    }
  }

  private enqueueAtLimit(text: EncodedRecord, severity: number, owner: RecordOwner): void {
    const { counters } = owner
    const { name } = this.exporter
    if (text.length > this.maxBytes) {
      counters.accepted++
      counters.drop('too_large', severity)
      return this.host.reportDiagnostic(
        'SLUICE_RECORD_TOO_LARGE',
        `a record for ${name} is longer than maxQueueBytes and was dropped; raise it, or lower limits.recordBytes`,
      )
    }
    const before = this.evictedCount
    const mayEnter = this.overflowPolicy.admit(text.length, severity, this.backpressure, this.onEvicted)
    if (mayEnter && this.closing === undefined) {
      this.enqueue(text, severity, owner)
    } else {
      counters.accepted++
      counters.drop(mayEnter ? 'shutdown' : 'queue_full', severity)
    }
    if (mayEnter && this.evictedCount === before) return
    // Report last: the diagnostic callback may log, and must not use the space that was just freed.
    this.host.reportDiagnostic('SLUICE_QUEUE_FULL', `the queue of ${name} is full; records are dropped`)
  }

  private readonly onEvicted = (owner: RecordOwner, severity: number): void => {
    this.evictedCount++
    owner.counters.queued--
    owner.counters.drop('queue_full', severity)
    owner.onLeft?.(false)
  }

  /** Writes what the destination accepts within `millis`. Returns false if waiting longer cannot help. */
  private writeWithin(millis: number): boolean {
    if (this.exporter.exportSync === undefined) return false
    const until = this.host.monotonic() + millis
    const before = this.queue.records
    if (!this.exportLoop.drain(until, false)) return false
    // An exporter that returns before the time is over is not waiting for a reader: it is failing.
    return this.queue.records < before || this.host.monotonic() >= until
  }

  /** Adds drop reports to the stream once the destination accepts records again and there is room. */
  private addDropReports(): void {
    for (const producer of this.producers) {
      if (this.closed || !this.exportLoop.healthy || this.queue.bytes > this.maxBytes / 2) return
      const report = producer.dropReport()
      if (report === undefined || !this.overflowPolicy.fitsWithoutReserve(report.text.length)) continue
      const { counters } = report.owner
      this.queue.add(report.text, report.severity, report.owner)
      counters.emitted++
      counters.accepted++
      counters.queued++
      report.onQueued()
      this.exportLoop.scheduleExport()
    }
  }
}

/** The stack depth that an export requires, in frames: about a hundred, and a system call that creates an error. */
const framesToExport = 200
/**
 * The stack depth that scheduling a callback requires, in frames: about ten. Checking for more would cost the first call of each
 * turn 3 µs.
 */
const framesToSchedule = 50

/** ERROR: such records are often the last ones of a process, and do not wait for others. */
const urgentSeverity = 17

/** Returns whether the stack has room for this many frames. */
function stackReaches(depth: number): boolean {
  try {
    return depth === 0 || stackReaches(depth - 1)
  } catch {
    return false
  }
}
