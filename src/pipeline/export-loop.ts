import { BatchSchedule } from './batch-schedule.ts'
import type { BoundedQueue } from './bounded-queue.ts'
import type { BatchBuffer } from './batch-buffer.ts'
import type { Exporter, ExportResult } from './exporter.ts'
import { GuardedExporter, noneTaken } from './guarded-exporter.ts'
import { FlushWaiters } from './flush-waiters.ts'
import type { PipelineHost } from './host.ts'
import type { DropReason } from './counters.ts'
import { countOutcome } from './outcome.ts'

/** An export that has ended. */
export interface ExportOperation {
  /** How long it took, with all the exporter did to get it through, in ms. */
  readonly millis: number
  readonly result: ExportResult
  /** How many it had. */
  readonly records: number
}

// How many batches of records that are logged while batches are handed over still go at once: an exporter that logs
// through itself would never come to an end.
const mostNested = 16

/**
 * How records leave a queue: handed over by the exporter's schedule, or drained without the event loop. Each is counted
 * once for what became of it.
 *
 * Invariants: at most one batch is with the exporter, the queue's head, and each batch leaves through `settle`. User code
 * runs inside the port, `host.problem` and `taken`, and it may log, flush, drain and shut down.
 */
export class ExportLoop {
  readonly schedule: BatchSchedule
  readonly waiters: FlushWaiters
  /** The last batch was taken whole. */
  healthy = true
  /** The exports that have ended, and how long they took, in ms. */
  readonly ended: { count: number; millis: number } = { count: 0, millis: 0 }
  private readonly exporter: Exporter
  private readonly host: PipelineHost
  private readonly queue: BoundedQueue
  private readonly guardedExporter: GuardedExporter
  private readonly onAccepted: () => void
  private readonly onExported: (operation: ExportOperation) => void
  private readonly unreported: () => number
  /** Since when the exporter has the batch, in ms of the host's clock; undefined: it has none. */
  private startedAt: number | undefined
  /** No exit guard exports the queue when the process ends, so the process must stay alive for it. */
  private readonly keepsAlive: boolean
  /** The open chunk is wanted too, as soon as the exporter is free. */
  private due = false
  private pumping = false
  private draining = false
  /** Until when calls write through, in ms of the host's clock; undefined before the process ends. */
  private writeThroughUntil: number | undefined
  /** How many records have left without being taken. */
  private lost = 0
  /** How many of these at the end of the process or of the pipeline, and how many of these were told. */
  private lostAtEnd = 0
  private reportedAtEnd = 0
  /** How many were lost before that end and are told nowhere else; undefined until it comes. */
  private lostBefore: number | undefined

  /**
   * `exported` is called when an export has ended, `taken` then when the exporter took a batch whole. `untold` counts lost
   * records of which the stream says nothing.
   */
  constructor(
    exporter: Exporter,
    host: PipelineHost,
    queue: BoundedQueue,
    exported: (operation: ExportOperation) => void,
    taken: () => void,
    untold: () => number,
  ) {
    this.exporter = exporter
    this.host = host
    this.queue = queue
    this.onExported = exported
    this.onAccepted = taken
    this.unreported = untold
    this.keepsAlive = !host.drainsAtExit
    this.schedule = new BatchSchedule(exporter.schedule, host, this.keepsAlive, () => this.turnEnded())
    this.waiters = new FlushWaiters(host, () => this.updateKeepAlive())
    this.guardedExporter = new GuardedExporter(exporter, host, this.keepsAlive, (result) => this.answered(result))
    this.updateKeepAlive()
  }

  /** Whether `handOver` is the export itself. */
  get exportsAtOnce(): boolean {
    return this.writeThroughUntil !== undefined || this.schedule.isSync
  }

  /** Has all that waits handed over when the exporter's schedule says so, unless that is under way. */
  handOver(): void {
    if (this.schedule.isSet || this.queue.records === 0) return
    if (this.writeThroughUntil !== undefined) this.drain(this.writeThroughUntil, true)
    else if (this.schedule.isSync) this.pump(true)
    else this.schedule.start()
  }

  /** Ends a delay that nothing waits for: it would keep the process alive. Not at each batch: a burst would begin as many. */
  rest(): void {
    if (this.queue.records === 0 && typeof this.exporter.schedule === 'object') this.schedule.cancel()
  }

  /** From now on nothing waits: the event loop will not turn again. */
  writeThrough(): void {
    this.writeThroughUntil ??= this.host.monotonic() + this.host.exitTimeoutMillis
    this.schedule.cancel()
    // Whoever was told of what is lost may have logged.
    this.handOver()
  }

  private turnEnded(): void {
    this.pump(true)
    try {
      if (this.guardedExporter.isBusy) this.queue.prepare()
    } catch {
      // no memory for the bytes: the calls of the next turn try again
    }
  }

  /** Hands batches over while the exporter answers at once; `all`: the open chunk too, at the latest when it is free. */
  pump(all: boolean): void {
    this.due ||= all
    if (this.pumping || this.draining) return
    this.pumping = true
    const last = this.queue.newest + mostNested
    try {
      if (this.guardedExporter.isBusy && this.exporter.supportsPolling === true)
        this.drainOne(this.host.monotonic(), false, 'exit_deadline')
      while (this.guardedExporter.isFree && this.queue.oldest <= last) {
        const buffer = this.queue.take(this.due)
        if (buffer === undefined) break
        if (buffer.count === this.queue.records) this.due = false
        this.export(buffer)
      }
    } finally {
      this.pumping = false
    }
    if (this.guardedExporter.isFree && this.queue.oldest > last && this.writeThroughUntil === undefined)
      this.schedule.start()
  }

  /** Writes without the event loop until `deadline`; `final`: what is left is dropped and told. Returns whether it ran. */
  drain(deadline: number, final: boolean): boolean {
    const { queue } = this
    // User code that runs inside the drain may log, and fatal drains.
    if (this.draining) return false
    const before = this.lost
    const untold = final ? this.unreported() : 0
    this.draining = true
    try {
      const last = queue.newest + mostNested
      while (queue.records > 0 && queue.oldest <= last && this.drainOne(deadline, final, 'exit_deadline')) continue
      if (final) this.dropAll('exit_deadline')
    } finally {
      this.draining = false
    }
    if (final) this.reportLost(this.lost - before, untold, 'before the process ended')
    if (!this.guardedExporter.isBusy && this.writeThroughUntil === undefined) this.handOver()
    return true
  }

  /** Ends it: what the exporter does not take at once is dropped and told. Nothing may enter the queue any more. */
  end(): void {
    this.schedule.cancel()
    const before = this.lost
    const untold = this.unreported()
    this.draining = true
    try {
      while (this.queue.records > 0 && this.drainOne(this.host.monotonic(), true, 'shutdown')) continue
    } catch {
      // no memory for a chunk's bytes, or an exhausted stack: they are dropped without
    }
    try {
      this.dropAll('shutdown')
    } finally {
      this.draining = false
    }
    this.reportLost(this.lost - before, untold, 'before the logger was shut down')
  }

  private export(buffer: BatchBuffer): void {
    this.startedAt = this.host.monotonic()
    const result = this.guardedExporter.export(buffer)
    if (result !== undefined) this.settle(buffer, result)
  }

  private answered(result: ExportResult | undefined): void {
    if (result !== undefined) this.settle(this.queue.take(false)!, result)
    this.pump(false)
    this.handOver()
  }

  /** Writes one batch without the event loop. Returns whether to go on. */
  private drainOne(deadline: number, final: boolean, leftover: DropReason): boolean {
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
    if (final) this.settle(buffer, result, leftover)
    // The exporter may have begun to write it: from here on it is waited for.
    else if (!this.guardedExporter.isBusy) this.export(buffer)
    return false
  }

  /** Counts what became of the head's records. `leftover` names what a retryable rest is dropped for. */
  private settle(buffer: BatchBuffer, result: ExportResult, leftover: DropReason = 'retry_exhausted'): void {
    const done = this.guardedExporter.settled()
    const { count } = buffer
    this.lost += countOutcome(buffer, result, leftover, this.startedAt !== undefined)
    this.queue.settle(done && result.status !== 'unknown')
    if (this.queue.records === 0) this.due = false
    this.waiters.release(this.queue.oldest)
    this.healthy = result.status === 'accepted'
    this.exportEnded(result, count)
    if (this.healthy) this.onAccepted()
  }

  private dropAll(reason: DropReason): void {
    if (this.guardedExporter.isBusy) this.settle(this.queue.take(false)!, this.guardedExporter.abandon(), reason)
    for (let buffer = this.queue.take(true); buffer !== undefined; buffer = this.queue.take(true)) {
      this.settle(buffer, noneTaken, reason)
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

  /** `untold`: how many were lost before; the notice that tells them may have left now. */
  private reportLost(records: number, untold: number, when: string): void {
    const isFirst = this.lostBefore === undefined
    this.lostBefore ??= Math.min(untold, this.unreported())
    this.lostAtEnd += records
    if (records === 0 && !(isFirst && this.lostBefore > 0)) return
    // Each call is an end of its own when it writes through: then a line is worth a number twice as large.
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
