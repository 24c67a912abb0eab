import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'

/**
 * A stage between the log call and the encoding of its record. Decorators implement the same interface: they change the record's
 * fields, forward it, or drop it. User handlers (`handler.ts`) receive only a part of a record, and are called by one of these.
 */
export interface RecordHandler {
  /** Handles one record, which belongs to the caller again when this returns. Must not throw. */
  handle(record: LogRecord): void
  /** Returns the handler of a logger with other rules, which forwards to the same destination. */
  withRules(rules: Rules): RecordHandler
}
