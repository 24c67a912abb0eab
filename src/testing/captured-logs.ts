/// <reference lib="esnext.disposable" preserve="true" />
import type { Delivery, Exporter } from '../pipeline/exporter.ts'
import type { StandardLevel } from '../record/severity.ts'
import type { Capture } from './capture.ts'
import type { CapturedRecord } from './captured-record.ts'
import { queryOf, reasonsAgainst, type LogQueryOrMessage } from './log-query.ts'
import { logText, type LogTextOptions } from './log-text.ts'

/** What was logged, there as soon as the log call has returned. */
export interface CapturedLogs<L extends string = never> extends Disposable {
  /** Every record in the order of the calls: the same array each time. */
  readonly records: readonly CapturedRecord[]
  /** The records of one level. */
  at(level: L | StandardLevel): readonly CapturedRecord[]
  /**
   * The first record that a query means, or with this message.
   *
   * @throws TypeError when the query is none.
   */
  find(query: LogQueryOrMessage): CapturedRecord | undefined
  /**
   * All of them.
   *
   * @throws TypeError when the query is none.
   */
  filter(query: LogQueryOrMessage): readonly CapturedRecord[]
  /** The records as text for snapshots, without anything that differs from run to run. */
  text(options?: LogTextOptions): string
  /** Forgets the records. */
  clear(): void
  /**
   * An exporter whose records come here as well, for `createLogger({ exporter: logs.exporter() })` and for providers. Each
   * logger needs one of its own.
   *
   * @throws ConfigurationError when the options are wrong.
   */
  exporter(options?: Delivery): Exporter
  /** Gives captured loggers their exporters back. The records stay. */
  restore(): void
}

/** The questions that captured records answer; `release` gives loggers their exporters back. */
export function capturedLogs(capture: Capture, release: () => void): CapturedLogs<string> {
  const { records } = capture
  return {
    records,
    at: (level) => records.filter((record) => record.level === level),
    find: (query) => records.find(matching(query)),
    filter: (query) => records.filter(matching(query)),
    text: (options) => logText(records, options),
    clear() {
      records.length = 0
    },
    exporter: (options = {}) => capture.exporter(options),
    restore: release,
    [Symbol.dispose]: release,
  }
}

function matching(given: LogQueryOrMessage): (record: CapturedRecord) => boolean {
  const query = queryOf(given)
  return (record) => reasonsAgainst(record, query).length === 0
}
