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
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string
  /** 16 hexadecimal digits in lower case. */
  readonly spanId: string
  /** The flags of W3C Trace Context: bit 0 says that the trace is sampled. */
  readonly traceFlags: number
}

/** The values of the asynchronous call chain at hand, by key. */
export interface OtelContext {
  /** The value of a key; undefined where there is none. */
  getValue(key: symbol): unknown
  /** A context with this value beside the others. */
  setValue(key: symbol, value: unknown): OtelContext
  /** A context without the value of a key. */
  deleteValue(key: symbol): OtelContext
}

/** The instrumentation scope of an SDK. It is compared by identity. */
export interface OtelScope {
  /** Which part of the program speaks, such as a package. */
  readonly name: string
  /** The version of that part. */
  readonly version?: string
  /** The schema that its attributes follow. */
  readonly schemaUrl?: string
  /** What else is known of it. */
  readonly attributes?: object
  /** How many of its attributes were past a limit. */
  readonly droppedAttributesCount?: number
}

/** The resource of an SDK. It is compared by identity. */
export interface OtelResource {
  /** What is known of the entity, by name, such as `service.name`. */
  readonly attributes: object
  /** The schema that its attributes follow. */
  readonly schemaUrl?: string
  /** Whether some of its attributes are still being looked for. */
  readonly asyncAttributesPending?: boolean
  /** Ends when all attributes are there. */
  waitForAsyncAttributes?(): Promise<void>
}

/** A record as exporters see it. */
export interface ReadableLogRecord {
  /** When it happened. */
  readonly hrTime: HrTime
  /** When it was seen. */
  readonly hrTimeObserved: HrTime
  /** The span that it belongs to; undefined: none. */
  readonly spanContext?: OtelSpanContext
  /** The level as its source calls it. */
  readonly severityText?: string
  /** 1 to 24; undefined or 0 is unspecified. */
  readonly severityNumber?: number
  /** Text, or any value. */
  readonly body?: unknown
  /** The name of an event; undefined: it is none. */
  readonly eventName?: string
  /** The entity that it comes from. */
  readonly resource: OtelResource
  /** Which part of the program speaks. */
  readonly instrumentationScope: OtelScope
  /** Its attributes by name. */
  readonly attributes: object
  /** How many attributes were past a limit. */
  readonly droppedAttributesCount: number
}

/** A record as processors see it. */
export interface ReadWriteLogRecord {
  /** When it happened. */
  hrTime: HrTime
  /** When it was seen. */
  hrTimeObserved: HrTime
  /** The span that it belongs to; undefined: none. */
  spanContext?: OtelSpanContext
  /** The level as its source calls it. */
  severityText?: string
  /** 1 to 24; undefined or 0 is unspecified. */
  severityNumber?: number
  /** Text, or any value. */
  body?: unknown
  /** The name of an event; undefined: it is none. */
  eventName?: string
  /** How many attributes were past a limit. */
  droppedAttributesCount: number
  /** Its attributes by name. They may be added, changed and deleted. */
  readonly attributes: object
  /** The entity that it comes from. */
  readonly resource: OtelResource
  /** Which part of the program speaks. */
  readonly instrumentationScope: OtelScope
}

/** What a processor's `enabled` is asked about. */
export interface ProcessorEnabledOptions {
  /** The context of the record: the active one unless another is given. */
  readonly context: OtelContext
  /** The instrumentation scope of the logger. */
  readonly instrumentationScope: OtelScope
  /** The severity of the record; undefined or 0 is unspecified. */
  readonly severityNumber?: number | undefined
  /** The name of the event that it would be. */
  readonly eventName?: string | undefined
}

/** A processor of an SDK of either line. */
export interface OtelLogRecordProcessor {
  /**
   * Whether it would do something with such a record. Without this function, or where it throws, it would. `onEmit` is called
   * all the same.
   */
  enabled?(options: ProcessorEnabledOptions): boolean
  /** Takes a record, which it may change until it returns. */
  onEmit(record: ReadWriteLogRecord, context?: OtelContext): void
  /** Exports what was emitted so far, at most so long in ms. */
  forceFlush?(options?: { readonly timeoutMillis?: number }): Promise<void>
  /** Exports what was emitted so far, and closes. */
  shutdown(): Promise<void>
}

/** What an exporter says of a batch: 0 success, 1 failure. */
export interface OtelExportResult {
  /** 0 for success, 1 for failure. */
  readonly code: number
  /** Why it failed. */
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
  /** Its attributes by name. */
  readonly attributes?: object
  /** What was thrown: it becomes `exception.type`, `exception.message` and `exception.stacktrace` (EXC1). */
  readonly exception?: unknown
  /** Whose span it belongs to. Default: that of the active context. */
  readonly context?: OtelContext
}

/** What `enabled` is asked about. */
export interface EnabledOptions {
  /** Whose span the record would belong to. Default: that of the active context. */
  readonly context?: OtelContext
  /** The severity of the record; undefined or 0 is unspecified. */
  readonly severityNumber?: number
  /** The name of the event that it would be. */
  readonly eventName?: string
}

/** A logger of the OpenTelemetry API. */
export interface OtelLogger {
  /** Logs a record. */
  emit(record: EmittedLogRecord): void
  /** Optional in the older line before 0.215. */
  enabled?(options?: EnabledOptions): boolean
}

/** What a logger is asked for with, beside its name and version. */
export interface OtelLoggerOptions {
  /** The schema that the scope's attributes follow. */
  readonly schemaUrl?: string
  /** Attributes of the instrumentation scope. */
  readonly attributes?: object
  /** Attributes of the instrumentation scope, where there are no `attributes`. */
  readonly scopeAttributes?: object
}

/** A provider of loggers. */
export interface OtelLoggerProvider {
  /** The logger of an instrumentation scope. */
  getLogger(name: string, version?: string, options?: OtelLoggerOptions): OtelLogger
}
