import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnProblem } from '../../record/problems.ts'
import type { Redact } from '../../rules/redact.ts'
import type { LogLevel } from './levels.ts'
import type { Serializers } from './std-serializers.ts'

/** Anything that lines, or records, are written to. */
export interface WritableLike {
  write(chunk: never): unknown
}

/** One of a logger's outputs. */
export interface Stream {
  /** `stream`, `file`, `rotating-file` or `raw`. Default: `stream` where there is a stream, `file` where there is a path. A `raw` one gets records, and not lines. */
  type?: string | undefined
  /** The least level that goes there. Default: the logger's option `level`, else info. */
  level?: LogLevel | undefined
  /** A file, to which lines are appended. */
  path?: string | undefined
  stream?: WritableLike | undefined
  /** By which `levels()` finds it. */
  name?: string | undefined
  /** Means nothing here: what is written to files of ours is in them when the process ends. */
  closeOnExit?: boolean | undefined
  /** Whether errors of the stream are events of the logger. Default: of files. */
  reemitErrorEvents?: boolean | undefined
  /** Of a rotating file: how often it is put aside. Default `1d`. */
  period?: string | undefined
  /** Of a rotating file: how many are kept beside it. Default 10. */
  count?: number | undefined
}

/** Options of a logger: bunyan's, and what it has not: rules of redaction, exporters. All other members are fields. */
export interface LoggerOptions {
  name: string
  level?: LogLevel | undefined
  /** Default: the standard output, at the end of each turn, by a bounded queue that is written out when the process ends. */
  stream?: WritableLike | undefined
  streams?: Stream[] | undefined
  serializers?: Serializers | undefined
  /** Whether lines say where in the source the call stands. It is slow. Default false. */
  src?: boolean | undefined
  /** What must not leave: it holds in lines, in records of raw streams, and for exporters. */
  redact?: Redact | undefined
  /**
   * Takes each record as an OpenTelemetry log record, beside the line: `otlpExporter()`, for example. Default: none.
   */
  exporter?: Exporter | readonly Exporter[] | undefined
  /** Takes this package's own trouble, and that of serializers. Default: one line on stderr for each code and minute. */
  onProblem?: OnProblem | undefined
  [field: string]: unknown
}

/** What a child may be given: streams beside its parent's, serializers, a level, and fields. */
export interface ChildOptions {
  level?: LogLevel | undefined
  stream?: WritableLike | undefined
  streams?: Stream[] | undefined
  serializers?: Serializers | undefined
  src?: boolean | undefined
  [field: string]: unknown
}
