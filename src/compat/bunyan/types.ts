import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { Redact } from '../../redact/redact.ts'
import type { LogLevel } from './levels.ts'
import type { Serializers } from './std-serializers.ts'

/** A stream that receives lines or records. */
export interface WritableLike {
  /** Writes a line; for a stream of type `raw`, a record. */
  write(chunk: never): unknown
}

/** Options of a stream of a logger. */
export interface Stream {
  /**
   * `stream`, `file`, `rotating-file` or `raw`. A `raw` stream receives records instead of lines.
   *
   * @defaultValue `stream` if `stream` is set, `file` if `path` is set
   */
  type?: string | undefined
  /**
   * Minimum level of records that are written to it.
   *
   * @defaultValue the option `level` of the logger, otherwise info
   */
  level?: LogLevel | undefined
  /**
   * Path of a file that lines are appended to.
   *
   * @defaultValue none
   */
  path?: string | undefined
  /**
   * Stream that receives lines or records.
   *
   * @defaultValue none
   */
  stream?: WritableLike | undefined
  /**
   * Name by which `levels()` finds the stream.
   *
   * @defaultValue none
   */
  name?: string | undefined
  /**
   * Has no effect: lines in files that this package opened are always flushed when the process exits.
   *
   * @defaultValue true for files that the logger opens, otherwise false
   */
  closeOnExit?: boolean | undefined
  /**
   * Whether error events of the stream are emitted by the logger.
   *
   * @defaultValue true for files, otherwise false
   */
  reemitErrorEvents?: boolean | undefined
  /**
   * How often a rotating file is rotated: a number and `h`, `d`, `w`, `m` or `y`, or `hourly`, `daily`, `weekly`, `monthly` or `yearly`.
   *
   * @defaultValue `1d`
   */
  period?: string | undefined
  /**
   * Number of old files that are kept for a rotating file.
   *
   * @defaultValue 10
   */
  count?: number | undefined
}

/** Options of a logger: those of bunyan, and redaction, exporters and diagnostics in addition. All other members are fields. */
export interface LoggerOptions {
  /** Required. A field of each record. */
  name: string
  /**
   * Minimum level of streams that set none.
   *
   * @defaultValue info
   */
  level?: LogLevel | undefined
  /**
   * Stream that receives the lines.
   *
   * @defaultValue standard output, through a bounded queue that is written at the end of each event-loop turn and flushed at exit
   */
  stream?: WritableLike | undefined
  /**
   * Streams of the logger. They cannot be combined with `stream`.
   *
   * @defaultValue standard output
   */
  streams?: Stream[] | undefined
  /**
   * Functions that return what is logged for a field, by field name.
   *
   * @defaultValue none
   */
  serializers?: Serializers | undefined
  /**
   * Whether records contain the source location of the log call, which is slow to find.
   *
   * @defaultValue false
   */
  src?: boolean | undefined
  /**
   * Redaction rules, which apply to lines, to records of raw streams, and to exported records.
   *
   * @defaultValue redaction of credentials in members named `headers`
   */
  redact?: Redact | undefined
  /**
   * Exports each record as an OpenTelemetry log record in addition to its line, for example with `otlpExporter()`.
   *
   * @defaultValue none
   */
  exporter?: Exporter | readonly Exporter[] | undefined
  /**
   * Callback for the diagnostics of this package, including failures of serializers.
   *
   * @defaultValue one line on stderr per code and minute
   */
  onDiagnostic?: OnDiagnostic | undefined
  /** Any other member is a field of each record. */
  [field: string]: unknown
}

/** Options of a child logger: additional streams and serializers, a level, and fields. */
export interface ChildOptions {
  /**
   * Minimum level of the parent's streams in this child, and of its own streams that set none.
   *
   * @defaultValue the levels of the parent
   */
  level?: LogLevel | undefined
  /**
   * A stream in addition to those of the parent.
   *
   * @defaultValue none
   */
  stream?: WritableLike | undefined
  /**
   * Streams in addition to those of the parent.
   *
   * @defaultValue none
   */
  streams?: Stream[] | undefined
  /**
   * Serializers in addition to those of the parent. For the same field, the child's serializer is used.
   *
   * @defaultValue those of the parent
   */
  serializers?: Serializers | undefined
  /**
   * `true`: records contain the source location of the log call, which is slow to find.
   *
   * @defaultValue as the parent
   */
  src?: boolean | undefined
  /** Any other member is a field of each record. */
  [field: string]: unknown
}
