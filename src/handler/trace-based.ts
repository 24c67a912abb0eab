import type { Counters } from '../pipeline/counters.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { RecordHandler } from './record-handler.ts'

/** The W3C flag of a span that is recorded. */
const sampled = 1

/**
 * Leaves out records of spans that are not sampled, and counts them as filtered (SDK8). Records of no span pass.
 *
 * @param allCounters - of the outputs that would have had them
 */
export function traceBasedHandler(next: RecordHandler, allCounters: readonly Counters[]): RecordHandler {
  return {
    handle(record: LogRecord): void {
      if (record.span === undefined || (record.span.traceFlags & sampled) !== 0) return next.handle(record)
      for (const counters of allCounters) {
        counters.emitted++
        counters.filtered++
      }
    },
    withRules: (rules: Rules) => traceBasedHandler(next.withRules(rules), allCounters),
  }
}
