import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { Redact } from '../../redact/redact.ts'
import type { LogLevel } from './levels.ts'
import type { Serializers } from './std-serializers.ts'

/** Anything that lines, or records, are written to. */
export interface WritableLike {
  /** Takes a line; of a stream of type `raw`, a record. */
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
  /** Where lines, or records, go. */
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
  /** Stands in each record. It must be there. */
  name: string
  /** The least level of streams that say none. Default: info. */
  level?: LogLevel | undefined
  /** Default: the standard output, at the end of each turn, by a bounded queue that is written out when the process ends. */
  stream?: WritableLike | undefined
  /** Its outputs, in place of `stream`; both at once are refused. Default: the standard output. */
  streams?: Stream[] | undefined
  /** What is said in place of a field, by its name. Default: none. */
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
  onDiagnostic?: OnDiagnostic | undefined
  /** Any other member is a field of each record. */
  [field: string]: unknown
}

/** What a child may be given: streams beside its parent's, serializers, a level, and fields. */
export interface ChildOptions {
  /** The least level of all its streams. Default: as the parent has them. */
  level?: LogLevel | undefined
  /** An output beside those of the parent. */
  stream?: WritableLike | undefined
  /** Outputs beside those of the parent. */
  streams?: Stream[] | undefined
  /** Serializers beside those of the parent; of one name the child's. */
  serializers?: Serializers | undefined
  /** True: lines say where in the source the call stands. It is slow. Default: as the parent. */
  src?: boolean | undefined
  /** Any other member is a field of each record. */
  [field: string]: unknown
}
