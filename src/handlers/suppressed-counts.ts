import type { FilterCounter, HandledRecord, Handler, HandlerHost, RecordOrigin } from '../handler/handler.ts'
import { noneBySeverity } from './by-severity.ts'
import { passOnWithCount, type KeptRecordSettings } from './kept-record.ts'
import { summaryRecord } from './summary.ts'

/** Settings of `SuppressedCounts`. */
export interface SuppressedCountsOptions {
  /** The name of the handler. */
  readonly reason: string
  /** The maximum time until suppressed records are reported, in ms. */
  readonly reportMillis: number
}

/** The suppressed records of one severity number that were not reported yet. */
interface SuppressedCount extends FilterCounter {
  /** The time of the first one, in ms since the Unix epoch. */
  since: number
  origin: RecordOrigin | undefined
}

/**
 * Counts suppressed records with any message by severity number, because exporters can have levels. They are reported by the next kept
 * record of the same level, or in a summary after some time.
 */
export class SuppressedCounts implements KeptRecordSettings {
  readonly host: HandlerHost
  readonly next: Handler
  readonly reason: string
  private readonly reportMillis: number
  private readonly counts: (SuppressedCount | undefined)[] = noneBySeverity()
  private isTimerRunning = false

  constructor(host: HandlerHost, next: Handler, { reason, reportMillis }: SuppressedCountsOptions) {
    this.host = host
    this.next = next
    this.reason = reason
    this.reportMillis = reportMillis
    host.onFlush(() => this.report())
  }

  /** Passes on a record, with the number of records that were suppressed before. */
  keep(record: HandledRecord): void {
    const counter = this.counts[record.severity]
    if (counter === undefined || counter.count === 0) return this.next.handle(record)
    return passOnWithCount(record, counter, this)
  }

  /** Counts a record as suppressed, unless it is written in spite of that. */
  suppress(record: HandledRecord): void {
    const { host } = this
    const counter = (this.counts[record.severity] ??= { count: 0, since: 0, origin: undefined })
    host.filter(record, this.reason, counter)
    if (counter.count > 0) return
    counter.since = record.time
    counter.origin = host.originOf(record)
    if (!this.isTimerRunning) this.startTimer()
  }

  private startTimer(): void {
    this.isTimerRunning = true
    this.host.delay(this.reportMillis, () => {
      this.isTimerRunning = false
      this.report()
    })
  }

  /** Writes summaries of the suppressed records that were not reported yet. */
  private report(): void {
    const { host, next, reason } = this
    for (const counter of this.counts) {
      if (counter === undefined || counter.count === 0) continue
      const { count, since, origin } = counter
      const durationMillis = Math.max(0, host.now() - since)
      counter.count = 0
      counter.origin = undefined
      host.emit(
        summaryRecord({ reason, count, durationMillis, isRepetition: false, template: undefined, origin: origin! }),
        next,
      )
    }
  }
}
