import type { EncodedBatch, Exporter, ExportResult } from './exporter.ts'
import type { PipelineHost } from './host.ts'
import { disownPromise } from '../options/observe-promise.ts'
import { member, ownCopy } from '../options/own-members.ts'
import { resultOf } from './outcome.ts'

/** A batch that the exporter has. */
interface InFlightExport {
  readonly batch: EncodedBatch
  readonly controller: AbortController | undefined
  /** `export` has not answered: it may read the batch until it does. */
  unanswered: boolean
  /** `exportSync` has answered in its place. */
  replaced: boolean
  cancelTimeout: (() => void) | undefined
}

/**
 * Where batches go out. Exporters are written by users: here what they throw, reject or answer wrongly becomes a result,
 * their time is watched, and an answer that comes after the batch was settled is no answer.
 */
export class GuardedExporter {
  private readonly exporter: Exporter
  private readonly host: PipelineHost
  private readonly keepsAlive: boolean
  private readonly answered: (result: ExportResult | undefined) => void
  private flight: InFlightExport | undefined
  /** A batch that was counted although nobody but `export` can answer for it. */
  private abandoned: InFlightExport | undefined

  /**
   * `keepsAlive`: the process must not end before a batch is given up. `answered` is called for answers that come later,
   * without a result where the batch is counted already.
   */
  constructor(exporter: Exporter, host: PipelineHost, keepsAlive: boolean, answered: GuardedExporter['answered']) {
    this.exporter = exporter
    this.host = host
    this.keepsAlive = keepsAlive
    this.answered = answered
  }

  /** Whether the exporter has a batch that is not counted yet. */
  get isBusy(): boolean {
    return this.flight !== undefined
  }

  /** Whether the exporter may be given a batch: exports never overlap (PRO6). */
  get isFree(): boolean {
    return this.flight === undefined && this.abandoned === undefined
  }

  /** Hands a batch over. Returns the answer; undefined when it comes later, or the batch was settled from inside. */
  export(batch: EncodedBatch): ExportResult | undefined {
    const timeout = this.exporter.delivery.exportTimeoutMillis ?? 0
    const controller = timeout > 0 ? new AbortController() : undefined
    const flight: InFlightExport = { batch, controller, unanswered: true, replaced: false, cancelTimeout: undefined }
    this.flight = flight
    let answer: unknown
    try {
      answer = asExporter(this.host, () => this.exporter.export(batch, controller?.signal))
      if (isThenable(answer)) {
        this.await(flight, answer)
        if (flight === this.flight && timeout > 0) this.watch(flight, timeout)
        return undefined
      }
    } catch (error) {
      answer = this.failed(nameOf(error))
    }
    flight.unanswered = false
    const result = this.checked(answer)
    // Whoever was told of trouble may have drained.
    return flight === this.flight ? result : undefined
  }

  /** Delivers without the event loop. Where that fails while `export` is unanswered, its answer is waited for. */
  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    let why = noAnswer
    try {
      const answer = this.exporter.exportSync!(batch, deadline, final)
      disownPromise(answer)
      const result = resultOf(answer)
      if (result !== undefined) {
        // A batch that comes again is not answered yet.
        if (this.flight !== undefined) this.flight.replaced = final || result.status !== 'retryable'
        return result
      }
    } catch (error) {
      why = nameOf(error)
    }
    const result = this.failed(why)
    return this.isBusy ? (final ? noneKnown : noneTaken) : result
  }

  /** The batch is counted. Returns whether the exporter has done with its bytes. */
  settled(): boolean {
    const { flight } = this
    flight?.cancelTimeout?.()
    this.flight = undefined
    if (flight?.unanswered !== true) return true
    if (!flight.replaced) this.abandoned = flight
    return false
  }

  /** Ends the wait for the exporter's answer, and aborts its signal. Returns what it knows about the batch by now. */
  abandon(): ExportResult {
    const { flight } = this
    try {
      return resultOf(this.exporter.abandon?.()) ?? noneKnown
    } catch {
      return noneKnown
    } finally {
      flight?.controller?.abort()
    }
  }

  private await(flight: InFlightExport, answer: unknown): void {
    const answered = (result: ExportResult) => {
      flight.unanswered = false
      if (flight === this.abandoned) this.abandoned = undefined
      this.answered(flight === this.flight ? result : undefined)
    }
    Promise.resolve(answer).then(
      (result) => answered(this.checked(result)),
      (error: unknown) => answered(this.failed(nameOf(error))),
    )
  }

  /**
   * When the time is over the signal is aborted. An exporter that does not answer that either is given up: its batch counts as
   * unknown, and nothing else is handed to it until it answers, because exports must not overlap. One with `exportSync` can answer
   * for the batch without `export`, at the latest when the process ends.
   */
  private watch(flight: InFlightExport, timeout: number): void {
    this.after(flight, timeout, () => {
      this.after(flight, abortedMillis, () => this.giveUp())
      flight.controller?.abort()
      this.host.reportDiagnostic('SLUICE_EXPORT_TIMEOUT', `${this.exporter.name} gave no answer in time`)
    })
  }

  private after(flight: InFlightExport, millis: number, action: () => void): void {
    const timer = this.host.delay(millis, () => flight === this.flight && action())
    timer.keepAlive(this.keepsAlive)
    flight.cancelTimeout = () => timer.cancel()
  }

  private giveUp(): void {
    if (this.exporter.exportSync === undefined) this.answered(noneKnown)
  }

  private checked(answer: unknown): ExportResult {
    return resultOf(answer) ?? this.failed(noAnswer)
  }

  private failed(why: string): ExportResult {
    this.host.reportDiagnostic(
      'SLUICE_EXPORT_FAILED',
      `${this.exporter.name} failed (${why}) and did not say what became of a batch`,
    )
    return ownCopy<ExportResult>({ status: 'rejected', accepted: 0, reason: 'io_error' })
  }
}

/** Calls a function of an exporter. */
export function asExporter<T>(host: PipelineHost, call: () => T): T {
  return host.runAs('exporter', call)
}

/** How long an exporter has for its answer after its signal was aborted, in ms. */
const abortedMillis = 1_000

const noAnswer = 'no valid answer'
/** The result of a batch whose exporter has not answered. */
export const noneKnown: ExportResult = ownCopy<ExportResult>({ status: 'unknown', accepted: 0 })
/** The result of a batch that was not sent. */
export const noneTaken: ExportResult = ownCopy<ExportResult>({ status: 'retryable', accepted: 0 })

/** Whether an answer comes later. */
export function isThenable<T>(answer: T | PromiseLike<T>): answer is PromiseLike<T> {
  if (typeof answer !== 'object' || answer === null) return false
  return typeof member(answer as { then?: unknown }, 'then') === 'function'
}

/** What was thrown, without its message: that may hold anything. */
function nameOf(error: unknown): string {
  try {
    const name = error instanceof Error ? error.name : typeof error
    return /^\w{1,64}$/.test(name) ? name : 'Error'
  } catch {
    return 'Error'
  }
}
