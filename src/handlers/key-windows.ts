import { silentThreshold } from '../record/severity.ts'
import type { HandledRecord, Handler, HandlerHost, RecordOrigin } from '../handler/handler.ts'
import { summaryRecord } from './summary.ts'

/** The records of one key and level since its first record. */
export interface KeyWindow {
  /** The key; undefined if several keys share the window. */
  readonly key: string | undefined
  /** The time of the first record, in ms since the Unix epoch. */
  readonly start: number
  /** The time at which the window ends. */
  readonly end: number
  /** The number of records. */
  seen: number
  /** The number of suppressed records that were not reported yet. */
  unreported: number
  /** The time since which they were counted, in ms since the Unix epoch. */
  countedSince: number
  /** The origin of a suppressed record; undefined without one. */
  origin: RecordOrigin | undefined
}

/** Settings of `KeyWindows`. */
export interface KeyWindowsOptions {
  /** The name of the handler. */
  readonly reason: string
  readonly windowMillis: number
  readonly maxKeys: number
  /** What happens to the first record of a key while there are `maxKeys`: its key shares a window with others, or replaces the oldest. */
  readonly whenFull: 'share' | 'replace'
  /** Whether keys are templates, which summaries contain. Other keys can be values that are redacted in the records. */
  readonly namesTemplates: boolean
}

/**
 * Counts records by key and level in windows of equal length, and writes a summary of the suppressed records of a window when it ends.
 * Because windows have the same length, those of a map are in the order in which they end.
 */
export class KeyWindows {
  private readonly host: HandlerHost
  private readonly next: Handler
  private readonly options: KeyWindowsOptions
  /** The windows by key, for each severity number. */
  private readonly windowsBySeverity: (Map<string, KeyWindow> | undefined)[] = noneBySeverity()
  /** The windows of the keys for which there is no room, for each severity number. */
  private readonly sharedWindows: (KeyWindow | undefined)[] = noneBySeverity()
  private size = 0
  private cancelTimer: (() => void) | undefined

  constructor(host: HandlerHost, next: Handler, options: KeyWindowsOptions) {
    this.host = host
    this.next = next
    this.options = options
    host.onFlush(() => this.reportAll())
  }

  /** Returns the window of a record's key, severity number and time. A record without a window begins one. */
  windowOf(key: string, severity: number, time: number): KeyWindow {
    const windows = (this.windowsBySeverity[severity] ??= new Map<string, KeyWindow>())
    const window = windows.get(key)
    if (window !== undefined && !hasEnded(window, time)) return window
    if (window !== undefined) this.end(windows, window, time)
    else if (this.size >= this.options.maxKeys) {
      this.endAll(time)
      if (this.size >= this.options.maxKeys) {
        if (this.options.whenFull === 'share') return this.sharedWindowOf(severity, time)
        this.endOldest(time)
      }
    }
    const started = this.startWindow(key, time)
    windows.set(key, started)
    this.size++
    return started
  }

  /** Counts a record as suppressed. */
  suppress(window: KeyWindow, record: HandledRecord): void {
    window.unreported++
    this.host.filter(record, this.options.reason)
    window.origin ??= this.host.originOf(record)
    if (this.cancelTimer === undefined) this.startTimer(window.end - record.time)
  }

  /** Returns the number of suppressed records that a kept record at `time` reports. */
  takeUnreported(window: KeyWindow, time: number): number {
    const { unreported } = window
    window.unreported = 0
    window.countedSince = time
    return unreported
  }

  private sharedWindowOf(severity: number, time: number): KeyWindow {
    const window = this.sharedWindows[severity]
    if (window !== undefined && !hasEnded(window, time)) return window
    if (window !== undefined) this.report(window, time)
    return (this.sharedWindows[severity] = this.startWindow(undefined, time))
  }

  private end(windows: Map<string, KeyWindow>, window: KeyWindow, time: number): void {
    windows.delete(window.key!)
    this.size--
    this.report(window, time)
  }

  /** Ends the windows whose time is over. Returns the earliest end of the others in ms; Infinity without others. */
  private endAll(time: number): number {
    let earliestEnd = Infinity
    for (const windows of this.windowsBySeverity) {
      if (windows === undefined) continue
      for (const window of windows.values()) {
        if (!hasEnded(window, time)) {
          earliestEnd = Math.min(earliestEnd, window.end)
          break
        }
        this.end(windows, window, time)
      }
    }
    for (const [severity, window] of this.sharedWindows.entries()) {
      if (window === undefined) continue
      if (!hasEnded(window, time)) earliestEnd = Math.min(earliestEnd, window.end)
      else {
        this.sharedWindows[severity] = undefined
        this.report(window, time)
      }
    }
    return earliestEnd
  }

  private endOldest(time: number): void {
    let oldest: KeyWindow | undefined
    let oldestWindows: Map<string, KeyWindow> | undefined
    for (const windows of this.windowsBySeverity) {
      const first = windows?.values().next().value
      if (first === undefined || (oldest !== undefined && first.start >= oldest.start)) continue
      oldest = first
      oldestWindows = windows
    }
    if (oldest !== undefined) this.end(oldestWindows!, oldest, time)
  }

  private startTimer(millis: number): void {
    this.cancelTimer = this.host.delay(Math.max(1, millis), () => {
      this.cancelTimer = undefined
      const time = this.host.now()
      const earliestEnd = this.endAll(time)
      if (earliestEnd < Infinity) this.startTimer(earliestEnd - time)
    })
  }

  private reportAll(): void {
    const time = this.host.now()
    for (const windows of this.windowsBySeverity)
      for (const window of windows?.values() ?? []) this.report(window, time)
    for (const window of this.sharedWindows) if (window !== undefined) this.report(window, time)
  }

  private startWindow(key: string | undefined, start: number): KeyWindow {
    const end = start + this.options.windowMillis
    return { key, start, end, seen: 0, unreported: 0, countedSince: start, origin: undefined }
  }

  /** Writes a summary of the suppressed records that were not reported yet. */
  private report(window: KeyWindow, time: number): void {
    const { key, origin, countedSince, start } = window
    if (window.unreported === 0 || origin === undefined) return
    const { reason } = this.options
    const until = time < start ? start : Math.min(time, window.end)
    const count = this.takeUnreported(window, until)
    const durationMillis = Math.max(0, until - countedSince)
    this.host.emit(
      summaryRecord({ reason, count, durationMillis, message: this.options.namesTemplates ? key : undefined, origin }),
      this.next,
    )
  }
}

/** Returns an array with a place for each severity number. In holes, a value on `Object.prototype` would be read. */
function noneBySeverity(): undefined[] {
  return Array.from({ length: silentThreshold }, () => undefined)
}

/** Returns whether a window has ended. A clock that jumps backwards ends it, because it could last too long otherwise. */
function hasEnded({ start, end }: KeyWindow, time: number): boolean {
  return time >= end || time < start
}
