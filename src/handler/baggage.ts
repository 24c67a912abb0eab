import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { RecordHandler } from './record-handler.ts'

/**
 * Returns attributes from the baggage of a context, or of the active one if `context` is undefined; or undefined without any. Must
 * not throw.
 */
export type ReadBaggage = (context: object | undefined) => object | undefined

/** Creates a handler that adds attributes from the baggage of each record's context, with the lowest precedence. */
export function baggageHandler(next: RecordHandler, readBaggage: ReadBaggage): RecordHandler {
  return {
    handle(record: LogRecord): void {
      if (!record.isDetached) record.baggageAttributes = readBaggage(record.bound.context)
      next.handle(record)
    },
    withRules: (rules: Rules) => baggageHandler(next.withRules(rules), readBaggage),
    withSource: (source) => baggageHandler(next.withSource(source), readBaggage),
  }
}
