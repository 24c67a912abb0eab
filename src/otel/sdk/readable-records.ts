import type { DecodedRecord } from '../../encode/otlp/otlp-decode.ts'
import type { BatchSource } from '../../pipeline/exporter.ts'
import { resourceFor, scopeFor } from './readable-originals.ts'
import type { HrTime, ReadableLogRecord } from '../api/types.ts'
import { ownCopy } from '../../options/own-members.ts'

/** Returns the records of a batch in the form of an SDK. `sources` lists their scopes and resources in order. */
export function readableRecords(
  records: readonly DecodedRecord[],
  sources: readonly BatchSource[],
): ReadableLogRecord[] {
  const readable: ReadableLogRecord[] = []
  let at = 0
  for (const { scope, resource, count } of sources) {
    const origin = { resource: resourceFor(resource), instrumentationScope: scopeFor(scope) }
    for (const end = at + count; at < end; at++) readable.push({ ...fieldsOf(records[at]!), ...origin })
  }
  return readable
}

type ReadableFields = Omit<ReadableLogRecord, 'resource' | 'instrumentationScope'>

/**
 * Returns the fields of a record. Every member is defined, as in a record of an SDK: an exporter would read a missing one from
 * `Object.prototype`.
 */
function fieldsOf(decoded: DecodedRecord): ReadableFields {
  const record = ownCopy(decoded)
  const { severityNumber, severityText, body, eventName, attributes, droppedAttributesCount } = record
  const { traceId, spanId, flags: traceFlags } = record
  const fields: Record<keyof ReadableFields, unknown> = {
    hrTime: hrTimeOf(record.timeUnixNano),
    hrTimeObserved: hrTimeOf(record.observedTimeUnixNano),
    spanContext: traceId === undefined || spanId === undefined ? undefined : { traceId, spanId, traceFlags },
    severityNumber: severityNumber || undefined,
    severityText,
    body,
    eventName,
    attributes,
    droppedAttributesCount,
  }
  return fields as unknown as ReadableFields
}

/** Converts decimal nanoseconds to HrTime exactly, without a BigInt. A time that OTLP cannot represent becomes the epoch. */
function hrTimeOf(nanos = '0'): HrTime {
  return [Number(nanos.slice(0, -9)), Number(nanos.slice(-9))]
}
