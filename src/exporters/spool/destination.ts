import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import { resultOf } from '../../pipeline/outcome.ts'
import { RetryPace } from '../retry/pace.ts'
import { notAttempted } from '../retry/retrier.ts'
import type { RetryOptions, RetryTiming } from '../retry/retrying.ts'
import { onAbort } from '../../record/on-abort.ts'
import { ownCopy } from '../../options/own-members.ts'
import { noneKnown } from '../../pipeline/guarded-exporter.ts'

/** What a destination said of a batch. */
export interface DestinationAnswer {
  /** How many records from the front are settled. */
  readonly settled: number
  /** Of these, how many it refused for good, and how many as too long. */
  readonly rejected: number
  readonly tooLarge: number
  /** It may have the rest without having said so. */
  readonly inDoubt: boolean
  /** How many may have arrived twice by its own doing. */
  readonly maybeDuplicated: number
  readonly statusCode: number | undefined
  /** It threw, or says that it can never take the rest, which is not the server's word. */
  readonly failed: boolean
}

/**
 * The exporter behind a spool, and when it may be asked again. It is asked by one at a time.
 */
export class SpoolDestination {
  readonly exporter: Exporter
  private readonly pace: RetryPace
  private readonly timing: RetryTiming
  private host: ExporterHost | undefined
  private alive = false
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
      // Nobody waits at the end of a process for what is safe in a file.
      get exitTimeoutMillis() {
        return isReplaying() ? 0 : host.exitTimeoutMillis
      },
    })
  }

  /** Tells trouble, once there is somebody to be told. */
  report(code: string, message: string): void {
    this.host?.reportDiagnostic(code, message)
  }

  /** It has a batch that it has not answered. */
  get isBusy(): boolean {
    return this.controller !== undefined
  }

  /** For how long it is not to be asked, in ms. */
  get waitMillis(): number {
    return Math.max(0, this.pace.notBefore - this.now())
  }

  /** Has it try a batch. Never rejects. */
  async send(batch: EncodedBatch, isReplay: boolean, signal?: AbortSignal): Promise<DestinationAnswer> {
    const controller = new AbortController()
    const abort = (): void => controller.abort()
    const { exportTimeoutMillis = 0 } = this.exporter.delivery
    const timer = exportTimeoutMillis > 0 ? this.timing.delay(exportTimeoutMillis, abort) : undefined
    onAbort(signal, abort)
    this.controller = controller
    this.isReplay = isReplay
    try {
      this.exporter.keepAlive?.(!isReplay && this.alive)
      return this.note(batch, await this.exporter.export(batch, controller.signal))
    } catch {
      return this.note(batch, undefined)
    } finally {
      timer?.cancel()
      signal?.removeEventListener('abort', abort)
      this.controller = undefined
      this.isReplay = false
    }
  }

  /** Has it try a batch without the event loop. Never throws. */
  sendSync(batch: EncodedBatch, deadline: number): DestinationAnswer {
    if (this.exporter.exportSync === undefined) return this.note(batch, notAttempted)
    return this.recall(batch, deadline)
  }

  /**
   * Asks for what has become of a batch that it has, or has it try until `deadline`; it forgets the batch. Where it cannot
   * do without the event loop, nobody knows.
   */
  recall(batch: EncodedBatch, deadline: number): DestinationAnswer {
    let result: ExportResult | undefined
    try {
      result = this.exporter.exportSync?.(batch, deadline, true) ?? noneKnown
    } catch {
      // told as an answer that is none
    }
    return this.note(batch, result)
  }

  keepAlive(alive: boolean): void {
    this.alive = alive
    if (!this.isReplay) this.exporter.keepAlive?.(alive)
  }

  /** Gives up what it has. */
  abort(): void {
    this.controller?.abort()
  }

  private now(): number {
    return this.host?.monotonic() ?? 0
  }

  private readonly isReplaying = (): boolean => this.isReplay

  private note(batch: EncodedBatch, given: unknown): DestinationAnswer {
    const now = this.now()
    const result = given === notAttempted ? notAttempted : resultOf(given)
    if (result === undefined) {
      this.pace.failed(now, undefined)
      this.report('SLUICE_EXPORT_FAILED', `${this.exporter.name} failed and did not say what became of a batch`)
      return answer(0, { failed: true })
    }
    const { refused = [], maybeDuplicated = 0, statusCode } = result
    const sum = (reason: string): number =>
      refused.reduce((all, part) => all + (part.reason === reason ? part.records : 0), 0)
    const said = { rejected: sum('rejected'), tooLarge: sum('too_large'), maybeDuplicated, statusCode }
    if (result.status === 'accepted') {
      this.pace.answered()
      return answer(batch.count, said)
    }
    const settled = Math.max(0, Math.min(batch.count, Math.floor(result.accepted) || 0))
    if (result.status === 'rejected' && result.reason === 'rejected') {
      this.pace.answered()
      return answer(batch.count, { ...said, rejected: said.rejected + batch.count - settled })
    }
    if (result !== notAttempted) {
      this.pace.failed(now, result.status === 'retryable' ? result.retryAfterMillis : undefined)
    }
    return answer(settled, { ...said, inDoubt: result.status === 'unknown', failed: result.status === 'rejected' })
  }
}

function answer(settled: number, given: Partial<DestinationAnswer>): DestinationAnswer {
  const said = ownCopy(given)
  const refused = (said.rejected ?? 0) + (said.tooLarge ?? 0)
  return {
    rejected: 0,
    tooLarge: 0,
    inDoubt: false,
    maybeDuplicated: 0,
    statusCode: undefined,
    failed: false,
    ...said,
    // What an exporter says of numbers may be anything.
    settled: Math.max(settled, Math.min(refused, settled)),
  }
}
