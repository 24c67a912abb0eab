import { Admission } from './admission.ts'
import { BoundedQueue } from './bounded-queue.ts'
import type { Chunk, Origin } from './chunk.ts'
import type { EncodedRecord } from '../encode/encoding.ts'
import type { Exporter, ExportResult } from './exporter.ts'
import type { PipelineHost } from './host.ts'
import type { DropReason } from './ledger.ts'

/** Somebody who puts records into a pipeline. */
export interface Lane {
  readonly origin: Origin
  /** The record that tells the lane's losses in the stream; undefined when there are none to tell. */
  lossNotice(): { readonly text: EncodedRecord; readonly severity: number } | undefined
}

/** How a flush ended for one pipeline. */
export interface Flushed {
  readonly ok: boolean
  /** Records that still wait. */
  readonly pending: number
}

const defaultQueueBytes = 16 * 1024 * 1024

/**
 * The pipeline of one destination: records enter a bounded queue, leave it in batches by the exporter's schedule, and
 * each is counted once for what became of it.
 *
 * Invariants: at most one batch is with the exporter (`inFlight`), and `ticket` tells its answer from the late answer of
 * one that was settled without the event loop. Each record that entered leaves through `settle` or `dropped`.
 */
export class BatchProcessor {
  readonly exporter: Exporter
  readonly lanes: Set<Lane> = new Set()
  private readonly host: PipelineHost
  private readonly queue: BoundedQueue
  private readonly admission: Admission
  private readonly maxBytes: number
  private inFlight: Chunk | undefined
  private ticket = 0
  private controller: AbortController | undefined
  private cancelTimeout: (() => void) | undefined
  private scheduled = false
  private cancelSchedule: (() => void) | undefined
  private pumping = false
  private draining = false
  private writeThrough = false
  /** The last batch was taken whole. */
  private healthy = true
  /** How many records have left without being taken. */
  private lost = 0
  private closed: Promise<void> | undefined
  private readonly waiters = new Set<{ readonly upTo: number; readonly done: () => void }>()

  constructor(exporter: Exporter, host: PipelineHost) {
    const { delivery } = exporter
    this.exporter = exporter
    this.host = host
    this.maxBytes = delivery.maxQueueBytes ?? defaultQueueBytes
    this.queue = new BoundedQueue(host.buffers, delivery.maxExportBatchSize ?? Infinity)
    this.admission = new Admission(this.queue, {
      maxBytes: this.maxBytes,
      maxRecords: delivery.maxQueueSize ?? Infinity,
      onFull: delivery.onFull ?? 'dropLowest',
    })
    exporter.start?.(host)
    this.updateKeepAlive()
  }

  /** What waits, in bytes; what is with the exporter included. */
  get queuedBytes(): number {
    return this.queue.bytes
  }

  /** Takes one record. Throws only on an exhausted stack, and then before anything was counted. */
  push(text: EncodedRecord, severity: number, origin: Origin): void {
    const { account } = origin
    if (account.closed || this.closed !== undefined) {
      account.accepted++
      return account.drop('shutdown', severity)
    }
    if (!this.admission.isEasy(text.length) && !this.makeRoom(text.length, severity, origin)) return
    const full = this.queue.add(text, severity, origin)
    account.accepted++
    account.queued++
    // What follows writes, and a write must not be cut short by an exhausted stack: then the next record sees to it.
    if ((full || !this.scheduled) && stackReaches()) {
      if (full) {
        this.queue.cut()
        this.pump(false)
      }
      if (!this.scheduled) this.schedule()
    }
  }

  /** Waits until every record that is here now has left, at most `timeoutMillis`. Never rejects. */
  async flush(timeoutMillis: number): Promise<Flushed> {
    this.noticeLosses()
    const upTo = this.queue.cut()
    this.pump(true)
    if (!this.hasLeft(upTo)) await this.wait(upTo, timeoutMillis)
    if (this.hasLeft(upTo)) await quietly(() => this.exporter.flush?.())
    return { ok: this.hasLeft(upTo), pending: this.queue.records }
  }

  /**
   * Writes what waits without the event loop until `deadline`, in ms of the host's clock. `final`: the process ends, so
   * what is left is dropped and told.
   */
  drain(deadline: number, final: boolean): Flushed {
    // User code that runs inside the drain may log, and fatal drains.
    if (this.draining) return { ok: false, pending: this.queue.records }
    this.draining = true
    this.noticeLosses()
    const before = this.lost
    try {
      while (this.queue.records > 0 && this.drainOne(deadline, final)) continue
      if (final) this.dropAll('exit_deadline')
    } finally {
      this.draining = false
    }
    if (final) this.tellLost(this.lost - before, 'before the process ended')
    if (this.inFlight === undefined && !this.scheduled && !this.writeThrough) this.schedule()
    return { ok: this.queue.records === 0, pending: this.queue.records }
  }

  /** From now on nothing waits: the event loop will not turn again. */
  writeAtOnce(): void {
    this.writeThrough = true
  }

  /** Flushes, drops what is left, and closes the exporter. Never rejects. */
  shutdown(timeoutMillis: number): Promise<void> {
    this.closed ??= this.close(timeoutMillis)
    return this.closed
  }

  private async close(timeoutMillis: number): Promise<void> {
    await this.flush(timeoutMillis)
    const before = this.lost
    this.cancelSchedule?.()
    this.controller?.abort()
    if (this.inFlight !== undefined) this.drainOne(this.host.monotonic(), true)
    this.dropAll('shutdown')
    this.tellLost(this.lost - before, 'before the logger was shut down')
    await quietly(() => this.exporter.shutdown?.())
  }

  private schedule(): void {
    const { schedule } = this.exporter
    if (this.writeThrough) {
      this.drain(this.host.monotonic() + this.host.exitTimeoutMillis, false)
    } else if (schedule === 'sync') {
      this.pump(true)
    } else if (this.queue.records > 0) {
      this.scheduled = true
      const run = () => {
        this.scheduled = false
        this.cancelSchedule = undefined
        this.pump(true)
      }
      if (schedule === 'turn') this.cancelSchedule = this.host.endOfTurn(run)
      else if (schedule === 'microtask') queueMicrotask(run)
      else this.cancelSchedule = this.delay(schedule.delayMillis, run)
    }
  }

  private delay(millis: number, run: () => void): () => void {
    const timer = this.host.delay(millis, run)
    timer.keepAlive(!this.host.drainsAtExit)
    return () => timer.cancel()
  }

  /** Hands batches over while the exporter answers at once; `all` includes the open chunk. */
  private pump(all: boolean): void {
    if (this.pumping || this.draining) return
    this.pumping = true
    try {
      while (this.inFlight === undefined) {
        const chunk = this.queue.take(all)
        if (chunk === undefined) break
        this.export(chunk)
      }
    } finally {
      this.pumping = false
    }
  }

  private export(chunk: Chunk): void {
    const ticket = ++this.ticket
    this.inFlight = chunk
    const timeout = this.exporter.delivery.exportTimeoutMillis ?? 0
    this.controller = timeout > 0 ? new AbortController() : undefined
    let answer: ExportResult | PromiseLike<ExportResult>
    try {
      answer = this.exporter.export(chunk, this.controller?.signal)
    } catch (error) {
      answer = this.failed(error)
    }
    if (ticket !== this.ticket) return // settled meanwhile by a drain from inside
    if (!('then' in answer)) return this.settle(chunk, answer)
    if (timeout > 0) this.cancelTimeout = this.delay(timeout, () => this.timedOut(ticket))
    answer.then(
      (result) => this.answered(ticket, chunk, result),
      (error: unknown) => this.answered(ticket, chunk, this.failed(error)),
    )
  }

  private answered(ticket: number, chunk: Chunk, result: ExportResult): void {
    if (ticket !== this.ticket) return
    this.settle(chunk, result)
    this.pump(true)
    if (this.queue.records > 0 && !this.scheduled) this.schedule()
  }

  /** The exporter is told to stop; until it answers, nothing else is handed to it: exports never overlap (PRO6). */
  private timedOut(ticket: number): void {
    if (ticket !== this.ticket) return
    this.host.problem('SLUICE_EXPORT_TIMEOUT', `${this.exporter.name} gave no answer in time`)
    this.controller?.abort()
  }

  private failed(error: unknown): ExportResult {
    const name = error instanceof Error ? error.name : typeof error
    this.host.problem('SLUICE_EXPORT_FAILED', `${this.exporter.name} threw (${name}); a batch was dropped`)
    return { status: 'rejected', accepted: 0, reason: 'io_error' }
  }

  /** Counts what became of a batch's records. `leftover` names what a retryable rest is dropped for. */
  private settle(chunk: Chunk, result: ExportResult, leftover: DropReason = 'retry_exhausted'): void {
    this.ticket++
    this.inFlight = undefined
    this.cancelTimeout?.()
    this.cancelTimeout = undefined
    const { count } = chunk
    const taken = result.status === 'accepted' ? count : Math.max(0, Math.min(count, Math.floor(result.accepted) || 0))
    chunk.eachOrigin(taken, ({ account }, records) => {
      account.written += records
      account.queued -= records
    })
    if (taken < count) {
      chunk.each(taken, count, ({ account }, severity) => {
        account.queued--
        this.lost++
        if (result.status === 'unknown') account.unknown++
        else account.drop(result.status === 'rejected' ? result.reason : leftover, severity)
      })
    }
    this.queue.settle(chunk)
    this.release()
    this.healthy = result.status === 'accepted'
    if (this.healthy) this.noticeLosses()
  }

  /** Writes one batch without the event loop. Returns whether to go on. */
  private drainOne(deadline: number, final: boolean): boolean {
    const chunk = this.inFlight ?? this.queue.take(true)
    if (chunk === undefined) return false
    if (this.exporter.exportSync === undefined) {
      if (this.inFlight === undefined) this.queue.untake(chunk)
      else if (final) this.settle(chunk, { status: 'unknown', accepted: 0 })
      return false
    }
    const ticket = this.ticket
    let result: ExportResult
    try {
      result = this.exporter.exportSync(chunk, deadline, final)
    } catch (error) {
      result = this.failed(error)
    }
    if (result.status !== 'retryable') {
      this.settle(chunk, result)
      return true
    }
    if (final) this.settle(chunk, result, 'exit_deadline')
    // The exporter may have begun to write it: from here on the batch is in flight, and nothing of it can be shed.
    else if (this.inFlight === undefined && ticket === this.ticket) this.export(chunk)
    return false
  }

  /** Makes room for a record at the bound, or counts it as lost. Returns whether it may enter. */
  private makeRoom(length: number, severity: number, origin: Origin): boolean {
    if (length > this.maxBytes) {
      origin.account.accepted++
      origin.account.drop('too_large', severity)
      this.host.problem('SLUICE_RECORD_TOO_LARGE', `a record for ${this.exporter.name} is longer than maxQueueBytes`)
      return false
    }
    const shed = ({ account }: Origin, shedSeverity: number) => {
      account.queued--
      account.drop('queue_full', shedSeverity)
    }
    const mayEnter = this.admission.admit(length, severity, () => this.relieve(0), () => this.relieve(100), shed)
    if (!mayEnter) {
      origin.account.accepted++
      origin.account.drop('queue_full', severity)
    }
    if (!mayEnter || this.admission.isEasy(length) === false) {
      this.host.problem('SLUICE_QUEUE_FULL', `the queue of ${this.exporter.name} is full; records are lost`)
    }
    return mayEnter
  }

  /** Writes what the destination takes within `millis`. Returns false if it can take nothing without the event loop. */
  private relieve(millis: number): boolean {
    if (this.exporter.exportSync === undefined || this.draining) return false
    this.drain(this.host.monotonic() + millis, false)
    return true
  }

  /** Losses are told in the stream once the destination takes records again and there is room. */
  private noticeLosses(): void {
    for (const lane of this.lanes) {
      if (!this.healthy || this.queue.bytes > this.maxBytes / 2) return
      const notice = lane.lossNotice()
      if (notice === undefined) continue
      const { account } = lane.origin
      account.emitted++
      account.accepted++
      account.queued++
      this.queue.add(notice.text, notice.severity, lane.origin)
      if (!this.scheduled && this.closed === undefined && !this.draining) this.schedule()
    }
  }

  private dropAll(reason: DropReason): void {
    if (this.inFlight !== undefined) this.settle(this.inFlight, { status: 'unknown', accepted: 0 })
    for (let chunk = this.queue.take(true); chunk !== undefined; chunk = this.queue.take(true)) {
      this.settle(chunk, { status: 'retryable', accepted: 0 }, reason)
    }
  }

  private tellLost(records: number, when: string): void {
    if (records === 0) return
    this.host.problem('SLUICE_RECORDS_LOST', `${records} records could not be written to ${this.exporter.name} ${when}`)
  }

  private hasLeft(upTo: number): boolean {
    return (this.inFlight?.sequence ?? this.queue.oldest) > upTo
  }

  private wait(upTo: number, timeoutMillis: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        timer.cancel()
        this.waiters.delete(waiter)
        this.updateKeepAlive()
        resolve()
      }
      const waiter = { upTo, done }
      const timer = this.host.delay(timeoutMillis, done)
      timer.keepAlive(true)
      this.waiters.add(waiter)
      this.updateKeepAlive()
    })
  }

  private release(): void {
    for (const waiter of this.waiters) if (this.hasLeft(waiter.upTo)) waiter.done()
  }

  private updateKeepAlive(): void {
    this.exporter.keepAlive?.(this.waiters.size > 0 || !this.host.drainsAtExit)
  }
}

/** Whether there is stack enough for an export: some hundred frames and a system call that makes an error. */
function stackReaches(depth = 200): boolean {
  try {
    return depth === 0 || stackReaches(depth - 1)
  } catch {
    return false
  }
}

async function quietly(action: () => Promise<void> | undefined): Promise<void> {
  try {
    await action()
  } catch {
    // the exporter broke its contract; what it was given is counted already
  }
}
