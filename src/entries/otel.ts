export { createLoggerProvider, type LoggerProvider } from '../otel/provider/provider.ts'
export type { LoggerProviderOptions } from '../otel/provider/provider-options.ts'
export { PipelineLogRecordProcessor, type PipelineLogRecordProcessorOptions } from '../otel/sdk/processor.ts'
export { EncodingLogRecordExporter, type EncodingLogRecordExporterOptions } from '../otel/sdk/encoding-exporter.ts'
export { fromLogRecordExporter } from '../otel/sdk/foreign-exporter.ts'
export type { SdkExporterOptions, OtelLogRecordExporter } from '../otel/sdk/foreign-exporter-options.ts'
export type { SdkRecordOptions } from '../otel/sdk/sdk-record-options.ts'
export type { ResourceDetector } from '../otel/provider/provider-resource.ts'
export type { Registration, RegistrationOutcome } from '../otel/api/globals.ts'
export type { ScopedLogger } from '../otel/api/scoped-logger.ts'
export type {
  LoggerConfig,
  LoggerConfigurator,
  LoggerRule,
  LoggerScope,
  LoggerSettings,
  SeverityName,
} from '../otel/provider/configurator.ts'
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
} from '../otel/api/types.ts'
export type { RetryOptions } from '../exporters/retry/retry-options.ts'
export { levelIn, severityIn, severityMaps, severityOfPinoLevel, type SeverityMap } from '../record/severity-maps.ts'
export { ConfigurationError } from '../options/configuration-error.ts'
export type { ConfigurationProblem, OnDiagnostic, Diagnostic } from '../options/configuration-error.ts'
export type { SeverityNumber, StandardLevel } from '../record/severity.ts'
export type { Limits } from '../values/limits.ts'
export type { Redact, RedactOptions } from '../redact/redact.ts'
export type { ExporterStats, FlushOptions, FlushResult, Stats, ValueSerializer } from '../logger/types.ts'
export type { Encoding } from '../encode/encoding.ts'
export type {
  BatchSource,
  Delivery,
  EncodedBatch,
  Exporter,
  ExporterHost,
  ExportResult,
  OnFull,
  RejectedRecords,
} from '../pipeline/exporter.ts'
export type {
  Histogram,
  InstrumentOptions,
  Meter,
  MeterProvider,
  MetricAttributes,
  ObservableInstrument,
  ObservableResult,
} from '../pipeline/meter.ts'
export type { AnyValue, AnyValueMap } from '../record/any-value.ts'
export type { Resource, Scope, InstrumentationSource } from '../record/instrumentation-source.ts'
export type { DropReason, DeliveryStats } from '../pipeline/counters.ts'
export type { ResourceAttributes } from '../platform/node/resource.ts'
