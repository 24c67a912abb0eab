export { createLogger } from './create-logger.ts'
export { logger } from './default-logger.ts'
export { withContext } from './runtime/with-context.ts'
export { defineEvent, type DefinedEvent, type EventOptions } from './logger/events.ts'
export { ConfigurationError } from './record/problems.ts'
export type { ConfigurationProblem, OnProblem, Problem } from './record/problems.ts'
export type { SeverityNumber, StandardLevel } from './record/severity.ts'
export type { Limits } from './rules/limits.ts'
export type { RedactExpression, RedactPattern } from './rules/patterns/compile-patterns.ts'
export type { KeyPreset, KeyPresetName } from './rules/key-presets.ts'
export type { PatternPresetName } from './rules/patterns/presets.ts'
export type { Redact, RedactOptions } from './rules/redact.ts'
export type { HandledRecord, Handler } from './handler/handler.ts'
export type { LogMethod, TemplateNames } from './logger/log-method.ts'
export type {
  AnyLoggerProvider,
  ChildOptions,
  ExporterStats,
  FlushOptions,
  FlushResult,
  LevelMethods,
  LevelName,
  Logger,
  LoggerCore,
  LoggerOptions,
  Owner,
  RootLogger,
  Stats,
  ValueSerializer,
} from './logger/types.ts'
export type { CheckedLevel } from './logger/types.ts'
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
export type { AnyValue, AnyValueMap } from './record/any-value.ts'
export type { Resource, Scope, Source } from './record/record.ts'
export type { SpanContext } from './record/span.ts'
export type { DropReason, Ledger } from './pipeline/ledger.ts'
export type {
  Histogram,
  InstrumentOptions,
  Meter,
  MeterProvider,
  MetricAttributes,
  ObservableInstrument,
  ObservableResult,
} from './pipeline/meter.ts'
