import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic, endOfTurnDelay } from '../../platform/node/end-of-turn.ts'
import { Backoff } from '../fd/backoff.ts'
import { sleepSync } from '../fd/sleep.ts'
import { InlineWriter } from './inline-writer.ts'
import type { WriterChild } from './child.ts'
import { ProcessJob } from './job.ts'
import { WriterSupervisor, type ProcessWriterOptions } from './writer-supervisor.ts'
import { encodeFrame, FrameKind, type Frame } from './writer-frames.ts'
import { encodeDeadline } from './writer-session.ts'
import type { WriterDestination } from './writer-settings.ts'
import { onAbort } from '../../record/on-abort.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { isThenable } from '../../pipeline/guarded-exporter.ts'

/** How long before the deadline the writer process must have answered after `finish`, in ms, so that the answer arrives in time. */
const answerMarginMillis = 25
/**
 * In how many event-loop turns sending to a full socket is retried before a timer is used: a fast writer process empties the
 * socket in less time than the shortest timer takes.
 */
const EAGER_TURNS = 24

/**
 * Writes batches through another process. Each batch is sent immediately, and its result is available when the writer process has
 * written it. A batch that a writer process did not answer before it ended is written in this process, and so are later batches
 * until the next writer process may be started.
 *
 * Invariant: there is one batch at a time, and either a writer process or the inline writer has it. The supervisor runs user code
 * (through the host) only in `report`, which is called when the state is consistent.
 */
export class ProcessWriter {
  private readonly supervisor: WriterSupervisor
  private readonly inline: InlineWriter
  private readonly fsync: WriterDestination['fsync']
  private host: ExporterHost | undefined
  private job: ProcessJob | undefined
  /** The job that was completed last, until the next `export` call. */
  private lastCompleted: ProcessJob | undefined
  /** Whether the destination may end with an incomplete line. */
  private mayEndInsideLine = false
  private keepsProcessAlive = false
  /** The next attempt to send to a full socket. */
  private timer: Delay | undefined
  /** The number of retries since the socket last accepted something. */
  private eagerTurns = 0
  private readonly fullSocketDelays = new Backoff(1, 32)

  constructor(options: ProcessWriterOptions) {
    this.supervisor = new WriterSupervisor(options, {
      onAnswer: (frame) => this.onAnswer(frame),
      onWriterLost: (child) => this.onWriterLost(child),
    })
    this.inline = new InlineWriter(options.destination)
    this.fsync = options.destination.fsync
  }

  /** Starts the first writer process. */
  start(host: ExporterHost): void {
    this.host = host
    this.inline.start(host)
    this.supervisor.setHost(host)
    this.startWriter()
    this.supervisor.report()
  }

  /** Sends a batch. The result is available when it is written. */
  export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | Promise<ExportResult> {
    this.lastCompleted = undefined
    const job = this.startOrResume(batch)
    job.signal = signal
    this.startWriter()
    this.proceed(job)
    if (job.result !== undefined) return job.result
    onAbort(signal, () => this.abandon(job))
    return new Promise((resolve) => {
      job.resolve = resolve
      if (signal?.aborted === true) this.abandon(job)
    })
  }

  /**
   * Sends a batch and waits for its result synchronously until `deadline`; see `Exporter.exportSync`. If this is the last
   * attempt (`final`), the writer process is requested to answer before the deadline; a batch that was sent and is not answered is
   * `unknown`.
   */
  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    // Reporting a diagnostic runs user code, which may flush before the pipeline has received the result.
    if (this.lastCompleted?.batch === batch) return this.lastCompleted.result!
    const job = this.startOrResume(batch)
    for (const sleep = new Backoff(0.05, 8); ;) {
      const result = this.step(job, deadline, final)
      if (result === undefined) {
        sleepSync(Math.min(sleep.next(), Math.max(0, deadline - this.now())))
      } else if (final || result.status !== 'retryable') {
        return this.complete(job, result)
      } else {
        this.supervisor.report()
        return result
      }
    }
  }

  /** Sets whether the process stays alive while a batch is pending. */
  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.supervisor.keepAlive(keepsProcessAlive)
    this.timer?.keepAlive(keepsProcessAlive)
    this.inline.keepAlive(keepsProcessAlive)
  }

  /** Syncs what is written to the disk, if the options require it. */
  async flush(): Promise<void> {
    const { child } = this.supervisor
    if (this.fsync === 'never' || this.host === undefined) return
    await (child?.isAlive === true ? this.supervisor.sync(child) : this.inline.flush())
  }

  /** Abandons a pending batch and ends the writer process. Resolves when that has exited, or after a time limit. */
  async close(): Promise<void> {
    if (this.job !== undefined) this.abandon(this.job)
    this.inline.release()
    await this.supervisor.close()
  }

  private now(): number {
    return this.host?.monotonic() ?? monotonic()
  }

  /** Resumes the batch if it is the current one; otherwise abandons the current batch and starts this one. */
  private startOrResume(batch: EncodedBatch): ProcessJob {
    if (this.job?.batch === batch) return this.job
    if (this.job !== undefined) this.abandon(this.job)
    return (this.job = new ProcessJob(batch))
  }

  /** Sends what the writer process accepts now, or writes the batch in this process. Runs in the event loop. */
  private proceed(job: ProcessJob): void {
    this.timer?.cancel()
    this.timer = undefined
    this.send(job)
    if (job.hasPieceFailed) {
      this.complete(job, ioErrorResult)
    } else if (job.child === undefined) {
      this.writeInline(job)
    } else if (!job.isSent && job.child.isAlive) {
      const proceed = () => this.proceed(job)
      this.timer =
        this.eagerTurns++ < EAGER_TURNS ? endOfTurnDelay(proceed) : delay(this.fullSocketDelays.next(), proceed)
      this.timer.keepAlive(this.keepsProcessAlive)
    }
  }

  /** Sends what the writer process accepts now, if there is one and the batch is not written in this process. */
  private send(job: ProcessJob): void {
    const { child } = this.supervisor
    if (job.child === undefined && !job.isInline && child?.isAlive === true) {
      this.inline.release()
      job.begin(child)
    }
    job.child?.write([])
    if (!job.send()) return
    this.eagerTurns = 0
    this.fullSocketDelays.reset()
    while (job.send()) continue
  }

  /** Writes a batch in this process. */
  private writeInline(job: ProcessJob): void {
    job.isInline = true
    const result = this.inline.export(job.batch, job.signal, this.takeMayEndInsideLine())
    if (isThenable(result)) void result.then((answer) => this.complete(job, answer))
    else this.complete(job, result)
  }

  /** Makes progress synchronously. Returns the result, or undefined if the caller should wait and call again. */
  private step(job: ProcessJob, deadline: number, final: boolean): ExportResult | undefined {
    this.send(job)
    this.supervisor.child?.receive()
    if (job.result !== undefined) return job.result
    if (job.hasPieceFailed) return ioErrorResult
    if (job.child === undefined) {
      job.isInline = true
      return this.inline.exportSync(job.batch, deadline, final, this.takeMayEndInsideLine())
    }
    const remainingMillis = deadline - this.now()
    if (remainingMillis <= 0) {
      if (final) job.abandon()
      return { status: final && job.isSent ? 'unknown' : 'retryable', accepted: 0 }
    }
    if (final && job.isSent && !job.isFinishSent) {
      job.isFinishSent = true
      job.child.post(
        encodeFrame(
          FrameKind.finish,
          0,
          0,
          encodeDeadline(remainingMillis - Math.min(answerMarginMillis, remainingMillis / 4)),
        ),
      )
    }
    return undefined
  }

  /** Completes a batch without waiting for its result. */
  private abandon(job: ProcessJob): void {
    // The inline writer completes the batch itself: after the same signal, after `release`, or when it receives another batch.
    if (job.isInline || job.result !== undefined) return
    job.abandon()
    this.complete(job, job.isSent ? { status: 'unknown', accepted: 0 } : ioErrorResult)
  }

  private complete(job: ProcessJob, result: ExportResult): ExportResult {
    const recordedResult = this.recordResult(job, result)
    this.supervisor.report()
    return recordedResult
  }

  /** Records the result of a batch, unless it has one, and resolves the pending `export`. Returns the recorded result. */
  private recordResult(job: ProcessJob, exportResult: ExportResult): ExportResult {
    if (job.result !== undefined) return job.result
    const result = (job.result = job.adjustForUnknownOutcome(exportResult))
    job.abandon()
    if (this.job === job) {
      this.job = undefined
      this.timer?.cancel()
      this.timer = undefined
    }
    this.mayEndInsideLine = result.status !== 'accepted'
    this.lastCompleted = job
    job.resolve?.(result)
    job.resolve = undefined
    return result
  }

  /** Returns `mayEndInsideLine` and resets it, because the caller's writer ends such a line. */
  private takeMayEndInsideLine(): boolean {
    const { mayEndInsideLine } = this
    this.mayEndInsideLine = false
    return mayEndInsideLine
  }

  /** Starts a writer process if that is possible now. */
  private startWriter(): void {
    if (this.supervisor.tryStart(this.mayEndInsideLine)) this.mayEndInsideLine = false
  }

  private onAnswer(answer: Frame): void {
    const { job } = this
    if (job?.child === undefined || job.id !== answer.id) return
    job.child = undefined
    this.recordResult(job, job.resultOf(answer))
  }

  /** Handles the end of a writer process: a batch that it did not answer is written in this process. */
  private onWriterLost(child: WriterChild): void {
    const { job } = this
    if (job?.child !== child) return
    job.child = undefined
    if (job.isSent) this.mayEndInsideLine = job.isOutcomeUnknown = true
    if (job.resolve !== undefined) this.proceed(job)
  }
}

const ioErrorResult = Object.freeze(
  withoutPrototype<ExportResult>({ status: 'rejected', accepted: 0, reason: 'io_error' }),
)
