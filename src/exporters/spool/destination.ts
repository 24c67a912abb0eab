import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import { parseResult } from '../../pipeline/outcome.ts'
import { RetryPace } from '../retry/pace.ts'
import { notAttempted } from '../retry/retrier.ts'
import type { RetryOptions, RetryTiming } from '../retry/retry-options.ts'
import { onAbort } from '../../record/on-abort.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { unknownResult } from '../../pipeline/guarded-exporter.ts'

/** The destination's result for a batch. */
export interface DestinationResult {
  /** How many records from the front are settled. */
  readonly settled: number
  /** How many of the settled records were rejected permanently, except as too large. */
  readonly rejected: number
  /** How many of the settled records were rejected as too large. */
  readonly tooLarge: number
  /** Whether the destination may have accepted the remaining records without acknowledging them. */
  readonly isOutcomeUnknown: boolean
  /** How many records the exporter itself may have sent twice. */
  readonly maybeDuplicated: number
  readonly statusCode: number | undefined
  /** Whether the exporter threw, returned an invalid result, or lost the rest for a reason of its own, such as `io_error`. */
  readonly isExporterFailure: boolean
}

/** The exporter to which a spool sends its records, with the schedule of the retries. It has one batch at a time. */
export class SpoolDestination {
  readonly exporter: Exporter
  private readonly pace: RetryPace
  private readonly timing: RetryTiming
  private host: ExporterHost | undefined
  private keepsProcessAlive = false
  /** Whether the batch in flight is from a file. */
  private isReplay = false
  /** Aborts the batch in flight; undefined if no batch is in flight. */
  private controller: AbortController | undefined

  constructor(exporter: Exporter, retry: RetryOptions, timing: RetryTiming) {
    const { initialDelayMillis = 1_000, maxDelayMillis = 10_000 } = withoutPrototype(retry)
    this.exporter = exporter
    this.timing = timing
    this.pace = new RetryPace(initialDelayMillis, Math.max(initialDelayMillis, maxDelayMillis), timing.random)
  }

  start(host: ExporterHost): void {
    this.host = host
    // In the getter below, `this` is another object.
    const isReplaying = (): boolean => this.isReplay
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
      return this.interpretResult(batch, await this.exporter.export(batch, controller.signal))
    } catch {
      return this.interpretResult(batch, undefined)
    } finally {
      timer?.cancel()
      signal?.removeEventListener('abort', abort)
      this.controller = undefined
      this.isReplay = false
    }
  }

  /** Sends a batch synchronously. Never throws. */
  sendSync(batch: EncodedBatch, deadline: number): DestinationResult {
    if (this.exporter.exportSync === undefined) return this.interpretResult(batch, notAttempted)
    return this.finishSync(batch, deadline)
  }

  /**
   * Ends an export without the event loop, at process exit: if the batch is in flight, returns its result so far; otherwise
   * sends it. Both may take until `deadline`. Afterwards the exporter has no batch. Without `exportSync`, the result is unknown.
   */
  finishSync(batch: EncodedBatch, deadline: number): DestinationResult {
    let result: ExportResult | undefined
    try {
      result = this.exporter.exportSync?.(batch, deadline, true) ?? unknownResult
    } catch {
      // `interpretResult` reports it like an invalid result.
    }
    return this.interpretResult(batch, result)
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

  /** Converts what the exporter returned, undefined if it threw. After a failure, schedules the next attempt. */
  private interpretResult(batch: EncodedBatch, returned: unknown): DestinationResult {
    const now = this.now()
    const result = returned === notAttempted ? notAttempted : parseResult(returned)
    if (result === undefined) {
      this.pace.recordFailure(now, undefined)
      this.report('SLUICE_EXPORT_FAILED', `${this.exporter.name} threw or returned an invalid result for a batch`)
      return destinationResult(0, { isExporterFailure: true })
    }
    const { refused = [], maybeDuplicated = 0, statusCode } = result
    const sum = (reason: string): number =>
      refused.reduce((total, part) => total + (part.reason === reason ? part.records : 0), 0)
    const details = { rejected: sum('rejected'), tooLarge: sum('too_large'), maybeDuplicated, statusCode }
    if (result.status === 'accepted') {
      this.pace.reset()
      return destinationResult(batch.count, details)
    }
    const settled = Math.max(0, Math.min(batch.count, Math.floor(result.accepted) || 0))
    if (result.status === 'rejected' && result.reason === 'rejected') {
      this.pace.reset()
      return destinationResult(batch.count, { ...details, rejected: details.rejected + batch.count - settled })
    }
    if (result !== notAttempted) {
      this.pace.recordFailure(now, result.status === 'retryable' ? result.retryAfterMillis : undefined)
    }
    return destinationResult(settled, {
      ...details,
      isOutcomeUnknown: result.status === 'unknown',
      isExporterFailure: result.status === 'rejected',
    })
  }
}

/** Completes a result with default values. */
function destinationResult(settled: number, details: Partial<DestinationResult>): DestinationResult {
  return {
    rejected: 0,
    tooLarge: 0,
    isOutcomeUnknown: false,
    maybeDuplicated: 0,
    statusCode: undefined,
    isExporterFailure: false,
    ...withoutPrototype(details),
    settled,
  }
}
