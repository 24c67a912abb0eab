import { member } from '../options/own-members.ts'
import type { EncodedRecord } from '../encode/encoding.ts'
import { OverflowPolicy, type Backpressure } from './overflow-policy.ts'
import { RecordQueue } from './record-queue.ts'
import { RecordOwner } from './batch-buffer.ts'
import type { Exporter } from './exporter.ts'
import { attributeWorkToExporter } from './guarded-exporter.ts'
import { succeedsWithin } from './flush-waiters.ts'
import type { PipelineHost } from './host.ts'
import type { Producer } from './producer.ts'
import { Counters } from './counters.ts'
import { ExportLoop, type ExportOperation } from './export-loop.ts'

/** The result of a flush or drain of one pipeline. */
export interface FlushOutcome {
  /**
   * After a flush: whether every record that was queued when it started has left the queue, and the exporter's `flush` succeeded.
   * After a drain: whether the drain ran and the queue is empty.
   */
  readonly ok: boolean
  /** The number of records still queued. */
  readonly pending: number
}

const defaultQueueBytes = 16 * 1024 * 1024
// How long a log call blocks with the policy `block` before the queue is checked again, in ms.
const blockMillis = 100
// The minimum time that an exporter gets to close, in ms, even if the timeout of the shutdown has passed.
const minClosingMillis = 100

/** The pipeline of one destination. It adds the records of producers to a queue with limits, and exports them. */
export class BatchProcessor {
  readonly exporter: Exporter
  readonly host: PipelineHost
  readonly producers: Set<Producer> = new Set()
  /** Functions that are called with each completed export. They must not throw. */
  readonly exportObservers: Set<(operation: ExportOperation) => void> = new Set()
  /** The maximum number of queued records. */
  readonly maxQueueSize: number
  private readonly queue: RecordQueue
  private readonly exportLoop: ExportLoop
  private readonly overflowPolicy: OverflowPolicy
  private readonly backpressure: Backpressure
  private readonly maxBytes: number
  /** The number of records that were evicted since the pipeline was created. */
  private evictedCount = 0
  private shutdownPromise: Promise<void> | undefined
  private isClosed = false

  constructor(exporter: Exporter, host: PipelineHost) {
    const { delivery } = exporter
    this.exporter = exporter
    this.host = host
    this.maxBytes = delivery.maxQueueBytes ?? defaultQueueBytes
    this.maxQueueSize = delivery.maxQueueSize ?? Infinity
    const buffers = member(exporter.encoding, 'binary') === true ? host.binaryBuffers : host.textBuffers
    this.queue = new RecordQueue(buffers, delivery.maxExportBatchSize ?? Infinity, exporter.batchBytes)
    this.overflowPolicy = new OverflowPolicy(this.queue, {
      maxBytes: this.maxBytes,
      maxRecords: this.maxQueueSize,
      onFull: delivery.onFull ?? 'dropLowest',
    })
    this.backpressure = {
      writeWithoutBlocking: () => void this.writeWithin(0),
      blockAndWrite: () => this.writeWithin(blockMillis),
    }
    exporter.start?.(host)
    this.exportLoop = new ExportLoop(
      exporter,
      host,
      this.queue,
      (operation) => {
        for (const observer of this.exportObservers) observer(operation)
      },
      () => this.addDropReports(),
      () => [...this.producers].reduce((sum, { unreportedCount }) => sum + unreportedCount, 0),
    )
  }

  /** The size of the queue in bytes, including records in flight. */
  get queuedBytes(): number {
    return this.queue.heldBytes
  }

  /** The number of queued records, including records in flight. */
  get queuedRecords(): number {
    return this.queue.recordCount
  }

  /** The number of records in flight. */
  get inFlight(): number {
    return this.queue.inFlightRecords
  }

  /** Whether records are queued that a drain cannot export, because the exporter has no `exportSync`. */
  get needsEventLoop(): boolean {
    return this.exporter.exportSync === undefined && this.queue.recordCount > 0
  }

  /** The number of completed exports, and their total duration in ms. */
  get completedExports(): { readonly count: number; readonly millis: number } {
    return this.exportLoop.completedExports
  }

  /** Queues or drops one record. Throws only if the stack is exhausted, and then before anything was counted. */
  push(text: EncodedRecord, severity: number, owner: RecordOwner): void {
    const { counters } = owner
    // Adding a `LongLine` also creates a batch, and must not fail halfway.
    if (typeof text !== 'string' && !stackHasRoomFor(framesToAddLongLine))
      throw new RangeError('the stack is exhausted')
    if (!this.queue.fitsOpenBatch(text.length)) this.closeBatchAndExport()
    if (counters.isClosed || this.shutdownPromise !== undefined) {
      // `accepted` means not filtered, so it also counts the records that are dropped.
      counters.accepted++
      counters.drop('shutdown', severity)
    } else if (this.overflowPolicy.fitsUnreservedPart(text.length)) {
      this.enqueue(text, severity, owner)
    } else {
      this.enqueueAtLimit(text, severity, owner)
    }
  }

  /**
   * Waits until every record that is queued now has left the queue, then flushes the exporter, for at most `timeoutMillis` in total.
   * Never rejects.
   */
  async flush(timeoutMillis: number): Promise<FlushOutcome> {
    const { queue, exporter, host, exportLoop } = this
    const deadline = host.monotonic() + timeoutMillis
    let ok = false
    try {
      host.onFlush?.(timeoutMillis)
      this.addDropReports()
      const lastSequence = queue.closeOpenBatch()
      exportLoop.exportBatches('all')
      if (queue.oldestSequence <= lastSequence) await exportLoop.flushWaiters.wait(lastSequence, timeoutMillis)
      ok = queue.oldestSequence > lastSequence
      exportLoop.cancelDelayIfEmpty()
      if (ok && exporter.flush !== undefined) {
        // The exit guard calls this method when the event loop is empty. From then on, work that is attributed to an exporter can delay
        // the exit only for a limited time (see `WorkOwner`), so attribute the exporter's work here.
        ok = await succeedsWithin(host, Math.max(0, deadline - host.monotonic()), () =>
          attributeWorkToExporter(host, () => exporter.flush!()),
        )
      }
    } catch {
      // Out of memory or an exhausted stack: the records stay queued.
    }
    return { ok, pending: queue.recordCount }
  }

  /**
   * Exports queued records without the event loop until `deadline`, in ms of the host's clock. `final`: the process exits, so the
   * remaining records are dropped and reported.
   */
  drain(deadline: number, final: boolean): FlushOutcome {
    this.addDropReports()
    const hasRun = this.exportLoop.drain(deadline, final)
    return { ok: hasRun && this.queue.recordCount === 0, pending: this.queue.recordCount }
  }

  /** Makes log calls export synchronously, because the event loop will not run again. */
  startWriteThrough(): void {
    this.exportLoop.startWriteThrough()
  }

  /**
   * Adds drop reports, and calls `onEmpty` when no record of this producer is queued: immediately, or after a later export. For a
   * producer that adds no more records.
   */
  whenEmpty(producer: Producer, onEmpty: () => void): void {
    try {
      this.addDropReports()
    } catch {
      // A report could not be encoded. This runs in a callback of the garbage collector, where an error would end the process.
    }
    const callIfEmpty = (): void => {
      if (producer.owner.counters.queued > 0) return
      this.exportObservers.delete(callIfEmpty)
      onEmpty()
    }
    this.exportObservers.add(callIfEmpty)
    callIfEmpty()
  }

  /** Removes a producer. Its queued records are still exported, but count as unknown in its counters. */
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
    if (this.shutdownPromise === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.shutdownPromise = promise
      void this.close(timeoutMillis).then(resolve, () => resolve())
    }
    return this.shutdownPromise
  }

  private async close(timeoutMillis: number): Promise<void> {
    const { host, exporter } = this
    const deadline = host.monotonic() + timeoutMillis
    const remaining = () => Math.max(0, deadline - host.monotonic())
    const { ok } = await this.flush(timeoutMillis)
    // Only drop reports can have been queued during the flush.
    if (ok && this.queue.recordCount > 0) await this.flush(remaining())
    this.isClosed = true
    this.exportLoop.close()
    await succeedsWithin(host, Math.max(remaining(), minClosingMillis), () => exporter.shutdown?.())
  }

  /** Adds a record that the overflow policy has admitted, and starts or schedules its export if necessary. */
  private enqueue(text: EncodedRecord, severity: number, owner: RecordOwner): void {
    const isBatchFull = this.queue.add(text, severity, owner)
    owner.counters.accepted++
    owner.counters.queued++
    const { schedule } = this.exportLoop
    // While no export is scheduled, the threshold is 0.
    if (
      isBatchFull ||
      this.queue.heldBytes >= schedule.thresholdBytes ||
      (severity >= urgentSeverity && schedule.canExportEarly)
    ) {
      this.afterEnqueue(isBatchFull)
    }
  }

  /** Schedules or starts the export after a record was counted. Must not throw. */
  private afterEnqueue(isBatchFull: boolean): void {
    if (isBatchFull) this.closeBatchAndExport()
    const { schedule } = this.exportLoop
    try {
      if (schedule.canExportEarly) {
        if (stackHasRoomFor(framesToSchedule)) schedule.moveToEndOfTurn()
      } else if (stackHasRoomFor(this.exportLoop.exportsSynchronously ? framesToExport : framesToSchedule))
        this.exportLoop.scheduleExport()
    } catch {
      // Out of memory: the next record tries again.
    }
  }

  /** Closes the open batch, and exports the closed batches if the exporter is free. User code may run here. */
  private closeBatchAndExport(): void {
    try {
      // An export that an exhausted stack could interrupt is left to the next record.
      if (!stackHasRoomFor(framesToExport)) return
      this.queue.closeOpenBatch()
      this.exportLoop.exportBatches('closed')
    } catch {
      // Out of memory: the next record tries again.
    }
  }

  /**
   * Adds a record that does not fit the queue, or only the part of it that the policy `dropLowest` reserves for records of level WARN and
   * above: queues it if the overflow policy admits it, otherwise drops it.
   */
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
    const evictedBefore = this.evictedCount
    const isAdmitted = this.overflowPolicy.admit(text.length, severity, this.backpressure, this.onEvicted)
    if (isAdmitted && this.shutdownPromise === undefined) {
      this.enqueue(text, severity, owner)
    } else {
      counters.accepted++
      counters.drop(isAdmitted ? 'shutdown' : 'queue_full', severity)
    }
    if (isAdmitted && this.evictedCount === evictedBefore) return
    // Report last: the diagnostic callback may log, and must not use the space that was just freed.
    this.host.reportDiagnostic('SLUICE_QUEUE_FULL', `the queue of ${name} is full; records are dropped`)
  }

  private readonly onEvicted = (owner: RecordOwner, severity: number): void => {
    this.evictedCount++
    owner.counters.queued--
    owner.counters.drop('queue_full', severity)
    owner.onLeftQueue?.(false)
  }

  /** Exports without the event loop for at most `millis`. Returns false if more time would not help. */
  private writeWithin(millis: number): boolean {
    if (this.exporter.exportSync === undefined) return false
    const until = this.host.monotonic() + millis
    const recordsBefore = this.queue.recordCount
    if (!this.exportLoop.drain(until, false)) return false
    // An exporter that exports nothing and returns early is failing; one that waits for a reader uses all the time.
    return this.queue.recordCount < recordsBefore || this.host.monotonic() >= until
  }

  /**
   * Adds the drop reports of all producers to the queue, if the last export succeeded, at least half of the queue is free, and the
   * pipeline is not closed.
   */
  private addDropReports(): void {
    for (const producer of this.producers) {
      if (this.isClosed || !this.exportLoop.isHealthy || this.queue.heldBytes > this.maxBytes / 2) return
      const report = producer.dropReport()
      if (report === undefined || !this.overflowPolicy.fitsUnreservedPart(report.text.length)) continue
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

/**
 * The stack depth to require before a `LongLine` is added, in frames. It is much more than necessary, because the check costs little
 * compared with such a record.
 */
const framesToAddLongLine = 1_000
/** The stack depth to require before an export, in frames. An export uses about 100, and more if a system call fails. */
const framesToExport = 200
/**
 * The stack depth to require before scheduling a callback, in frames. It uses about ten. Checking for 200 would cost the first call
 * of each turn 3 µs.
 */
const framesToSchedule = 50

/** The severity number of ERROR. Such records are often the last ones of a process, so they end a delay that waits for more records. */
const urgentSeverity = 17

/** Returns whether the stack has room for this many frames. */
function stackHasRoomFor(frames: number): boolean {
  try {
    return frames === 0 || stackHasRoomFor(frames - 1)
  } catch {
    return false
  }
}
