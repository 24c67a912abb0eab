import type { AnyValue } from '../../record/any-value.ts'

/** Returns the first eight digits of a trace ID. Anything else than 32 characters is shortened only if it is a long ID. */
export function shortTraceId(traceId: string): string {
  return traceId.length === 32 ? traceId.slice(0, 8) : (shortId(traceId) ?? traceId)
}

/** A UUID, or an ID of OpenTelemetry: 16 or 32 hexadecimal digits. */
const longId = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{16})$/i
/** Version 7 of UUIDs begins with the time, which is almost the same for IDs of one minute. */
const timeOrderedId = /^.{14}7/

/**
 * Returns the first eight characters of a long ID, or the last eight if it begins with a time; undefined for any other value. Eight
 * characters suffice to distinguish the IDs on the screen.
 */
export function shortId(value: AnyValue): string | undefined {
  if (typeof value !== 'string') return undefined
  const { length } = value
  if ((length !== 32 && length !== 36 && length !== 16) || !longId.test(value)) return undefined
  return value.length === 36 && timeOrderedId.test(value) ? value.slice(-8) : value.slice(0, 8)
}
