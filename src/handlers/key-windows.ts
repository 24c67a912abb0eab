import type { HandledRecord, Handler, HandlerHost } from '../handler/handler.ts'
import { KeyWindowStore } from './key-window-store.ts'
import type { KeyWindow, KeyWindowSettings } from './key-window.ts'
import { passOnWithCount, type KeptRecordSettings } from './kept-record.ts'
import { namedTemplate } from './record-key.ts'
import { summaryRecord } from './summary.ts'

/** Settings of `KeyWindows`. */
export interface KeyWindowsOptions extends KeyWindowSettings {
  /** The name of the handler. */
  readonly reason: string
  /** Whether keys are templates, which summaries contain. Other keys can be values that are redacted in the records. */
  readonly namesTemplates: boolean
}

/**
 * Counts records by key and level in windows of equal length. The suppressed records of a window are reported by a kept record of its key,
 * or in a summary when it ends.
 */
export class KeyWindows implements KeptRecordSettings {
  readonly host: HandlerHost
  readonly next: Handler
  readonly reason: string
  private readonly namesTemplates: boolean
  private readonly store: KeyWindowStore
  private isTimerRunning = false

  constructor(host: HandlerHost, next: Handler, options: KeyWindowsOptions) {
    this.host = host
    this.next = next
    this.reason = options.reason
    this.namesTemplates = options.namesTemplates
    this.store = new KeyWindowStore(options, (window, time) => this.report(window, time))
    host.onFlush(() => this.reportAll())
  }

  /** Returns the window of a record's key, severity number and time. A record without a window begins one. */
  windowOf(key: string, severity: number, time: number): KeyWindow {
    const window = this.store.windowOf(key, severity, time)
    // A timer for the window that ends first also removes windows in which nothing is suppressed.
    if (!this.isTimerRunning) this.startTimer(window.end - time)
    return window
  }

  /** Counts a record as suppressed, unless it is written in spite of that. */
  suppress(window: KeyWindow, record: HandledRecord): void {
    const { host } = this
    host.filter(record, this.reason, window)
    window.origin ??= host.originOf(record)
  }

  /** Passes on a record, with the number of suppressed records of its window that were not reported yet. */
  keep(window: KeyWindow, record: HandledRecord): void {
    const { count } = window
    try {
      return count === 0 ? this.next.handle(record) : passOnWithCount(record, window, this)
    } finally {
      if (count === 0 || window.count < count) window.countedSince = record.time
    }
  }

  private startTimer(millis: number): void {
    this.isTimerRunning = true
    this.host.delay(Math.max(1, millis), () => {
      this.isTimerRunning = false
      const time = this.host.now()
      const earliestEnd = this.store.endAll(time)
      if (earliestEnd < Infinity) this.startTimer(earliestEnd - time)
    })
  }

  private reportAll(): void {
    const time = this.host.now()
    for (const window of this.store.all()) this.report(window, time)
  }

  /** Writes a summary of the suppressed records that were not reported yet. */
  private report(window: KeyWindow, time: number): void {
    const { key, origin, countedSince, start, count } = window
    if (count === 0 || origin === undefined) return
    const { reason, namesTemplates } = this
    const until = time < start ? start : Math.min(time, window.end)
    window.count = 0
    window.countedSince = until
    const durationMillis = Math.max(0, until - countedSince)
    const isRepetition = namesTemplates && key !== undefined
    const template = isRepetition ? namedTemplate(key) : undefined
    this.host.emit(summaryRecord({ reason, count, durationMillis, isRepetition, template, origin }), this.next)
  }
}
