import { counted, wasOrWere } from '../options/counted.ts'
import { BatchSchedule } from './batch-schedule.ts'
import type { RecordQueue } from './record-queue.ts'
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

// How many batches `exportBatches` and `drain` export beyond those that were queued when they started. Without this limit, an
// exporter that logs to its own pipeline would never finish.
const maxAdditionalBatches = 16

/**
 * The loop that exports the records of a queue: on the exporter's schedule, or without the event loop in a drain. The outcome of
 * each record is counted once.
 *
 * Invariants: at most one batch is being exported, which is the queue's head, and each batch leaves through `countAndRemove`. User code
 * runs inside `guardedExporter`, `host.reportDiagnostic`, `onExported` and `onAccepted`, and it may log, flush, drain and shut down.
 */
export class ExportLoop {
  readonly schedule: BatchSchedule
  readonly flushWaiters: FlushWaiters
  /** Whether the result of the last batch was `accepted`; true before the first one. */
  isHealthy = true
  /** The number of completed exports, and their total duration in ms. */
  readonly completedExports: { count: number; millis: number } = { count: 0, millis: 0 }
  private readonly exporter: Exporter
  private readonly host: PipelineHost
  private readonly queue: RecordQueue
  private readonly guardedExporter: GuardedExporter
  private readonly onAccepted: () => void
  private readonly onExported: (operation: ExportOperation) => void
  private readonly countUnreported: () => number
  /** When the current export started, in ms of the host's clock; undefined while nothing is exported. */
  private startedAt: number | undefined
  /** Whether the process must stay alive for the queue, because no exit guard drains it when the process exits. */
  private readonly keepsProcessAlive: boolean
  /** Whether to export the open batch too, as soon as the exporter can start another export. */
  private isOpenBatchDue = false
  /** Whether `exportBatches` is running. User code that it runs can cause another call, which then does nothing. */
  private isInExportBatches = false
  /** Whether `drain` or `close` is running. */
  private isDraining = false
  /** Until when log calls export synchronously, in ms of the host's clock; undefined before the process exits. */
  private writeThroughUntil: number | undefined
  /** The number of exported or dropped records that were not written, including those with an unknown outcome; without evicted ones. */
  private lostCount = 0
  /** How many records were lost at process exit or pipeline shutdown. */
  private lostAtEndCount = 0
  /** The `lostAtEndCount` of the last diagnostic. */
  private reportedAtEndCount = 0
  /** How many records were lost before the exit or shutdown without a drop report; undefined before the exit or shutdown. */
  private lostEarlierCount: number | undefined

  /**
   * @param onExported - called when an export has completed
   * @param onAccepted - called after `onExported` if the result was `accepted`
   * @param countUnreported - returns the number of dropped records that no queued or exported drop report includes
   */
  constructor(
    exporter: Exporter,
    host: PipelineHost,
    queue: RecordQueue,
    onExported: (operation: ExportOperation) => void,
    onAccepted: () => void,
    countUnreported: () => number,
  ) {
    this.exporter = exporter
    this.host = host
    this.queue = queue
    this.onExported = onExported
    this.onAccepted = onAccepted
    this.countUnreported = countUnreported
    this.keepsProcessAlive = !host.drainsAtExit
    this.schedule = new BatchSchedule(exporter.schedule, host, this.keepsProcessAlive, () => this.onScheduleDue())
    this.flushWaiters = new FlushWaiters(host, () => this.updateKeepAlive())
    this.guardedExporter = new GuardedExporter(exporter, host, this.keepsProcessAlive, (result) =>
      this.onResult(result),
    )
    this.updateKeepAlive()
  }

  /** Whether `scheduleExport` exports immediately instead of scheduling it. */
  get exportsSynchronously(): boolean {
    return this.writeThroughUntil !== undefined || this.schedule.isSync
  }

  /**
   * Schedules an export of all queued records as the exporter requires, or exports them immediately if `exportsSynchronously`. Does
   * nothing if an export is already scheduled.
   */
  scheduleExport(): void {
    if (this.schedule.isScheduled || this.queue.recordCount === 0) return
    if (this.writeThroughUntil !== undefined) this.drain(this.writeThroughUntil, true)
    else if (this.schedule.isSync) this.exportBatches('all')
    else this.schedule.start()
  }

  /**
   * Cancels a scheduled delay if the queue is empty, because the delay could keep the process alive. Not called after each batch,
   * because a burst would then start a delay for each.
   */
  cancelDelayIfEmpty(): void {
    if (this.queue.recordCount === 0 && typeof this.exporter.schedule === 'object') this.schedule.cancel()
  }

  /** Makes log calls export synchronously, because the event loop will not run again. */
  startWriteThrough(): void {
    this.writeThroughUntil ??= this.host.monotonic() + this.host.exitTimeoutMillis
    this.schedule.cancel()
    // Export what a diagnostic callback may have logged since the drain.
    this.scheduleExport()
  }

  /** Called when the scheduled time has come. */
  private onScheduleDue(): void {
    this.exportBatches('all')
    try {
      if (this.guardedExporter.hasBatchInFlight) this.queue.encodeEarly()
    } catch {
      // Out of memory: the log calls of the next turn try again.
    }
  }

  /**
   * Exports the closed batches until the exporter returns a promise. `all`: also exports the open batch, now or as soon as the exporter
   * can start another export.
   */
  exportBatches(batches: 'all' | 'closed'): void {
    this.isOpenBatchDue ||= batches === 'all'
    if (this.isInExportBatches || this.isDraining) return
    this.isInExportBatches = true
    const lastSequence = this.queue.openSequence + maxAdditionalBatches
    try {
      // The result may be available although the event loop has not delivered it.
      if (this.guardedExporter.hasBatchInFlight && this.exporter.supportsPolling === true)
        this.drainOne(this.host.monotonic(), false, 'exit_deadline')
      while (this.guardedExporter.canStartExport && this.queue.oldestSequence <= lastSequence) {
        const buffer = this.isOpenBatchDue ? this.queue.selectHead() : this.queue.selectClosedHead()
        if (buffer === undefined) break
        if (buffer.count === this.queue.recordCount) this.isOpenBatchDue = false
        this.export(buffer)
      }
    } finally {
      this.isInExportBatches = false
    }
    if (
      this.guardedExporter.canStartExport &&
      this.queue.oldestSequence > lastSequence &&
      this.writeThroughUntil === undefined
    )
      this.schedule.start()
  }

  /**
   * Exports without the event loop until `deadline`. If the process exits (`final`), the remaining records are dropped and
   * reported. Returns false if a drain is already running.
   */
  drain(deadline: number, final: boolean): boolean {
    const { queue } = this
    // User code that runs during a drain may log a `fatal` record, which drains again.
    if (this.isDraining) return false
    const lostBefore = this.lostCount
    this.isDraining = true
    try {
      const lastSequence = queue.openSequence + maxAdditionalBatches
      while (
        queue.recordCount > 0 &&
        queue.oldestSequence <= lastSequence &&
        this.drainOne(deadline, final, 'exit_deadline')
      )
        continue
      if (final) this.dropAll('exit_deadline')
    } finally {
      this.isDraining = false
    }
    if (final) this.reportLost(this.lostCount - lostBefore, 'before the process exited')
    if (!this.guardedExporter.hasBatchInFlight && this.writeThroughUntil === undefined) this.scheduleExport()
    return true
  }

  /**
   * Ends the loop. Records that the exporter does not accept without waiting are dropped and reported. No record may be queued
   * afterwards.
   */
  close(): void {
    this.schedule.cancel()
    const lostBefore = this.lostCount
    this.isDraining = true
    try {
      while (this.queue.recordCount > 0 && this.drainOne(this.host.monotonic(), true, 'shutdown')) continue
    } catch {
      // Out of memory or an exhausted stack: the records are dropped without another attempt.
    }
    try {
      this.dropAll('shutdown')
    } finally {
      this.isDraining = false
    }
    this.reportLost(this.lostCount - lostBefore, 'before the logger was shut down')
  }

  private export(buffer: BatchBuffer): void {
    this.startedAt = this.host.monotonic()
    const result = this.guardedExporter.export(buffer)
    if (result !== undefined) this.countAndRemove(buffer, result)
  }

  private onResult(result: ExportResult | undefined): void {
    if (result !== undefined) this.countAndRemove(this.queue.selectClosedHead()!, result)
    this.exportBatches('closed')
    this.scheduleExport()
  }

  /**
   * Exports one batch without the event loop. Returns whether to continue.
   *
   * @param final - whether this is the last attempt, so that records that could be retried are dropped for `leftoverReason`
   */
  private drainOne(deadline: number, final: boolean, leftoverReason: DropReason): boolean {
    if (
      this.exporter.exportSync === undefined ||
      !(this.guardedExporter.hasBatchInFlight || this.guardedExporter.canStartExport)
    )
      return false
    const buffer = this.queue.selectHead()
    if (buffer === undefined) return false
    if (!this.guardedExporter.hasBatchInFlight) this.startedAt = this.host.monotonic()
    const result = this.guardedExporter.exportSync(buffer, deadline, final)
    if (result.status !== 'retryable') {
      this.countAndRemove(buffer, result)
      return this.guardedExporter.canStartExport
    }
    if (final) this.countAndRemove(buffer, result, leftoverReason)
    // The exporter may have written a part of the batch, so the rest is exported asynchronously.
    else if (!this.guardedExporter.hasBatchInFlight) this.export(buffer)
    return false
  }

  /**
   * Counts the outcome of the head's records and removes the head. Records that could be retried are dropped for
   * `leftoverReason`.
   */
  private countAndRemove(
    buffer: BatchBuffer,
    result: ExportResult,
    leftoverReason: DropReason = 'retry_exhausted',
  ): void {
    const hasReleasedBytes = this.guardedExporter.endExport()
    const { count } = buffer
    this.lostCount += countOutcome(buffer, result, leftoverReason, this.startedAt !== undefined)
    const head = this.queue.removeHead()
    // If the outcome is unknown, the exporter may still read the bytes.
    if (hasReleasedBytes && result.status !== 'unknown') head.release()
    if (this.queue.recordCount === 0) this.isOpenBatchDue = false
    this.flushWaiters.resolveBefore(this.queue.oldestSequence)
    this.isHealthy = result.status === 'accepted'
    this.recordCompletedExport(result, count)
    if (this.isHealthy) this.onAccepted()
  }

  private dropAll(reason: DropReason): void {
    if (this.guardedExporter.hasBatchInFlight)
      this.countAndRemove(this.queue.selectClosedHead()!, this.guardedExporter.abandon(), reason)
    for (let buffer = this.queue.selectHead(); buffer !== undefined; buffer = this.queue.selectHead()) {
      this.countAndRemove(buffer, notSentResult, reason)
    }
  }

  private recordCompletedExport(result: ExportResult, records: number): void {
    if (this.startedAt === undefined) return
    const millis = this.host.monotonic() - this.startedAt
    this.startedAt = undefined
    this.completedExports.count++
    this.completedExports.millis += millis
    this.onExported({ millis, result, records })
  }

  /** Reports the records that were lost at exit or shutdown. */
  private reportLost(records: number, when: string): void {
    const isFirst = this.lostEarlierCount === undefined
    // If a queued drop report was lost too, this includes the drops that it reported.
    this.lostEarlierCount ??= Math.max(0, this.countUnreported() - records)
    this.lostAtEndCount += records
    if (records === 0 && !(isFirst && this.lostEarlierCount > 0)) return
    // After `startWriteThrough` each log call can lose records, so the next diagnostic waits until the number has doubled.
    if (!isFirst && this.writeThroughUntil !== undefined && this.lostAtEndCount < 2 * this.reportedAtEndCount) return
    this.reportedAtEndCount = this.lostAtEndCount
    this.host.reportDiagnostic(
      'SLUICE_RECORDS_LOST',
      this.describeLoss(this.lostAtEndCount, this.lostEarlierCount, when),
    )
  }

  /** @param lostEarlier - how many records were lost before the exit or shutdown */
  private describeLoss(lostAtEnd: number, lostEarlier: number, when: string): string {
    const { name } = this.exporter
    if (lostAtEnd === 0) return `${counted(lostEarlier, 'record')} for ${name} ${wasOrWere(lostEarlier)} lost ${when}`
    return `${counted(lostAtEnd, 'record')} could not be written to ${name} ${when}${lostEarlier > 0 ? `; ${lostEarlier} ${wasOrWere(lostEarlier)} lost earlier` : ''}`
  }

  private updateKeepAlive(): void {
    const keepsAliveWithoutFlush = this.keepsProcessAlive && !this.host.hasNoExitEvent
    this.exporter.keepAlive?.(this.flushWaiters.isWaiting || keepsAliveWithoutFlush)
  }
}
