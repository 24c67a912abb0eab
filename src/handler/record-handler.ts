import type { LogRecord } from '../record/record.ts'
import type { InstrumentationSource } from '../record/instrumentation-source.ts'
import type { Rules } from '../values/record-rules.ts'

/**
 * A stage between the log call and the encoding of its record: it changes the fields of the record and forwards it to the next stage, drops
 * it, or encodes it. A user's handler (`handler.ts`) has another interface, with only a part of a record; `HandlerGuard` calls it.
 */
export interface RecordHandler {
  /** Handles one record. The caller may change or reuse it when this returns. Must not throw unless the stack is exhausted. */
  handle(record: LogRecord): void
  /**
   * Handles a record below the logger's level that the flight recorder may hold. Only the first handler of a logger with a flight recorder
   * has this function.
   */
  hold?(record: LogRecord): void
  /** Returns the handler of a logger with other rules, which forwards to the same destination. */
  withRules(rules: Rules): RecordHandler
  /** Returns the handler of a logger with another scope or resource, which forwards to the same destination. */
  withSource(source: InstrumentationSource): RecordHandler
}
