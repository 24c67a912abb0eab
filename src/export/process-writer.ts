import type { EncodedBatch, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import { delay, monotonic, nextTurn, type Delay } from '../runtime/end-of-turn.ts'
import { Backoff, sleepSync } from './backoff.ts'
import { InlineWriter } from './inline-writer.ts'
import { WriterChild } from './process-child.ts'
import { ProcessJob } from './process-job.ts'
import { frame, Kind, type Frame } from './writer-frames.ts'
import { timeIn } from './writer-session.ts'
import type { WriterDestination, WriterSettings } from './writer-settings.ts'

/** What a writer in another process needs. */
export interface ProcessWriterOptions {
  readonly destination: WriterDestination
  /** The file of the writer's program. */
  readonly program: string
  /** How long the pauses between two starts are, in ms; they double from the first to the longest. */
  readonly restart: { readonly initialDelayMillis: number; readonly maxDelayMillis: number }
  /** For how long a writer may write on when this process is gone, in ms. Default: as long as this process waits at exit. */
  readonly drainMillis: number | undefined
}

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
 * (through the host) runs in `tell` only, when the state is whole.
 */
export class ProcessWriter {
  private readonly options: ProcessWriterOptions
  private readonly restartWait: Backoff
  private readonly inline: InlineWriter
  private host: ExporterHost | undefined
  private child: WriterChild | undefined
  private job: ProcessJob | undefined
  private answered: ProcessJob | undefined
  private notBefore = -Infinity
  /** The last bytes that were written may be half a line. */
  private maybeTorn = false
  private alive = false
  private closed = false
  private timer: Delay | undefined
  private readonly fullWait = new Backoff(1, 32)
  private turns = 0
  private readonly syncs = new Map<number, () => void>()
  private lastSync = 0
  private readonly troubles: { readonly code: string; readonly message: string }[] = []

  constructor(options: ProcessWriterOptions) {
    this.options = options
    const { initialDelayMillis, maxDelayMillis } = options.restart
    this.restartWait = new Backoff(initialDelayMillis, Math.max(initialDelayMillis, maxDelayMillis))
    this.inline = new InlineWriter(options.destination)
  }

  /** Starts the first writer process. */
  start(host: ExporterHost): void {
    this.host = host
    this.inline.start(host)
    this.startChild()
    this.tell()
  }

  /** Sends a batch; the answer comes when it is written. */
  export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | Promise<ExportResult> {
    this.answered = undefined
    const job = this.take(batch)
    job.signal = signal
    this.startChild()
    this.goOn(job)
    if (job.result !== undefined) return job.result
    signal?.addEventListener('abort', () => this.giveUp(job), { once: true })
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
        this.tell()
        return result
      }
    }
  }

  /** Whether the process must stay alive while a batch waits. */
  keepAlive(alive: boolean): void {
    this.alive = alive
    this.child?.keepAlive(alive)
    this.timer?.keepAlive(alive)
    this.inline.keepAlive(alive)
  }

  /** Has what is written put onto the disk, as far as the options want it. */
  async flush(): Promise<void> {
    const { child } = this
    if (this.options.destination.fsync === 'never' || this.host === undefined) return
    if (child?.isAlive !== true) return this.inline.flush()
    const id = ++this.lastSync
    await new Promise<void>((resolve) => {
      this.syncs.set(id, resolve)
      child.post(frame(Kind.sync, id))
    })
  }

  /** Gives up what is unanswered and ends the writer process. Resolves when it has ended. */
  async close(): Promise<void> {
    this.closed = true
    if (this.job !== undefined) this.giveUp(this.job)
    this.inline.release()
    await this.child?.close()
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
    const { child } = this
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
    if ('status' in result) this.answer(job, result)
    else void result.then((answer) => this.answer(job, answer))
  }

  /** One step without the event loop. Returns the answer, or undefined while there is a reason to wait. */
  private step(job: ProcessJob, deadline: number, final: boolean): ExportResult | undefined {
    this.send(job)
    this.child?.receive()
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
    this.tell()
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

  private startChild(): void {
    if (this.child !== undefined || this.closed || this.now() < this.notBefore) return
    const { destination, program, drainMillis } = this.options
    const { target } = destination
    const settings: WriterSettings = {
      ...destination,
      // Its standard output is our descriptor.
      target: 'fd' in target ? { ...target, fd: 1 } : target,
      afterHalfLine: this.maybeTorn,
      drainMillis: drainMillis ?? this.host!.exitTimeoutMillis,
    }
    const child = WriterChild.start(program, settings, 'fd' in target ? target.fd : undefined, {
      frame: (frame) => this.hear(frame),
      heard: () => this.tell(),
      ended: (ended) => this.lose(ended),
      died: (why, isStarted) => this.noteDeath(why, isStarted),
    })
    this.child = child
    if (child === undefined) this.postpone(0)
    else this.maybeTorn = false
    child?.keepAlive(this.alive)
  }

  /** One that lived long enough starts the pauses anew. */
  private postpone(age: number): void {
    if (age > this.options.restart.maxDelayMillis) this.restartWait.reset()
    this.notBefore = this.now() + this.restartWait.next()
  }

  private hear(said: Frame): void {
    const { job } = this
    if (said.kind === Kind.synced) {
      this.syncs.get(said.id)?.()
      this.syncs.delete(said.id)
    } else if (said.kind === Kind.problem) {
      this.troubles.push(JSON.parse(Buffer.from(said.payload).toString()) as Trouble)
    } else if (job?.child !== undefined && job.id === said.id) {
      job.child = undefined
      this.settle(job, job.answerOf(said))
    }
  }

  /** The writer process is gone, and has said all that it had to say. */
  private lose(child: WriterChild): void {
    if (this.child === child) this.child = undefined
    this.postpone(child.age)
    for (const synced of this.syncs.values()) synced()
    this.syncs.clear()
    const { job } = this
    if (job?.child !== child) return
    job.child = undefined
    if (job.isSent) this.maybeTorn = job.isInDoubt = true
    if (job.resolve !== undefined) this.goOn(job)
  }

  private noteDeath(why: string, isStarted: boolean): void {
    if (this.closed) return
    const { name } = this.options.destination
    const what = isStarted ? `the writer process ended (${why})` : `no writer process could be started (${why})`
    this.troubles.push({
      code: 'SLUICE_WRITER_FAILED',
      message: `${name}: ${what}; this process writes until there is another`,
    })
    this.tell()
  }

  /** Tells what went wrong. Runs user code. */
  private tell(): void {
    if (this.host === undefined) return
    for (let trouble = this.troubles.shift(); trouble !== undefined; trouble = this.troubles.shift()) {
      this.host.problem(trouble.code, trouble.message)
    }
  }
}

interface Trouble {
  readonly code: string
  readonly message: string
}

const broken: ExportResult = Object.freeze({ status: 'rejected', accepted: 0, reason: 'io_error' })
