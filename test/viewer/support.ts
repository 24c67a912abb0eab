import { ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { addLogsRequest } from '../../src/viewer/otlp/add-logs.ts'
import { LogStore } from '../../src/viewer/store/log-store.ts'

type SdkRecord = Parameters<(typeof ProtobufLogsSerializer)['serializeRequest']>[0][number]

/** A record for the serializer of the official exporter. */
export interface TestRecord {
  /** Milliseconds since the Unix epoch; 0 for an unknown time. */
  readonly time?: number
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: unknown
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly service?: string
  readonly scope?: string
  readonly traceId?: string
  readonly spanId?: string
  readonly eventName?: string
}

/** Returns the bytes that the official exporter sends for some records. */
export function requestOf(records: readonly TestRecord[]): Buffer {
  return Buffer.from(ProtobufLogsSerializer.serializeRequest(records.map(sdkRecord))!)
}

/** Returns a store with some records. */
export function storeWith(records: readonly TestRecord[], maxBytes = 64 * 1024 * 1024): LogStore {
  const store = new LogStore(maxBytes)
  addLogsRequest(store, requestOf(records), 0)
  return store
}

// The exporter sends the records of one resource object together.
const resources = new Map<string, ReturnType<typeof resourceFromAttributes>>()

function resourceOf(service: string): ReturnType<typeof resourceFromAttributes> {
  const resource = resources.get(service) ?? resourceFromAttributes({ 'service.name': service })
  if (resources.size > 100) resources.clear()
  resources.set(service, resource)
  return resource
}

function sdkRecord(record: TestRecord): SdkRecord {
  const { time = 0, body, attributes = {}, service = 'shop', scope = 'http', traceId, spanId } = record
  const hrTime = [Math.floor(time / 1000), Math.round((time % 1000) * 1_000_000)]
  return {
    hrTime,
    hrTimeObserved: hrTime,
    severityNumber: record.severityNumber,
    severityText: record.severityText,
    eventName: record.eventName,
    body,
    attributes,
    resource: resourceOf(service),
    instrumentationScope: { name: scope },
    spanContext: traceId === undefined ? undefined : { traceId, spanId: spanId ?? '00f067aa0ba902b7', traceFlags: 1 },
    droppedAttributesCount: 0,
  } as unknown as SdkRecord
}
