import { counted, isOrAre } from '../../options/counted.ts'
import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import { isThenable, unknownResult, notSentResult } from '../../pipeline/guarded-exporter.ts'
import { parseResult } from '../../pipeline/outcome.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { RetryJob } from './job.ts'
import { RetryPace } from './pace.ts'
import type { RetryOptions, RetryTiming } from './retry-options.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { onAbort } from '../../record/on-abort.ts'

/**
 * The result that exporters of this package return if they made no attempt. It is compared by identity, and does not change the retry
 * delay.
 */
export const notAttempted: ExportResult = Object.freeze(
  withoutPrototype<ExportResult>({ status: 'retryable', accepted: 0 }),
)

/**
 * Exports batches repeatedly until their time limit; see `retry`.
 *
 * Invariant: a job that is not with the exporter waits for the retry timer, or for the pipeline to export its batch again.
 */
export class Retrier {
  private readonly exporter: Exporter
  private readonly timing: RetryTiming
  private readonly maxElapsedMillis: number
  private readonly minDelayMillis: number
  private readonly pace: RetryPace
  private host!: ExporterHost
  private job: RetryJob | undefined
  private signal: AbortSignal | undefined
  private retryTimer: Delay | undefined
  /** Whether a call of the exporter's `export` is pending. */
  private isSending = false
  private keepsProcessAlive = false

  constructor(exporter: Exporter, options: RetryOptions, timing: RetryTiming) {
    const {
      initialDelayMillis = 1_000,
      maxDelayMillis = 10_000,
      maxElapsedMillis = 120_000,
    } = withoutPrototype(options)
    this.exporter = exporter
    this.timing = timing
    this.maxElapsedMillis = maxElapsedMillis
    this.minDelayMillis = initialDelayMillis
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
    // If the result is available at once, do not return a promise of it: the pipeline could export the batch again before the
    // promise settles.
    const immediate: { result: ExportResult | undefined } = { result: undefined }
    const promise = new Promise<ExportResult>((resolve, reject) => {
      job.resolve = (result) => {
        immediate.result = result
        resolve(result)
      }
      job.reject = (error) => {
        job.resolve = undefined
        reject(error)
      }
      this.scheduleNext(job)
    })
    return immediate.result ?? promise
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    const job = this.startOrResume(batch)
    const now = this.host.monotonic()
    // Make no attempt if the call must not block, or before the scheduled time. At exit, attempt it anyway: there is no later time.
    if (!final && (deadline <= now || this.pace.notBefore > now))
      return { status: 'retryable', accepted: job.settledRecords }
    const returned = this.exporter.exportSync!(job.rest, deadline, final)
    const result = readResult(returned)
    if (result === undefined) return returned
    // The pending `export` continues, and returns the result for the same `rest`.
    if (this.isSending && !final && result.status === 'retryable')
      return { status: 'retryable', accepted: job.settledRecords }
    this.isSending = false
    job.attempts++
    this.recordResult(job, result)
    if (job.isDone(result)) return this.complete(job, job.resultAfter(result))
    if (final) return this.complete(job, job.isOutcomeUnknown ? job.exhaustedResult() : job.resultAfter(result))
    if (job.resolve !== undefined) this.scheduleNext(job)
    return { status: 'retryable', accepted: job.settledRecords }
  }

  /**
   * Ends the batch with the results of its attempts so far. Remaining records count as not sent if no attempt is in progress and no
   * earlier attempt had an unknown outcome.
   */
  abandon(): ExportResult {
    const { job } = this
    if (job === undefined) return unknownResult
    let result = notSentResult
    if (this.isSending) {
      result = readResult(this.exporter.abandon?.() as ExportResult) ?? unknownResult
      job.addResult(result)
    }
    return this.complete(job, job.isOutcomeUnknown ? job.exhaustedResult() : job.resultAfter(result))
  }

  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.retryTimer?.keepAlive(keepsProcessAlive)
    this.exporter.keepAlive?.(keepsProcessAlive)
  }

  async shutdown(): Promise<void> {
    const { job } = this
    if (job !== undefined) this.complete(job, job.exhaustedResult())
    await this.exporter.shutdown?.()
  }

  /** Returns the job of a batch. If the pipeline exports the batch again, after `exportSync`, that is the same job. */
  private startOrResume(batch: EncodedBatch): RetryJob {
    if (this.job?.batch !== batch) this.job = new RetryJob(batch, this.host.monotonic() + this.maxElapsedMillis)
    return this.job
  }

  /** Makes the next attempt now or later, or gives the batch up. */
  private scheduleNext(job: RetryJob): void {
    const now = this.host.monotonic()
    const remainingMillis = job.deadline - now
    // Another attempt at the deadline would follow the last one too soon. The first attempt is always made.
    const isTooLateToRetry = remainingMillis < this.minDelayMillis / 2
    if (this.signal?.aborted === true && job.attempts > 0) return this.giveUp(job)
    if (this.pace.notBefore <= now || (isTooLateToRetry && job.attempts === 0)) return this.send(job)
    if (isTooLateToRetry) return this.giveUp(job)
    this.retryTimer?.cancel()
    this.retryTimer = this.timing.delay(Math.min(this.pace.notBefore - now, remainingMillis), () => {
      this.retryTimer = undefined
      this.send(job)
    })
    this.retryTimer.keepAlive(this.keepsProcessAlive)
  }

  private send(job: RetryJob): void {
    const attempt = ++job.attempts
    this.isSending = true
    let returned: ExportResult | PromiseLike<ExportResult>
    try {
      returned = this.exporter.export(job.rest, this.signal)
    } catch (error) {
      return this.onError(job, attempt, error)
    }
    if (!isThenable(returned)) return this.onResult(job, attempt, returned)
    Promise.resolve(returned).then(
      (result) => this.onResult(job, attempt, result),
      (error: unknown) => this.onError(job, attempt, error),
    )
  }

  private onResult(job: RetryJob, attempt: number, returned: ExportResult): void {
    if (job !== this.job || attempt !== job.attempts) return
    this.isSending = false
    // Return an invalid result to the pipeline, which reports and counts it.
    const result = readResult(returned)
    if (result === undefined) return void this.complete(job, returned)
    this.recordResult(job, result)
    if (job.isDone(result)) this.complete(job, job.resultAfter(result))
    else if (this.signal?.aborted === true) this.giveUp(job)
    else this.scheduleNext(job)
  }

  /** Passes an error of the exporter to the pipeline, which reports and counts it. */
  private onError(job: RetryJob, attempt: number, error: unknown): void {
    if (job !== this.job || attempt !== job.attempts) return
    job.reject?.(error)
    this.complete(job, job.exhaustedResult())
  }

  /** Adds a result to the job and to the schedule of retries. */
  private recordResult(job: RetryJob, result: ExportResult): void {
    job.addResult(result)
    if (result === notAttempted) return
    if (result.status === 'retryable') this.pace.recordFailure(this.host.monotonic(), result.retryAfterMillis)
    else if (result.status === 'unknown') this.pace.recordFailure(this.host.monotonic(), undefined)
    else this.pace.reset()
  }

  private readonly onAborted = (): void => {
    const { job } = this
    // While no timer is set, the exporter has the batch, and it received the same signal.
    if (job !== undefined && this.retryTimer !== undefined) this.giveUp(job)
  }

  /** Ends a batch whose retries are over, and reports it. */
  private giveUp(job: RetryJob): void {
    const { name } = this.exporter
    const records = job.batch.count - job.settledRecords
    const outcome = job.isOutcomeUnknown ? 'may have arrived' : `${isOrAre(records)} lost`
    this.complete(job, job.exhaustedResult())
    this.host.reportDiagnostic(
      'SLUICE_RETRY_EXHAUSTED',
      `${name}: stopped retrying a batch; ${counted(records, 'record')} ${outcome}`,
    )
  }

  /** Ends a batch with its result, and resolves a pending `export`. */
  private complete(job: RetryJob, result: ExportResult): ExportResult {
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

/** Returns a copy of a result, or `notAttempted` itself; undefined if the result is invalid. */
function readResult(returned: ExportResult): ExportResult | undefined {
  return returned === notAttempted ? notAttempted : parseResult(returned)
}
