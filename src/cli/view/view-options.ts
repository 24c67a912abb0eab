import type { TimeFormat } from '../../encode/pretty/time.ts'
import type { PatternPresetName } from '../../redact/patterns/presets.ts'
import type { OptionName } from '../options/definition.ts'
import { countValue, durationValue } from '../options/number-value.ts'
import type { ParsedArguments } from '../options/parse-arguments.ts'
import type { ParsedOptions } from '../options/parsed-options.ts'
import { UsageError } from '../options/usage-error.ts'
import type { OutputFormat } from '../../output/output.ts'
import { readingOptions, timeFormat, type ReadingOptions } from '../read-options.ts'
import type { ColorChoice } from '../terminal/decide-color.ts'
import { selectingOptions, selectionOf, type Selection } from './selection.ts'

/** The validated options of the log view. */
export interface ViewOptions extends ReadingOptions, Selection {
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

/**
 * Returns the options of the log view.
 *
 * @throws UsageError if a value is wrong or options cannot be combined.
 */
export async function viewOptions(parsed: ParsedArguments): Promise<ViewOptions> {
  const { options } = parsed
  checkCombinations(options)
  const context = countValue(options, 'context') ?? 0
  return {
    ...readingOptions(parsed),
    ...(await selectionOf(options)),
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
    redact: options.has('redact') ? (await import('../options/redact-list.ts')).redactList(options.list('redact')) : [],
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
