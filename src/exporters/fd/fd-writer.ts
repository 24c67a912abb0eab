import { ownCopy } from '../../options/own-members.ts'
import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic, nextTurn } from '../../platform/node/end-of-turn.ts'
import { Backoff } from './backoff.ts'
import { sleepSync } from './sleep.ts'
import { canInterleave, type Descriptor } from './descriptor.ts'
import type { FileFollower, FilePlace } from '../file/file-follower.ts'
import { PIPE_BUF, pieceEnd, startsLine } from './line-chunks.ts'
import { writeInBackground, type BackgroundWrite } from '../file/slow-file.ts'
import { writeFailureKind } from './write-errors.ts'
import { WriteJob } from './write-job.ts'
import { WriteTarget } from './write-target.ts'
import { WriteDiagnostics } from './write-diagnostics.ts'
import { onAbort } from '../../record/on-abort.ts'

/** What a writer writes to, and how. */
export interface FdWriterOptions {
  /** How problems call the destination, for example `fd:1`. */
  readonly name: string
  /** Opens the destination. The system's errors are told and tried again with backoff. */
  readonly open: () => Descriptor
  /**
   * Pipes and sockets are written in pieces of whole lines and at most PIPE_BUF bytes. `true` also reports the first line
   * that is longer; `false` writes as much as possible with each system call. Default: pieces without the report.
   */
  readonly sharedPipe?: boolean | undefined
  /** Makes what says in which file a line goes, where that can change. Default: always the same. */
  readonly course?: (place: Pick<FilePlace, 'now' | 'report'>) => FileFollower
  /** Takes a descriptor to which nothing more is written. Default: it is closed. */
  readonly retire?: (descriptor: Descriptor) => void
}

/**
 * Why the destination took no more: it is full, it failed in a way that may pass, or it would hold up the event loop; or it
 * takes more, and others are to have their turn first.
 */
type Refusal = 'busy' | 'passing' | 'slow' | 'more'

// A refused write costs about 15 µs, most of it the error: a burst that meets a full pipe or disk asks at most this often, in ms.
const HUSH_MILLIS = 0.25
// A reader that keeps up empties a pipe in some 50 µs, and the shortest timer takes 1 ms. So many turns are tried first: half
// a millisecond at most for each time the destination takes something.
const EAGER_TURNS = 24

/**
 * The write loop over one destination: batches leave it in order and at most once, byte by byte.
 *
 * Invariants: only `job` is written, and at most one background write is in flight; while it is, nothing else is written.
 * A full pipe, socket or terminal never blocks the event loop: waiting is a timer of 1 to 32 ms, and of 50 ms to 1 s
 * after an error that may pass. User code (through the host) runs only when the state is whole.
 */
export class FdWriter {
  private readonly target: WriteTarget
  private readonly diagnostics: WriteDiagnostics
  /** A line that a shared pipe may not take whole is to be told: once. */
  private tellsLongLine: boolean
  /** The batch at hand. After `retryable` it waits here for the same batch to come again. */
  private job: WriteJob | undefined
  private background: { readonly job: WriteJob; readonly write: BackgroundWrite } | undefined
  private timer: Delay | undefined
  private alive = false
  private dead = false
  private closed = false
  private refusedAt = -Infinity
  private answered: { readonly batch: EncodedBatch; readonly result: ExportResult } | undefined
  private turns = 0
  private readonly busyWait = new Backoff(1, 32)
  /** Where no event loop turns: Atomics.wait has no shortest time. */
  private readonly sleep = new Backoff(0.125, 32)
  private readonly passingWait = new Backoff(50, 1_000)

  constructor(options: FdWriterOptions) {
    const { sharedPipe, course, retire } = ownCopy(options)
    this.diagnostics = new WriteDiagnostics(options.name)
    const now = () => this.now()
    this.target = new WriteTarget({
      open: options.open,
      keepsLinesWhole: sharedPipe !== false,
      now,
      follower: course?.({ now, report: (code, message) => this.diagnostics.note(code, message) }),
      retire: retire ?? ((descriptor) => descriptor.close()),
    })
    this.tellsLongLine = sharedPipe === true
  }

  /** Takes the pipeline's services, and tells it what went wrong before. */
  start(host: ExporterHost): void {
    this.diagnostics.host = host
    this.diagnostics.report()
  }

  /** Opens the destination now instead of at the first batch; undefined when that failed, which is told. */
  open(): Descriptor | undefined {
    try {
      return this.target.ensureOpen()
    } catch (error) {
      this.diagnostics.keep('open', error, false)
      this.diagnostics.report()
      return undefined
    }
  }

  /** What is written to at the moment; undefined while it could not be opened. */
  get descriptor(): Descriptor | undefined {
    return this.target.descriptor
  }

  /** Goes on with another descriptor from the next line on. */
  switchTo(descriptor: Descriptor): void {
    if (this.closed) return descriptor.close()
    this.target.switchTo(descriptor, this.job?.insideLine === true || this.background !== undefined)
    this.dead = false
    if (this.job?.resolve !== undefined && this.background === undefined)
      this.goOn(this.job, this.write(this.job, false))
  }

  /** Writes what the destination takes at once; the rest is waited for. */
  export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | Promise<ExportResult> {
    this.answered = undefined
    const job = this.take(batch)
    const outcome = this.background === undefined ? this.write(job, false) : 'slow'
    if (typeof outcome === 'object') return this.answer(job, outcome)
    return new Promise((resolve) => {
      job.resolve = resolve
      onAbort(signal, () => this.giveUp(job))
      if (signal?.aborted === true) this.giveUp(job)
      else this.goOn(job, outcome)
    })
  }

  /**
   * Writes without the event loop until `deadline`, in ms of the host's clock; see `Exporter.exportSync`. After
   * `retryable` the batch stays at hand unless the call was final: a pending `export` goes on, else the same batch must
   * come again.
   */
  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    // Telling trouble runs user code, which may flush before the pipeline has seen the answer.
    if (this.answered?.batch === batch) return this.answered.result
    const job = this.take(batch)
    const result = this.drain(job, deadline, final)
    if (final || result.status !== 'retryable') return this.answer(job, result)
    // A background write was found done before its callback, which will do nothing any more.
    if (job.resolve !== undefined && this.background === undefined && this.timer === undefined) this.goOn(job, 'more')
    this.diagnostics.report()
    return result
  }

  /** Whether the process must stay alive while a batch waits. */
  keepAlive(alive: boolean): void {
    this.alive = alive
    this.timer?.keepAlive(alive)
  }

  /** Releases the destination. What is unanswered is rejected. */
  close(): void {
    this.closed = true
    if (this.job !== undefined) this.giveUp(this.job)
    // A write in flight still needs the descriptor.
    if (this.background === undefined) this.target.close()
  }

  private now(): number {
    return this.diagnostics.host?.monotonic() ?? monotonic()
  }

  /** Goes on with a batch, or begins one and gives up another that did not come again. */
  private take(batch: EncodedBatch): WriteJob {
    if (this.job?.batch === batch) {
      this.job.refresh()
      return this.job
    }
    if (this.job !== undefined) this.drop(this.job)
    return (this.job = new WriteJob(batch))
  }

  /** Writes until the batch is done or the destination takes no more. `urgent`: also when that holds up the loop. */
  private write(job: WriteJob, urgent: boolean): ExportResult | Refusal {
    if (this.dead || this.closed || job.isBroken) return job.rejected()
    try {
      while (!job.isDone) {
        if (this.target.slow && !urgent) return 'slow'
        this.target.descriptor?.unblock?.()
        const { written, full } = this.target.write(job)
        if (this.tellsLongLine) this.lookForLongLine(job)
        if (written > 0) this.advance(job, written)
        if (full) {
          this.refusedAt = this.now()
          return 'busy'
        }
        if (job.isLong && !job.isDone) return 'more'
      }
      return job.accepted()
    } catch (error) {
      return this.failed(job, error)
    }
  }

  /** Looks at the piece that was written, before the job goes on. */
  private lookForLongLine({ bytes, offset }: WriteJob): void {
    if (!canInterleave(this.target.descriptor?.kind) || pieceEnd(bytes, offset) - offset <= PIPE_BUF) return
    this.tellsLongLine = false
    this.diagnostics.keepLongLine()
  }

  private advance(job: WriteJob, written: number): void {
    job.advance(written)
    this.turns = 0
    this.busyWait.reset()
    this.sleep.reset()
    this.passingWait.reset()
  }

  private failed(job: WriteJob, error: unknown): ExportResult | Refusal {
    const trouble = writeFailureKind(error)
    this.refusedAt = this.now()
    if (trouble === 'busy') return 'busy'
    this.dead = trouble === 'permanent'
    this.diagnostics.keep(this.target.descriptor === undefined ? 'open' : 'write', error, this.dead)
    return this.dead || job.isBroken ? job.rejected() : 'passing'
  }

  private drain(job: WriteJob, deadline: number, final: boolean): ExportResult {
    const start = this.now()
    if (!final && deadline <= start && start < this.refusedAt + HUSH_MILLIS) return job.retryable()
    for (let now = start; ; now = this.now()) {
      const outcome = this.collect() ? this.write(job, final || deadline > now) : 'busy'
      if (typeof outcome === 'object') return outcome
      if (outcome === 'passing') return final ? job.rejected() : job.retryable()
      // In a burst nothing else begins the next write: the event loop does not turn.
      if (outcome === 'slow') this.writeInBackground(job)
      if (this.answered?.batch === job.batch) return this.answered.result
      const left = deadline - this.now()
      if (left <= 0) {
        // Whether a write in flight is done costs a read of /proc: a burst asks for it as seldom as it asks a full pipe.
        if (this.background !== undefined) this.refusedAt = this.now()
        return final && this.background?.job === job ? job.unknown() : job.retryable()
      }
      if (outcome !== 'more') sleepSync(Math.min(this.sleep.next(), left))
    }
  }

  /** Answers for a batch whose `export` is unanswered, or has it wait. */
  private goOn(job: WriteJob, outcome: ExportResult | Refusal): void {
    this.timer?.cancel()
    this.timer = undefined
    if (typeof outcome === 'object') {
      this.answer(job, outcome)
    } else if (outcome === 'slow') {
      if (this.background === undefined) this.writeInBackground(job)
    } else {
      const goOn = () => this.goOn(job, this.write(job, false))
      if (outcome === 'more' || (outcome === 'busy' && this.turns++ < EAGER_TURNS)) this.timer = nextTurn(goOn)
      else this.timer = delay((outcome === 'busy' ? this.busyWait : this.passingWait).next(), goOn)
      this.timer.keepAlive(this.alive)
    }
    this.diagnostics.report()
  }

  private writeInBackground(job: WriteJob): void {
    const start = this.now()
    try {
      const { descriptor, end } = this.target.prepare(job)
      const write = writeInBackground(descriptor, job.bytes.subarray(job.offset, end), (error, written) => {
        this.target.pace.wroteAsync(this.now() - start)
        // Collected before, without the event loop: the bytes are counted and the batch is answered.
        if (this.background?.write === write) this.landed(error, written)
      })
      this.background = { job, write }
    } catch (error) {
      this.goOn(job, this.failed(job, error))
    }
  }

  private landed(error: Error | null, written: number): void {
    const { job } = this.background!
    this.settle(written)
    if (this.closed) return
    const current = this.job
    if (current?.resolve === undefined) return
    this.goOn(current, error !== null && current === job ? this.failed(job, error) : this.write(current, false))
  }

  /** Asks whether the write in flight is done. Returns whether none is in flight any more. */
  private collect(): boolean {
    const written = this.background?.write.written()
    if (written !== undefined) this.settle(written)
    return this.background === undefined
  }

  private settle(written: number): void {
    const { job, write } = this.background!
    this.background = undefined
    if (this.closed) this.target.close()
    if (written === 0) return
    if (this.job === job) this.advance(job, written)
    // Its batch was given up: what it left unfinished stays so.
    else this.target.torn = !startsLine(write.bytes, written)
  }

  private giveUp(job: WriteJob): void {
    if (job.resolve === undefined) return
    this.answer(job, this.background?.job === job ? job.unknown() : job.rejected())
  }

  /** Answers for a batch, the pending `export` included; the batch does not come again. */
  private answer(job: WriteJob, result: ExportResult): ExportResult {
    const { resolve } = job
    job.resolve = undefined
    this.timer?.cancel()
    this.timer = undefined
    this.drop(job)
    if (resolve !== undefined || this.diagnostics.isKept) this.answered = { batch: job.batch, result }
    resolve?.(result)
    this.diagnostics.report()
    return result
  }

  private drop(job: WriteJob): void {
    if (this.job === job) this.job = undefined
    if (job.insideLine) this.target.torn = true
  }
}
