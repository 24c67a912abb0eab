import type { CompileQueryOptions } from '../../read/query/compile-query.ts'
import type { Query } from '../../read/query/query.ts'
import type { OptionName } from '../options/definition.ts'
import type { ParsedOptions } from '../options/parsed-options.ts'
import type { RecordFilter } from './record-filter.ts'

/** Which records are shown. */
export interface Selection {
  readonly filter: RecordFilter
  /** The query of `--trace-of`. */
  readonly traceOf: Query | undefined
  /** How times in queries are understood. */
  readonly timeContext: CompileQueryOptions
}

/** Options that select records, for which context can be shown. */
export const selectingOptions: readonly OptionName[] = ['level', 'query', 'since', 'until', 'trace', 'trace-of']

/**
 * Returns which records the options select. The code of filters is loaded only for options that need it.
 *
 * @throws UsageError if a value is wrong.
 */
export async function selectionOf(options: ParsedOptions): Promise<Selection> {
  if (!selectingOptions.some((name) => options.has(name))) return everything
  const { recordFilter, timeContext } = await import('./record-filter.ts')
  const text = options.value('trace-of')
  const traceOf =
    text === undefined ? undefined : (await import('../options/query-value.ts')).queryValue(text, 'trace-of')
  return { filter: recordFilter(options), traceOf, timeContext: timeContext(options) }
}

const everything: Selection = {
  filter: { tests: [], query: undefined, needed: undefined },
  traceOf: undefined,
  timeContext: {},
}
