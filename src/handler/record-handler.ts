import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'

/**
 * What stands between a log call and its text. Decorators have the same shape: they change the record's fields, hand it on,
 * or leave it out. Handlers of users (`handler.ts`) see less of a record, and stand behind one of these.
 */
export interface RecordHandler {
  /** Takes one record; it is the caller's again when this returns. Must not throw. */
  handle(record: LogRecord): void
  /** The handler of a logger with other rules; what both hand on goes the same way. */
  withRules(rules: Rules): RecordHandler
}
