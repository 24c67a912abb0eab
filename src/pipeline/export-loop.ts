import { BatchSchedule } from './batch-schedule.ts'
import type { BoundedQueue } from './bounded-queue.ts'
import type { BatchBuffer } from './batch-buffer.ts'
import type { Exporter, ExportResult } from './exporter.ts'
import { GuardedExporter, notSentResult } from './guarded-exporter.ts'
import { FlushWaiters } from './flush-waiters.ts'
import type { PipelineHost } from './host.ts'
import type { DropReason } from './counters.ts'
import { countOutcome } from './outcome.ts'

/** A completed export. */
export interface ExportOperation {
  /** The duration in ms, with everything that the exporter did for it, such as retries. */
  readonly millis: number
  readonly result: ExportResult
  /** The number of records in the batch. */
  readonly records: number
}

// How many further batches one run exports if records are logged during the run. Without this limit, an exporter that logs to its
// own pipeline would never finish.
const maxNestedBatches = 16

/**
 * The loop that exports the records of a queue: on the exporter's schedule, or without the event loop in a drain. The outcome of
 * each record is counted once.
 *
 * Invariants: at most one batch is being exported, which is the queue's head, and each batch leaves through `settle`. User code
 * runs inside `guardedExporter`, `host.reportDiagnostic` and `onAccepted`, and it may log, flush, drain and shut down.
 */
export class ExportLoop {
  readonly schedule: BatchSchedule
  readonly waiters: FlushWaiters
  /** Whether all records of the last batch were accepted. */
  healthy = true
  /** The number of completed exports, and their total duration in ms. */
  readonly ended: { count: number; millis: number } = { count: 0, millis: 0 }
  private readonly exporter: Exporter
  private readonly host: PipelineHost
  private readonly queue: BoundedQueue
  private readonly guardedExporter: GuardedExporter
  private readonly onAccepted: () => void
  private readonly onExported: (operation: ExportOperation) => void
  private readonly unreported: () => number
  /** When the current export started, in ms of the host's clock; undefined if there is none. */
  private startedAt: number | undefined
  /** Whether the process must stay alive for the queue, because no exit guard drains it when the process exits. */
  private readonly keepsAlive: boolean
  /** Whether to export the open batch too, as soon as the exporter is free. */
  private isOpenBatchDue = false
  private isPumping = false
  private isDraining = false
  /** Until when log calls export synchronously, in ms of the host's clock; undefined before the process exits. */
  private writeThroughUntil: number | undefined
  /** The number of records that left without being accepted. */
  private lost = 0
  /** How many of these were lost at process exit or pipeline shutdown, and how many of those were reported. */
  private lostAtEnd = 0
  private reportedAtEnd = 0
  /** How many records were lost before that and are reported nowhere else; undefined until then. */
  private lostBefore: number | undefined

  /**
   * @param onExported - called when an export has completed
   * @param onAccepted - called after `onExported` if all records of the batch were accepted
   * @param unreported - returns the number of dropped records that no drop report has reported
   */
  constructor(
    exporter: Exporter,
    host: PipelineHost,
    queue: BoundedQueue,
    onExported: (operation: ExportOperation) => void,
    onAccepted: () => void,
    unreported: () => number,
  ) {
    this.exporter = exporter
    this.host = host
    this.queue = queue
    this.onExported = onExported
    this.onAccepted = onAccepted
    this.unreported = unreported
    this.keepsAlive = !host.drainsAtExit
    this.schedule = new BatchSchedule(exporter.schedule, host, this.keepsAlive, () => this.turnEnded())
    this.waiters = new FlushWaiters(host, () => this.updateKeepAlive())
    this.guardedExporter = new GuardedExporter(exporter, host, this.keepsAlive, (result) => this.onResult(result))
    this.updateKeepAlive()
  }

  /** Whether `handOver` exports synchronously. */
  get exportsAtOnce(): boolean {
    return this.writeThroughUntil !== undefined || this.schedule.isSync
  }

  /** Exports all queued records when the exporter's schedule is due. Does nothing if that is already scheduled. */
  scheduleExport(): void {
    if (this.schedule.isSet || this.queue.records === 0) return
    if (this.writeThroughUntil !== undefined) this.drain(this.writeThroughUntil, true)
    else if (this.schedule.isSync) this.exportReady(true)
    else this.schedule.start()
  }

  /**
   * Cancels a delay when the queue is empty, because it would keep the process alive. Not called for each batch: a burst would
   * start as many delays.
   */
  cancelIdleDelay(): void {
    if (this.queue.records === 0 && typeof this.exporter.schedule === 'object') this.schedule.cancel()
  }

  /** Makes log calls export synchronously, because the event loop will not run again. */
  writeThrough(): void {
    this.writeThroughUntil ??= this.host.monotonic() + this.host.exitTimeoutMillis
    this.schedule.cancel()
    // A diagnostic callback may have logged records.
    this.scheduleExport()
  }

  private turnEnded(): void {
    this.exportReady(true)
    try {
      if (this.guardedExporter.isBusy) this.queue.prepare()
    } catch {
      // Out of memory: the log calls of the next turn try again.
    }
  }

  /**
   * Exports batches while the exporter returns results synchronously. With `all`, the open batch too, at the latest when the
   * exporter is free.
   */
  exportReady(all: boolean): void {
    this.isOpenBatchDue ||= all
    if (this.isPumping || this.isDraining) return
    this.isPumping = true
    const last = this.queue.newest + maxNestedBatches
    try {
      if (this.guardedExporter.isBusy && this.exporter.supportsPolling === true)
        this.drainOne(this.host.monotonic(), false, 'exit_deadline')
      while (this.guardedExporter.isFree && this.queue.oldest <= last) {
        const buffer = this.queue.take(this.isOpenBatchDue)
        if (buffer === undefined) break
        if (buffer.count === this.queue.records) this.isOpenBatchDue = false
        this.export(buffer)
      }
    } finally {
      this.isPumping = false
    }
    if (this.guardedExporter.isFree && this.queue.oldest > last && this.writeThroughUntil === undefined)
      this.schedule.start()
  }

  /**
   * Exports without the event loop until `deadline`. With `final`, the remaining records are dropped and reported. Returns false
   * if a drain is already running.
   */
  drain(deadline: number, final: boolean): boolean {
    const { queue } = this
    // User code that runs during a drain may log, and `fatal` drains.
    if (this.isDraining) return false
    const before = this.lost
    this.isDraining = true
    try {
      const last = queue.newest + maxNestedBatches
      while (queue.records > 0 && queue.oldest <= last && this.drainOne(deadline, final, 'exit_deadline')) continue
      if (final) this.dropAll('exit_deadline')
    } finally {
      this.isDraining = false
    }
    if (final) this.reportLost(this.lost - before, 'before the process exited')
    if (!this.guardedExporter.isBusy && this.writeThroughUntil === undefined) this.scheduleExport()
    return true
  }

  /**
   * Ends the loop. Records that the exporter does not accept without waiting are dropped and reported. No record may be queued
   * afterwards.
   */
  close(): void {
    this.schedule.cancel()
    const before = this.lost
    this.isDraining = true
    try {
      while (this.queue.records > 0 && this.drainOne(this.host.monotonic(), true, 'shutdown')) continue
    } catch {
      // Out of memory or an exhausted stack: the records are dropped without another attempt.
    }
    try {
      this.dropAll('shutdown')
    } finally {
      this.isDraining = false
    }
    this.reportLost(this.lost - before, 'before the logger was shut down')
  }

  private export(buffer: BatchBuffer): void {
    this.startedAt = this.host.monotonic()
    const result = this.guardedExporter.export(buffer)
    if (result !== undefined) this.settle(buffer, result)
  }

  private onResult(result: ExportResult | undefined): void {
    if (result !== undefined) this.settle(this.queue.take(false)!, result)
    this.exportReady(false)
    this.scheduleExport()
  }

  /** Exports one batch without the event loop. Returns whether to continue. */
  private drainOne(deadline: number, final: boolean, leftoverReason: DropReason): boolean {
    if (this.exporter.exportSync === undefined || !(this.guardedExporter.isBusy || this.guardedExporter.isFree))
      return false
    const buffer = this.queue.take(true)
    if (buffer === undefined) return false
    if (!this.guardedExporter.isBusy) this.startedAt = this.host.monotonic()
    const result = this.guardedExporter.exportSync(buffer, deadline, final)
    if (result.status !== 'retryable') {
      this.settle(buffer, result)
      return this.guardedExporter.isFree
    }
    if (final) this.settle(buffer, result, leftoverReason)
    // The exporter may have written a part of the batch, so the rest is exported asynchronously.
    else if (!this.guardedExporter.isBusy) this.export(buffer)
    return false
  }

  /**
   * Counts the outcome of the head's records and removes the head. Records that could be retried are dropped for
   * `leftoverReason`.
   */
  private settle(buffer: BatchBuffer, result: ExportResult, leftoverReason: DropReason = 'retry_exhausted'): void {
    const done = this.guardedExporter.settled()
    const { count } = buffer
    this.lost += countOutcome(buffer, result, leftoverReason, this.startedAt !== undefined)
    this.queue.settle(done && result.status !== 'unknown')
    if (this.queue.records === 0) this.isOpenBatchDue = false
    this.waiters.release(this.queue.oldest)
    this.healthy = result.status === 'accepted'
    this.exportEnded(result, count)
    if (this.healthy) this.onAccepted()
  }

  private dropAll(reason: DropReason): void {
    if (this.guardedExporter.isBusy) this.settle(this.queue.take(false)!, this.guardedExporter.abandon(), reason)
    for (let buffer = this.queue.take(true); buffer !== undefined; buffer = this.queue.take(true)) {
      this.settle(buffer, notSentResult, reason)
    }
  }

  private exportEnded(result: ExportResult, records: number): void {
    if (this.startedAt === undefined) return
    const millis = this.host.monotonic() - this.startedAt
    this.startedAt = undefined
    this.ended.count++
    this.ended.millis += millis
    this.onExported({ millis, result, records })
  }

  /** Reports the records that were lost at exit or shutdown. */
  private reportLost(records: number, when: string): void {
    const isFirst = this.lostBefore === undefined
    // Includes the drops of a report that was queued and is among these records.
    this.lostBefore ??= Math.max(0, this.unreported() - records)
    this.lostAtEnd += records
    if (records === 0 && !(isFirst && this.lostBefore > 0)) return
    // In write-through mode each log call can lose records, so the next report waits until the number has doubled.
    if (!isFirst && this.writeThroughUntil !== undefined && this.lostAtEnd < 2 * this.reportedAtEnd) return
    this.reportedAtEnd = this.lostAtEnd
    this.host.reportDiagnostic('SLUICE_RECORDS_LOST', this.lossText(this.lostAtEnd, this.lostBefore, when))
  }

  private lossText(atEnd: number, before: number, when: string): string {
    const { name } = this.exporter
    if (atEnd === 0) return `${before} records for ${name} were lost ${when}`
    return `${atEnd} records could not be written to ${name} ${when}${before > 0 ? `; ${before} were lost earlier` : ''}`
  }

  private updateKeepAlive(): void {
    const keepsExporter = this.keepsAlive && !this.host.reportsNoExit
    this.exporter.keepAlive?.(this.waiters.isWaiting || keepsExporter)
  }
}
