import type { Counters } from '../pipeline/counters.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { RecordHandler } from './record-handler.ts'

/** The W3C trace flag of a sampled span. */
const sampledFlag = 1

/**
 * Creates a handler that drops the records of spans that are not sampled and counts them as filtered. Records without a
 * span are forwarded.
 *
 * @param allCounters - counters of the exporters that would have received the records
 */
export function traceBasedHandler(next: RecordHandler, allCounters: readonly Counters[]): RecordHandler {
  return {
    handle(record: LogRecord): void {
      if (record.span === undefined || (record.span.traceFlags & sampledFlag) !== 0) return next.handle(record)
      for (const counters of allCounters) {
        counters.emitted++
        counters.filtered++
      }
    },
    withRules: (rules: Rules) => traceBasedHandler(next.withRules(rules), allCounters),
    withSource: (source) => traceBasedHandler(next.withSource(source), allCounters),
  }
}
