import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic, nextTurn } from '../../platform/node/end-of-turn.ts'
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

/** How long before the deadline a writer must have answered that was told to finish: the answer has to come back, in ms. */
const returnMillis = 25
/** A writer that keeps up empties a full socket in less than the shortest timer takes: so many turns are tried first. */
const eagerTurns = 24

/**
 * Has batches written by another process: each is sent as soon as it is there, and answered when the writer says that it is
 * written. A batch that a dead writer did not answer is written in this process, and so is everything until the next one may
 * be started.
 *
 * Invariant: there is one batch at a time, and it is either with a writer process or with the inline writer. User code
 * (through the host) runs in the keeper's `tell` only, when the state is whole.
 */
export class ProcessWriter {
  private readonly keeper: WriterSupervisor
  private readonly inline: InlineWriter
  private readonly fsync: WriterDestination['fsync']
  private host: ExporterHost | undefined
  private job: ProcessJob | undefined
  /** The batch that was answered last. */
  private answered: ProcessJob | undefined
  /** The last bytes that were written may be half a line. */
  private maybeTorn = false
  private alive = false
  private timer: Delay | undefined
  private turns = 0
  private readonly fullWait = new Backoff(1, 32)

  constructor(options: ProcessWriterOptions) {
    this.keeper = new WriterSupervisor(options, {
      answered: (frame) => this.hear(frame),
      lost: (child) => this.lose(child),
    })
    this.inline = new InlineWriter(options.destination)
    this.fsync = options.destination.fsync
  }

  /** Starts the first writer process. */
  start(host: ExporterHost): void {
    this.host = host
    this.inline.start(host)
    this.keeper.begin(host)
    this.startWriter()
    this.keeper.report()
  }

  /** Sends a batch; the answer comes when it is written. */
  export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | Promise<ExportResult> {
    this.answered = undefined
    const job = this.take(batch)
    job.signal = signal
    this.startWriter()
    this.goOn(job)
    if (job.result !== undefined) return job.result
    onAbort(signal, () => this.giveUp(job))
    return new Promise((resolve) => {
      job.resolve = resolve
      if (signal?.aborted === true) this.giveUp(job)
    })
  }

  /**
   * Sends a batch and waits for its answer without the event loop until `deadline`; see `Exporter.exportSync`. At the end of
   * the process the writer is told to settle it by then; what it has and does not answer is `unknown`.
   */
  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    // Telling trouble runs user code, which may flush before the pipeline has seen the answer.
    if (this.answered?.batch === batch) return this.answered.result!
    const job = this.take(batch)
    for (const sleep = new Backoff(0.05, 8); ;) {
      const result = this.step(job, deadline, final)
      if (result === undefined) {
        sleepSync(Math.min(sleep.next(), Math.max(0, deadline - this.now())))
      } else if (final || result.status !== 'retryable') {
        return this.answer(job, result)
      } else {
        this.keeper.report()
        return result
      }
    }
  }

  /** Whether the process must stay alive while a batch waits. */
  keepAlive(alive: boolean): void {
    this.alive = alive
    this.keeper.keepAlive(alive)
    this.timer?.keepAlive(alive)
    this.inline.keepAlive(alive)
  }

  /** Has what is written put onto the disk, as far as the options want it. */
  async flush(): Promise<void> {
    const { child } = this.keeper
    if (this.fsync === 'never' || this.host === undefined) return
    await (child?.isAlive === true ? this.keeper.sync(child) : this.inline.flush())
  }

  /** Gives up what is unanswered and ends the writer process. Resolves when it has ended. */
  async close(): Promise<void> {
    if (this.job !== undefined) this.giveUp(this.job)
    this.inline.release()
    await this.keeper.close()
  }

  private now(): number {
    return this.host?.monotonic() ?? monotonic()
  }

  /** Goes on with a batch, or begins one and gives up another that did not come again. */
  private take(batch: EncodedBatch): ProcessJob {
    if (this.job?.batch === batch) return this.job
    if (this.job !== undefined) this.giveUp(this.job)
    return (this.job = new ProcessJob(batch))
  }

  /** In the event loop: sends what the writer takes now, or has the batch written here. */
  private goOn(job: ProcessJob): void {
    this.timer?.cancel()
    this.timer = undefined
    this.send(job)
    if (job.isBroken) {
      this.answer(job, broken)
    } else if (job.child === undefined) {
      this.writeHere(job)
    } else if (!job.isSent && job.child.isAlive) {
      const goOn = () => this.goOn(job)
      this.timer = this.turns++ < eagerTurns ? nextTurn(goOn) : delay(this.fullWait.next(), goOn)
      this.timer.keepAlive(this.alive)
    }
  }

  /** Sends what the writer process takes now, if there is one and the batch is not written here. */
  private send(job: ProcessJob): void {
    const { child } = this.keeper
    if (job.child === undefined && !job.isInline && child?.isAlive === true) {
      this.inline.release()
      job.begin(child)
    }
    job.child?.write([])
    if (!job.send()) return
    this.turns = 0
    this.fullWait.reset()
    while (job.send()) continue
  }

  private writeHere(job: ProcessJob): void {
    job.isInline = true
    const result = this.inline.export(job.batch, job.signal, this.takeTorn())
    if (isThenable(result)) void result.then((answer) => this.answer(job, answer))
    else this.answer(job, result)
  }

  /** One step without the event loop. Returns the answer, or undefined while there is a reason to wait. */
  private step(job: ProcessJob, deadline: number, final: boolean): ExportResult | undefined {
    this.send(job)
    this.keeper.child?.receive()
    if (job.result !== undefined) return job.result
    if (job.isBroken) return broken
    if (job.child === undefined) {
      job.isInline = true
      return this.inline.exportSync(job.batch, deadline, final, this.takeTorn())
    }
    const left = deadline - this.now()
    if (left <= 0) {
      if (final) job.forsake()
      return { status: final && job.isSent ? 'unknown' : 'retryable', accepted: 0 }
    }
    if (final && job.isSent && !job.isFinishing) {
      job.isFinishing = true
      job.child.post(frame(Kind.finish, 0, 0, timeIn(left - Math.min(returnMillis, left / 4))))
    }
    return undefined
  }

  private giveUp(job: ProcessJob): void {
    // The inline writer has the signal, too, and answers by itself.
    if (job.isInline || job.result !== undefined) return
    job.forsake()
    this.answer(job, job.isSent ? { status: 'unknown', accepted: 0 } : broken)
  }

  private answer(job: ProcessJob, given: ExportResult): ExportResult {
    const result = this.settle(job, given)
    this.keeper.report()
    return result
  }

  /** Counts what became of a batch, and answers the pending `export`; the batch does not come again. */
  private settle(job: ProcessJob, given: ExportResult): ExportResult {
    if (job.result !== undefined) return job.result
    const result = (job.result = job.withDoubt(given))
    job.forsake()
    if (this.job === job) {
      this.job = undefined
      this.timer?.cancel()
      this.timer = undefined
    }
    this.maybeTorn = result.status !== 'accepted'
    this.answered = job
    job.resolve?.(result)
    job.resolve = undefined
    return result
  }

  private takeTorn(): boolean {
    const torn = this.maybeTorn
    this.maybeTorn = false
    return torn
  }

  private startWriter(): void {
    if (this.keeper.start(this.maybeTorn)) this.maybeTorn = false
  }

  private hear(said: Frame): void {
    const { job } = this
    if (job?.child === undefined || job.id !== said.id) return
    job.child = undefined
    this.settle(job, job.answerOf(said))
  }

  /** What it did not answer is written here. */
  private lose(child: WriterChild): void {
    const { job } = this
    if (job?.child !== child) return
    job.child = undefined
    if (job.isSent) this.maybeTorn = job.isOutcomeUnknown = true
    if (job.resolve !== undefined) this.goOn(job)
  }
}

const broken = Object.freeze(ownCopy<ExportResult>({ status: 'rejected', accepted: 0, reason: 'io_error' }))
