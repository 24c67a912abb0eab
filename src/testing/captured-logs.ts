/// <reference lib="esnext.disposable" preserve="true" />
import type { Delivery, Exporter } from '../pipeline/exporter.ts'
import type { StandardLevel } from '../record/severity.ts'
import type { Capture } from './capture.ts'
import type { CapturedRecord } from './captured-record.ts'
import { queryOf, mismatches, type LogQueryOrMessage } from './log-query.ts'
import { logText, type LogTextOptions } from './log-text.ts'

/** The captured records. A record is available as soon as the log call has returned. */
export interface CapturedLogs<L extends string = never> extends Disposable {
  /** All records in the order of the log calls. It is always the same array. */
  readonly records: readonly CapturedRecord[]
  /** Returns the records of a level. */
  at(level: L | StandardLevel): readonly CapturedRecord[]
  /**
   * Returns the first record that matches a query or has this message.
   *
   * @throws TypeError when the query is invalid.
   */
  find(query: LogQueryOrMessage): CapturedRecord | undefined
  /**
   * Returns all records that match a query or have this message.
   *
   * @throws TypeError when the query is invalid.
   */
  filter(query: LogQueryOrMessage): readonly CapturedRecord[]
  /**
   * Returns the records as text for snapshots. Values that differ between runs are omitted or replaced: times, random IDs, durations,
   * ports and process IDs.
   */
  text(options?: LogTextOptions): string
  /** Removes all records. */
  clear(): void
  /**
   * Returns an exporter whose records are captured as well, for `createLogger({ exporter: logs.exporter() })` and for providers.
   * Create a separate one for each logger.
   *
   * @throws ConfigurationError when the options are invalid.
   */
  exporter(options?: Delivery): Exporter
  /** Restores the exporters of the captured loggers. The captured records are kept. */
  restore(): void
}

/** Creates the query methods for captured records. `release` restores the exporters of the loggers. */
export function capturedLogs(capture: Capture, release: () => void): CapturedLogs<string> {
  const { records } = capture
  return {
    records,
    at: (level) => records.filter((record) => record.level === level),
    find: (query) => records.find(matcherFor(query)),
    filter: (query) => records.filter(matcherFor(query)),
    text: (options) => logText(records, options),
    clear() {
      records.length = 0
    },
    exporter: (options = {}) => capture.exporter(options),
    restore: release,
    [Symbol.dispose]: release,
  }
}

function matcherFor(queryOrMessage: LogQueryOrMessage): (record: CapturedRecord) => boolean {
  const query = queryOf(queryOrMessage)
  return (record) => mismatches(record, query).length === 0
}
