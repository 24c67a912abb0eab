import type { BoundState } from './bound.ts'
import type { SpanContext } from './span.ts'

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

/**
 * Creates a record with only its time, severity, level and bound state set. Every new record is created here, so that all
 * have the same hidden class in V8.
 */
export function newRecord(time: number, severity: number, level: string, bound: BoundState): LogRecord {
  return {
    time,
    exact: undefined,
    severity,
    level,
    body: undefined,
    literal: false,
    args: undefined,
    extra: undefined,
    attributes: undefined,
    droppedAttributes: bound.droppedAttributes,
    exception: undefined,
    span: undefined,
    eventName: undefined,
    bound,
    enriched: undefined,
  }
}
