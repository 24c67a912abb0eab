import type { AnyValue, AnyValueMap } from './any-value.ts'
import type { BoundState } from './bound.ts'
import type { SpanContext } from './span.ts'

/** The instrumentation scope: which part of the program speaks. */
export interface Scope {
  /** Its name, such as that of a package or a module; undefined: none. */
  readonly name: string | undefined
  /** Its version; undefined: none. */
  readonly version: string | undefined
  /** The schema that its attributes follow; undefined: none. */
  readonly schemaUrl: string | undefined
  /** What else is known of it; undefined: nothing. */
  readonly attributes: AnyValueMap | undefined
  /** How many of its attributes were past a limit. */
  readonly droppedAttributes: number | undefined
}

/** What is absent of a scope. Said by itself, so that nothing is found on `Object.prototype` in its place. */
export const nothingMore: Pick<Scope, 'schemaUrl' | 'attributes' | 'droppedAttributes'> = {
  schemaUrl: undefined,
  attributes: undefined,
  droppedAttributes: undefined,
}

/** The entity that produces the records: service, process, host. */
export interface Resource {
  /** What is known of it, by name, such as `service.name`. */
  readonly attributes: ReadonlyMap<string, AnyValue>
  /** `service.name` where somebody set it; the fallback `unknown_service:…` does not count. */
  readonly serviceName: string | undefined
  /** The schema that its attributes follow; undefined: none. */
  readonly schemaUrl: string | undefined
}

/** Who speaks: OTLP groups records by it, by identity. */
export interface InstrumentationSource {
  /** Which part of the program speaks. */
  readonly scope: Scope
  /** The entity that it is part of. */
  readonly resource: Resource
}

/** Times that a number of milliseconds cannot hold. */
export interface ExactTime {
  /** Nanoseconds beyond the whole milliseconds of a record's `time`; undefined: what the fraction of `time` says. */
  readonly nanos: number | undefined
  /** When it was seen, as text in nanoseconds since the epoch; undefined: when it was made. */
  readonly observed: string | undefined
}

/** What one log call said: the caller's objects, alive. It is valid only until `RecordHandler.handle` returns. */
export interface LogRecord {
  /** Milliseconds since the Unix epoch. */
  time: number
  /** What others have said of its times; undefined: it was seen when it was made, and `time` says when. */
  exact: ExactTime | undefined
  /** The OpenTelemetry severity number, 1 to 24. */
  severity: number
  /** The level's name as the logger calls it. */
  level: string
  /** The message, or any value; undefined when nothing was said. */
  body: unknown
  /** Whether the body is finished text: names in braces are not inserted. */
  literal: boolean
  /** Arguments to insert into the body, printf style. */
  args: readonly unknown[] | undefined
  /** Arguments that have no place of their own: logged as the attribute `args`. */
  extra: readonly unknown[] | undefined
  /** The attributes of the call. */
  attributes: object | undefined
  /** How many attributes were left out before the record came here. */
  droppedAttributes: number
  /** An Error that was an argument by itself; undefined when none was. */
  exception: unknown
  /** The active span. */
  span: SpanContext | undefined
  /** Names the event when the record is one. */
  eventName: string | undefined
  /** What the logger, its parents and the context add. */
  bound: BoundState
  /** What `enrich` returned: the lowest precedence. */
  enriched: object | undefined
}
