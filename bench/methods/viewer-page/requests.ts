import { ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'

type SdkRecord = Parameters<(typeof ProtobufLogsSerializer)['serializeRequest']>[0][number]

/** The trace of one of 1,000 records. */
export const tracedId = '0af7651916cd43dd8448eb211c80319c'
/** A text that one of 1,000 records has. */
export const rareText = 'the connection was reset'

const services = ['shop', 'mail', 'payments'].map((name) => resourceFromAttributes({ 'service.name': name }))

/** Returns the bytes of a request of the official serializer with some records, of which the last one has a number in its message. */
export function requestBytes(records: number, time: number, last: string): Uint8Array<ArrayBuffer> {
  const all = Array.from({ length: records }, (_, at) => sdkRecord(at, time, at === records - 1 ? last : undefined))
  return Uint8Array.from(ProtobufLogsSerializer.serializeRequest(all)!)
}

function sdkRecord(at: number, time: number, message: string | undefined): SdkRecord {
  const hrTime = [Math.floor(time / 1_000), Math.floor(time % 1_000) * 1_000_000]
  const severityNumber = at % 100 === 0 ? 17 : at % 5 === 0 ? 5 : 9
  return {
    hrTime,
    hrTimeObserved: hrTime,
    severityNumber,
    severityText: severityNumber === 17 ? 'ERROR' : severityNumber === 5 ? 'DEBUG' : 'INFO',
    body: message ?? (at === 500 ? rareText : `GET /orders/${at} handled`),
    attributes: { 'http.route': '/orders/:id', duration_ms: at % 400, tenant: at % 3 === 0 ? 'acme' : 'globex' },
    droppedAttributesCount: 0,
    resource: services[at % 50 === 0 ? 1 : at % 97 === 0 ? 2 : 0]!,
    instrumentationScope: { name: 'http' },
    spanContext: {
      traceId: at === 600 ? tracedId : at.toString(16).padStart(32, '1'),
      spanId: '00f067aa0ba902b7',
      traceFlags: 1,
    },
  } as unknown as SdkRecord
}
