import type { AnyValue, AnyValueMap } from '../../../src/record/any-value.ts'
import type { ReadRecord } from '../../../src/read/record.ts'

/** A value of JSON, which is easier to write in tests than maps. */
export type Json = string | number | boolean | bigint | null | readonly Json[] | { readonly [key: string]: Json }

/** Returns a value of the data model. */
export function anyValueOf(value: Json): AnyValue {
  if (Array.isArray(value)) return (value as readonly Json[]).map(anyValueOf)
  if (typeof value === 'object' && value !== null) return mapOf(value as Readonly<Record<string, Json>>)
  return value
}

/** Returns an object of the data model. */
export function mapOf(object: Readonly<Record<string, Json>>): AnyValueMap {
  return new Map(Object.entries(object).map(([key, value]) => [key, anyValueOf(value)]))
}

/** Returns a record with these attributes, and with other parts that replace the usual ones. */
export function recordWith(
  attributes: Readonly<Record<string, Json>> = {},
  parts: Partial<ReadRecord> = {},
): ReadRecord {
  const body = parts.body ?? parts.message ?? 'hello'
  return {
    format: 'sluice',
    time: undefined,
    timeUnixNano: undefined,
    severityNumber: 9,
    level: 'info',
    severityText: undefined,
    message: typeof body === 'string' ? body : undefined,
    eventName: undefined,
    attributes: mapOf(attributes),
    resource: new Map(),
    scope: undefined,
    scopeVersion: undefined,
    traceId: undefined,
    spanId: undefined,
    traceFlags: undefined,
    origin: { file: 'app.log', line: 1, container: undefined, stream: undefined },
    raw: new Uint8Array(),
    ...parts,
    body,
  }
}
