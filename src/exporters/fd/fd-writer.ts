import { withoutPrototype } from '../../options/own-members.ts'
import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic, endOfTurnDelay } from '../../platform/node/end-of-turn.ts'
import { Backoff } from './backoff.ts'
import { sleepSync } from './sleep.ts'
import { canInterleave, type Descriptor } from './descriptor.ts'
import type { FileFollower, FollowedPath } from '../file/file-follower.ts'
import { PIPE_BUF, chunkEnd, isLineStart } from './line-chunks.ts'
import { writeInBackground, type BackgroundWrite } from '../file/slow-file.ts'
import { writeFailureKind } from './write-errors.ts'
import { WriteJob } from './write-job.ts'
import { WriteTarget } from './write-target.ts'
import { WriteDiagnostics } from './write-diagnostics.ts'
import { onAbort } from '../../record/on-abort.ts'

/** The destination of a writer, and how the writer writes to it. */
export interface FdWriterOptions {
  /** The destination's name in diagnostics, for example `fd:1`. */
  readonly name: string
  /** Opens the destination. Errors of the system are reported, and opening is retried with backoff. */
  readonly open: () => Descriptor
  /**
   * Whether other writers use the same pipe or socket. Unless it is `false`, each write to a pipe or socket is whole lines of at most
   * PIPE_BUF bytes, or one longer line. `true` also reports the first longer line; `false` writes as much as possible with each
   * system call.
   *
   * @defaultValue whole lines without the report
   */
  readonly sharedPipe?: boolean | undefined
  /**
   * Whether `export` waits until the destination accepts the batch, however long that takes, and blocks the thread meanwhile.
   *
   * @defaultValue false
   */
  readonly blocksUntilAccepted?: boolean
  /**
   * Creates the follower that selects the file for each line, for a path that can refer to different files over time.
   *
   * @defaultValue the destination never changes
   */
  readonly createFollower?: (services: Pick<FollowedPath, 'now' | 'report'>) => FileFollower
  /**
   * Called with a descriptor that is no longer written to.
   *
   * @defaultValue the descriptor is closed
   */
  readonly retire?: (descriptor: Descriptor) => void
}

/**
 * Why a write stopped before the end of the batch. `busy`: the destination accepts no more at the moment. `temporary`: an error that
 * may be temporary. `slow`: writing would block the event loop. `more`: the destination accepts more, but the event loop should run
 * other work first.
 */
type PauseReason = 'busy' | 'temporary' | 'slow' | 'more'

// The minimum time between a refused write and another attempt of an `exportSync` that must not block, in ms. A refused write costs about
// 15 µs, mostly for creating the error.
const REFUSAL_COOLDOWN_MILLIS = 0.25
// How many event-loop turns in a row retry a full destination before a timer is used. A fast reader empties a pipe in about 50 µs,
// but the shortest timer takes 1 ms. These turns take half a millisecond at most.
const EAGER_TURNS = 24

/**
 * The write loop of one destination. It writes batches in order, each byte at most once.
 *
 * Invariants: only `job` is written, and while a background write is in flight, nothing else is written. When the destination accepts no
 * more (EAGAIN), `export` retries in the next `EAGER_TURNS` turns, then after 1 to 32 ms; with `blocksUntilAccepted` it blocks the event
 * loop and retries. After an error that may be temporary, it retries after 50 ms to 1 s. User code (through the host) runs only when the
 * state is consistent.
 */
export class FdWriter {
  private readonly target: WriteTarget
  private readonly diagnostics: WriteDiagnostics
  private readonly blocksUntilAccepted: boolean
  /** Whether the first line longer than PIPE_BUF on a shared pipe must still be reported. */
  private reportsLongLine: boolean
  /** The current batch. It stays here after `retryable`, until it has another result or another batch is exported. */
  private job: WriteJob | undefined
  /** The write that is in flight in the thread pool, and its batch, which may have been abandoned. */
  private backgroundWrite: { readonly job: WriteJob; readonly write: BackgroundWrite } | undefined
  private timer: Delay | undefined
  private keepsProcessAlive = false
  private hasFailedPermanently = false
  private isClosed = false
  /** When a write last failed or was accepted only partially, or a background write was last found incomplete, in ms of `now`. */
  private refusedAt = -Infinity
  /**
   * A completed batch and its result, if user code can run before the pipeline receives the result. That code can cause an `exportSync`
   * of the same batch, which returns this result instead of writing the batch again.
   */
  private lastResult: { readonly batch: EncodedBatch; readonly result: ExportResult } | undefined
  /** How many turns in a row have retried a full destination. */
  private eagerTurns = 0
  /** Delays after which a full destination is retried. */
  private readonly busyBackoff = new Backoff(1, 32)
  /** Delays of `exportSync`, which blocks. Unlike timers, `Atomics.wait` has no minimum delay. */
  private readonly sleepBackoff = new Backoff(0.125, 32)
  /** Delays after an error that may be temporary. */
  private readonly errorBackoff = new Backoff(50, 1_000)

  constructor(options: FdWriterOptions) {
    const { sharedPipe, blocksUntilAccepted = false, createFollower, retire } = withoutPrototype(options)
    this.blocksUntilAccepted = blocksUntilAccepted
    this.diagnostics = new WriteDiagnostics(options.name)
    const now = () => this.now()
    this.target = new WriteTarget({
      open: options.open,
      keepsLinesWhole: sharedPipe !== false,
      now,
      follower: createFollower?.({ now, report: (code, message) => this.diagnostics.add(code, message) }),
      retire: retire ?? ((descriptor) => descriptor.close()),
    })
    this.reportsLongLine = sharedPipe === true
  }

  /** Sets the pipeline's host, and reports the diagnostics that were added before. */
  start(host: ExporterHost): void {
    this.diagnostics.host = host
    this.diagnostics.report()
  }

  /** Opens the destination now instead of at the first batch. Returns undefined, and reports the error, if that fails. */
  open(): Descriptor | undefined {
    try {
      return this.target.ensureOpen()
    } catch (error) {
      this.diagnostics.addFailure('open', error, false)
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
    if (this.isClosed) return descriptor.close()
    this.target.switchTo(descriptor, this.job?.isInsideLine === true || this.backgroundWrite !== undefined)
    this.hasFailedPermanently = false
    if (this.job?.resolve !== undefined && this.backgroundWrite === undefined)
      this.completeOrSchedule(this.job, this.writeBatch(this.job, false))
  }

  /**
   * Writes what the destination accepts without blocking, or the whole batch with `blocksUntilAccepted`. If a part remains, it is
   * written later, and the result is a promise.
   */
  export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | Promise<ExportResult> {
    this.lastResult = undefined
    const job = this.startOrResume(batch)
    let outcome = this.backgroundWrite === undefined ? this.writeBatch(job, false) : 'slow'
    while (this.blocksUntilAccepted && (outcome === 'busy' || outcome === 'more')) {
      if (outcome === 'busy') sleepSync(this.sleepBackoff.next())
      outcome = this.writeBatch(job, false)
    }
    if (typeof outcome === 'object') return this.complete(job, outcome)
    return new Promise((resolve) => {
      job.resolve = resolve
      onAbort(signal, () => this.abandon(job))
      if (signal?.aborted === true) this.abandon(job)
      else this.completeOrSchedule(job, outcome)
    })
  }

  /**
   * Writes synchronously until `deadline`; see `Exporter.exportSync`. After `retryable` the batch remains the current one
   * unless the call was final: a pending `export` continues, or the same batch must be exported again.
   *
   * @param deadline - In ms of the host's monotonic clock.
   * @param final - Whether this is the last attempt for the batch.
   */
  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    // Reporting a diagnostic runs user code, which may flush before the pipeline has received the result.
    if (this.lastResult?.batch === batch) return this.lastResult.result
    const job = this.startOrResume(batch)
    const result = this.drain(job, deadline, final)
    if (final || result.status !== 'retryable') return this.complete(job, result)
    // If polling found the background write complete, its callback no longer continues the batch.
    if (job.resolve !== undefined && this.backgroundWrite === undefined && this.timer === undefined)
      this.completeOrSchedule(job, 'more')
    this.diagnostics.report()
    return result
  }

  /** Sets whether the process stays alive while a batch is pending. */
  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.timer?.keepAlive(keepsProcessAlive)
  }

  /** Closes the destination, once no background write uses it. A pending `export` ends with the records written so far. */
  close(): void {
    this.isClosed = true
    if (this.job !== undefined) this.abandon(this.job)
    // After a background write, `recordBackgroundWrite` closes it.
    if (this.backgroundWrite === undefined) this.target.close()
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
   * Writes until the batch is complete or the write must stop.
   *
   * @param mayBlock - Whether to write even if that blocks the event loop.
   */
  private writeBatch(job: WriteJob, mayBlock: boolean): ExportResult | PauseReason {
    if (this.hasFailedPermanently || this.isClosed || job.hasPieceFailed) return job.rejectedResult()
    try {
      while (!job.isDone) {
        if (this.target.shouldWriteInBackground && !mayBlock) return 'slow'
        this.target.descriptor?.setNonBlocking?.()
        const { written, isDestinationFull } = this.target.write(job)
        if (this.reportsLongLine) this.checkForLongLine(job)
        if (written > 0) this.advance(job, written)
        if (isDestinationFull) {
          this.refusedAt = this.now()
          return 'busy'
        }
        if (job.isInPieces && !job.isDone) return 'more'
      }
      return job.acceptedResult()
    } catch (error) {
      return this.handleError(job, error)
    }
  }

  /** Adds a diagnostic if the chunk that was just written is a line longer than PIPE_BUF. Call it before `job.advance`. */
  private checkForLongLine({ bytes, offset }: WriteJob): void {
    if (!canInterleave(this.target.descriptor?.kind) || chunkEnd(bytes, offset) - offset <= PIPE_BUF) return
    this.reportsLongLine = false
    this.diagnostics.addLongLine()
  }

  private advance(job: WriteJob, written: number): void {
    job.advance(written)
    this.eagerTurns = 0
    this.busyBackoff.reset()
    this.sleepBackoff.reset()
    this.errorBackoff.reset()
  }

  private handleError(job: WriteJob, error: unknown): ExportResult | PauseReason {
    const kind = writeFailureKind(error)
    this.refusedAt = this.now()
    if (kind === 'busy') return 'busy'
    this.hasFailedPermanently = kind === 'permanent'
    this.diagnostics.addFailure(
      this.target.descriptor === undefined ? 'open' : 'write',
      error,
      this.hasFailedPermanently,
    )
    return this.hasFailedPermanently || job.hasPieceFailed ? job.rejectedResult() : 'temporary'
  }

  /** Writes a batch until it is complete, a write fails or `deadline` has passed. Blocks while the destination accepts nothing. */
  private drain(job: WriteJob, deadline: number, final: boolean): ExportResult {
    const start = this.now()
    if (!final && deadline <= start && start < this.refusedAt + REFUSAL_COOLDOWN_MILLIS) return job.retryableResult()
    for (let now = start; ; now = this.now()) {
      this.pollBackgroundWrite()
      const outcome = this.backgroundWrite === undefined ? this.writeBatch(job, final || deadline > now) : 'busy'
      if (typeof outcome === 'object') return outcome
      if (outcome === 'temporary') return final ? job.rejectedResult() : job.retryableResult()
      // While the event loop does not run, no other code starts the next write.
      if (outcome === 'slow') this.startBackgroundWrite(job)
      // The background write could not be started, and the batch was completed.
      if (this.lastResult?.batch === job.batch) return this.lastResult.result
      const remainingMillis = deadline - this.now()
      if (remainingMillis <= 0) {
        // Checking a background write costs a read from /proc, so it is checked no more often than a full pipe is retried.
        if (this.backgroundWrite !== undefined) this.refusedAt = this.now()
        return final && this.backgroundWrite?.job === job ? job.unknownResult() : job.retryableResult()
      }
      if (outcome !== 'more') sleepSync(Math.min(this.sleepBackoff.next(), remainingMillis))
    }
  }

  /** Completes a pending `export`, or schedules the next attempt. */
  private completeOrSchedule(job: WriteJob, outcome: ExportResult | PauseReason): void {
    this.timer?.cancel()
    this.timer = undefined
    if (typeof outcome === 'object') {
      this.complete(job, outcome)
    } else if (outcome === 'slow') {
      if (this.backgroundWrite === undefined) this.startBackgroundWrite(job)
    } else {
      const continueWriting = () => this.completeOrSchedule(job, this.writeBatch(job, false))
      if (outcome === 'more' || (outcome === 'busy' && this.eagerTurns++ < EAGER_TURNS))
        this.timer = endOfTurnDelay(continueWriting)
      else this.timer = delay((outcome === 'busy' ? this.busyBackoff : this.errorBackoff).next(), continueWriting)
      this.timer.keepAlive(this.keepsProcessAlive)
    }
    this.diagnostics.report()
  }

  /** Writes the next chunk in the thread pool. If that cannot be started, completes or schedules the batch. */
  private startBackgroundWrite(job: WriteJob): void {
    const start = this.now()
    try {
      const { descriptor, writeEnd } = this.target.prepare(job)
      const write = writeInBackground(descriptor, job.bytes.subarray(job.offset, writeEnd), (error, written) => {
        this.target.pace.recordAsyncWrite(this.now() - start)
        // If polling already found this write complete, its bytes are counted.
        if (this.backgroundWrite?.write === write) this.onBackgroundWriteDone(error, written)
      })
      this.backgroundWrite = { job, write }
    } catch (error) {
      this.completeOrSchedule(job, this.handleError(job, error))
    }
  }

  private onBackgroundWriteDone(error: Error | null, written: number): void {
    const { job } = this.backgroundWrite!
    this.recordBackgroundWrite(written)
    if (this.isClosed) return
    const currentJob = this.job
    if (currentJob?.resolve === undefined) return
    this.completeOrSchedule(
      currentJob,
      error !== null && currentJob === job ? this.handleError(job, error) : this.writeBatch(currentJob, false),
    )
  }

  /** Ends the background write if it is complete. */
  private pollBackgroundWrite(): void {
    const written = this.backgroundWrite?.write.writtenBytes()
    if (written !== undefined) this.recordBackgroundWrite(written)
  }

  /** Ends the background write and counts its bytes. */
  private recordBackgroundWrite(written: number): void {
    const { job, write } = this.backgroundWrite!
    this.backgroundWrite = undefined
    if (this.isClosed) this.target.close()
    if (written === 0) return
    if (this.job === job) this.advance(job, written)
    // The batch was abandoned, so the rest of an incomplete line is never written.
    else this.target.endsInsideLine = !isLineStart(write.bytes, written)
  }

  /** Ends a pending `export` without writing the rest of its batch. */
  private abandon(job: WriteJob): void {
    if (job.resolve === undefined) return
    this.complete(job, this.backgroundWrite?.job === job ? job.unknownResult() : job.rejectedResult())
  }

  /** Ends a batch with its result, and resolves a pending `export`. The batch is not exported again. */
  private complete(job: WriteJob, result: ExportResult): ExportResult {
    const { resolve } = job
    job.resolve = undefined
    this.timer?.cancel()
    this.timer = undefined
    this.drop(job)
    if (resolve !== undefined || this.diagnostics.hasPending) this.lastResult = { batch: job.batch, result }
    resolve?.(result)
    this.diagnostics.report()
    return result
  }

  /** Stops writing a batch. If a line is incomplete, the next write first ends it with a newline. */
  private drop(job: WriteJob): void {
    if (this.job === job) this.job = undefined
    if (job.isInsideLine) this.target.endsInsideLine = true
  }
}
