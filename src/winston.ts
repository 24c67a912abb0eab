import { levelConfigs, type LevelConfigs } from './bridges/winston/levels.ts'
import { addColors } from './bridges/winston/formats/colors.ts'
import { isFormat } from './bridges/winston/formats/format.ts'
import { Container } from './bridges/winston/container.ts'
import { ConsoleTransport } from './bridges/winston/transports/console.ts'
import { FileTransport } from './bridges/winston/transports/file.ts'
import { HttpTransport } from './bridges/winston/transports/http.ts'
import { RecordTransport } from './bridges/winston/transports/record-transport.ts'
import { StreamTransport } from './bridges/winston/transports/stream.ts'
import type { TransportOptions } from './bridges/winston/transports/transport.ts'
import { composeEmitter } from './compose-logger.ts'
import { node } from './create-logger.ts'
import { loggerSchema } from './logger-options.ts'
import type { LoggerOptions as OwnLoggerOptions } from './logger/types.ts'
import { checkOptions, flag, integer, table, text } from './record/option-checks.ts'
import { ownOptions } from './record/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from './record/problems.ts'

/** Options of `sluiceTransport`: those of every transport of winston's, and those of a logger of this package. */
export interface SluiceTransportOptions
  extends TransportOptions, Omit<OwnLoggerOptions, 'level' | 'levels' | 'name' | 'types'> {
  /**
   * The severity numbers of levels. Default: what appendix B of the logs data model and `severityMaps` say of a name; for other
   * names their place among the logger's levels, from ERROR for the first to TRACE for the last.
   */
  readonly severities?: Readonly<Record<string, number>>
  /** The instrumentation scope of the records. */
  readonly scope?: string
}

const { level: _level, levels: _levels, name: _name, types: _types, ...ofLogger } = loggerSchema
const ofTransport = {
  level: text(),
  name: text(),
  format: isFormat,
  silent: flag,
  handleExceptions: flag,
  handleRejections: flag,
  escapeControls: flag,
  severities: table(integer(1, 24)),
  scope: text(),
}

/**
 * A transport for winston 3, and for `createLogger` of this entry: each info becomes an OpenTelemetry LogRecord, redacted, counted,
 * and written by exporters of this package, by default as JSON lines to the standard output. It takes the info, not the line that a
 * format has made of it, and never holds winston's other transports up.
 *
 * @throws ConfigurationError with every problem of the options.
 */
export function sluiceTransport(options: SluiceTransportOptions = {}): RecordTransport {
  const problems: ConfigurationProblem[] = []
  const own = ownOptions(options, '', problems, ['severities', 'serializers', 'limits', 'resource'])
  checkOptions(own, { ...ofLogger, ...ofTransport }, '', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
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
    ...logger
  } = own
  const transport = { level, name, format, silent, handleExceptions, handleRejections, escapeControls }
  const way = composeEmitter({ ...logger, level: 'trace', ...(scope === undefined ? {} : { name: scope }) }, node)
  const given = Object.fromEntries(Object.entries(transport).filter(([, value]) => value !== undefined))
  return new RecordTransport(given, severities, way, own.redact !== undefined)
}

/** What winston has as `winston.transports`. */
export const transports: {
  readonly Console: typeof ConsoleTransport
  readonly File: typeof FileTransport
  readonly Http: typeof HttpTransport
  readonly Stream: typeof StreamTransport
} = { Console: ConsoleTransport, File: FileTransport, Http: HttpTransport, Stream: StreamTransport }

/** The levels and colors that winston comes with. */
export const config: LevelConfigs & { readonly addColors: typeof addColors } = { ...levelConfigs, addColors }

/** Loggers by name. */
export const loggers: Container = new Container()

export { addColors, Container }
export { createLogger } from './bridges/winston/create-logger.ts'
export { format } from './bridges/winston/formats/formats.ts'
export { Logger } from './bridges/winston/logger.ts'
export { Transport } from './bridges/winston/transports/transport.ts'
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
} from './bridges/winston/default-logger.ts'
export type { AnyTransport } from './bridges/winston/targets.ts'
export type { Catcher } from './bridges/winston/catcher.ts'
export type { ErrorInfo, Metas } from './bridges/winston/call-info.ts'
export type { CliOptions, LabelOptions, PadLevelsOptions, PrettyPrintOptions } from './bridges/winston/formats/text.ts'
export type { ColorizeOptions, LevelColors, UncolorizeOptions } from './bridges/winston/formats/colors.ts'
export type { ErrorsOptions } from './bridges/winston/formats/errors.ts'
export type { FormatKinds, Formats } from './bridges/winston/formats/formats.ts'
export type { FormatWrap, Transform } from './bridges/winston/formats/format.ts'
export type { JsonOptions } from './bridges/winston/formats/json.ts'
export type { MetadataOptions } from './bridges/winston/formats/metadata.ts'
export type { TimestampOptions } from './bridges/winston/formats/timestamp.ts'
export type { Format, TransformableInfo } from './bridges/winston/info.ts'
export type { LevelConfig, LevelConfigs, LevelNumbers } from './bridges/winston/levels.ts'
export type { LoggerOptions } from './bridges/winston/logger-options.ts'
export type { InfoWriter, Profiler } from './bridges/winston/profiler.ts'
export type { ConsoleTransport, ConsoleTransportOptions } from './bridges/winston/transports/console.ts'
export type { FileTransport, FileTransportOptions } from './bridges/winston/transports/file.ts'
export type { HttpTransport, HttpTransportOptions } from './bridges/winston/transports/http.ts'
export type { LineTransport, LineTransportOptions, MakeExporter } from './bridges/winston/transports/line-transport.ts'
export type { RecordTransport, RecordWay } from './bridges/winston/transports/record-transport.ts'
export type { StreamTransport, StreamTransportOptions } from './bridges/winston/transports/stream.ts'
export type { Next, TransportOptions, TransportParent } from './bridges/winston/transports/transport.ts'
export type { LeveledLogger, LeveledLogMethod, LevelMethods, UsualLevel } from './bridges/winston/types.ts'
export type { ExporterStats, FlushOptions, FlushResult, LoggerOptions as RecordOptions, Stats } from './logger/types.ts'
export type { Delivery, Exporter, OnFull } from './pipeline/exporter.ts'
export type { ConfigurationError, ConfigurationProblem, OnProblem, Problem } from './record/problems.ts'
export type { EmitRecord } from './logger/emit.ts'
export type { RedactPattern } from './rules/patterns/compile-patterns.ts'
export type { Limits } from './rules/limits.ts'
export type { Redact, RedactOptions } from './rules/redact.ts'
