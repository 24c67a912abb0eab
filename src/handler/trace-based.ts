import type { Account } from '../pipeline/ledger.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { RecordHandler } from './record-handler.ts'

/** The W3C flag of a span that is recorded. */
const sampled = 1

/**
 * Leaves out records of spans that are not sampled, and counts them as filtered (SDK8). Records of no span pass.
 *
 * @param accounts - of the outputs that would have had them
 */
export function traceBasedHandler(next: RecordHandler, accounts: readonly Account[]): RecordHandler {
  return {
    handle(record: LogRecord): void {
      if (record.span === undefined || (record.span.traceFlags & sampled) !== 0) return next.handle(record)
      for (const account of accounts) {
        account.emitted++
        account.filtered++
      }
    },
    withRules: (rules: Rules) => traceBasedHandler(next.withRules(rules), accounts),
  }
}
