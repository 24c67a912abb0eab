import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import type { LogRecord } from '../record/record.ts'

/**
 * A record as subscribers of the diagnostics channel `sluice:record` receive it: deeply frozen data after redaction, limits and
 * serializers, without references to logged objects. Only binary values (`Uint8Array`) cannot be frozen; they are copies.
 */
export interface PublishedRecord {
  /** The time of the record, in ms since the Unix epoch. */
  readonly time: number
  /** The OpenTelemetry severity number, 1 to 24. */
  readonly severity: number
  /** The name of the level. */
  readonly level: string
  /** The message with its values inserted, or a structured body; undefined if the record has none. */
  readonly body: unknown
  /** The attributes of the record and of its logger, in plain objects without a prototype. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** The name of the event; undefined if the record is not an event. */
  readonly eventName: string | undefined
  /** The name of the logger; undefined if it has none. */
  readonly scopeName: string | undefined
  /** The ID of the trace, 32 hexadecimal digits; undefined without a span. */
  readonly traceId: string | undefined
  /** The ID of the span, 16 hexadecimal digits; undefined without a span. */
  readonly spanId: string | undefined
  /** The flags of the trace; undefined without a span. */
  readonly traceFlags: number | undefined
}

/** Converts a record that `resolveRecord` returned. */
export function publishedRecord({ bound, body, ...record }: LogRecord): PublishedRecord {
  const { time, severity, level, eventName, span } = record
  const attributes = new Map<string, AnyValue>([...bound.attributes, ...(record.attributes as AnyValueMap)])
  return Object.freeze({
    time,
    severity,
    level,
    body: body === undefined ? undefined : frozen(body as AnyValue),
    attributes: frozen(attributes) as Readonly<Record<string, unknown>>,
    eventName,
    scopeName: bound.scope.name,
    traceId: span?.traceId,
    spanId: span?.spanId,
    traceFlags: span?.traceFlags,
  })
}

/** Returns a value as frozen plain objects and arrays. */
function frozen(value: AnyValue): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return value.slice()
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozen(item as AnyValue)))
  const object = Object.create(null) as Record<string, unknown>
  for (const [key, item] of value as AnyValueMap) object[key] = frozen(item)
  return Object.freeze(object)
}
