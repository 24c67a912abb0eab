export { createLogger, type CoreLoggerOptions } from '../create/create-core-logger.ts'
export { consoleExporter, type ConsoleExporterOptions } from '../exporters/console/console-exporter.ts'
export { fetchExporter } from '../exporters/fetch/fetch-exporter.ts'
export type { FetchExporterOptions } from '../exporters/fetch/options.ts'
export type { HeaderOption, HeaderRecord } from '../exporters/otlp/headers.ts'
export type { RetryOptions } from '../exporters/retry/retry-options.ts'
export { jsonLines } from '../encode/json/json-lines.ts'
export type { CoreField, LayoutName, LevelForm, TimeForm } from '../encode/json/layout-bases.ts'
export type { Layout } from '../encode/json/layout.ts'
export { defineEvent, type DefinedEvent, type EventOptions } from '../logger/events.ts'
export { ConfigurationError } from '../options/configuration-error.ts'
export type { ConfigurationProblem, OnDiagnostic, Diagnostic } from '../options/configuration-error.ts'
export type { SeverityNumber, StandardLevel } from '../record/severity.ts'
export type { RecorderOptions } from '../recorder/options.ts'
export type { Limits } from '../values/limits.ts'
export type { RedactExpression, RedactPattern } from '../redact/patterns/compile-patterns.ts'
export type { KeyPreset, KeyPresetName } from '../redact/key-presets.ts'
export type { PatternPresetName } from '../redact/patterns/presets.ts'
export type { Redact, RedactOptions } from '../redact/redact.ts'
export type {
  CreateHandler,
  FilterCounter,
  HandledRecord,
  Handler,
  HandlerHost,
  NewRecord,
  RecordOrigin,
} from '../handler/handler.ts'
export type { LogMethod, TemplateNames } from '../logger/log-method.ts'
export type {
  AnyLoggerProvider,
  BoundNames,
  ChildOptions,
  ExporterStats,
  FlushOptions,
  FlushResult,
  LevelMethods,
  LevelName,
  Logger,
  LoggerCore,
  LoggerOptions,
  LoggerLifecycle,
  RootLogger,
  Stats,
  ValueSerializer,
  WithOptional,
} from '../logger/types.ts'
export type { CheckedLevel, CheckedLevelOption } from '../logger/types.ts'
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
export type { AnyValue, AnyValueMap } from '../record/any-value.ts'
export type { Resource, Scope, InstrumentationSource } from '../record/instrumentation-source.ts'
export type { SpanContext } from '../record/span.ts'
export type { DropReason, DeliveryStats } from '../pipeline/counters.ts'
export type {
  Histogram,
  InstrumentOptions,
  Meter,
  MeterProvider,
  MetricAttributes,
  ObservableInstrument,
  ObservableResult,
} from '../pipeline/meter.ts'
