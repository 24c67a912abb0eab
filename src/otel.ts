export { createLoggerProvider, type LoggerProvider } from './otel/provider.ts'
export type { LoggerProviderOptions } from './otel/provider-options.ts'
export { PipelineLogRecordProcessor, type PipelineLogRecordProcessorOptions } from './otel/processor.ts'
export { EncodingLogRecordExporter, type EncodingLogRecordExporterOptions } from './otel/encoding-exporter.ts'
export { fromLogRecordExporter } from './otel/foreign-exporter.ts'
export type { ForeignExporterOptions, OtelLogRecordExporter } from './otel/foreign-exporter-options.ts'
export type { IntakeOptions } from './otel/readable-options.ts'
export type { ResourceDetector } from './otel/provider-resource.ts'
export type { Registration, RegistrationOutcome } from './otel/globals.ts'
export type { ScopedLogger } from './otel/emit.ts'
export type {
  LoggerConfig,
  LoggerConfigurator,
  LoggerRule,
  LoggerScope,
  LoggerSettings,
  SeverityName,
} from './otel/configurator.ts'
export type {
  EmittedLogRecord,
  EnabledOptions,
  HrTime,
  OtelContext,
  OtelExportResult,
  OtelLogger,
  OtelLoggerOptions,
  OtelLoggerProvider,
  OtelLogRecordProcessor,
  OtelResource,
  OtelScope,
  OtelSpanContext,
  ProcessorEnabledOptions,
  ReadableLogRecord,
  ReadWriteLogRecord,
  TimeInput,
} from './otel/types.ts'
export type { RetryOptions } from './export/retry/retrying.ts'
export { levelIn, severityIn, severityMaps, severityOfPinoLevel, type SeverityMap } from './record/severity-maps.ts'
export { ConfigurationError } from './record/problems.ts'
export type { ConfigurationProblem, OnProblem, Problem } from './record/problems.ts'
export type { SeverityNumber, StandardLevel } from './record/severity.ts'
export type { Limits } from './rules/limits.ts'
export type { Redact, RedactOptions } from './rules/redact.ts'
export type { ExporterStats, FlushOptions, FlushResult, Stats, ValueSerializer } from './logger/types.ts'
export type { Encoding } from './encode/encoding.ts'
export type {
  BatchSource,
  Delivery,
  EncodedBatch,
  Exporter,
  ExporterHost,
  ExportResult,
  OnFull,
  Refused,
} from './pipeline/exporter.ts'
export type {
  Histogram,
  InstrumentOptions,
  Meter,
  MeterProvider,
  MetricAttributes,
  ObservableInstrument,
  ObservableResult,
} from './pipeline/meter.ts'
export type { AnyValue, AnyValueMap } from './record/any-value.ts'
export type { Resource, Scope, Source } from './record/record.ts'
export type { DropReason, Ledger } from './pipeline/ledger.ts'
export type { ResourceAttributes } from './runtime/resource.ts'
