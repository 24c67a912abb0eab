import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import { resultOf } from '../../pipeline/outcome.ts'
import { RetryPace } from '../retry/pace.ts'
import { notAttempted } from '../retry/retrier.ts'
import type { RetryOptions, RetryTiming } from '../retry/retry-options.ts'
import { onAbort } from '../../record/on-abort.ts'
import { ownCopy } from '../../options/own-members.ts'
import { unknownResult } from '../../pipeline/guarded-exporter.ts'

/** The destination's result for a batch. */
export interface DestinationResult {
  /** How many records from the front are settled. */
  readonly settled: number
  /** How many of the settled records were rejected permanently, and how many as too large. */
  readonly rejected: number
  readonly tooLarge: number
  /** Whether the destination may have accepted the remaining records without acknowledging them. */
  readonly inDoubt: boolean
  /** How many records the exporter itself may have sent twice. */
  readonly maybeDuplicated: number
  readonly statusCode: number | undefined
  /** Whether the exporter threw, or rejected the rest permanently without a response from the server. */
  readonly failed: boolean
}

/** The exporter of a spool, and the schedule of its retries. It has one batch at a time. */
export class SpoolDestination {
  readonly exporter: Exporter
  private readonly pace: RetryPace
  private readonly timing: RetryTiming
  private host: ExporterHost | undefined
  private keepsProcessAlive = false
  private isReplay = false
  private controller: AbortController | undefined

  constructor(exporter: Exporter, retry: RetryOptions, timing: RetryTiming) {
    const { initialDelayMillis = 1_000, maxDelayMillis = 10_000 } = ownCopy(retry)
    this.exporter = exporter
    this.timing = timing
    this.pace = new RetryPace(initialDelayMillis, Math.max(initialDelayMillis, maxDelayMillis), timing.random)
  }

  start(host: ExporterHost): void {
    this.host = host
    const { isReplaying } = this
    this.exporter.start?.({
      reportDiagnostic: (code, message) => host.reportDiagnostic(code, message),
      monotonic: () => host.monotonic(),
      // Records that are safe in a file do not delay the exit.
      get exitTimeoutMillis() {
        return isReplaying() ? 0 : host.exitTimeoutMillis
      },
    })
  }

  /** Reports a diagnostic, if there is a host. */
  report(code: string, message: string): void {
    this.host?.reportDiagnostic(code, message)
  }

  /** Whether the exporter has a batch in flight. */
  get isBusy(): boolean {
    return this.controller !== undefined
  }

  /** How long to wait before the next attempt, in ms. */
  get waitMillis(): number {
    return Math.max(0, this.pace.notBefore - this.now())
  }

  /** Sends a batch. Never rejects. */
  async send(batch: EncodedBatch, isReplay: boolean, signal?: AbortSignal): Promise<DestinationResult> {
    const controller = new AbortController()
    const abort = (): void => controller.abort()
    const { exportTimeoutMillis = 0 } = this.exporter.delivery
    const timer = exportTimeoutMillis > 0 ? this.timing.delay(exportTimeoutMillis, abort) : undefined
    onAbort(signal, abort)
    this.controller = controller
    this.isReplay = isReplay
    try {
      this.exporter.keepAlive?.(!isReplay && this.keepsProcessAlive)
      return this.recordResult(batch, await this.exporter.export(batch, controller.signal))
    } catch {
      return this.recordResult(batch, undefined)
    } finally {
      timer?.cancel()
      signal?.removeEventListener('abort', abort)
      this.controller = undefined
      this.isReplay = false
    }
  }

  /** Sends a batch synchronously. Never throws. */
  sendSync(batch: EncodedBatch, deadline: number): DestinationResult {
    if (this.exporter.exportSync === undefined) return this.recordResult(batch, notAttempted)
    return this.recall(batch, deadline)
  }

  /**
   * Gets the result of a batch in flight, or sends it until `deadline`. Afterwards the exporter has no batch. Without
   * `exportSync`, the result is unknown.
   */
  recall(batch: EncodedBatch, deadline: number): DestinationResult {
    let result: ExportResult | undefined
    try {
      result = this.exporter.exportSync?.(batch, deadline, true) ?? unknownResult
    } catch {
      // It is reported as an invalid result.
    }
    return this.recordResult(batch, result)
  }

  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    if (!this.isReplay) this.exporter.keepAlive?.(keepsProcessAlive)
  }

  /** Aborts the batch in flight. */
  abort(): void {
    this.controller?.abort()
  }

  private now(): number {
    return this.host?.monotonic() ?? 0
  }

  private readonly isReplaying = (): boolean => this.isReplay

  private recordResult(batch: EncodedBatch, given: unknown): DestinationResult {
    const now = this.now()
    const result = given === notAttempted ? notAttempted : resultOf(given)
    if (result === undefined) {
      this.pace.failed(now, undefined)
      this.report('SLUICE_EXPORT_FAILED', `${this.exporter.name} threw or returned an invalid result for a batch`)
      return answer(0, { failed: true })
    }
    const { refused = [], maybeDuplicated = 0, statusCode } = result
    const sum = (reason: string): number =>
      refused.reduce((all, part) => all + (part.reason === reason ? part.records : 0), 0)
    const details = { rejected: sum('rejected'), tooLarge: sum('too_large'), maybeDuplicated, statusCode }
    if (result.status === 'accepted') {
      this.pace.answered()
      return answer(batch.count, details)
    }
    const settled = Math.max(0, Math.min(batch.count, Math.floor(result.accepted) || 0))
    if (result.status === 'rejected' && result.reason === 'rejected') {
      this.pace.answered()
      return answer(batch.count, { ...details, rejected: details.rejected + batch.count - settled })
    }
    if (result !== notAttempted) {
      this.pace.failed(now, result.status === 'retryable' ? result.retryAfterMillis : undefined)
    }
    return answer(settled, { ...details, inDoubt: result.status === 'unknown', failed: result.status === 'rejected' })
  }
}

function answer(settled: number, given: Partial<DestinationResult>): DestinationResult {
  const details = ownCopy(given)
  const refused = (details.rejected ?? 0) + (details.tooLarge ?? 0)
  return {
    rejected: 0,
    tooLarge: 0,
    inDoubt: false,
    maybeDuplicated: 0,
    statusCode: undefined,
    failed: false,
    ...details,
    // An exporter may return any numbers.
    settled: Math.max(settled, Math.min(refused, settled)),
  }
}
