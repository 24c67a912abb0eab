import type { Query } from '../../read/query/query.ts'
import type { TimeFormat } from '../../encode/pretty/time.ts'
import type { PatternPresetName } from '../../redact/patterns/presets.ts'
import type { OptionName } from '../options/definition.ts'
import { countValue, durationValue } from '../options/number-value.ts'
import type { ParsedArguments } from '../options/parse-arguments.ts'
import type { ParsedOptions } from '../options/parsed-options.ts'
import { queryValue } from '../options/query-value.ts'
import { redactList } from '../options/redact-list.ts'
import { UsageError } from '../options/usage-error.ts'
import type { OutputFormat } from '../output/output.ts'
import { readingOptions, timeFormat, type ReadingOptions } from '../read-options.ts'
import type { ColorChoice } from '../terminal/decide-color.ts'
import { recordFilter, timeContext, type RecordFilter } from './record-filter.ts'
import type { CompileQueryOptions } from '../../read/query/compile-query.ts'

/** The validated options of the log view. */
export interface ViewOptions extends ReadingOptions {
  readonly filter: RecordFilter
  /** The query of `--trace-of`. */
  readonly traceOf: Query | undefined
  /** How times in queries are understood. */
  readonly timeContext: CompileQueryOptions
  /** The number of the last records that are shown; undefined for all. */
  readonly tail: number | undefined
  /** The number of records before and after each match. */
  readonly before: number
  readonly after: number
  readonly isFollowed: boolean
  readonly isSorted: boolean
  readonly syncWindowMillis: number
  readonly format: OutputFormat
  readonly showKeys: readonly string[] | undefined
  readonly hideKeys: readonly string[] | undefined
  readonly time: TimeFormat | undefined
  readonly color: ColorChoice
  readonly usesPager: boolean
  readonly redact: readonly PatternPresetName[]
  /** Whether the exit code shows that no record matched. */
  readonly reportsMatches: boolean
}

const defaultSyncWindowMillis = 200
/** Options that select records, for which context can be shown. */
const selectingOptions: readonly OptionName[] = ['level', 'query', 'since', 'until', 'trace', 'trace-of']

/**
 * Returns the options of the log view.
 *
 * @throws UsageError if a value is wrong or options cannot be combined.
 */
export function viewOptions(parsed: ParsedArguments): ViewOptions {
  const { options } = parsed
  checkCombinations(options)
  const context = countValue(options, 'context') ?? 0
  const traceOf = options.value('trace-of')
  return {
    ...readingOptions(parsed),
    filter: recordFilter(options),
    traceOf: traceOf === undefined ? undefined : queryValue(traceOf, 'trace-of'),
    timeContext: timeContext(options),
    tail: countValue(options, 'tail'),
    before: countValue(options, 'before-context') ?? context,
    after: countValue(options, 'after-context') ?? context,
    isFollowed: options.has('follow'),
    isSorted: options.has('sort'),
    syncWindowMillis: durationValue(options, 'sync-window') ?? defaultSyncWindowMillis,
    // The option table lists the values of both.
    format: (options.value('output') ?? 'pretty') as OutputFormat,
    color: (options.value('color') ?? 'auto') as ColorChoice,
    showKeys: options.has('include') ? options.list('include') : undefined,
    hideKeys: options.has('exclude') ? options.list('exclude') : undefined,
    time: timeFormat(options),
    usesPager: !options.has('no-pager') && !options.has('follow'),
    redact: redactList(options.list('redact')),
    reportsMatches: options.has('exit-code'),
  }
}

function checkCombinations(options: ParsedOptions): void {
  const reject = (name: OptionName, other: OptionName, hint: string): void => {
    if (options.has(name) && options.has(other)) {
      throw new UsageError(`--${name} cannot be combined with --${other}; ${hint}`)
    }
  }
  reject('sort', 'follow', '--sync-window merges followed files by time')
  reject('trace-of', 'follow', 'it reads all files twice')
  if (options.has('sync-window') && !options.has('follow')) {
    throw new UsageError('--sync-window needs --follow; --sort sorts files that are complete')
  }
  for (const name of ['after-context', 'before-context', 'context'] as const) {
    if (options.has(name) && !selectingOptions.some((filter) => options.has(filter))) {
      throw new UsageError(`--${name} needs an option that selects records, such as --query or --level`)
    }
  }
  if (options.value('output') !== 'raw') return
  for (const name of ['include', 'exclude', 'time'] as const) {
    if (options.has(name)) throw new UsageError(`--${name} has no effect on -o raw, which writes lines unchanged`)
  }
}
