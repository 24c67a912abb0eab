import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic, endOfTurnDelay } from '../../platform/node/end-of-turn.ts'
import { Backoff } from '../fd/backoff.ts'
import { sleepSync } from '../fd/sleep.ts'
import { InlineWriter } from './inline-writer.ts'
import type { WriterChild } from './child.ts'
import { ProcessJob } from './job.ts'
import { WriterSupervisor, type ProcessWriterOptions } from './writer-supervisor.ts'
import { frame, Kind, type Frame } from './writer-frames.ts'
import { timeIn } from './writer-session.ts'
import type { WriterDestination } from './writer-settings.ts'
import { onAbort } from '../../record/on-abort.ts'
import { ownCopy } from '../../options/own-members.ts'
import { isThenable } from '../../pipeline/guarded-exporter.ts'

/** How long before the deadline a writer process must have answered `finish`, in ms, so that the answer arrives in time. */
const returnMillis = 25
/**
 * How many event-loop turns retry at once before a timer is used: a fast writer empties a full socket in less time than the
 * shortest timer takes.
 */
const EAGER_TURNS = 24

/**
 * Writes batches through another process. Each batch is sent immediately, and its result is known when the writer process has
 * written it. A batch that a dead writer process did not answer is written in this process, and so are later batches until the
 * next writer process may be started.
 *
 * Invariant: there is one batch at a time, and either a writer process or the inline writer has it. User code (through the
 * host) runs only in the supervisor's `report`, when the state is consistent.
 */
export class ProcessWriter {
  private readonly supervisor: WriterSupervisor
  private readonly inline: InlineWriter
  private readonly fsync: WriterDestination['fsync']
  private host: ExporterHost | undefined
  private job: ProcessJob | undefined
  /** The batch that was completed last. */
  private lastCompleted: ProcessJob | undefined
  /** Whether the last bytes written may be an incomplete line. */
  private maybeTorn = false
  private keepsProcessAlive = false
  private timer: Delay | undefined
  private eagerTurns = 0
  private readonly fullWait = new Backoff(1, 32)

  constructor(options: ProcessWriterOptions) {
    this.supervisor = new WriterSupervisor(options, {
      answered: (frame) => this.onAnswer(frame),
      lost: (child) => this.onWriterLost(child),
    })
    this.inline = new InlineWriter(options.destination)
    this.fsync = options.destination.fsync
  }

  /** Starts the first writer process. */
  start(host: ExporterHost): void {
    this.host = host
    this.inline.start(host)
    this.supervisor.begin(host)
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
   * Sends a batch and waits for its result synchronously until `deadline`; see `Exporter.exportSync`. At process exit the
   * writer process is requested to settle it by then; a batch that it has received and does not answer is `unknown`.
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

  /** Abandons a pending batch and ends the writer process. Resolves when it has exited. */
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
    if (job.isBroken) {
      this.complete(job, ioError)
    } else if (job.child === undefined) {
      this.writeInline(job)
    } else if (!job.isSent && job.child.isAlive) {
      const proceed = () => this.proceed(job)
      this.timer = this.eagerTurns++ < EAGER_TURNS ? endOfTurnDelay(proceed) : delay(this.fullWait.next(), proceed)
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
    this.fullWait.reset()
    while (job.send()) continue
  }

  private writeInline(job: ProcessJob): void {
    job.isInline = true
    const result = this.inline.export(job.batch, job.signal, this.consumeMaybeTorn())
    if (isThenable(result)) void result.then((answer) => this.complete(job, answer))
    else this.complete(job, result)
  }

  /** Makes progress synchronously. Returns the result, or undefined if the caller should wait. */
  private step(job: ProcessJob, deadline: number, final: boolean): ExportResult | undefined {
    this.send(job)
    this.supervisor.child?.receive()
    if (job.result !== undefined) return job.result
    if (job.isBroken) return ioError
    if (job.child === undefined) {
      job.isInline = true
      return this.inline.exportSync(job.batch, deadline, final, this.consumeMaybeTorn())
    }
    const left = deadline - this.now()
    if (left <= 0) {
      if (final) job.abandon()
      return { status: final && job.isSent ? 'unknown' : 'retryable', accepted: 0 }
    }
    if (final && job.isSent && !job.isFinishing) {
      job.isFinishing = true
      job.child.post(frame(Kind.finish, 0, 0, timeIn(left - Math.min(returnMillis, left / 4))))
    }
    return undefined
  }

  private abandon(job: ProcessJob): void {
    // The inline writer received the same signal and completes the batch itself.
    if (job.isInline || job.result !== undefined) return
    job.abandon()
    this.complete(job, job.isSent ? { status: 'unknown', accepted: 0 } : ioError)
  }

  private complete(job: ProcessJob, given: ExportResult): ExportResult {
    const result = this.recordResult(job, given)
    this.supervisor.report()
    return result
  }

  /** Records the result of a batch and resolves the pending `export`. The batch is not exported again. */
  private recordResult(job: ProcessJob, given: ExportResult): ExportResult {
    if (job.result !== undefined) return job.result
    const result = (job.result = job.withDoubt(given))
    job.abandon()
    if (this.job === job) {
      this.job = undefined
      this.timer?.cancel()
      this.timer = undefined
    }
    this.maybeTorn = result.status !== 'accepted'
    this.lastCompleted = job
    job.resolve?.(result)
    job.resolve = undefined
    return result
  }

  private consumeMaybeTorn(): boolean {
    const torn = this.maybeTorn
    this.maybeTorn = false
    return torn
  }

  private startWriter(): void {
    if (this.supervisor.start(this.maybeTorn)) this.maybeTorn = false
  }

  private onAnswer(answer: Frame): void {
    const { job } = this
    if (job?.child === undefined || job.id !== answer.id) return
    job.child = undefined
    this.recordResult(job, job.answerOf(answer))
  }

  /** Handles the end of a writer process: a batch that it did not answer is written in this process. */
  private onWriterLost(child: WriterChild): void {
    const { job } = this
    if (job?.child !== child) return
    job.child = undefined
    if (job.isSent) this.maybeTorn = job.isOutcomeUnknown = true
    if (job.resolve !== undefined) this.proceed(job)
  }
}

const ioError = Object.freeze(ownCopy<ExportResult>({ status: 'rejected', accepted: 0, reason: 'io_error' }))
