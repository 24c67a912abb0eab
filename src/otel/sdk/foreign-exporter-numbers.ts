import { member } from '../../options/own-members.ts'

/**
 * Returns whether an exporter is an OTLP exporter of OpenTelemetry that writes JSON. Exporters do not expose their format, and the classes
 * for JSON and protobuf have the same name. Therefore an empty request is serialized: in JSON it begins with `{` (0x7b), in protobuf it
 * has no bytes.
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
