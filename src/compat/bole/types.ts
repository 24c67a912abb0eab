import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { Redact } from '../../redact/redact.ts'

/** The levels, least severe first. */
export type Level = 'debug' | 'info' | 'warn' | 'error'

/** What lines are written to, as bytes; or records, where it is a stream in object mode. */
export interface OutputStream {
  /** Takes a line as a Buffer; in object mode, a record. */
  write(chunk: never): unknown
}

/** An output: bole's options, and what it has not: rules of redaction, exporters. */
export interface OutputOptions {
  /** The least level that goes there. */
  level: Level
  /** Default: the standard output, at the end of each turn, by a bounded queue that is written out when the process ends. */
  stream?: OutputStream | undefined
  /** What must not leave by this output. */
  redact?: Redact | undefined
  /**
   * Takes each record as an OpenTelemetry log record: `otlpExporter()`, for example. Without a stream of its own, the output
   * writes no lines then. Default: none.
   */
  exporter?: Exporter | readonly Exporter[] | undefined
  /** Takes this package's own trouble. Default: one line on stderr for each code and minute. */
  onDiagnostic?: OnDiagnostic | undefined
}

/** A method of a level. What comes first may be an Error, a request, an object of fields, or a format. */
export type LogMethod = (...args: unknown[]) => void

/** A logger. Called, it makes one with a longer name: `a` and `b` make `a:b`. */
export interface BoleLogger {
  /** Makes a logger of a longer name. */
  (subname: string): BoleLogger
  /** Logs at the level `debug`. */
  debug: LogMethod
  /** Logs at the level `info`. */
  info: LogMethod
  /** Logs at the level `warn`. */
  warn: LogMethod
  /** Logs at the level `error`. */
  error: LogMethod
}

/** Makes loggers, all of which write to the same outputs. */
export interface Bole {
  /** Makes a logger of a name, which stands in each of its lines. */
  (name: string): BoleLogger
  /** Adds outputs. Throws a ConfigurationError for options that cannot be. */
  output(options: OutputOptions | readonly OutputOptions[]): Bole
  /**
   * Takes all outputs away, and fast time. What was logged is written nevertheless, for 30 s at most where an exporter does not
   * take it; then exporters are shut down, and outputs to come need others. `flush()` ends when all of that is done.
   */
  reset(): Bole
  /** Whether lines say the time in ms since the epoch, and not as ISO text. Default, when it is called: true. */
  setFastTime(fast?: boolean): Bole
  /** Ends when what was logged is written, where that is ours to know: the standard output, exporters. */
  flush(): Promise<void>
}
