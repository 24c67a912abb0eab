import { member } from '../../options/own-members.ts'

/**
 * Whether an OTLP exporter of OpenTelemetry writes JSON: its serializer makes text of a request without records, the one for
 * protobuf makes nothing. No exporter says it, and their classes have one name. False for what cannot be asked.
 */
export function writesJson(exporter: object): boolean {
  try {
    const delegate = member(exporter as OtlpExporter, '_delegate')
    const serializer = member(delegate!, '_serializer')
    const request = serializer!.serializeRequest([])
    return request instanceof Uint8Array && request[0] === 0x7b
  } catch {
    return false
  }
}

/** What the exporters of both lines have inside. */
interface OtlpExporter {
  readonly _delegate?: { readonly _serializer?: { serializeRequest(records: readonly never[]): unknown } }
}
