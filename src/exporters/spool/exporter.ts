import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import type { RetryTiming } from '../retry/retry-options.ts'
import type { SpoolDestination } from './destination.ts'
import type { SpoolPosition } from './write-loop.ts'
import { DirectSend } from './direct-send.ts'
import { SpoolJob } from './job.ts'
import { firstLine } from './lines.ts'
import { heartbeatMillis } from './owner.ts'
import { SpoolReplay } from './replay.ts'
import type { SpoolStore } from './store.ts'
import { errorCode } from '../fd/write-errors.ts'

/** How long a batch waits for its answer before it is written to a file as well, in ms. */
const directTimeoutMillis = 1_000
/** The delay before a batch is tried again that neither the destination nor the disk accepts, in ms. */
const retryMillis = 250
/** How long a destination may take to abort its batch at shutdown, in ms. */
const closingMillis = 500
/** The number of heartbeats between two checks for the files of dead owners. */
const heartbeatsPerAdoption = 6

/**
 * Sends batches to the destination, or writes them to files while older records are queued there or the destination fails.
 *
 * Invariants: the destination has one batch at a time, either a new one or one from a file. Code that takes over a job
 * increments `runId`; asynchronous code that finds another `runId` after waiting leaves the job alone.
 */
export class SpoolingExporter {
  private readonly store: SpoolStore
  private readonly destination: SpoolDestination
  private readonly replay: SpoolReplay
  private readonly timing: RetryTiming
  private readonly maxElapsedMillis: number
  private host!: ExporterHost
  private job: SpoolJob | undefined
  private direct: DirectSend | undefined
  private writing: Promise<void> | undefined
  private signal: AbortSignal | undefined
  private runId = 0
  private retryTimer: Delay | undefined
  private heartbeatTimer: Delay | undefined
  private heartbeats = 0
  private keepsProcessAlive = false
  /** Whether the disk did not accept the last line. */
  private isDiskFull = false
  /** Until this time, in ms of the host's clock, calls that must not block do not try the disk again. */
  private diskRetryAt = -Infinity

  constructor(store: SpoolStore, destination: SpoolDestination, timing: RetryTiming, maxElapsedMillis: number) {
    this.store = store
    this.destination = destination
    this.timing = timing
    this.maxElapsedMillis = maxElapsedMillis
    const report = (code: string, message: string): void => this.report(code, message)
    this.replay = new SpoolReplay(store, destination, timing, report, () => this.direct === undefined)
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
      void this.run(job)
    })
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    const job = this.startOrResume(batch)
    const now = this.host.monotonic()
    // A log call with a full queue only occasionally tries a disk that is slow or rejects lines.
    if (!final && deadline <= now && (this.store.isSlow || now < this.diskRetryAt)) return job.pending()
    this.runId++
    this.retryTimer?.cancel()
    const { direct } = this
    if (final && direct?.job === job) {
      this.direct = undefined
      // Get the current result without waiting for the answer, because writing to files is faster.
      job.answered(this.destination.recall(direct.batch, now))
    }
    if (this.writeToFilesSync(job)) return this.finish(job)
    if (!final) {
      if (job.resolve !== undefined) void this.run(job)
      return job.pending()
    }
    // The destination handles one batch at a time, and how long its current batch will take is unknown.
    if (this.direct === undefined) {
      this.replay.recall()
      job.answered(this.destination.sendSync(job.rest(), deadline))
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
    this.runId++
    this.heartbeatTimer?.cancel()
    this.retryTimer?.cancel()
    this.destination.abort()
    await this.withTimeout(closingMillis, Promise.all([this.direct?.answered, this.replay.stop()]))
    await this.destination.exporter.shutdown?.()
    await this.store.close()
  }

  private startOrResume(batch: EncodedBatch): SpoolJob {
    if (this.job?.batch !== batch) this.job = new SpoolJob(batch, this.host.monotonic() + this.maxElapsedMillis)
    return this.job
  }

  private async run(job: SpoolJob): Promise<void> {
    const runId = ++this.runId
    for (;;) {
      if (this.direct?.job === job || this.canSendDirectly()) await this.sendDirectly(job)
      if (runId !== this.runId) return
      if (!job.isDone) await (this.writing = this.writeToFiles(job))
      if (runId !== this.runId) return
      if (job.isDone || this.host.monotonic() >= job.deadline || this.signal?.aborted === true) break
      await this.waitForRetry()
      if (runId !== this.runId) return
    }
    this.finish(job)
  }

  /** Returns whether a batch can be sent directly: no older records are queued, or none can be. */
  private canSendDirectly(): boolean {
    const { destination, store } = this
    const isFree = this.direct === undefined && !destination.isBusy
    return isFree && destination.waitMillis === 0 && (store.isEmpty || this.isDiskFull)
  }

  /** Waits for the destination's answer, up to a time limit. */
  private async sendDirectly(job: SpoolJob): Promise<void> {
    const direct = this.direct ?? this.startDirectSend(job)
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = this.timing.delay(directTimeoutMillis, resolve)
    timer.keepAlive(this.keepsProcessAlive)
    await Promise.race([direct.answered, promise])
    timer.cancel()
  }

  private startDirectSend(job: SpoolJob): DirectSend {
    const direct = new DirectSend(job, job.rest())
    // Set it first: code that runs in `send` may log and drain.
    this.direct = direct
    direct.answered = this.send(direct)
    return direct
  }

  private async send(direct: DirectSend): Promise<void> {
    const answer = await this.destination.send(direct.batch, false, this.signal)
    // The answer also settles a line that is still being written.
    await this.writing
    if (this.direct !== direct) return
    this.direct = undefined
    direct.landed(answer, this.store)
    this.replay.wake()
  }

  /** Writes the rest of a batch to files. If the disk rejects it, that is reported. */
  private async writeToFiles(job: SpoolJob): Promise<void> {
    const runId = this.runId
    try {
      for (let line = this.lineOf(job); line !== undefined; line = this.lineOf(job)) {
        await this.store.write(line, (kept) => this.onWritten(job, kept))
        // The answer has arrived meanwhile, or other code has taken over the job.
        if (runId !== this.runId) return
      }
    } catch (error) {
      if (runId === this.runId) this.onWriteFailed(error)
    }
    this.replay.wake()
  }

  /** Does the same synchronously. Returns whether all records are settled. */
  private writeToFilesSync(job: SpoolJob): boolean {
    try {
      this.store.settleSync()
      for (let line = this.lineOf(job); line !== undefined; line = this.lineOf(job)) {
        this.store.writeSync(line, (kept) => this.onWritten(job, kept))
      }
    } catch (error) {
      this.onWriteFailed(error)
    }
    this.replay.wake()
    return job.isDone
  }

  private lineOf(job: SpoolJob): ReturnType<typeof firstLine> {
    while (!job.isDone) {
      const line = firstLine(job.rest())
      if (line !== undefined) return line
      job.refuseFirst()
      this.report(
        'SLUICE_RECORD_TOO_LARGE',
        `a record for ${this.destination.exporter.name} exceeds the maximum line length of the spool and is lost`,
      )
    }
    return undefined
  }

  private onWritten(job: SpoolJob, kept: SpoolPosition): void {
    this.isDiskFull = false
    this.diskRetryAt = -Infinity
    job.kept(kept)
    if (this.direct?.job === job) this.direct.kept.push(kept)
  }

  private onWriteFailed(error: unknown): void {
    this.isDiskFull = true
    this.diskRetryAt = this.host.monotonic() + retryMillis
    this.report(
      'SLUICE_SPOOL_FAILED',
      `the spool cannot write (${errorCode(error)}); until it can, records go to the destination only`,
    )
  }

  /** Waits for the disk or the destination to recover. */
  private waitForRetry(): Promise<void> {
    return new Promise((resolve) => {
      this.retryTimer = this.timing.delay(retryMillis, resolve)
      this.retryTimer.keepAlive(this.keepsProcessAlive)
    })
  }

  private finish(job: SpoolJob): ExportResult {
    this.job = undefined
    this.signal = undefined
    // The destination may still use the batch after the queue has reclaimed its bytes.
    if (this.direct?.job === job) job.detach()
    const result = job.result()
    job.resolve?.(result)
    return result
  }

  private async withTimeout(millis: number, done: Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const limit = this.timing.delay(millis, resolve)
    limit.keepAlive(true)
    await Promise.race([done, promise])
    limit.cancel()
  }

  private scheduleHeartbeat(): void {
    this.heartbeatTimer = this.timing.delay(heartbeatMillis, () => {
      this.store.beat()
      if (++this.heartbeats % heartbeatsPerAdoption === 0) this.store.adopt()
      this.replay.wake()
      this.scheduleHeartbeat()
    })
  }

  private report(code: string, message: string): void {
    this.host.reportDiagnostic(code, message)
  }
}
