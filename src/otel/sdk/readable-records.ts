import type { DecodedRecord } from '../../encode/otlp/otlp-decode.ts'
import type { BatchSource } from '../../pipeline/exporter.ts'
import { toSdkResource, toSdkScope } from './readable-originals.ts'
import type { HrTime, ReadableLogRecord } from '../api/types.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/**
 * Converts the records of a batch to those of an SDK.
 *
 * @param sources - the scopes and resources of the records, in order
 */
export function toReadableRecords(
  records: readonly DecodedRecord[],
  sources: readonly BatchSource[],
): ReadableLogRecord[] {
  const readable: ReadableLogRecord[] = []
  let index = 0
  for (const { scope, resource, count } of sources) {
    const source = { resource: toSdkResource(resource), instrumentationScope: toSdkScope(scope) }
    for (const end = index + count; index < end; index++) readable.push({ ...fieldsOf(records[index]!), ...source })
  }
  return readable
}

type ReadableFields = Omit<ReadableLogRecord, 'resource' | 'instrumentationScope'>

/**
 * Returns the fields of a record. Every member is defined, as in a record of an SDK: an exporter would read a missing one from
 * `Object.prototype`.
 */
function fieldsOf(decoded: DecodedRecord): ReadableFields {
  const record = withoutPrototype(decoded)
  const { severityNumber, severityText, body, eventName, attributes, droppedAttributesCount } = record
  const { traceId, spanId, flags: traceFlags } = record
  const fields: Record<keyof ReadableFields, unknown> = {
    hrTime: hrTimeOfNanos(record.timeUnixNano),
    hrTimeObserved: hrTimeOfNanos(record.observedTimeUnixNano),
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

/** Converts decimal nanoseconds exactly, without a BigInt. A time that is missing, because OTLP cannot represent it, becomes the epoch. */
function hrTimeOfNanos(nanos = '0'): HrTime {
  return [Number(nanos.slice(0, -9)), Number(nanos.slice(-9))]
}
