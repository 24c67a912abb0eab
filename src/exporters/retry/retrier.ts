import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import { isThenable, noneKnown, noneTaken } from '../../pipeline/guarded-exporter.ts'
import { resultOf } from '../../pipeline/outcome.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { RetryJob } from './job.ts'
import { RetryPace } from './pace.ts'
import type { RetryOptions, RetryTiming } from './retrying.ts'
import { ownCopy } from '../../options/own-members.ts'
import { onAbort } from '../../record/on-abort.ts'

/** What an exporter of ours answers when it has not tried at all, as this very object: no reason to wait. */
export const notAttempted: ExportResult = Object.freeze(ownCopy<ExportResult>({ status: 'retryable', accepted: 0 }))

/**
 * Tries batches until their time is over; see `retry`.
 *
 * Invariant: a job that is not with the exporter waits for its time, or for the pipeline to bring its batch again.
 */
export class Retrier {
  private readonly exporter: Exporter
  private readonly timing: RetryTiming
  private readonly maxElapsed: number
  private readonly least: number
  private readonly pace: RetryPace
  private host!: ExporterHost
  private job: RetryJob | undefined
  private signal: AbortSignal | undefined
  private wait: Delay | undefined
  /** The exporter's `export` has not answered. */
  private sending = false
  private alive = false

  constructor(exporter: Exporter, options: RetryOptions, timing: RetryTiming) {
    const { initialDelayMillis = 1_000, maxDelayMillis = 10_000, maxElapsedMillis = 120_000 } = ownCopy(options)
    this.exporter = exporter
    this.timing = timing
    this.maxElapsed = maxElapsedMillis
    this.least = initialDelayMillis
    this.pace = new RetryPace(initialDelayMillis, Math.max(initialDelayMillis, maxDelayMillis), timing.random)
  }

  start(host: ExporterHost): void {
    this.host = host
    this.exporter.start?.(host)
  }

  export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | Promise<ExportResult> {
    const job = this.jobOf(batch)
    this.signal = signal
    onAbort(signal, this.aborted)
    // What was answered at once is said at once: until a promise of it is seen, the pipeline could bring the batch again.
    const now: { result: ExportResult | undefined } = { result: undefined }
    const promise = new Promise<ExportResult>((resolve, reject) => {
      job.resolve = (result) => {
        now.result = result
        resolve(result)
      }
      job.reject = (error) => {
        job.resolve = undefined
        reject(error)
      }
      this.goOn(job)
    })
    return now.result ?? promise
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    const job = this.jobOf(batch)
    const now = this.host.monotonic()
    // Nobody is asked again before its time but at the end, when there is no other time.
    if (!final && (deadline <= now || this.pace.notBefore > now)) return { status: 'retryable', accepted: job.done }
    const answer = this.exporter.exportSync!(job.rest, deadline, final)
    const result = readable(answer)
    if (result === undefined) return answer
    // The exporter goes on in the event loop with what it has; its answer there counts from the same front.
    if (this.sending && !final && result.status === 'retryable') return { status: 'retryable', accepted: job.done }
    this.sending = false
    job.attempts++
    this.note(job, result)
    if (job.isDone(result)) return this.end(job, job.finished(result))
    if (final) return this.end(job, job.isOutcomeUnknown ? job.exhausted() : job.finished(result))
    if (job.resolve !== undefined) this.goOn(job)
    return { status: 'retryable', accepted: job.done }
  }

  /** What is known of a batch between two tries is what its tries have answered: a refused connection took nothing. */
  abandon(): ExportResult {
    const { job } = this
    if (job === undefined) return noneKnown
    let result = noneTaken
    if (this.sending) {
      result = readable(this.exporter.abandon?.() as ExportResult) ?? noneKnown
      job.note(result)
    }
    return this.end(job, job.isOutcomeUnknown ? job.exhausted() : job.finished(result))
  }

  keepAlive(alive: boolean): void {
    this.alive = alive
    this.wait?.keepAlive(alive)
    this.exporter.keepAlive?.(alive)
  }

  async shutdown(): Promise<void> {
    const { job } = this
    if (job !== undefined) this.end(job, job.exhausted())
    await this.exporter.shutdown?.()
  }

  /** The pipeline brings a batch that was tried without the event loop again, as the same object. */
  private jobOf(batch: EncodedBatch): RetryJob {
    if (this.job?.batch !== batch) this.job = new RetryJob(batch, this.host.monotonic() + this.maxElapsed)
    return this.job
  }

  private goOn(job: RetryJob): void {
    const now = this.host.monotonic()
    const left = job.deadline - now
    // A try at the very end of the time would come too soon after the last one; but each batch has one.
    const isLate = left < this.least / 2
    if (this.signal?.aborted === true && job.attempts > 0) return this.giveUp(job)
    if (this.pace.notBefore <= now || (isLate && job.attempts === 0)) return this.send(job)
    if (isLate) return this.giveUp(job)
    this.wait?.cancel()
    this.wait = this.timing.delay(Math.min(this.pace.notBefore - now, left), () => {
      this.wait = undefined
      this.send(job)
    })
    this.wait.keepAlive(this.alive)
  }

  private send(job: RetryJob): void {
    const attempt = ++job.attempts
    this.sending = true
    let answer: ExportResult | PromiseLike<ExportResult>
    try {
      answer = this.exporter.export(job.rest, this.signal)
    } catch (error) {
      return this.failed(job, attempt, error)
    }
    if (!isThenable(answer)) return this.answered(job, attempt, answer)
    Promise.resolve(answer).then(
      (result) => this.answered(job, attempt, result),
      (error: unknown) => this.failed(job, attempt, error),
    )
  }

  private answered(job: RetryJob, attempt: number, answer: ExportResult): void {
    if (job !== this.job || attempt !== job.attempts) return
    this.sending = false
    // An answer that is none is for the pipeline to tell, and to count.
    const result = readable(answer)
    if (result === undefined) return void this.end(job, answer)
    this.note(job, result)
    if (job.isDone(result)) this.end(job, job.finished(result))
    else if (this.signal?.aborted === true) this.giveUp(job)
    else this.goOn(job)
  }

  /** It broke its contract: the pipeline tells that, and counts. */
  private failed(job: RetryJob, attempt: number, error: unknown): void {
    if (job !== this.job || attempt !== job.attempts) return
    job.reject?.(error)
    this.end(job, job.exhausted())
  }

  private note(job: RetryJob, result: ExportResult): void {
    job.note(result)
    if (result === notAttempted) return
    if (result.status === 'retryable') this.pace.failed(this.host.monotonic(), result.retryAfterMillis)
    else if (result.status === 'unknown') this.pace.failed(this.host.monotonic(), undefined)
    else this.pace.answered()
  }

  private readonly aborted = (): void => {
    const { job } = this
    // What is with the exporter is answered by the exporter, which was told as well.
    if (job !== undefined && this.wait !== undefined) this.giveUp(job)
  }

  private giveUp(job: RetryJob): void {
    const { name } = this.exporter
    const records = job.batch.count - job.done
    const fate = job.isOutcomeUnknown ? 'may have arrived' : 'are lost'
    this.end(job, job.exhausted())
    this.host.reportDiagnostic(
      'SLUICE_RETRY_EXHAUSTED',
      `${name} was tried as long as it may be; ${records} records ${fate}`,
    )
  }

  private end(job: RetryJob, result: ExportResult): ExportResult {
    this.job = undefined
    this.sending = false
    this.wait?.cancel()
    this.wait = undefined
    this.signal?.removeEventListener('abort', this.aborted)
    this.signal = undefined
    job.resolve?.(result)
    return result
  }
}

/** An answer, read once; undefined where it is none. */
function readable(answer: ExportResult): ExportResult | undefined {
  return answer === notAttempted ? notAttempted : resultOf(answer)
}
