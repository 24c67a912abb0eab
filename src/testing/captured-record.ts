import { JsonWalk } from '../encode/json/json-walk.ts'
import { ownCopy } from '../options/own-members.ts'
/** A record as it would have left the process: rendered, redacted and cut to the limits. */
export interface CapturedRecord {
  /** The level's name. */
  readonly level: string
  /** The OpenTelemetry severity number, 1 to 24. */
  readonly severity: number
  /** The message as text, with everything inserted; a structured body as JSON; '' where nothing was said. */
  readonly message: string
  /** What was said besides, by the call and by the logger, the fields of the exception excepted. Values are those of JSON. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** The logged exception. */
  readonly error?: CapturedError
  /** The name of the event, where the record is one. */
  readonly eventName?: string
  /** The `name` of the logger. */
  readonly scopeName?: string
  /** The `version` of the logger. */
  readonly scopeVersion?: string
  /** 32 hex digits, where a span was active. */
  readonly traceId?: string
  /** 16 hex digits. */
  readonly spanId?: string
  /** Two hex digits; `01`: the span is sampled. */
  readonly traceFlags?: string
  /** How many attributes were left out by a limit. */
  readonly droppedAttributes: number
  /** When it was logged, in ms since the Unix epoch. */
  readonly time: number
  /** The whole line in the default layout, without the line's end. */
  readonly line: string
}

/** The exception of a record. */
export interface CapturedError {
  /** Its class, as `exception.type` says it. */
  readonly type?: string
  /** What it says, as `exception.message`. */
  readonly message?: string
  /** The stack with those of the causes, as long as the limits allow. */
  readonly stacktrace?: string
}

/**
 * Reads a line of the default layout.
 *
 * @param line - with its line's end
 */
export function capturedRecord(line: string, severity: number): CapturedRecord {
  const fields = ownCopy(JSON.parse(line) as Fields)
  const { attributes, error } = withoutException(fields.attributes ?? {})
  return present({
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

const errorFields = { 'exception.type': 'type', 'exception.message': 'message', 'exception.stacktrace': 'stacktrace' }

/** The fields of the exception would stand in the way of whoever compares attributes: a stack is never the same. */
function withoutException(all: Readonly<Record<string, unknown>>): Readonly<Record<'attributes' | 'error', unknown>> {
  const others = Object.entries(all).filter(([key]) => !Object.hasOwn(errorFields, key))
  const own = Object.entries(errorFields).filter(([key]) => Object.hasOwn(all, key))
  const error = own.length === 0 ? undefined : Object.fromEntries(own.map(([key, name]) => [name, all[key]]))
  return { attributes: Object.fromEntries(others), error }
}

function messageOf(message: unknown): string {
  return typeof message === 'string' ? message : message === undefined ? '' : (new JsonWalk().json(message) ?? '')
}

/** What is absent is no member, so that records can be compared whole. */
function present(record: Readonly<Record<keyof CapturedRecord, unknown>>): CapturedRecord {
  const members = Object.entries(record).filter(([, value]) => value !== undefined)
  return Object.freeze(Object.fromEntries(members)) as unknown as CapturedRecord
}
