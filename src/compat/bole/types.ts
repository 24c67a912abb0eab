import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { Redact } from '../../redact/redact.ts'

/** A level, listed from the least severe. */
export type Level = 'debug' | 'info' | 'warn' | 'error'

/** A stream that receives lines as bytes; in object mode, it receives records. */
export interface OutputStream {
  /** Writes a line as a Buffer; in object mode, a record. */
  write(chunk: never): unknown
}

/** Options of an output: those of bole, and redaction, exporters and diagnostics in addition. */
export interface OutputOptions {
  /** Minimum level of records that are written to this output. */
  level: Level
  /**
   * Stream that receives the lines.
   *
   * @defaultValue standard output, through a bounded queue that is written at the end of each event-loop turn and flushed at exit
   */
  stream?: OutputStream | undefined
  /**
   * Redaction rules for this output.
   *
   * @defaultValue redaction of credentials in members named `headers`
   */
  redact?: Redact | undefined
  /**
   * Exports each record as an OpenTelemetry log record, for example with `otlpExporter()`. If no `stream` is set, the output then writes
   * no lines.
   *
   * @defaultValue none
   */
  exporter?: Exporter | readonly Exporter[] | undefined
  /**
   * Callback for the diagnostics of this package.
   *
   * @defaultValue one line on stderr per code and minute
   */
  onDiagnostic?: OnDiagnostic | undefined
}

/** A log method. The first argument may be an Error, an HTTP request, an object of fields, or a format string. */
export type LogMethod = (...args: unknown[]) => void

/** A logger. Calling it creates a logger with a longer name: `a` and `b` become `a:b`. */
export interface BoleLogger {
  /** Creates a logger with the given name appended. */
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

/** Creates loggers, all of which write to the same outputs. */
export interface Bole {
  /** Creates a logger with a name, which is part of each of its lines. */
  (name: string): BoleLogger
  /**
   * Adds outputs.
   *
   * @throws ConfigurationError for invalid options.
   */
  output(options: OutputOptions | readonly OutputOptions[]): Bole
  /**
   * Removes all outputs and turns fast time off. Records logged before are still written, for at most 30 seconds if an exporter does not
   * accept them. Then exporters are shut down, so later outputs need new ones. `flush()` resolves when all of that is done.
   */
  reset(): Bole
  /**
   * Sets whether lines contain the time in milliseconds since the epoch instead of ISO text.
   *
   * @param fast - default: true
   */
  setFastTime(fast?: boolean): Bole
  /** Waits until logged records are written to standard output and by exporters. Streams passed by the user are not awaited. */
  flush(): Promise<void>
}
