import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import type { RetryTiming } from '../retry/retry-options.ts'
import type { SpoolDestination } from './destination.ts'
import type { StoredLine } from './write-loop.ts'
import { DirectSend } from './direct-send.ts'
import { SpoolJob } from './job.ts'
import { encodeFirstLine, type SpoolLine } from './lines.ts'
import { heartbeatMillis } from './owner.ts'
import { SpoolReplay } from './replay.ts'
import type { SpoolStore } from './store.ts'
import { errorCode } from '../fd/write-errors.ts'

/** How long a batch may be in flight before it is written to a file as well, in ms. */
const directSendTimeoutMillis = 1_000
/** The delay before another attempt if neither the destination nor the disk accepts a batch, in ms. */
const retryMillis = 250
/** How long `shutdown` waits for the batches that it aborts, in ms. */
const closeTimeoutMillis = 500
/** The number of heartbeats between two searches for files of ended owners. */
const heartbeatsPerClaim = 6

/**
 * Sends batches to the destination, or writes them to files while older records are queued there or the destination fails.
 *
 * Invariants: the destination has one batch at a time, either one directly from the pipeline or one from a file. Code that takes over
 * a job increments `takeoverCount`. Asynchronous code that finds another number after an `await` no longer changes the job.
 */
export class SpoolingExporter {
  private readonly store: SpoolStore
  private readonly destination: SpoolDestination
  private readonly replay: SpoolReplay
  private readonly timing: RetryTiming
  private readonly maxElapsedMillis: number
  private host!: ExporterHost
  /** The batch that the pipeline has exported and that has no result yet. */
  private job: SpoolJob | undefined
  /** The batch in flight that was sent directly, not from a file. It may be an earlier one than that of `job`. */
  private directSend: DirectSend | undefined
  /** The last `writeToFiles` call of `deliver`, which may have ended. */
  private lastWrite: Promise<void> | undefined
  /** The signal of the pending `export` call. */
  private signal: AbortSignal | undefined
  /** How often code has taken over a job; see the invariants of the class. */
  private takeoverCount = 0
  private retryTimer: Delay | undefined
  private heartbeatTimer: Delay | undefined
  private heartbeatCount = 0
  private keepsProcessAlive = false
  /** Whether writing the last line failed. */
  private isDiskFailing = false
  /** Until this time, in ms of the host's clock, calls that must not block do not write to the disk. */
  private diskRetryAt = -Infinity

  constructor(store: SpoolStore, destination: SpoolDestination, timing: RetryTiming, maxElapsedMillis: number) {
    this.store = store
    this.destination = destination
    this.timing = timing
    this.maxElapsedMillis = maxElapsedMillis
    const report = (code: string, message: string): void => this.report(code, message)
    const mayReplay = (): boolean => this.directSend === undefined
    this.replay = new SpoolReplay(store, destination, timing, report, mayReplay)
  }

  start(host: ExporterHost): void {
    this.host = host
    this.destination.start(host)
    this.store.open()
    this.replay.wake()
    this.scheduleHeartbeat()
  }

  export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    const job = this.startOrResume(batch)
    this.signal = signal
    return new Promise((resolve) => {
      job.resolve = resolve
      void this.deliver(job)
    })
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    const job = this.startOrResume(batch)
    const now = this.host.monotonic()
    // A call that must not block, such as a log call with a full queue, does not use a disk that is slow or has just failed.
    if (!final && deadline <= now && (this.store.isSlow || now < this.diskRetryAt)) return job.pendingResult()
    this.takeoverCount++
    this.retryTimer?.cancel()
    const { directSend } = this
    if (final && directSend?.job === job) {
      this.directSend = undefined
      // Get the result so far without waiting, because writing the rest to files is faster.
      directSend.recordResult(this.destination.finishSync(directSend.batch, now), this.store)
    }
    this.writeToFilesSync(job)
    if (job.isDone) return this.finish(job)
    if (!final) {
      if (job.resolve !== undefined) void this.deliver(job)
      return job.pendingResult()
    }
    // The destination handles one batch at a time. While an earlier batch is in flight, for an unknown time, this one is not sent.
    if (this.directSend === undefined) {
      this.replay.finishLineSync()
      job.addResult(this.destination.sendSync(job.rest(), deadline))
    }
    return this.finish(job)
  }

  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.retryTimer?.keepAlive(keepsProcessAlive)
    this.destination.keepAlive(keepsProcessAlive)
  }

  async flush(): Promise<void> {
    await this.store.flush()
    await this.destination.exporter.flush?.()
  }

  async shutdown(): Promise<void> {
    this.takeoverCount++
    this.heartbeatTimer?.cancel()
    this.retryTimer?.cancel()
    this.destination.abort()
    await this.withTimeout(closeTimeoutMillis, Promise.all([this.directSend?.resultRecorded, this.replay.stop()]))
    await this.destination.exporter.shutdown?.()
    await this.store.close()
  }

  private startOrResume(batch: EncodedBatch): SpoolJob {
    if (this.job?.batch !== batch) this.job = new SpoolJob(batch, this.host.monotonic() + this.maxElapsedMillis)
    return this.job
  }

  /** Sends the batch or writes it to files, repeatedly until nothing of it remains, the time limit is reached, or `export` is aborted. */
  private async deliver(job: SpoolJob): Promise<void> {
    const takeoverCount = ++this.takeoverCount
    for (;;) {
      if (this.directSend?.job === job || this.canSendDirectly()) await this.sendDirectly(job)
      if (takeoverCount !== this.takeoverCount) return
      const isLastAttempt = this.host.monotonic() >= job.deadline || this.signal?.aborted === true
      if (!job.isDone) await (this.lastWrite = this.writeToFiles(job, !isLastAttempt))
      if (takeoverCount !== this.takeoverCount) return
      if (job.isDone || isLastAttempt) break
      await this.waitForRetry()
      if (takeoverCount !== this.takeoverCount) return
    }
    this.finish(job)
  }

  /**
   * Returns whether a batch can be sent directly: the destination is available, and there are no older records in files. While the disk
   * fails, older records do not matter, because the batch cannot be written after them.
   */
  private canSendDirectly(): boolean {
    const { destination, store } = this
    const isFree = this.directSend === undefined && !destination.isBusy
    return isFree && destination.waitMillis === 0 && (store.isEmpty || this.isDiskFailing)
  }

  /** Sends a batch, unless it is in flight, and waits for the result, up to a time limit. */
  private async sendDirectly(job: SpoolJob): Promise<void> {
    const directSend = this.directSend ?? this.startDirectSend(job)
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = this.timing.delay(directSendTimeoutMillis, resolve)
    timer.keepAlive(this.keepsProcessAlive)
    await Promise.race([directSend.resultRecorded, promise])
    timer.cancel()
  }

  private startDirectSend(job: SpoolJob): DirectSend {
    const directSend = new DirectSend(job, job.rest())
    // Set it first: user code that runs in `send` may log, which can call `exportSync`.
    this.directSend = directSend
    directSend.resultRecorded = this.send(directSend)
    return directSend
  }

  private async send(directSend: DirectSend): Promise<void> {
    const result = await this.destination.send(directSend.batch, false, this.signal)
    // Wait for a line that is being written, because the result settles it too.
    await this.lastWrite
    if (this.directSend !== directSend) return
    this.directSend = undefined
    directSend.recordResult(result, this.store)
    this.replay.wake()
  }

  /**
   * Writes the rest of a batch to files. If the disk rejects it, that is reported.
   *
   * @param mayWait - See `nextLine`.
   */
  private async writeToFiles(job: SpoolJob, mayWait: boolean): Promise<void> {
    const { takeoverCount } = this
    try {
      for (let line = this.nextLine(job, mayWait); line !== undefined; line = this.nextLine(job, mayWait)) {
        await this.store.write(line, (stored) => this.onLineWritten(job, stored))
        // Other code has taken over the job meanwhile.
        if (takeoverCount !== this.takeoverCount) return
      }
    } catch (error) {
      if (takeoverCount === this.takeoverCount) this.onWriteFailed(error)
    }
    this.replay.wake()
  }

  /**
   * Writes the rest of a batch to files synchronously. If the disk rejects it, that is reported. Does not wait for a direct send,
   * because the queue may be full.
   */
  private writeToFilesSync(job: SpoolJob): void {
    try {
      this.store.completeWriteSync()
      for (let line = this.nextLine(job, false); line !== undefined; line = this.nextLine(job, false)) {
        this.store.writeSync(line, (stored) => this.onLineWritten(job, stored))
      }
    } catch (error) {
      this.onWriteFailed(error)
    }
    this.replay.wake()
  }

  /**
   * Encodes the next line of a batch. Records that are too large for a line are reported and count as dropped.
   *
   * @param mayWait - Whether to return undefined instead while a direct send may still deliver such a record.
   */
  private nextLine(job: SpoolJob, mayWait: boolean): SpoolLine | undefined {
    while (!job.isDone) {
      const line = encodeFirstLine(job.rest())
      if (line !== undefined) return line
      if (mayWait && this.directSend?.job === job) return undefined
      job.dropFirstAsTooLarge()
      this.report(
        'SLUICE_RECORD_TOO_LARGE',
        `a record for ${this.destination.exporter.name} exceeds the maximum line length of the spool and counts as dropped`,
      )
    }
    return undefined
  }

  private onLineWritten(job: SpoolJob, stored: StoredLine): void {
    this.isDiskFailing = false
    this.diskRetryAt = -Infinity
    job.addStoredLine(stored)
    if (this.directSend?.job === job) this.directSend.storedLines.push(stored)
  }

  private onWriteFailed(error: unknown): void {
    this.isDiskFailing = true
    this.diskRetryAt = this.host.monotonic() + retryMillis
    this.report(
      'SLUICE_SPOOL_FAILED',
      `the spool cannot write (${errorCode(error)}); until it can, records go to the destination only`,
    )
  }

  /** Waits before the next attempt, so that the disk or the destination can recover. */
  private waitForRetry(): Promise<void> {
    return new Promise((resolve) => {
      this.retryTimer = this.timing.delay(retryMillis, resolve)
      this.retryTimer.keepAlive(this.keepsProcessAlive)
    })
  }

  private finish(job: SpoolJob): ExportResult {
    this.job = undefined
    this.signal = undefined
    // Copy the batch, because the destination may still use it after the queue has reclaimed its bytes.
    if (this.directSend?.job === job) job.detach()
    const result = job.result()
    job.resolve?.(result)
    return result
  }

  private async withTimeout(millis: number, work: Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = this.timing.delay(millis, resolve)
    timer.keepAlive(true)
    await Promise.race([work, promise])
    timer.cancel()
  }

  private scheduleHeartbeat(): void {
    this.heartbeatTimer = this.timing.delay(heartbeatMillis, () => {
      // Also writes the heartbeat.
      this.store.maintain()
      if (++this.heartbeatCount % heartbeatsPerClaim === 0) this.store.claimOrphans()
      this.replay.wake()
      this.scheduleHeartbeat()
    })
  }

  private report(code: string, message: string): void {
    this.host.reportDiagnostic(code, message)
  }
}
