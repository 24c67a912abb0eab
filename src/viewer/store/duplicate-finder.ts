/** How a record came. */
export type RecordPath = 'otlp' | 'output'

/** The number of records of each way that are remembered. */
const maxRemembered = 20_000

/**
 * Finds records of a program that come in two ways: its logger writes them to the standard output, and an OpenTelemetry SDK sends them. They
 * have the same time in milliseconds, severity and message.
 */
export class DuplicateFinder {
  /** The number of records that came a second time. */
  count = 0
  private readonly seen: Readonly<Record<RecordPath, Map<string, number>>> = { otlp: new Map(), output: new Map() }

  /**
   * Returns whether a record came in the other way before. Each record of one way is matched with one of the other.
   *
   * @param time - ms since the Unix epoch; 0 for an unknown time
   */
  isDuplicate(path: RecordPath, time: number, severityNumber: number, message: string | undefined): boolean {
    // Without a time, equal messages are usually different records.
    if (time === 0 || message === undefined) return false
    const key = `${Math.floor(time)} ${(severityNumber + 3) >> 2} ${message}`
    const others = this.seen[path === 'otlp' ? 'output' : 'otlp']
    const waiting = others.get(key) ?? 0
    if (waiting > 0) {
      if (waiting === 1) others.delete(key)
      else others.set(key, waiting - 1)
      this.count++
      return true
    }
    const own = this.seen[path]
    own.set(key, (own.get(key) ?? 0) + 1)
    if (own.size > maxRemembered) own.delete(own.keys().next().value!)
    return false
  }
}
