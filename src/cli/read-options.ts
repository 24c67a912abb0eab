import { isTimeZone, type TimeFormat } from '../encode/pretty/time.ts'
import type { FormatName } from '../read/record.ts'
import { keyMap } from './options/key-map.ts'
import type { ParsedArguments } from './options/parse-arguments.ts'
import type { ParsedOptions } from './options/parsed-options.ts'
import { UsageError } from './options/usage-error.ts'

/** The options that all commands that read files have. */
export interface ReadingOptions {
  /** The files to read, in order; `-` is standard input. */
  readonly files: readonly string[]
  /** The format of all lines; undefined to detect it for each line. */
  readonly input: FormatName | undefined
  /** The keys from which fields are read; undefined for those of the format. */
  readonly fieldNames: ReadonlyMap<string, string> | undefined
}

/** Returns the options that all commands that read files have. */
export function readingOptions({ options, operands }: ParsedArguments): ReadingOptions {
  return {
    files: operands.length === 0 ? ['-'] : operands,
    // The option table lists the names of formats as the only values.
    input: options.value('input') as FormatName | undefined,
    fieldNames: keyMap(options.list('map')),
  }
}

/**
 * Returns how times are shown.
 *
 * @throws UsageError if the value is neither a format nor a time zone.
 */
export function timeFormat(options: ParsedOptions): TimeFormat | undefined {
  const format = options.value('time')
  if (format === undefined || ['local', 'utc', 'iso', 'relative'].includes(format) || isTimeZone(format)) return format
  throw new UsageError(
    `--time: unknown time zone '${format}'; use local, utc, iso, relative or a name such as Europe/Berlin`,
  )
}
