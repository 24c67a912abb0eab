import type { BoundState } from './bound.ts'
import type { SpanContext } from './span.ts'

/** The parts of a record's times that `LogRecord.time`, a number of milliseconds, cannot represent. */
export interface ExactTimes {
  /** Nanoseconds after the whole milliseconds of a record's `time`; undefined to use the fraction of `time`. */
  readonly nanos: number | undefined
  /** The time when the record was observed, in nanoseconds since the Unix epoch as decimal text; undefined if it equals `time`. */
  readonly observedNanos: string | undefined
}

/** A record, with the objects that the caller passed, not copies. It is valid only until `RecordHandler.handle` returns. */
export interface LogRecord {
  /** Milliseconds since the Unix epoch. */
  time: number
  /** Times from OpenTelemetry's API or an SDK; undefined if `time` is exact and the record was observed at `time`. */
  exactTimes: ExactTimes | undefined
  /** The OpenTelemetry severity number, 1 to 24, or 0 for unspecified. */
  severity: number
  /** The level's name in the logger or the API that created the record, such as `severityText` of OpenTelemetry; '' without one. */
  level: string
  /** The message, or any value; undefined without a message. */
  body: unknown
  /** Whether names in braces stay in the body and are not replaced by attributes. The placeholders of `printfArguments` still are. */
  keepsBraces: boolean
  /** The arguments of the placeholders of a printf-style body. */
  printfArguments: readonly unknown[] | undefined
  /**
   * Arguments that are neither message, attributes, exception nor printf arguments: logged as the attribute `args`, or `_args` if `args` is
   * taken.
   */
  extraArguments: readonly unknown[] | undefined
  /** The attributes of the log call. */
  attributes: object | undefined
  /** The number of attributes that were dropped before encoding, by the loggers that have bound them or by an SDK. */
  droppedAttributes: number
  /** The Error that was passed as a separate argument, or its `ExceptionParts` if `resolveRecord` created the record; else undefined. */
  exception: unknown
  /** The span that the record belongs to; undefined without one. */
  span: SpanContext | undefined
  /** The name of the event; undefined if the record is not an event. */
  eventName: string | undefined
  /** Whether a handler emits the record about another log call than the current one, whose context and request it does not belong to. */
  isDetached: boolean
  /** What the logger, its parents and `withContext` add to the record. */
  bound: BoundState
  /** The attributes that `enrich` returned. Only those of `baggage` have a lower precedence. */
  enrichedAttributes: object | undefined
  /** The attributes that the option `baggage` selects from the baggage of the record's context. They have the lowest precedence. */
  baggageAttributes: object | undefined
}

/**
 * Creates a record with only its time, severity, level and bound state set. Every new record is created by this function, so that
 * all records have the same hidden class in V8.
 */
export function newRecord(time: number, severity: number, level: string, bound: BoundState): LogRecord {
  return {
    time,
    exactTimes: undefined,
    severity,
    level,
    body: undefined,
    keepsBraces: false,
    printfArguments: undefined,
    extraArguments: undefined,
    attributes: undefined,
    droppedAttributes: bound.droppedAttributes,
    exception: undefined,
    span: undefined,
    eventName: undefined,
    isDetached: false,
    bound,
    enrichedAttributes: undefined,
    baggageAttributes: undefined,
  }
}
