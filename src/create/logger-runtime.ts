import type { RecordChannel } from '../handler/record-channel.ts'
import type { DiagnosticSeverity } from '../lifecycle/diagnostic-levels.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import type { Platform } from '../lifecycle/platform.ts'
import type { ProfileDefaults } from '../lifecycle/profiles.ts'
import type { ContextAttributes } from '../logger/context-attributes.ts'
import type { LoggerOptions } from '../logger/types.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'
import type { OptionSchema } from '../options/option-checks.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { BoundState } from '../record/bound.ts'
import type { Resource } from '../record/instrumentation-source.ts'
import type { Rules } from '../values/record-rules.ts'
import type { LoggerEnvironment } from './logger-options.ts'
import type { Sink } from './sink.ts'

/** The runtime services of a logger. */
export interface LoggerRuntime {
  readonly platform: Platform
  /** The supported options with their checks. */
  readonly schema: OptionSchema
  /** Fallback for diagnostics when there is no callback. Must not block. */
  writeLine(line: string, severity: DiagnosticSeverity): void
  /** Returns the logger settings of the environment; `levels` are the names of the logger's levels. */
  readEnvironment(reportDiagnostic: OnDiagnostic, levels: readonly string[]): LoggerEnvironment
  /** Sets the level directives of the environment; those of later calls are ignored. Never throws. */
  startLevelSources(reportDiagnostic: OnDiagnostic): void
  /** Returns the resource of all records, with the attributes of the options and of the environment. */
  createResource(attributes: LoggerOptions['resource'], reportDiagnostic: OnDiagnostic): Resource
  /** Returns the storage with the attributes of the current asynchronous call chain. */
  contextStorage(): { get(): ContextAttributes | undefined }
  /** The channel that publishes records; undefined if the runtime has none. */
  readonly recordChannel: RecordChannel | undefined
  /** Returns the default exporter. */
  createDefaultExporter(profileDefaults: ProfileDefaults): Exporter
  /** Wraps the functions that flush and close exporters. */
  wrapDelivery(delivery: LoggerDelivery): LoggerDelivery
  /** Returns the sink of a logger with the option `provider`; undefined for loggers with exporters. */
  createProviderSink(
    options: LoggerOptions,
    bound: BoundState,
    rules: Rules,
    reportDiagnostic: OnDiagnostic,
  ): Sink | undefined
}
