import type { AnyValue, AnyValueMap } from './any-value.ts'
import type { BoundState } from './bound.ts'
import type { SpanContext } from './span.ts'

/** The instrumentation scope: the part of the program that logs. */
export interface Scope {
  /** Its name, such as that of a package or a module; undefined if it has none. */
  readonly name: string | undefined
  /** Its version; undefined if it has none. */
  readonly version: string | undefined
  /** The URL of the schema of its attributes; undefined if there is none. */
  readonly schemaUrl: string | undefined
  /** Its attributes; undefined if it has none. */
  readonly attributes: AnyValueMap | undefined
  /** The number of its attributes that were dropped over a limit. */
  readonly droppedAttributes: number | undefined
}

/**
 * The optional members of a scope, unset. They are listed explicitly, so that no values are read from `Object.prototype` instead.
 */
export const emptyScopeDetails: Pick<Scope, 'schemaUrl' | 'attributes' | 'droppedAttributes'> = {
  schemaUrl: undefined,
  attributes: undefined,
  droppedAttributes: undefined,
}

/** The entity that produces the records: service, process, host. */
export interface Resource {
  /** Its attributes by name, such as `service.name`. */
  readonly attributes: ReadonlyMap<string, AnyValue>
  /** `service.name` if it was set; the fallback `unknown_service:…` does not count. */
  readonly serviceName: string | undefined
  /** The URL of the schema of its attributes; undefined if there is none. */
  readonly schemaUrl: string | undefined
}

/** The scope and resource of records. OTLP groups records by them, compared by identity. */
export interface InstrumentationSource {
  /** The part of the program that logs. */
  readonly scope: Scope
  /** The entity that this part belongs to. */
  readonly resource: Resource
}

/** Times that a number of milliseconds cannot represent. */
export interface ExactTime {
  /** Nanoseconds after the whole milliseconds of a record's `time`; undefined to use the fraction of `time`. */
  readonly nanos: number | undefined
  /** The time when the record was observed, as text in nanoseconds since the epoch; undefined if that is when it was created. */
  readonly observed: string | undefined
}

/** A record with the caller's live objects. It is valid only until `RecordHandler.handle` returns. */
export interface LogRecord {
  /** Milliseconds since the Unix epoch. */
  time: number
  /** Exact times that the source of the record has set; undefined if it was observed when it was created, at `time`. */
  exact: ExactTime | undefined
  /** The OpenTelemetry severity number, 1 to 24. */
  severity: number
  /** The level's name in its logger. */
  level: string
  /** The message, or any value; undefined without a message. */
  body: unknown
  /** Whether the body is final text, in which names in braces are not replaced. */
  literal: boolean
  /** Arguments to insert into the body, printf style. */
  args: readonly unknown[] | undefined
  /** Arguments that are neither message, attributes, exception nor printf arguments: logged as the attribute `args`. */
  extra: readonly unknown[] | undefined
  /** The attributes of the log call. */
  attributes: object | undefined
  /** The number of attributes that were dropped before. */
  droppedAttributes: number
  /** The Error that was passed as a separate argument; undefined without one. */
  exception: unknown
  /** The active span. */
  span: SpanContext | undefined
  /** The name of the event, if the record is one. */
  eventName: string | undefined
  /** The state that the logger, its parents and the context add. */
  bound: BoundState
  /** The attributes that `enrich` returned. They have the lowest precedence. */
  enriched: object | undefined
}
