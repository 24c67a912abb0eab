import type { ReadRecord } from '../../read/record.ts'
import { levelThreshold } from '../options/level-threshold.ts'
import type { ParsedOptions } from '../options/parsed-options.ts'
import { parseTimeRange } from '../options/time-range.ts'
import { tracePrefix } from '../options/trace-prefix.ts'
import { UsageError } from '../options/usage-error.ts'

/** Which records are selected by options of the group Filter. */
export interface RecordFilter {
  /** Returns whether a record is selected; undefined if all are. */
  readonly matches: ((record: ReadRecord) => boolean) | undefined
  /** The lowest severity number of the selected records; 0 without `--level`. */
  readonly minSeverity: number
  /** The first digits of the trace ID of the selected records; undefined without `--trace`. */
  readonly tracePrefix: string | undefined
}

type Test = (record: ReadRecord) => boolean

/**
 * Returns the filter of `--level`, `--query`, `--since`, `--until` and `--trace`. A record must pass all of them.
 *
 * @throws UsageError if a value is wrong.
 */
export function recordFilter(options: ParsedOptions): RecordFilter {
  const tests: Test[] = []
  const level = options.value('level')
  const minSeverity = level === undefined ? 0 : levelThreshold(level)
  if (minSeverity > 0) tests.push(({ severityNumber }) => severityNumber >= minSeverity)
  const trace = options.value('trace')
  const prefix = trace === undefined ? undefined : tracePrefix(trace)
  if (prefix !== undefined) tests.push(({ traceId }) => traceId?.startsWith(prefix) === true)
  tests.push(...timeTests(options))
  const [first, second] = tests
  const matches =
    first === undefined
      ? undefined
      : second === undefined
        ? first
        : (record: ReadRecord) => tests.every((test) => test(record))
  return { matches, minSeverity, tracePrefix: prefix }
}

function timeTests(options: ParsedOptions): Test[] {
  const context = { now: Date.now(), isUtc: options.value('time') === 'utc' }
  const since = options.value('since')
  const until = options.value('until')
  const start = since === undefined ? undefined : parseTimeRange(since, context, '--since').start
  const end = until === undefined ? undefined : parseTimeRange(until, context, '--until').end
  if (start !== undefined && end !== undefined && start >= end) throw new UsageError('--since must be before --until')
  const tests: Test[] = []
  if (start !== undefined) tests.push(({ time }) => time !== undefined && time >= start)
  if (end !== undefined) tests.push(({ time }) => time !== undefined && time < end)
  return tests
}
