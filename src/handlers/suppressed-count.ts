import type { HandledRecord, Handler, HandlerHost, RecordOrigin } from '../handler/handler.ts'
import { addSuppressed, summaryRecord } from './summary.ts'

/** Settings of a `SuppressedCount`. */
export interface SuppressedCountOptions {
  /** The name of the handler. */
  readonly reason: string
  /** The maximum time until suppressed records are reported, in ms. */
  readonly reportMillis: number
}

/** Counts suppressed records with any message. They are reported by the next kept record, or in a summary after some time. */
export class SuppressedCount {
  private readonly host: HandlerHost
  private readonly next: Handler
  private readonly options: SuppressedCountOptions
  /** The number of suppressed records that were not reported yet. */
  private count = 0
  /** The time of the first one of them, in ms since the Unix epoch. */
  private since = 0
  private origin: RecordOrigin | undefined
  private isTimerRunning = false

  constructor(host: HandlerHost, next: Handler, options: SuppressedCountOptions) {
    this.host = host
    this.next = next
    this.options = options
    host.onFlush(() => this.report())
  }

  /** Passes on a record, with the number of records that were suppressed before. */
  keep(record: HandledRecord): void {
    if (this.count > 0 && addSuppressed(record, this.count)) this.reset()
    return this.next.handle(record)
  }

  /** Counts a record as suppressed. */
  suppress(record: HandledRecord): void {
    const { reason } = this.options
    this.host.filter(record, reason)
    if (this.count++ > 0) return
    this.since = record.time
    this.origin = this.host.originOf(record)
    if (!this.isTimerRunning) this.startTimer()
  }

  private startTimer(): void {
    this.isTimerRunning = true
    this.host.delay(this.options.reportMillis, () => {
      this.isTimerRunning = false
      this.report()
    })
  }

  /** Writes a summary of the suppressed records that were not reported yet. */
  private report(): void {
    const { count, since, origin } = this
    if (count === 0) return
    this.reset()
    const durationMillis = Math.max(0, this.host.now() - since)
    const { reason } = this.options
    const record = summaryRecord({ reason, count, durationMillis, message: undefined, origin: origin! })
    this.host.emit(record, this.next)
  }

  private reset(): void {
    this.count = 0
    this.origin = undefined
  }
}
