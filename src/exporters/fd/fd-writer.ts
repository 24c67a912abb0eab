import { ownCopy } from '../../options/own-members.ts'
import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic, endOfTurnDelay } from '../../platform/node/end-of-turn.ts'
import { Backoff } from './backoff.ts'
import { sleepSync } from './sleep.ts'
import { canInterleave, type Descriptor } from './descriptor.ts'
import type { FileFollower, FollowedPath } from '../file/file-follower.ts'
import { PIPE_BUF, chunkEnd, startsLine } from './line-chunks.ts'
import { writeInBackground, type BackgroundWrite } from '../file/slow-file.ts'
import { writeFailureKind } from './write-errors.ts'
import { WriteJob } from './write-job.ts'
import { WriteTarget } from './write-target.ts'
import { WriteDiagnostics } from './write-diagnostics.ts'
import { onAbort } from '../../record/on-abort.ts'

/** The destination of a writer, and how it is written. */
export interface FdWriterOptions {
  /** The destination's name in diagnostics, for example `fd:1`. */
  readonly name: string
  /** Opens the destination. Errors of the system are reported, and opening is retried with backoff. */
  readonly open: () => Descriptor
  /**
   * Writes to pipes and sockets are whole lines of at most PIPE_BUF bytes. `true` also reports the first longer line; `false`
   * writes as much as possible with each system call.
   *
   * @defaultValue whole lines without the report
   */
  readonly sharedPipe?: boolean | undefined
  /**
   * Creates the follower that selects the file for each line, for a path that can refer to another file over time.
   *
   * @defaultValue the destination never changes
   */
  readonly createFollower?: (place: Pick<FollowedPath, 'now' | 'report'>) => FileFollower
  /**
   * Called with a descriptor that is no longer written to.
   *
   * @defaultValue the descriptor is closed
   */
  readonly retire?: (descriptor: Descriptor) => void
}

/**
 * Why a write stopped before the end of the batch. `busy`: the destination is full. `passing`: an error that may be temporary.
 * `slow`: writing would block the event loop. `more`: the destination accepts more, but the event loop should run other work
 * first.
 */
type Refusal = 'busy' | 'passing' | 'slow' | 'more'

// The minimum time between attempts during a burst, in ms. A refused write costs about 15 µs, mostly for creating the error.
const REFUSAL_COOLDOWN_MILLIS = 0.25
// How many event-loop turns retry at once before a timer is used. A fast reader empties a pipe in about 50 µs, but the shortest
// timer takes 1 ms. These turns take half a millisecond at most, each time the destination accepts something.
const EAGER_TURNS = 24

/**
 * The write loop of one destination. It writes batches in order, each byte at most once.
 *
 * Invariants: only `job` is written, and at most one background write is in flight; during it, nothing else is written. A full
 * pipe, socket or terminal never blocks the event loop: the retry is on a timer of 1 to 32 ms, or of 50 ms to 1 s after an
 * error that may be temporary. User code (through the host) runs only when the state is consistent.
 */
export class FdWriter {
  private readonly target: WriteTarget
  private readonly diagnostics: WriteDiagnostics
  /** Whether the first line longer than PIPE_BUF on a shared pipe must still be reported. */
  private reportsLongLine: boolean
  /** The current batch. After `retryable` it stays here until the same batch is exported again. */
  private job: WriteJob | undefined
  private background: { readonly job: WriteJob; readonly write: BackgroundWrite } | undefined
  private timer: Delay | undefined
  private keepsProcessAlive = false
  private hasFailedPermanently = false
  private closed = false
  private refusedAt = -Infinity
  private lastAnswer: { readonly batch: EncodedBatch; readonly result: ExportResult } | undefined
  private eagerTurns = 0
  private readonly busyWait = new Backoff(1, 32)
  /** Delays while the event loop does not run. Atomics.wait has no minimum delay. */
  private readonly sleep = new Backoff(0.125, 32)
  private readonly passingWait = new Backoff(50, 1_000)

  constructor(options: FdWriterOptions) {
    const { sharedPipe, createFollower, retire } = ownCopy(options)
    this.diagnostics = new WriteDiagnostics(options.name)
    const now = () => this.now()
    this.target = new WriteTarget({
      open: options.open,
      keepsLinesWhole: sharedPipe !== false,
      now,
      follower: createFollower?.({ now, report: (code, message) => this.diagnostics.note(code, message) }),
      retire: retire ?? ((descriptor) => descriptor.close()),
    })
    this.reportsLongLine = sharedPipe === true
  }

  /** Sets the pipeline's host, and reports the diagnostics that were recorded before. */
  start(host: ExporterHost): void {
    this.diagnostics.host = host
    this.diagnostics.report()
  }

  /** Opens the destination now instead of at the first batch. Returns undefined, and reports the error, if that fails. */
  open(): Descriptor | undefined {
    try {
      return this.target.ensureOpen()
    } catch (error) {
      this.diagnostics.keep('open', error, false)
      this.diagnostics.report()
      return undefined
    }
  }

  /** The current descriptor, or undefined if the destination has not been opened. */
  get descriptor(): Descriptor | undefined {
    return this.target.descriptor
  }

  /** Switches to another descriptor at the next line boundary. */
  switchTo(descriptor: Descriptor): void {
    if (this.closed) return descriptor.close()
    this.target.switchTo(descriptor, this.job?.insideLine === true || this.background !== undefined)
    this.hasFailedPermanently = false
    if (this.job?.resolve !== undefined && this.background === undefined)
      this.proceed(this.job, this.write(this.job, false))
  }

  /** Writes what the destination accepts without blocking. The rest is written later, and the result is then a promise. */
  export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | Promise<ExportResult> {
    this.lastAnswer = undefined
    const job = this.startOrResume(batch)
    const outcome = this.background === undefined ? this.write(job, false) : 'slow'
    if (typeof outcome === 'object') return this.complete(job, outcome)
    return new Promise((resolve) => {
      job.resolve = resolve
      onAbort(signal, () => this.abandon(job))
      if (signal?.aborted === true) this.abandon(job)
      else this.proceed(job, outcome)
    })
  }

  /**
   * Writes synchronously until `deadline`; see `Exporter.exportSync`. After `retryable` the batch remains the current one
   * unless the call was final: a pending `export` continues, or the same batch must be exported again.
   *
   * @param deadline - In ms of the host's monotonic clock.
   */
  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    // Reporting a diagnostic runs user code, which may flush before the pipeline has received the result.
    if (this.lastAnswer?.batch === batch) return this.lastAnswer.result
    const job = this.startOrResume(batch)
    const result = this.drain(job, deadline, final)
    if (final || result.status !== 'retryable') return this.complete(job, result)
    // If a background write was found complete before its callback ran, that callback no longer continues the batch.
    if (job.resolve !== undefined && this.background === undefined && this.timer === undefined)
      this.proceed(job, 'more')
    this.diagnostics.report()
    return result
  }

  /** Sets whether the process stays alive while a batch is pending. */
  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.timer?.keepAlive(keepsProcessAlive)
  }

  /** Closes the destination. A pending `export` is rejected. */
  close(): void {
    this.closed = true
    if (this.job !== undefined) this.abandon(this.job)
    // A background write still uses the descriptor.
    if (this.background === undefined) this.target.close()
  }

  private now(): number {
    return this.diagnostics.host?.monotonic() ?? monotonic()
  }

  /** Resumes the batch if it is the current one; otherwise drops the current batch and starts this one. */
  private startOrResume(batch: EncodedBatch): WriteJob {
    if (this.job?.batch === batch) {
      this.job.refresh()
      return this.job
    }
    if (this.job !== undefined) this.drop(this.job)
    return (this.job = new WriteJob(batch))
  }

  /**
   * Writes until the batch is complete or the destination accepts no more.
   *
   * @param urgent - Whether to write even if that blocks the event loop.
   */
  private write(job: WriteJob, urgent: boolean): ExportResult | Refusal {
    if (this.hasFailedPermanently || this.closed || job.isBroken) return job.rejected()
    try {
      while (!job.isDone) {
        if (this.target.slow && !urgent) return 'slow'
        this.target.descriptor?.unblock?.()
        const { written, full } = this.target.write(job)
        if (this.reportsLongLine) this.checkForLongLine(job)
        if (written > 0) this.advance(job, written)
        if (full) {
          this.refusedAt = this.now()
          return 'busy'
        }
        if (job.isLong && !job.isDone) return 'more'
      }
      return job.accepted()
    } catch (error) {
      return this.handleError(job, error)
    }
  }

  /** Records a diagnostic if the chunk that was just written is a line longer than PIPE_BUF. Call it before `job.advance`. */
  private checkForLongLine({ bytes, offset }: WriteJob): void {
    if (!canInterleave(this.target.descriptor?.kind) || chunkEnd(bytes, offset) - offset <= PIPE_BUF) return
    this.reportsLongLine = false
    this.diagnostics.keepLongLine()
  }

  private advance(job: WriteJob, written: number): void {
    job.advance(written)
    this.eagerTurns = 0
    this.busyWait.reset()
    this.sleep.reset()
    this.passingWait.reset()
  }

  private handleError(job: WriteJob, error: unknown): ExportResult | Refusal {
    const kind = writeFailureKind(error)
    this.refusedAt = this.now()
    if (kind === 'busy') return 'busy'
    this.hasFailedPermanently = kind === 'permanent'
    this.diagnostics.keep(this.target.descriptor === undefined ? 'open' : 'write', error, this.hasFailedPermanently)
    return this.hasFailedPermanently || job.isBroken ? job.rejected() : 'passing'
  }

  private drain(job: WriteJob, deadline: number, final: boolean): ExportResult {
    const start = this.now()
    if (!final && deadline <= start && start < this.refusedAt + REFUSAL_COOLDOWN_MILLIS) return job.retryable()
    for (let now = start; ; now = this.now()) {
      const outcome = this.pollBackgroundWrite() ? this.write(job, final || deadline > now) : 'busy'
      if (typeof outcome === 'object') return outcome
      if (outcome === 'passing') return final ? job.rejected() : job.retryable()
      // During a burst the event loop does not run, so no other code would start the next write.
      if (outcome === 'slow') this.writeInBackground(job)
      if (this.lastAnswer?.batch === job.batch) return this.lastAnswer.result
      const left = deadline - this.now()
      if (left <= 0) {
        // Checking a background write costs a read from /proc, so a burst checks no more often than it retries a full pipe.
        if (this.background !== undefined) this.refusedAt = this.now()
        return final && this.background?.job === job ? job.unknown() : job.retryable()
      }
      if (outcome !== 'more') sleepSync(Math.min(this.sleep.next(), left))
    }
  }

  /** Completes a pending `export`, or schedules the next attempt. */
  private proceed(job: WriteJob, outcome: ExportResult | Refusal): void {
    this.timer?.cancel()
    this.timer = undefined
    if (typeof outcome === 'object') {
      this.complete(job, outcome)
    } else if (outcome === 'slow') {
      if (this.background === undefined) this.writeInBackground(job)
    } else {
      const proceed = () => this.proceed(job, this.write(job, false))
      if (outcome === 'more' || (outcome === 'busy' && this.eagerTurns++ < EAGER_TURNS))
        this.timer = endOfTurnDelay(proceed)
      else this.timer = delay((outcome === 'busy' ? this.busyWait : this.passingWait).next(), proceed)
      this.timer.keepAlive(this.keepsProcessAlive)
    }
    this.diagnostics.report()
  }

  private writeInBackground(job: WriteJob): void {
    const start = this.now()
    try {
      const { descriptor, end } = this.target.prepare(job)
      const write = writeInBackground(descriptor, job.bytes.subarray(job.offset, end), (error, written) => {
        this.target.pace.wroteAsync(this.now() - start)
        // If it was already found complete by polling, its bytes are counted and the batch is complete.
        if (this.background?.write === write) this.onBackgroundWriteDone(error, written)
      })
      this.background = { job, write }
    } catch (error) {
      this.proceed(job, this.handleError(job, error))
    }
  }

  private onBackgroundWriteDone(error: Error | null, written: number): void {
    const { job } = this.background!
    this.recordBackgroundWrite(written)
    if (this.closed) return
    const current = this.job
    if (current?.resolve === undefined) return
    this.proceed(current, error !== null && current === job ? this.handleError(job, error) : this.write(current, false))
  }

  /** Checks whether the background write is complete. Returns whether none is in flight. */
  private pollBackgroundWrite(): boolean {
    const written = this.background?.write.written()
    if (written !== undefined) this.recordBackgroundWrite(written)
    return this.background === undefined
  }

  private recordBackgroundWrite(written: number): void {
    const { job, write } = this.background!
    this.background = undefined
    if (this.closed) this.target.close()
    if (written === 0) return
    if (this.job === job) this.advance(job, written)
    // The batch was abandoned, so an incomplete line remains incomplete.
    else this.target.torn = !startsLine(write.bytes, written)
  }

  private abandon(job: WriteJob): void {
    if (job.resolve === undefined) return
    this.complete(job, this.background?.job === job ? job.unknown() : job.rejected())
  }

  /** Ends a batch with its result, and resolves a pending `export`. The batch is not exported again. */
  private complete(job: WriteJob, result: ExportResult): ExportResult {
    const { resolve } = job
    job.resolve = undefined
    this.timer?.cancel()
    this.timer = undefined
    this.drop(job)
    if (resolve !== undefined || this.diagnostics.isKept) this.lastAnswer = { batch: job.batch, result }
    resolve?.(result)
    this.diagnostics.report()
    return result
  }

  private drop(job: WriteJob): void {
    if (this.job === job) this.job = undefined
    if (job.insideLine) this.target.torn = true
  }
}
