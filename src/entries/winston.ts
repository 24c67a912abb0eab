import { levelConfigs, type LevelConfigs } from '../compat/winston/levels.ts'
import { addColors } from '../compat/winston/formats/colors.ts'
import { checkFormat } from '../compat/winston/formats/format.ts'
import { Container } from '../compat/winston/container.ts'
import { ConsoleTransport } from '../compat/winston/transports/console.ts'
import { FileTransport } from '../compat/winston/transports/file.ts'
import { HttpTransport } from '../compat/winston/transports/http.ts'
import { RecordTransport } from '../compat/winston/transports/record-transport.ts'
import { StreamTransport } from '../compat/winston/transports/stream.ts'
import type { TransportOptions } from '../compat/winston/transports/transport.ts'
import { composeEmitter } from '../create/compose-logger.ts'
import { nodeRuntime } from '../create/create-logger.ts'
import { loggerSchema } from '../create/logger-options.ts'
import type { LoggerOptions as RecordOptions } from '../logger/types.ts'
import { checkOptions, flag, integer, table, text } from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'

/** Options of `sluiceTransport`: those of every winston transport, and those of a logger of this package. */
export interface SluiceTransportOptions
  extends TransportOptions, Omit<RecordOptions, 'level' | 'levels' | 'name' | 'types'> {
  /**
   * The severity numbers of levels.
   *
   * @defaultValue for a name in appendix B of the logs data model or in `severityMaps` of `sluice/otel`, the number given there;
   * for other names, a number by their position among the logger's levels, from ERROR for the first to TRACE for the last
   */
  readonly severities?: Readonly<Record<string, number>>
  /**
   * The name of the records' instrumentation scope.
   *
   * @defaultValue none
   */
  readonly scope?: string
}

// These options of a logger have another meaning in a transport, or none.
const { level: _level, levels: _levels, name: _name, types: _types, ...loggerChecks } = loggerSchema
const transportChecks = {
  level: text(),
  name: text(),
  format: checkFormat,
  silent: flag,
  handleExceptions: flag,
  handleRejections: flag,
  escapeControls: flag,
  severities: table(integer(1, 24)),
  scope: text(),
}

/**
 * Creates a transport for winston 3, and for `createLogger` of this entry point. Each info becomes an OpenTelemetry LogRecord,
 * which is redacted, counted, and written by exporters of this package, by default as JSON lines to standard output. The
 * transport receives the info, not the line that a format created, and never blocks winston's other transports.
 *
 * @throws ConfigurationError with every problem of the options
 */
export function sluiceTransport(options: SluiceTransportOptions = {}): RecordTransport {
  const problems: ConfigurationProblem[] = []
  const checkedOptions = copyOptions(options, '', problems, ['severities', 'serializers', 'limits', 'resource'])
  checkOptions(checkedOptions, { ...loggerChecks, ...transportChecks }, '', problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'sluiceTransport')
  const {
    level,
    name,
    format,
    silent,
    handleExceptions,
    handleRejections,
    escapeControls,
    severities = {},
    scope,
    ...loggerOptions
  } = checkedOptions
  const transportOptions = { level, name, format, silent, handleExceptions, handleRejections, escapeControls }
  const emitterOptions = { ...loggerOptions, level: 'trace', ...(scope === undefined ? {} : { name: scope }) }
  const recordPipeline = composeEmitter({ options: emitterOptions, runtime: nodeRuntime, caller: 'sluiceTransport' })
  const definedTransportOptions = Object.fromEntries(
    Object.entries(transportOptions).filter(([, value]) => value !== undefined),
  )
  return new RecordTransport(definedTransportOptions, severities, recordPipeline, checkedOptions.redact !== undefined)
}

/** The transports, as in `winston.transports`. */
export const transports: {
  readonly Console: typeof ConsoleTransport
  readonly File: typeof FileTransport
  readonly Http: typeof HttpTransport
  readonly Stream: typeof StreamTransport
} = { Console: ConsoleTransport, File: FileTransport, Http: HttpTransport, Stream: StreamTransport }

/** The default levels and colors of winston. */
export const config: LevelConfigs & { readonly addColors: typeof addColors } = { ...levelConfigs, addColors }

/** A container of loggers by name. */
export const loggers: Container = new Container()

export { addColors, Container }
export { createLogger } from '../compat/winston/create-logger.ts'
export { format } from '../compat/winston/formats/formats.ts'
export { Logger } from '../compat/winston/logger.ts'
export { Transport } from '../compat/winston/transports/transport.ts'
export {
  add,
  child,
  clear,
  configure,
  debug,
  error,
  exceptions,
  http,
  info,
  log,
  profile,
  rejections,
  remove,
  silly,
  startTimer,
  verbose,
  warn,
} from '../compat/winston/default-logger.ts'
export type { AnyTransport } from '../compat/winston/targets.ts'
export type { UncaughtHandler } from '../compat/winston/uncaught-handler.ts'
export type { ErrorInfo, MetaMembers } from '../compat/winston/call-info.ts'
export type { CliOptions, LabelOptions, PadLevelsOptions, PrettyPrintOptions } from '../compat/winston/formats/text.ts'
export type { ColorizeOptions, LevelColors, UncolorizeOptions } from '../compat/winston/formats/colors.ts'
export type { ErrorsOptions } from '../compat/winston/formats/errors.ts'
export type { FormatKinds, Formats } from '../compat/winston/formats/formats.ts'
export type { FormatWrap, Transform } from '../compat/winston/formats/format.ts'
export type { JsonOptions } from '../compat/winston/formats/json.ts'
export type { MetadataOptions } from '../compat/winston/formats/metadata.ts'
export type { TimestampOptions } from '../compat/winston/formats/timestamp.ts'
export type { Format, TransformableInfo } from '../compat/winston/info.ts'
export type { LevelConfig, LevelConfigs, LevelNumbers } from '../compat/winston/levels.ts'
export type { LoggerOptions } from '../compat/winston/logger-options.ts'
export type { InfoWriter, Profiler } from '../compat/winston/profiler.ts'
export type { ConsoleTransport, ConsoleTransportOptions } from '../compat/winston/transports/console.ts'
export type { FileTransport, FileTransportOptions } from '../compat/winston/transports/file.ts'
export type { HttpTransport, HttpTransportOptions } from '../compat/winston/transports/http.ts'
export type { LineTransport, LineTransportOptions, MakeExporter } from '../compat/winston/transports/line-transport.ts'
export type { RecordTransport, RecordPipeline } from '../compat/winston/transports/record-transport.ts'
export type { StreamTransport, StreamTransportOptions } from '../compat/winston/transports/stream.ts'
export type { Next, TransportOptions, TransportParent } from '../compat/winston/transports/transport.ts'
export type { LeveledLogger, LeveledLogMethod, LevelMethods, DefaultLevel } from '../compat/winston/types.ts'
export type {
  ExporterStats,
  FlushOptions,
  FlushResult,
  LoggerOptions as RecordOptions,
  Stats,
} from '../logger/types.ts'
export type { Delivery, Exporter, OnFull } from '../pipeline/exporter.ts'
export type {
  ConfigurationError,
  ConfigurationProblem,
  OnDiagnostic,
  Diagnostic,
} from '../options/configuration-error.ts'
export type { EmitRecord } from '../logger/emit.ts'
export type { RedactPattern } from '../redact/patterns/compile-patterns.ts'
export type { RecorderOptions } from '../recorder/options.ts'
export type { Limits } from '../values/limits.ts'
export type { Redact, RedactOptions } from '../redact/redact.ts'
