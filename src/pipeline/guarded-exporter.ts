import type { EncodedBatch, Exporter, ExportResult } from './exporter.ts'
import type { PipelineHost } from './host.ts'
import { ignoreRejection } from '../options/observe-promise.ts'
import { member, ownCopy } from '../options/own-members.ts'
import { resultOf } from './outcome.ts'

/** A batch that is being exported. */
interface InFlightExport {
  readonly batch: EncodedBatch
  readonly controller: AbortController | undefined
  /** Whether `export` has not completed. Until then it may read the batch. */
  isPending: boolean
  /** Whether `exportSync` has returned the result instead. */
  isReplaced: boolean
  cancelTimeout: (() => void) | undefined
}

/**
 * The guard around an exporter, which can be user code. Exceptions, rejections and invalid results become an `ExportResult`,
 * exports have a timeout, and a result that arrives after the batch was settled is ignored.
 */
export class GuardedExporter {
  private readonly exporter: Exporter
  private readonly host: PipelineHost
  private readonly keepsAlive: boolean
  private readonly onResult: (result: ExportResult | undefined) => void
  private flight: InFlightExport | undefined
  /** A batch that was counted although its `export` is pending and only `export` can complete it. */
  private abandoned: InFlightExport | undefined

  /**
   * @param keepsAlive - whether the process must stay alive until a batch is given up
   * @param onResult - called with results that arrive later, or with undefined if the batch is already counted
   */
  constructor(exporter: Exporter, host: PipelineHost, keepsAlive: boolean, onResult: GuardedExporter['onResult']) {
    this.exporter = exporter
    this.host = host
    this.keepsAlive = keepsAlive
    this.onResult = onResult
  }

  /** Whether the exporter has a batch that is not counted yet. */
  get isBusy(): boolean {
    return this.flight !== undefined
  }

  /** Whether another batch may be exported: exports never overlap (PRO6). */
  get isFree(): boolean {
    return this.flight === undefined && this.abandoned === undefined
  }

  /** Exports a batch. Returns the result, or undefined if it arrives later or the batch was settled during the call. */
  export(batch: EncodedBatch): ExportResult | undefined {
    const timeout = this.exporter.delivery.exportTimeoutMillis ?? 0
    const controller = timeout > 0 ? new AbortController() : undefined
    const flight: InFlightExport = { batch, controller, isPending: true, isReplaced: false, cancelTimeout: undefined }
    this.flight = flight
    let returned: unknown
    try {
      returned = runAsExporter(this.host, () => this.exporter.export(batch, controller?.signal))
      if (isThenable(returned)) {
        this.await(flight, returned)
        if (flight === this.flight && timeout > 0) this.watch(flight, timeout)
        return undefined
      }
    } catch (error) {
      returned = this.failed(`threw ${nameOf(error)}`)
    }
    flight.isPending = false
    const result = this.checked(returned)
    // The diagnostic callback may have drained the pipeline.
    return flight === this.flight ? result : undefined
  }

  /**
   * Exports a batch without the event loop. If that fails while an `export` is pending, the batch waits for its result, unless
   * `final` is set.
   */
  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    let cause = invalidResult
    try {
      const returned = this.exporter.exportSync!(batch, deadline, final)
      ignoreRejection(returned)
      const result = resultOf(returned)
      if (result !== undefined) {
        // A retryable batch is exported again, so it has no result yet.
        if (this.flight !== undefined) this.flight.isReplaced = final || result.status !== 'retryable'
        return result
      }
    } catch (error) {
      cause = `threw ${nameOf(error)}`
    }
    const result = this.failed(cause)
    return this.isBusy ? (final ? unknownResult : notSentResult) : result
  }

  /** Marks the batch as counted. Returns whether the exporter no longer uses its bytes. */
  settled(): boolean {
    const { flight } = this
    flight?.cancelTimeout?.()
    this.flight = undefined
    if (flight?.isPending !== true) return true
    if (!flight.isReplaced) this.abandoned = flight
    return false
  }

  /** Stops waiting for the exporter's result, and aborts its signal. Returns the result so far. */
  abandon(): ExportResult {
    const { flight } = this
    try {
      return resultOf(this.exporter.abandon?.()) ?? unknownResult
    } catch {
      return unknownResult
    } finally {
      flight?.controller?.abort()
    }
  }

  private await(flight: InFlightExport, returned: unknown): void {
    const onResult = (result: ExportResult) => {
      flight.isPending = false
      if (flight === this.abandoned) this.abandoned = undefined
      this.onResult(flight === this.flight ? result : undefined)
    }
    Promise.resolve(returned).then(
      (result) => onResult(this.checked(result)),
      (error: unknown) => onResult(this.failed(`rejected with ${nameOf(error)}`)),
    )
  }

  /**
   * Aborts the signal after the timeout. An exporter that still does not complete is given up: its batch counts as unknown, and
   * no other batch is exported until it completes, because exports must not overlap. For an exporter with `exportSync` the batch
   * is not given up: `exportSync` can return its result, at the latest when the process exits.
   */
  private watch(flight: InFlightExport, timeout: number): void {
    this.after(flight, timeout, () => {
      this.after(flight, abortedMillis, () => this.giveUp())
      flight.controller?.abort()
      this.host.reportDiagnostic(
        'SLUICE_EXPORT_TIMEOUT',
        `${this.exporter.name} returned no result within ${timeout} ms`,
      )
    })
  }

  private after(flight: InFlightExport, millis: number, action: () => void): void {
    const timer = this.host.delay(millis, () => flight === this.flight && action())
    timer.keepAlive(this.keepsAlive)
    flight.cancelTimeout = () => timer.cancel()
  }

  private giveUp(): void {
    if (this.exporter.exportSync === undefined) this.onResult(unknownResult)
  }

  private checked(returned: unknown): ExportResult {
    return resultOf(returned) ?? this.failed(invalidResult)
  }

  private failed(cause: string): ExportResult {
    this.host.reportDiagnostic(
      'SLUICE_EXPORT_FAILED',
      `${this.exporter.name} ${cause}; exporters must return a result for each batch`,
    )
    return ownCopy<ExportResult>({ status: 'rejected', accepted: 0, reason: 'io_error' })
  }
}

/** Calls a function of an exporter, and attributes its work to exporters. */
export function runAsExporter<T>(host: PipelineHost, call: () => T): T {
  return host.runAs('exporter', call)
}

/** How long an exporter may take to complete after its signal was aborted, in ms. */
const abortedMillis = 1_000

const invalidResult = 'returned an invalid result'
/** The result of a batch whose export has not completed. */
export const unknownResult: ExportResult = ownCopy<ExportResult>({ status: 'unknown', accepted: 0 })
/** The result of a batch that was not sent. */
export const notSentResult: ExportResult = ownCopy<ExportResult>({ status: 'retryable', accepted: 0 })

/** Returns whether a value is a promise or another thenable. */
export function isThenable<T>(returned: T | PromiseLike<T>): returned is PromiseLike<T> {
  if (typeof returned !== 'object' || returned === null) return false
  return typeof member(returned as { then?: unknown }, 'then') === 'function'
}

/** Returns the name of a thrown error. Its message is not used, because it can contain anything. */
function nameOf(error: unknown): string {
  try {
    const name = error instanceof Error ? error.name : typeof error
    return /^\w{1,64}$/.test(name) ? name : 'Error'
  } catch {
    return 'Error'
  }
}
