import type { EncodedBatch, Exporter, ExportResult } from './exporter.ts'
import type { PipelineHost } from './host.ts'
import { ignoreRejection } from '../options/observe-promise.ts'
import { member, withoutPrototype } from '../options/own-members.ts'
import { parseResult } from './outcome.ts'

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
 * exports have a timeout, and a result that arrives after the batch was counted is ignored.
 */
export class GuardedExporter {
  private readonly exporter: Exporter
  private readonly host: PipelineHost
  private readonly keepsProcessAlive: boolean
  private readonly onResult: (result: ExportResult | undefined) => void
  private inFlight: InFlightExport | undefined
  /** An export that is still pending although its batch was counted. No other batch may be exported until it completes. */
  private abandonedExport: InFlightExport | undefined

  /**
   * @param keepsProcessAlive - whether the process must stay alive for the timeout of an export
   * @param onResult - called with the result when a promise of `export` settles or the timeout ends the wait for it; called with
   * undefined when a promise settles whose batch is already counted
   */
  constructor(
    exporter: Exporter,
    host: PipelineHost,
    keepsProcessAlive: boolean,
    onResult: GuardedExporter['onResult'],
  ) {
    this.exporter = exporter
    this.host = host
    this.keepsProcessAlive = keepsProcessAlive
    this.onResult = onResult
  }

  /** Whether the exporter has a batch that is not counted yet. */
  get hasBatchInFlight(): boolean {
    return this.inFlight !== undefined
  }

  /** Whether another batch may be exported. No `export` is called while another is pending. */
  get canStartExport(): boolean {
    return this.inFlight === undefined && this.abandonedExport === undefined
  }

  /** Exports a batch. Returns the result, or undefined if `onResult` receives it later or the batch was counted during the call. */
  export(batch: EncodedBatch): ExportResult | undefined {
    const timeout = this.exporter.delivery.exportTimeoutMillis ?? 0
    const controller = timeout > 0 ? new AbortController() : undefined
    const flight: InFlightExport = { batch, controller, isPending: true, isReplaced: false, cancelTimeout: undefined }
    this.inFlight = flight
    let returned: unknown
    try {
      returned = attributeWorkToExporter(this.host, () => this.exporter.export(batch, controller?.signal))
      if (isThenable(returned)) {
        this.awaitResult(flight, returned)
        if (flight === this.inFlight && timeout > 0) this.startTimeout(flight, timeout)
        return undefined
      }
    } catch (error) {
      returned = this.reportFailure(`threw ${errorName(error)}`)
    }
    flight.isPending = false
    const result = this.checkResult(returned)
    // The diagnostic callback may have drained the pipeline.
    return flight === this.inFlight ? result : undefined
  }

  /**
   * Exports a batch without the event loop. If `exportSync` throws or returns an invalid result while an `export` is pending, the
   * batch waits for the result of that `export`, unless this is the last attempt (`final`).
   */
  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    let cause = returnedInvalidResult
    try {
      const returned = this.exporter.exportSync!(batch, deadline, final)
      ignoreRejection(returned)
      const result = parseResult(returned)
      if (result !== undefined) {
        // After `retryable`, a pending `export` continues, and only it can return the result.
        if (this.inFlight !== undefined) this.inFlight.isReplaced = final || result.status !== 'retryable'
        return result
      }
    } catch (error) {
      cause = `threw ${errorName(error)}`
    }
    const result = this.reportFailure(cause)
    // While an `export` is pending, `retryable` means that the caller continues to wait for its result.
    return this.hasBatchInFlight ? (final ? unknownResult : notSentResult) : result
  }

  /** Ends the current export, because its batch is being counted. Returns whether the exporter no longer uses the bytes of the batch. */
  endExport(): boolean {
    const { inFlight } = this
    inFlight?.cancelTimeout?.()
    this.inFlight = undefined
    if (inFlight?.isPending !== true) return true
    if (!inFlight.isReplaced) this.abandonedExport = inFlight
    return false
  }

  /** Aborts the signal of the pending `export`. Returns the result so far, for a caller that no longer waits. */
  abandon(): ExportResult {
    const { inFlight } = this
    try {
      return parseResult(this.exporter.abandon?.()) ?? unknownResult
    } catch {
      return unknownResult
    } finally {
      inFlight?.controller?.abort()
    }
  }

  private awaitResult(flight: InFlightExport, returned: unknown): void {
    const onResult = (result: ExportResult) => {
      flight.isPending = false
      if (flight === this.abandonedExport) this.abandonedExport = undefined
      this.onResult(flight === this.inFlight ? result : undefined)
    }
    Promise.resolve(returned).then(
      (result) => onResult(this.checkResult(result)),
      (error: unknown) => onResult(this.reportFailure(`rejected with ${errorName(error)}`)),
    )
  }

  /**
   * Aborts the signal after the timeout. If the export still does not complete, its batch counts as unknown, and no other batch is
   * exported until it completes, because exports must not overlap. If the exporter has `exportSync`, the batch does not count as
   * unknown then: `exportSync` can return its result, at the latest when the process exits.
   */
  private startTimeout(flight: InFlightExport, timeout: number): void {
    this.runAfter(flight, timeout, () => {
      this.runAfter(flight, abortGraceMillis, () => this.giveUp())
      flight.controller?.abort()
      this.host.reportDiagnostic(
        'SLUICE_EXPORT_TIMEOUT',
        `${this.exporter.name} returned no result within ${timeout} ms`,
      )
    })
  }

  /** Runs an action after a delay, unless the batch is counted before. */
  private runAfter(flight: InFlightExport, millis: number, action: () => void): void {
    const timer = this.host.delay(millis, () => flight === this.inFlight && action())
    timer.keepAlive(this.keepsProcessAlive)
    flight.cancelTimeout = () => timer.cancel()
  }

  private giveUp(): void {
    if (this.exporter.exportSync === undefined) this.onResult(unknownResult)
  }

  /** Returns the result of an exporter. An invalid one is reported, and counts as `rejected`. */
  private checkResult(returned: unknown): ExportResult {
    return parseResult(returned) ?? this.reportFailure(returnedInvalidResult)
  }

  /** Reports an exporter that returned no valid result. Returns the result to count instead. */
  private reportFailure(cause: string): ExportResult {
    this.host.reportDiagnostic(
      'SLUICE_EXPORT_FAILED',
      `${this.exporter.name} ${cause}; exporters must return a result for each batch`,
    )
    return withoutPrototype<ExportResult>({ status: 'rejected', accepted: 0, reason: 'io_error' })
  }
}

/** Calls a function of an exporter, and attributes the timers, sockets and other work that it starts to exporters; see `WorkOwner`. */
export function attributeWorkToExporter<T>(host: PipelineHost, call: () => T): T {
  return host.attributeWorkTo('exporter', call)
}

/** How long an exporter may take to complete after its signal was aborted, in ms. */
const abortGraceMillis = 1_000

const returnedInvalidResult = 'returned an invalid result'
/** The result of a batch that may have arrived: its export has not completed, or its result is not known. */
export const unknownResult: ExportResult = withoutPrototype<ExportResult>({ status: 'unknown', accepted: 0 })
/** The result of a batch that was not sent. */
export const notSentResult: ExportResult = withoutPrototype<ExportResult>({ status: 'retryable', accepted: 0 })

/** Returns whether a value is a promise or another thenable. */
export function isThenable<T>(returned: T | PromiseLike<T>): returned is PromiseLike<T> {
  if (typeof returned !== 'object' || returned === null) return false
  return typeof member(returned as { then?: unknown }, 'then') === 'function'
}

/** Returns the name of a thrown error. Its message is not used, because it can contain anything. */
function errorName(error: unknown): string {
  try {
    const name = error instanceof Error ? error.name : typeof error
    return /^\w{1,64}$/.test(name) ? name : 'Error'
  } catch {
    return 'Error'
  }
}
