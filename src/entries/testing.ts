export { captureLogs, type AnyRootLogger, type Captured, type CaptureOptions } from '../create/capture-logs.ts'
export type { CapturedLogs } from '../testing/captured-logs.ts'
export type { CapturedError, CapturedRecord } from '../testing/captured-record.ts'
export type { ErrorQuery, LogQuery, LogQueryOrMessage, TextQuery } from '../testing/log-query.ts'
export type { LogTextOptions } from '../testing/log-text.ts'
export { manualClock, type ManualClock } from '../testing/manual-clock.ts'
export { assertions, type AssertedLogs, type LogAssertions } from '../testing/assertions.ts'
export { matchers, type LogMatcherFunctions, type LogMatchers } from '../testing/matchers.ts'
export type { MatcherResult } from '../testing/expectations.ts'
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
  CheckedLevel,
  CheckedLevelOption,
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
export type { OnDiagnostic, Diagnostic } from '../options/configuration-error.ts'
export type { SeverityNumber, StandardLevel } from '../record/severity.ts'
export type { RecorderOptions } from '../recorder/options.ts'
export type { Limits } from '../values/limits.ts'
export type { Redact, RedactOptions } from '../redact/redact.ts'
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
export type { SpanContext } from '../record/span.ts'
export type { DropReason, DeliveryStats } from '../pipeline/counters.ts'
export { explainRedaction, type ExplainedRedaction } from '../testing/explain-redaction.ts'
export type { RedactExpression, RedactPattern } from '../redact/patterns/compile-patterns.ts'
export { checkExporter, type CheckExporterOptions } from '../testing/check-exporter.ts'
export type { ExporterSubject } from '../testing/exporter-harness.ts'
export { checkHandler, type CheckHandlerOptions } from '../testing/check-handler.ts'
export type { ContractViolation } from '../testing/contract-violation.ts'
