import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import type { RetryTiming } from '../retry/retrying.ts'
import type { SpoolDestination } from './destination.ts'
import type { SpoolPosition } from './intake.ts'
import { SpoolDirect } from './direct-send.ts'
import { SpoolJob } from './job.ts'
import { firstLine } from './lines.ts'
import { beatMillis } from './owner.ts'
import { SpoolReplay } from './replay.ts'
import type { SpoolStore } from './store.ts'
import { errorCode } from '../fd/write-errors.ts'

/** How long a batch waits for its answer before it goes into a file as well, in ms. */
const patienceMillis = 1_000
/** How long a batch waits that neither the destination nor the disk takes, in ms. */
const pauseMillis = 250
/** How long a destination may take to give up what it has, in ms. */
const closingMillis = 500
/** After so many signs of life an owner looks whether another one has died. */
const beatsPerLook = 6

/**
 * Gives batches to the destination, or to the files while something older waits there or the destination fails.
 *
 * Invariants: the destination has one batch at a time, a new one or one from a file. Who goes on with a job counts `turn`
 * up, and whoever waits for something since before then lets the job be.
 */
export class SpoolingExporter {
  private readonly store: SpoolStore
  private readonly destination: SpoolDestination
  private readonly replay: SpoolReplay
  private readonly timing: RetryTiming
  private readonly maxElapsedMillis: number
  private host!: ExporterHost
  private job: SpoolJob | undefined
  private direct: SpoolDirect | undefined
  private keeping: Promise<void> | undefined
  private signal: AbortSignal | undefined
  private turn = 0
  private pause: Delay | undefined
  private beat: Delay | undefined
  private beats = 0
  private alive = false
  /** The disk did not take the last line. */
  private isFull = false
  /** Until when it is not asked again by those who cannot wait, in ms of the host's clock. */
  private refusedUntil = -Infinity

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
    this.scheduleBeat()
  }

  export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    const job = this.jobOf(batch)
    this.signal = signal
    return new Promise((resolve) => {
      job.resolve = resolve
      void this.run(job)
    })
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    const job = this.jobOf(batch)
    const now = this.host.monotonic()
    // A call at a full queue asks a disk that does not answer, or does not take a line, no more than now and then.
    if (!final && deadline <= now && (this.store.isSlow || now < this.refusedUntil)) return job.pending()
    this.turn++
    this.pause?.cancel()
    const { direct } = this
    if (final && direct?.job === job) {
      this.direct = undefined
      // Asked for what has become of it, and not waited for: the files are faster.
      job.answered(this.destination.recall(direct.batch, now))
    }
    if (this.keepNow(job)) return this.end(job)
    if (!final) {
      if (job.resolve !== undefined) void this.run(job)
      return job.pending()
    }
    // Neither may it be asked for two at a time, nor does anybody know how long the one that it has will take.
    if (this.direct === undefined) {
      this.replay.recall()
      job.answered(this.destination.sendSync(job.rest(), deadline))
    }
    return this.end(job)
  }

  keepAlive(alive: boolean): void {
    this.alive = alive
    this.pause?.keepAlive(alive)
    this.destination.keepAlive(alive)
  }

  async flush(): Promise<void> {
    await this.store.flush()
    await this.destination.exporter.flush?.()
  }

  async shutdown(): Promise<void> {
    this.turn++
    this.beat?.cancel()
    this.pause?.cancel()
    this.destination.abort()
    await this.within(closingMillis, Promise.all([this.direct?.answered, this.replay.stop()]))
    await this.destination.exporter.shutdown?.()
    await this.store.close()
  }

  private jobOf(batch: EncodedBatch): SpoolJob {
    if (this.job?.batch !== batch) this.job = new SpoolJob(batch, this.host.monotonic() + this.maxElapsedMillis)
    return this.job
  }

  private async run(job: SpoolJob): Promise<void> {
    const turn = ++this.turn
    for (;;) {
      if (this.direct?.job === job || this.mayGoStraight()) await this.goStraight(job)
      if (turn !== this.turn) return
      if (!job.isDone) await (this.keeping = this.keep(job))
      if (turn !== this.turn) return
      if (job.isDone || this.host.monotonic() >= job.deadline || this.signal?.aborted === true) break
      await this.rest()
      if (turn !== this.turn) return
    }
    this.end(job)
  }

  /** Nothing older waits; or nothing can wait. */
  private mayGoStraight(): boolean {
    const { destination, store } = this
    const isFree = this.direct === undefined && !destination.isBusy
    return isFree && destination.waitMillis === 0 && (store.isEmpty || this.isFull)
  }

  /** Waits for the destination's answer, but not for long. */
  private async goStraight(job: SpoolJob): Promise<void> {
    const direct = this.direct ?? this.launch(job)
    const { promise, resolve } = Promise.withResolvers<void>()
    const patience = this.timing.delay(patienceMillis, resolve)
    patience.keepAlive(this.alive)
    await Promise.race([direct.answered, promise])
    patience.cancel()
  }

  private launch(job: SpoolJob): SpoolDirect {
    const direct = new SpoolDirect(job, job.rest())
    // Known before it begins: what runs inside may log, and drain.
    this.direct = direct
    direct.answered = this.send(direct)
    return direct
  }

  private async send(direct: SpoolDirect): Promise<void> {
    const answer = await this.destination.send(direct.batch, false, this.signal)
    // A line that is being written is one of those that the answer is for.
    await this.keeping
    if (this.direct !== direct) return
    this.direct = undefined
    direct.landed(answer, this.store)
    this.replay.wake()
  }

  /** Writes the rest into files. What the disk does not take is told. */
  private async keep(job: SpoolJob): Promise<void> {
    const turn = this.turn
    try {
      for (let line = this.lineOf(job); line !== undefined; line = this.lineOf(job)) {
        await this.store.write(line, (kept) => this.took(job, kept))
        // The answer has come meanwhile, or somebody else goes on.
        if (turn !== this.turn) return
      }
    } catch (error) {
      if (turn === this.turn) this.refused(error)
    }
    this.replay.wake()
  }

  /** The same now. Returns whether all is settled. */
  private keepNow(job: SpoolJob): boolean {
    try {
      this.store.settleSync()
      for (let line = this.lineOf(job); line !== undefined; line = this.lineOf(job)) {
        this.store.writeSync(line, (kept) => this.took(job, kept))
      }
    } catch (error) {
      this.refused(error)
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
        `a record for ${this.destination.exporter.name} is longer than a line of the spool`,
      )
    }
    return undefined
  }

  private took(job: SpoolJob, kept: SpoolPosition): void {
    this.isFull = false
    this.refusedUntil = -Infinity
    job.kept(kept)
    if (this.direct?.job === job) this.direct.kept.push(kept)
  }

  private refused(error: unknown): void {
    this.isFull = true
    this.refusedUntil = this.host.monotonic() + pauseMillis
    this.report(
      'SLUICE_SPOOL_FAILED',
      `the spool cannot write (${errorCode(error)}); what comes goes to the destination only`,
    )
  }

  /** A moment for the disk, or the destination, to come back. */
  private rest(): Promise<void> {
    return new Promise((resolve) => {
      this.pause = this.timing.delay(pauseMillis, resolve)
      this.pause.keepAlive(this.alive)
    })
  }

  private end(job: SpoolJob): ExportResult {
    this.job = undefined
    this.signal = undefined
    // The destination may go on with it, and the queue takes its bytes back.
    if (this.direct?.job === job) job.detach()
    const result = job.result()
    job.resolve?.(result)
    return result
  }

  private async within(millis: number, done: Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const limit = this.timing.delay(millis, resolve)
    limit.keepAlive(true)
    await Promise.race([done, promise])
    limit.cancel()
  }

  private scheduleBeat(): void {
    this.beat = this.timing.delay(beatMillis, () => {
      this.store.beat()
      if (++this.beats % beatsPerLook === 0) this.store.adopt()
      this.replay.wake()
      this.scheduleBeat()
    })
  }

  private report(code: string, message: string): void {
    this.host.reportDiagnostic(code, message)
  }
}
