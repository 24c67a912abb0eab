import { compileQuery, type CompileQueryOptions } from '../../read/query/compile-query.ts'
import type { NeededRecords } from '../../read/lines/line-filter.ts'
import { effectiveSeverity } from '../../read/query/level-severity.ts'
import { requiredText } from '../../read/query/required-text.ts'
import type { Query } from '../../read/query/query.ts'
import type { ReadRecord } from '../../read/record.ts'
import { levelThreshold } from '../options/level-threshold.ts'
import type { ParsedOptions } from '../options/parsed-options.ts'
import { queryValue } from '../options/query-value.ts'
import { timeValue } from '../options/time-value.ts'
import { tracePrefixes, traceTexts } from '../options/trace-prefix.ts'
import { UsageError } from '../options/usage-error.ts'

/** Which records are selected by options of the group Filter. */
export interface RecordFilter {
  /** The tests of all options but `--query` that a selected record passes. */
  readonly tests: readonly RecordTest[]
  /** The test of `--query`, for `selectRecords`; undefined without the option. */
  readonly query: RecordTest | undefined
  /** What is known about the bytes of the lines of selected records; undefined if nothing is known. */
  readonly needed: NeededRecords | undefined
}

/** Returns whether a record is selected. */
export type RecordTest = (record: ReadRecord) => boolean

/**
 * Returns the filter of `--level`, `--query`, `--since`, `--until` and `--trace`. A record must pass all of them.
 *
 * @throws UsageError if a value is wrong.
 */
export function recordFilter(options: ParsedOptions): RecordFilter {
  const tests: RecordTest[] = []
  const level = options.value('level')
  const minSeverity = level === undefined ? 0 : levelThreshold(level)
  if (minSeverity > 0) tests.push(({ severityNumber }) => effectiveSeverity(severityNumber) >= minSeverity)
  const trace = options.value('trace')
  const prefixes = trace === undefined ? undefined : tracePrefixes(trace)
  if (prefixes !== undefined)
    tests.push(({ traceId }) => traceId !== undefined && prefixes.some((prefix) => traceId.startsWith(prefix)))
  tests.push(...timeTests(options))
  const query = combinedQuery(options.values('query').map((text) => queryValue(text, 'query')))
  return {
    tests,
    query: query === undefined ? undefined : compileQuery(query, timeContext(options)),
    needed: neededRecords(minSeverity, prefixes, query),
  }
}

function neededRecords(
  minSeverity: number,
  traces: readonly string[] | undefined,
  query: Query | undefined,
): NeededRecords | undefined {
  const required = [
    traces === undefined ? undefined : traceTexts(traces),
    query === undefined ? undefined : requiredText(query),
  ]
  const texts = required.filter((group) => group !== undefined)
  return minSeverity === 0 && texts.length === 0 ? undefined : { minSeverity, texts }
}

/** Returns one test for all; undefined without tests. */
export function allTests([first, ...others]: readonly RecordTest[]): RecordTest | undefined {
  if (first === undefined || others.length === 0) return first
  return (record) => first(record) && others.every((test) => test(record))
}

/** Returns how times in options and queries are understood: in the zone in which times are shown. */
export function timeContext(options: ParsedOptions): CompileQueryOptions {
  const shown = options.value('time') ?? 'local'
  return { now: Date.now(), timeZone: shown === 'relative' ? 'local' : shown === 'iso' ? 'utc' : shown }
}

function combinedQuery(queries: readonly Query[]): Query | undefined {
  return queries.length > 1 ? { kind: 'and', operands: queries } : queries[0]
}

function timeTests(options: ParsedOptions): RecordTest[] {
  const context = timeContext(options)
  const since = timeValue(options, 'since', context)
  const until = timeValue(options, 'until', context)
  if (since !== undefined && until !== undefined && since >= until)
    throw new UsageError('--since must be before --until')
  const tests: RecordTest[] = []
  if (since !== undefined) tests.push(({ time }) => time !== undefined && time >= since)
  if (until !== undefined) tests.push(({ time }) => time !== undefined && time < until)
  return tests
}
