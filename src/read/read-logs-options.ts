import type { InputError } from './input/input-error.ts'
import type { FormatName, ReadRecord } from './record.ts'

/**
 * Which records are selected: a query, such as `level>=warn and tenant=acme`, or a function that returns whether a record is. A function
 * must not return a promise.
 */
export type RecordSelection = string | ((record: ReadRecord) => boolean)

/** A point in time: a `Date`, milliseconds since the Unix epoch, or a text such as `2026-03-01T10:30:00Z`, `10:30`, `-3d` or `yesterday`. */
export type ReadTime = Date | number | string

/** A field of a record that is read from another key of a line. */
export type MappedField =
  | 'time'
  | 'level'
  | 'severity_number'
  | 'message'
  | 'event'
  | 'scope'
  | 'trace_id'
  | 'span_id'
  | 'trace_flags'
  | 'exception'
  | 'stack'
  | 'attributes'
  | 'resource'

/** Options of `readLogs`. A record is returned if it passes `where`, `level`, `since`, `until` and `traceOf`. */
export interface ReadLogsOptions {
  /**
   * Which records are returned. An exception that a function throws is thrown to the caller.
   *
   * @defaultValue all records
   */
  readonly where?: RecordSelection
  /**
   * The lowest level of the records: the name of a level, such as `warn`, or a severity number from 1 to 24. A record without a level
   * counts as `info`.
   *
   * @defaultValue all levels
   */
  readonly level?: string | number
  /**
   * The start of the time range: records of this time and later are returned. With `since` or `until`, a record needs a time.
   *
   * @defaultValue no limit
   */
  readonly since?: ReadTime
  /**
   * The end of the time range: records before this time are returned.
   *
   * @defaultValue no limit
   */
  readonly until?: ReadTime
  /**
   * Selects all records of the traces in which a record matches, of all files, and the records that match and are not in a trace. The files
   * are read twice; standard input and pipes are copied to a temporary file that only this process can read. A function is called more
   * than once for a record.
   *
   * @defaultValue none
   */
  readonly traceOf?: RecordSelection
  /**
   * The format of all lines.
   *
   * @defaultValue the format of each line is detected
   */
  readonly input?: FormatName
  /**
   * The keys from which fields are read, such as `{ level: 'severity', message: 'text' }`. They have precedence over those of the format.
   *
   * @defaultValue the keys of the format
   */
  readonly map?: { readonly [field in MappedField]?: string }
  /**
   * Whether records are returned in the order of their times. Records with the same time are in the order of the files and lines; a
   * record without a time takes that of the record before it in its file. The files are read twice, and temporary files are used
   * if they are not in order already.
   *
   * @defaultValue false: file after file
   */
  readonly sort?: boolean
  /**
   * Whether to wait for new lines at the end of the files, also after they were rotated. Iteration ends when it is left or `signal` is
   * aborted. Records of several files are returned as they are written.
   *
   * @defaultValue false
   */
  readonly follow?: boolean
  /**
   * How many of the last existing lines of each file are read. The numbers of lines are then unknown.
   *
   * @defaultValue all lines
   */
  readonly tail?: number
  /**
   * Whether lines of no known format are returned, as records of the format `text` whose message is the line.
   *
   * @defaultValue false
   */
  readonly text?: boolean
  /**
   * Called with the error of a file that cannot be read, or not to its end. Reading continues with the next file.
   *
   * @defaultValue the first error is thrown after everything else has been read
   */
  readonly onError?: (error: InputError) => void
  /**
   * Ends the iteration when it is aborted, without an error.
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal
}
