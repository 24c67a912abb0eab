import { JsonWalk } from '../encode/json/json-walk.ts'
import { withoutPrototype } from '../options/own-members.ts'

/** A record as it would have been exported: serialized, redacted and truncated to the limits. */
export interface CapturedRecord {
  /** The level name. */
  readonly level: string
  /** The OpenTelemetry severity number, 1 to 24; 0 if a record of a LoggerProvider has none. */
  readonly severity: number
  /** The message text with all placeholders replaced; a structured body as JSON; '' without a message. */
  readonly message: string
  /** The attributes of the log call and the logger, without those of the exception. Values are JSON values. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** The logged exception, if any. */
  readonly error?: CapturedError
  /** The event name, if the record is an event. */
  readonly eventName?: string
  /** The `name` of the logger. */
  readonly scopeName?: string
  /** The `version` of the logger. */
  readonly scopeVersion?: string
  /** The trace ID, 32 hexadecimal digits, if a span was active. */
  readonly traceId?: string
  /** The span ID, 16 hexadecimal digits, if a span was active. */
  readonly spanId?: string
  /** The trace flags, two hexadecimal digits; `01` means sampled. */
  readonly traceFlags?: string
  /** The number of attributes that were dropped because of a limit. */
  readonly droppedAttributes: number
  /** The time of the log call, in ms since the Unix epoch. */
  readonly time: number
  /** The complete line in the default format, without the line feed. */
  readonly line: string
}

/** The exception of a record. */
export interface CapturedError {
  /** The class name, as in `exception.type`. */
  readonly type?: string
  /** The message, as in `exception.message`. */
  readonly message?: string
  /** The stack with those of the causes, up to the limits. */
  readonly stacktrace?: string
}

/**
 * Parses a line of the default format.
 *
 * @param line - the line, including its line feed
 */
export function capturedRecord(line: string, severity: number): CapturedRecord {
  const fields = withoutPrototype(JSON.parse(line) as Fields)
  const { attributes, error } = separateException(fields.attributes ?? {})
  return withoutUndefined({
    level: fields.level,
    severity,
    message: messageOf(fields.message),
    attributes,
    error,
    eventName: fields['otel.event.name'],
    scopeName: fields['otel.scope.name'],
    scopeVersion: fields['otel.scope.version'],
    traceId: fields.trace_id,
    spanId: fields.span_id,
    traceFlags: fields.trace_flags,
    droppedAttributes: fields['otel.dropped_attributes_count'] ?? 0,
    time: Date.parse(fields.timestamp),
    line: line.slice(0, -1),
  })
}

/** The fields of a line in the default format. */
interface Fields {
  readonly timestamp: string
  readonly level: string
  readonly message?: unknown
  readonly trace_id?: string
  readonly span_id?: string
  readonly trace_flags?: string
  readonly 'otel.scope.name'?: string
  readonly 'otel.scope.version'?: string
  readonly 'otel.event.name'?: string
  readonly 'otel.dropped_attributes_count'?: number
  readonly attributes?: Readonly<Record<string, unknown>>
}

/** The attributes of an exception, and their names in `CapturedError`. */
const errorFields = { 'exception.type': 'type', 'exception.message': 'message', 'exception.stacktrace': 'stacktrace' }

/** Separates the exception from the attributes. Otherwise tests could not compare attributes, because stacks differ. */
function separateException(
  allAttributes: Readonly<Record<string, unknown>>,
): Readonly<Record<'attributes' | 'error', unknown>> {
  const others = Object.entries(allAttributes).filter(([key]) => !Object.hasOwn(errorFields, key))
  const presentFields = Object.entries(errorFields).filter(([key]) => Object.hasOwn(allAttributes, key))
  const error =
    presentFields.length === 0
      ? undefined
      : Object.fromEntries(presentFields.map(([key, name]) => [name, allAttributes[key]]))
  return { attributes: Object.fromEntries(others), error }
}

function messageOf(message: unknown): string {
  return typeof message === 'string' ? message : message === undefined ? '' : (new JsonWalk().json(message) ?? '')
}

/** Removes undefined members, so that whole records can be compared. */
function withoutUndefined(record: Readonly<Record<keyof CapturedRecord, unknown>>): CapturedRecord {
  const members = Object.entries(record).filter(([, value]) => value !== undefined)
  return Object.freeze(Object.fromEntries(members)) as unknown as CapturedRecord
}
