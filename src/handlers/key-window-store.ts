import { noneBySeverity } from './by-severity.ts'
import { hasEnded, type KeyWindow, type KeyWindowSettings } from './key-window.ts'

/**
 * The windows of keys, which begin with the first record of a key and level. Because they have the same length, those of a map are in the
 * order in which they end.
 */
export class KeyWindowStore {
  private readonly settings: KeyWindowSettings
  /** Called with each window that ends, and the time. */
  private readonly onEnd: (window: KeyWindow, time: number) => void
  /** The windows by key, for each severity number. */
  private readonly windowsBySeverity: (Map<string, KeyWindow> | undefined)[] = noneBySeverity()
  /** The windows of the keys for which there is no room, for each severity number. */
  private readonly sharedWindows: (KeyWindow | undefined)[] = noneBySeverity()
  private size = 0
  /** The window that was used last, because repeated records often follow each other; undefined once it has ended. */
  private last: KeyWindow | undefined

  constructor(settings: KeyWindowSettings, onEnd: (window: KeyWindow, time: number) => void) {
    this.settings = settings
    this.onEnd = onEnd
  }

  /** Returns the window of a record's key, severity number and time. A record without a window begins one. */
  windowOf(key: string, severity: number, time: number): KeyWindow {
    const { last } = this
    if (last !== undefined && last.key === key && last.severity === severity && !hasEnded(last, time)) return last
    const window = this.findOrStart(key, severity, time)
    // The keys of a shared window can get windows of their own.
    this.last = window.key === undefined ? undefined : window
    return window
  }

  /** Returns all windows. */
  *all(): Generator<KeyWindow> {
    for (const windows of this.windowsBySeverity) if (windows !== undefined) yield* windows.values()
    for (const window of this.sharedWindows) if (window !== undefined) yield window
  }

  /** Ends the windows whose time is over. Returns the earliest end of the others in ms; Infinity without others. */
  endAll(time: number): number {
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
        this.onEnd(window, time)
      }
    }
    return earliestEnd
  }

  private findOrStart(key: string, severity: number, time: number): KeyWindow {
    const windows = (this.windowsBySeverity[severity] ??= new Map<string, KeyWindow>())
    const window = windows.get(key)
    if (window !== undefined && !hasEnded(window, time)) return window
    if (window !== undefined) this.end(windows, window, time)
    else if (this.size >= this.settings.maxKeys) {
      this.endAll(time)
      if (this.size >= this.settings.maxKeys) {
        if (this.settings.whenFull === 'share') return this.sharedWindowOf(severity, time)
        this.endOldest(time)
      }
    }
    const started = this.startWindow(key, severity, time)
    windows.set(key, started)
    this.size++
    return started
  }

  private sharedWindowOf(severity: number, time: number): KeyWindow {
    const window = this.sharedWindows[severity]
    if (window !== undefined && !hasEnded(window, time)) return window
    const started = this.startWindow(undefined, severity, time)
    this.sharedWindows[severity] = started
    if (window !== undefined) this.onEnd(window, time)
    return started
  }

  private end(windows: Map<string, KeyWindow>, window: KeyWindow, time: number): void {
    windows.delete(window.key!)
    if (window === this.last) this.last = undefined
    this.size--
    this.onEnd(window, time)
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

  private startWindow(key: string | undefined, severity: number, start: number): KeyWindow {
    const end = start + this.settings.windowMillis
    return { key, severity, start, end, seen: 0, count: 0, countedSince: start, origin: undefined }
  }
}
