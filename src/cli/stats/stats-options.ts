import type { TimeFormat } from '../../encode/pretty/time.ts'
import type { RecordPredicate } from '../../read/query/compile-query.ts'
import type { FormatName, ReadRecord } from '../../read/record.ts'

/** The validated options of `sluice stats`. */
export interface StatsOptions {
  /** The files to read, in order; `-` is standard input. */
  readonly files: readonly string[]
  /** Whether a record is counted. Without it, every record is. */
  readonly where?: ((record: ReadRecord) => boolean) | undefined
  /** A query with regular expressions that a counted record matches, in addition to `where`. */
  readonly slowQuery?: RecordPredicate | undefined
  /** Groups by the combination of these: `level`, `service`, `template` or the key of an attribute. Default: two tables, by level and by template. */
  readonly by?: readonly string[] | undefined
  /** The keys of attributes whose percentiles are computed. */
  readonly percentiles?: readonly string[] | undefined
  /** The length of an interval of the timelines in milliseconds. Default: chosen from the time span. */
  readonly interval?: number | undefined
  /** How many groups a table shows. @defaultValue 20 */
  readonly top?: number | undefined
  /** @defaultValue 'table' */
  readonly output?: 'table' | 'json' | undefined
  /** How times are shown in tables. @defaultValue 'local' */
  readonly time?: TimeFormat | undefined
  /** The format of all lines. Default: detected line by line. */
  readonly input?: FormatName | undefined
  /** The keys from which fields are read, as in `--map`. */
  readonly fieldNames?: ReadonlyMap<string, string> | undefined
}
