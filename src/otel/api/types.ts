/**
 * The types of OpenTelemetry's JavaScript packages that this package uses. They are declared here so that one class is compatible
 * with both generations, `@opentelemetry/api` 1.10 with sdk-logs 3.x and `@opentelemetry/api-logs` with sdk-logs 0.2xx, whose types
 * are not assignable to each other. Enums are numbers, and values are `unknown`.
 */

/** Whole seconds since the Unix epoch, and the remaining nanoseconds. */
export type HrTime = [number, number]

/**
 * A time that the API accepts: `HrTime`, ms since the Unix epoch, ms since the process started (`performance.now()`), or a Date.
 */
export type TimeInput = HrTime | number | Date

/** The context of a span: its IDs and flags. */
export interface OtelSpanContext {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string
  /** 16 hexadecimal digits in lower case. */
  readonly spanId: string
  /** The trace flags of W3C Trace Context. Bit 0 is set when the trace is sampled. */
  readonly traceFlags: number
}

/** An OpenTelemetry context: immutable values by key for the current execution. */
export interface OtelContext {
  /** Returns the value of a key, or undefined. */
  getValue(key: symbol): unknown
  /** Returns a copy of the context with this value set. */
  setValue(key: symbol, value: unknown): OtelContext
  /** Returns a copy of the context without the value of a key. */
  deleteValue(key: symbol): OtelContext
}

/** An instrumentation scope of an SDK. Scopes are compared by identity. */
export interface OtelScope {
  /** The name of the instrumentation scope, such as a package name. */
  readonly name: string
  /** The version of the instrumentation scope. */
  readonly version?: string
  /** The schema URL of the attributes. */
  readonly schemaUrl?: string
  /** Attributes of the instrumentation scope. */
  readonly attributes?: object
  /** The number of attributes that were dropped because of a limit. */
  readonly droppedAttributesCount?: number
}

/** A resource of an SDK. Resources are compared by identity. */
export interface OtelResource {
  /** Attributes of the entity that produces telemetry, such as `service.name`. */
  readonly attributes: object
  /** The schema URL of the attributes. */
  readonly schemaUrl?: string
  /** Whether some attributes are not resolved yet. */
  readonly asyncAttributesPending?: boolean
  /** Resolves when all attributes are resolved. */
  waitForAsyncAttributes?(): Promise<void>
}

/** A log record as exporters receive it. */
export interface ReadableLogRecord {
  /** The time when the event occurred. */
  readonly hrTime: HrTime
  /** The time when the event was observed. */
  readonly hrTimeObserved: HrTime
  /** The context of the span that the record belongs to, if any. */
  readonly spanContext?: OtelSpanContext
  /** The severity text: the level name that the source uses. */
  readonly severityText?: string
  /** The severity number from 1 to 24; undefined or 0 means unspecified. */
  readonly severityNumber?: number
  /** The body: text or any other value. */
  readonly body?: unknown
  /** The event name; undefined when the record is not an event. */
  readonly eventName?: string
  /** The resource that produced the record. */
  readonly resource: OtelResource
  /** The instrumentation scope of the logger. */
  readonly instrumentationScope: OtelScope
  /** The attributes by name. */
  readonly attributes: object
  /** The number of attributes that were dropped because of a limit. */
  readonly droppedAttributesCount: number
}

/** A log record as processors receive it. */
export interface ReadWriteLogRecord {
  /** The time when the event occurred. */
  hrTime: HrTime
  /** The time when the event was observed. */
  hrTimeObserved: HrTime
  /** The context of the span that the record belongs to, if any. */
  spanContext?: OtelSpanContext
  /** The severity text: the level name that the source uses. */
  severityText?: string
  /** The severity number from 1 to 24; undefined or 0 means unspecified. */
  severityNumber?: number
  /** The body: text or any other value. */
  body?: unknown
  /** The event name; undefined when the record is not an event. */
  eventName?: string
  /** The number of attributes that were dropped because of a limit. */
  droppedAttributesCount: number
  /** The attributes by name. They can be added, changed and deleted. */
  readonly attributes: object
  /** The resource that produced the record. */
  readonly resource: OtelResource
  /** The instrumentation scope of the logger. */
  readonly instrumentationScope: OtelScope
}

/** The parameters of a processor's `enabled`. */
export interface ProcessorEnabledOptions {
  /** The context of the record; the active context unless another was passed. */
  readonly context: OtelContext
  /** The instrumentation scope of the logger. */
  readonly instrumentationScope: OtelScope
  /**
   * The severity number of the record; undefined or 0 means unspecified.
   *
   * @defaultValue unspecified
   */
  readonly severityNumber?: number | undefined
  /**
   * The event name of the record.
   *
   * @defaultValue none
   */
  readonly eventName?: string | undefined
}

/** A log record processor of an OpenTelemetry SDK, of either generation. */
export interface OtelLogRecordProcessor {
  /**
   * Returns whether the processor would process a record with these properties. A processor without this function, or whose
   * function throws, counts as enabled. `onEmit` is called regardless of the result.
   */
  enabled?(options: ProcessorEnabledOptions): boolean
  /** Processes a record. The record can be changed until this returns. */
  onEmit(record: ReadWriteLogRecord, context?: OtelContext): void
  /** Exports all records emitted before this call, within `timeoutMillis` ms. */
  forceFlush?(options?: { readonly timeoutMillis?: number }): Promise<void>
  /** Exports all records emitted before this call, and closes the processor. */
  shutdown(): Promise<void>
}

/** The result of an export. */
export interface OtelExportResult {
  /** 0 for success, 1 for failure. */
  readonly code: number
  /** The reason for a failure. */
  readonly error?: Error
}

/** The input of `emit`. */
export interface EmittedLogRecord {
  /** The event name, which makes the record an event. It identifies the type of event and must not contain values that vary. */
  readonly eventName?: string
  /**
   * The time when the event occurred.
   *
   * @defaultValue `observedTimestamp`, else the current time
   */
  readonly timestamp?: TimeInput
  /**
   * The time when the event was observed.
   *
   * @defaultValue the current time
   */
  readonly observedTimestamp?: TimeInput
  /** The severity number from 1 to 24; 0 means unspecified. */
  readonly severityNumber?: number
  /** The severity text: the level name that the source uses. */
  readonly severityText?: string
  /** The body: text or any other value. */
  readonly body?: unknown
  /** The attributes by name. */
  readonly attributes?: object
  /** A thrown value. It sets `exception.type`, `exception.message` and `exception.stacktrace`. */
  readonly exception?: unknown
  /**
   * The context with the span that the record belongs to.
   *
   * @defaultValue the active context
   */
  readonly context?: OtelContext
}

/** The parameters of a logger's `enabled`. */
export interface EnabledOptions {
  /**
   * The context with the span that the record would belong to.
   *
   * @defaultValue the active context
   */
  readonly context?: OtelContext
  /**
   * The severity number of the record; undefined or 0 means unspecified.
   *
   * @defaultValue unspecified
   */
  readonly severityNumber?: number
  /**
   * The event name of the record.
   *
   * @defaultValue none
   */
  readonly eventName?: string
}

/** A logger of the OpenTelemetry API. */
export interface OtelLogger {
  /** Logs a record. */
  emit(record: EmittedLogRecord): void
  /** Returns whether a record with these properties would be logged. Missing in versions of the older package before 0.215. */
  enabled?(options?: EnabledOptions): boolean
}

/** The options of `getLogger`, in addition to name and version. */
export interface OtelLoggerOptions {
  /**
   * The schema URL of the scope's attributes.
   *
   * @defaultValue none
   */
  readonly schemaUrl?: string
  /**
   * Attributes of the instrumentation scope.
   *
   * @defaultValue none
   */
  readonly attributes?: object
  /**
   * Attributes of the instrumentation scope, used when `attributes` is not set.
   *
   * @defaultValue none
   */
  readonly scopeAttributes?: object
}

/** A LoggerProvider of the OpenTelemetry API. */
export interface OtelLoggerProvider {
  /** Returns the logger of an instrumentation scope. */
  getLogger(name: string, version?: string, options?: OtelLoggerOptions): OtelLogger
}
