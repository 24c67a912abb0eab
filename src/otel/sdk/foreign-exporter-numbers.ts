import { member } from '../../options/own-members.ts'

/**
 * Returns whether an OTLP exporter of OpenTelemetry writes JSON: its serializer produces text for an empty request, the one for
 * protobuf an empty result. Exporters do not expose their format, and their classes have the same name. Returns false for anything
 * else.
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

/** The internal structure of the OTLP exporters of both generations. */
interface OtlpExporter {
  readonly _delegate?: { readonly _serializer?: { serializeRequest(records: readonly never[]): unknown } }
}
