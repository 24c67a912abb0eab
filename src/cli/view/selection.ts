import type { CompileQueryOptions } from '../../read/query/compile-query.ts'
import type { Query } from '../../read/query/query.ts'
import type { OptionName } from '../options/definition.ts'
import type { ParsedOptions } from '../options/parsed-options.ts'
import { timeValue } from '../options/time-value.ts'
import type { RecordFilter } from './record-filter.ts'

/** Which records are shown. */
export interface Selection {
  readonly filter: RecordFilter
  /** The query of all options `--query` and `--trace-of`; undefined without them. */
  readonly query: Query | undefined
  /** The time of `--since`, in milliseconds since the Unix epoch. */
  readonly since: number | undefined
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
  const { queryValue } = await import('../options/query-value.ts')
  const traceOf = text === undefined ? undefined : queryValue(text, 'trace-of')
  const context = timeContext(options)
  const queries = [
    ...options.values('query').map((each) => queryValue(each, 'query')),
    ...(traceOf === undefined ? [] : [traceOf]),
  ]
  return {
    filter: recordFilter(options),
    query: queries.length === 0 ? undefined : { kind: 'and', operands: queries },
    since: timeValue(options, 'since', context),
    traceOf,
    timeContext: context,
  }
}

const everything: Selection = {
  filter: { tests: [], query: undefined, needed: undefined },
  query: undefined,
  since: undefined,
  traceOf: undefined,
  timeContext: {},
}
