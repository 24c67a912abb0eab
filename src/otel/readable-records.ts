import type { DecodedRecord } from '../encode/otlp-decode.ts'
import type { BatchSource } from '../pipeline/exporter.ts'
import { resourceFor, scopeFor } from './readable-originals.ts'
import type { HrTime, ReadableLogRecord } from './types.ts'

/** The records of a batch as an SDK has them. `sources` say who speaks in it, in order. */
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

function fieldsOf(record: DecodedRecord): Omit<ReadableLogRecord, 'resource' | 'instrumentationScope'> {
  const { severityNumber, severityText, body, eventName, attributes, droppedAttributesCount } = record
  const { traceId, spanId, flags: traceFlags } = record
  return {
    hrTime: hrTimeOf(record.timeUnixNano),
    hrTimeObserved: hrTimeOf(record.observedTimeUnixNano),
    ...(traceId === undefined || spanId === undefined ? {} : { spanContext: { traceId, spanId, traceFlags } }),
    ...(severityNumber === undefined || severityNumber === 0 ? {} : { severityNumber }),
    ...(severityText === undefined ? {} : { severityText }),
    ...(body === undefined ? {} : { body }),
    ...(eventName === undefined ? {} : { eventName }),
    attributes,
    droppedAttributesCount,
  }
}

/** Exact, without a BigInt. A time that OTLP has no word for is the epoch. */
function hrTimeOf(nanos = '0'): HrTime {
  return [Number(nanos.slice(0, -9)), Number(nanos.slice(-9))]
}
