/**
 * The shapes of OpenTelemetry's JavaScript packages as far as this package touches them. They are written down here, so that
 * one class fits today's line (@opentelemetry/api 1.10 with sdk-logs 3.x) and the older one (@opentelemetry/api-logs and
 * sdk-logs 0.2xx), whose types exclude each other: enums are numbers, values are `unknown`.
 */

/** Seconds since the epoch and the nanoseconds beyond them. */
export type HrTime = [number, number]

/** A time as the API takes it: `HrTime`, ms since the epoch (or since the process began, as `performance.now()` says), a Date. */
export type TimeInput = HrTime | number | Date

/** The identity of a span, as the API has it. */
export interface OtelSpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

/** The values of the asynchronous call chain at hand, by key. */
export interface OtelContext {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): OtelContext
  deleteValue(key: symbol): OtelContext
}

/** The instrumentation scope of an SDK. It is compared by identity. */
export interface OtelScope {
  readonly name: string
  readonly version?: string
  readonly schemaUrl?: string
  readonly attributes?: object
  readonly droppedAttributesCount?: number
}

/** The resource of an SDK. It is compared by identity. */
export interface OtelResource {
  readonly attributes: object
  readonly schemaUrl?: string
  readonly asyncAttributesPending?: boolean
  waitForAsyncAttributes?(): Promise<void>
}

/** A record as exporters see it. */
export interface ReadableLogRecord {
  readonly hrTime: HrTime
  readonly hrTimeObserved: HrTime
  readonly spanContext?: OtelSpanContext
  readonly severityText?: string
  readonly severityNumber?: number
  readonly body?: unknown
  readonly eventName?: string
  readonly resource: OtelResource
  readonly instrumentationScope: OtelScope
  readonly attributes: object
  readonly droppedAttributesCount: number
}

/** A record as processors see it. */
export interface ReadWriteLogRecord {
  hrTime: HrTime
  hrTimeObserved: HrTime
  spanContext?: OtelSpanContext
  severityText?: string
  severityNumber?: number
  body?: unknown
  eventName?: string
  droppedAttributesCount: number
  readonly attributes: object
  readonly resource: OtelResource
  readonly instrumentationScope: OtelScope
}

/** A processor of an SDK of either line. */
export interface OtelLogRecordProcessor {
  onEmit(record: ReadWriteLogRecord, context?: OtelContext): void
  forceFlush?(options?: { readonly timeoutMillis?: number }): Promise<void>
  shutdown(): Promise<void>
}

/** What an exporter says of a batch: 0 success, 1 failure. */
export interface OtelExportResult {
  readonly code: number
  readonly error?: Error
}

/** A record as it is emitted. */
export interface EmittedLogRecord {
  /** Makes the record an event of this name: one that does not vary with what happened (EVT1). */
  readonly eventName?: string
  /** When it happened. Default: now. */
  readonly timestamp?: TimeInput
  /** When it was seen. Default: now. */
  readonly observedTimestamp?: TimeInput
  /** 1 to 24; 0 is unspecified. */
  readonly severityNumber?: number
  /** The level as its source calls it. */
  readonly severityText?: string
  /** Text, or any value. */
  readonly body?: unknown
  readonly attributes?: object
  /** What was thrown: it becomes `exception.type`, `exception.message` and `exception.stacktrace` (EXC1). */
  readonly exception?: unknown
  /** Whose span it belongs to. Default: that of the active context. */
  readonly context?: OtelContext
}

/** What `enabled` is asked about. */
export interface EnabledOptions {
  readonly context?: OtelContext
  readonly severityNumber?: number
  readonly eventName?: string
}

/** A logger of the OpenTelemetry API. */
export interface OtelLogger {
  emit(record: EmittedLogRecord): void
  /** Optional in the older line before 0.215. */
  enabled?(options?: EnabledOptions): boolean
}

/** What a logger is asked for with, beside its name and version. */
export interface OtelLoggerOptions {
  readonly schemaUrl?: string
  readonly attributes?: object
  readonly scopeAttributes?: object
}

/** A provider of loggers. */
export interface OtelLoggerProvider {
  getLogger(name: string, version?: string, options?: OtelLoggerOptions): OtelLogger
}
