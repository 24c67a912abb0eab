import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import { isThenable, unknownResult, notSentResult } from '../../pipeline/guarded-exporter.ts'
import { resultOf } from '../../pipeline/outcome.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { RetryJob } from './job.ts'
import { RetryPace } from './pace.ts'
import type { RetryOptions, RetryTiming } from './retry-options.ts'
import { ownCopy } from '../../options/own-members.ts'
import { onAbort } from '../../record/on-abort.ts'

/**
 * The result that exporters of this package return, as this same object, if they made no attempt. It does not change the retry
 * delay.
 */
export const notAttempted: ExportResult = Object.freeze(ownCopy<ExportResult>({ status: 'retryable', accepted: 0 }))

/**
 * Exports batches repeatedly until their time limit; see `retry`.
 *
 * Invariant: a job that the exporter does not have waits for its retry time, or for the pipeline to export its batch again.
 */
export class Retrier {
  private readonly exporter: Exporter
  private readonly timing: RetryTiming
  private readonly maxElapsed: number
  private readonly minDelay: number
  private readonly pace: RetryPace
  private host!: ExporterHost
  private job: RetryJob | undefined
  private signal: AbortSignal | undefined
  private retryTimer: Delay | undefined
  /** Whether the exporter's `export` has not returned its result. */
  private isSending = false
  private keepsProcessAlive = false

  constructor(exporter: Exporter, options: RetryOptions, timing: RetryTiming) {
    const { initialDelayMillis = 1_000, maxDelayMillis = 10_000, maxElapsedMillis = 120_000 } = ownCopy(options)
    this.exporter = exporter
    this.timing = timing
    this.maxElapsed = maxElapsedMillis
    this.minDelay = initialDelayMillis
    this.pace = new RetryPace(initialDelayMillis, Math.max(initialDelayMillis, maxDelayMillis), timing.random)
  }

  start(host: ExporterHost): void {
    this.host = host
    this.exporter.start?.(host)
  }

  export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | Promise<ExportResult> {
    const job = this.startOrResume(batch)
    this.signal = signal
    onAbort(signal, this.onAborted)
    // Return an immediate result synchronously. Otherwise the pipeline could export the batch again before it sees the promise
    // settle.
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
      this.scheduleNext(job)
    })
    return now.result ?? promise
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    const job = this.startOrResume(batch)
    const now = this.host.monotonic()
    // Never retry before the scheduled time, except at exit, when there is no later time.
    if (!final && (deadline <= now || this.pace.notBefore > now)) return { status: 'retryable', accepted: job.done }
    const answer = this.exporter.exportSync!(job.rest, deadline, final)
    const result = readResult(answer)
    if (result === undefined) return answer
    // The exporter continues in the event loop. Its result there counts from the same front.
    if (this.isSending && !final && result.status === 'retryable') return { status: 'retryable', accepted: job.done }
    this.isSending = false
    job.attempts++
    this.note(job, result)
    if (job.isDone(result)) return this.end(job, job.finished(result))
    if (final) return this.end(job, job.isOutcomeUnknown ? job.exhausted() : job.finished(result))
    if (job.resolve !== undefined) this.scheduleNext(job)
    return { status: 'retryable', accepted: job.done }
  }

  /** Ends the batch with the results of its attempts so far: a refused connection accepted nothing. */
  abandon(): ExportResult {
    const { job } = this
    if (job === undefined) return unknownResult
    let result = notSentResult
    if (this.isSending) {
      result = readResult(this.exporter.abandon?.() as ExportResult) ?? unknownResult
      job.note(result)
    }
    return this.end(job, job.isOutcomeUnknown ? job.exhausted() : job.finished(result))
  }

  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.retryTimer?.keepAlive(keepsProcessAlive)
    this.exporter.keepAlive?.(keepsProcessAlive)
  }

  async shutdown(): Promise<void> {
    const { job } = this
    if (job !== undefined) this.end(job, job.exhausted())
    await this.exporter.shutdown?.()
  }

  /** Returns the job of a batch. The pipeline exports a batch again as the same object after `exportSync`. */
  private startOrResume(batch: EncodedBatch): RetryJob {
    if (this.job?.batch !== batch) this.job = new RetryJob(batch, this.host.monotonic() + this.maxElapsed)
    return this.job
  }

  private scheduleNext(job: RetryJob): void {
    const now = this.host.monotonic()
    const left = job.deadline - now
    // An attempt near the deadline would follow the last one too soon, but each batch gets at least one attempt.
    const isLate = left < this.minDelay / 2
    if (this.signal?.aborted === true && job.attempts > 0) return this.exhaust(job)
    if (this.pace.notBefore <= now || (isLate && job.attempts === 0)) return this.send(job)
    if (isLate) return this.exhaust(job)
    this.retryTimer?.cancel()
    this.retryTimer = this.timing.delay(Math.min(this.pace.notBefore - now, left), () => {
      this.retryTimer = undefined
      this.send(job)
    })
    this.retryTimer.keepAlive(this.keepsProcessAlive)
  }

  private send(job: RetryJob): void {
    const attempt = ++job.attempts
    this.isSending = true
    let answer: ExportResult | PromiseLike<ExportResult>
    try {
      answer = this.exporter.export(job.rest, this.signal)
    } catch (error) {
      return this.onError(job, attempt, error)
    }
    if (!isThenable(answer)) return this.onResult(job, attempt, answer)
    Promise.resolve(answer).then(
      (result) => this.onResult(job, attempt, result),
      (error: unknown) => this.onError(job, attempt, error),
    )
  }

  private onResult(job: RetryJob, attempt: number, answer: ExportResult): void {
    if (job !== this.job || attempt !== job.attempts) return
    this.isSending = false
    // Pass an invalid result on: the pipeline reports and counts it.
    const result = readResult(answer)
    if (result === undefined) return void this.end(job, answer)
    this.note(job, result)
    if (job.isDone(result)) this.end(job, job.finished(result))
    else if (this.signal?.aborted === true) this.exhaust(job)
    else this.scheduleNext(job)
  }

  /** Handles an exporter that broke its contract by throwing or rejecting: the pipeline reports and counts it. */
  private onError(job: RetryJob, attempt: number, error: unknown): void {
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

  private readonly onAborted = (): void => {
    const { job } = this
    // A batch that the exporter has is ended by the exporter, which received the same signal.
    if (job !== undefined && this.retryTimer !== undefined) this.exhaust(job)
  }

  private exhaust(job: RetryJob): void {
    const { name } = this.exporter
    const records = job.batch.count - job.done
    const outcome = job.isOutcomeUnknown ? 'may have arrived' : 'are lost'
    this.end(job, job.exhausted())
    this.host.reportDiagnostic(
      'SLUICE_RETRY_EXHAUSTED',
      `${name}: stopped retrying a batch; ${records} records ${outcome}`,
    )
  }

  private end(job: RetryJob, result: ExportResult): ExportResult {
    this.job = undefined
    this.isSending = false
    this.retryTimer?.cancel()
    this.retryTimer = undefined
    this.signal?.removeEventListener('abort', this.onAborted)
    this.signal = undefined
    job.resolve?.(result)
    return result
  }
}

/** Reads a result once. Returns undefined if it is invalid. */
function readResult(answer: ExportResult): ExportResult | undefined {
  return answer === notAttempted ? notAttempted : resultOf(answer)
}
