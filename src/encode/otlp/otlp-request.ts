import { type RecordRun, type ResourceRun, resourceRuns } from './resource-runs.ts'
import type { Encoding } from '../encoding.ts'
import { OtlpJsonWriter } from './otlp-json-writer.ts'
import { protobufRequest } from './otlp-protobuf-request.ts'
import { OtlpProtobufWriter } from './otlp-protobuf-writer.ts'
import { OtlpTarget } from './otlp-target.ts'
import { walkFormat } from '../walk-encoder.ts'
import { otlpJsonResource, otlpJsonScope } from './otlp-json-source.ts'

/** The encoding of queued records for OTLP, which also builds an ExportLogsServiceRequest from them. */
export interface OtlpEncoding extends Encoding {
  /** The media type of a request (OTL2). */
  readonly contentType: string
  /**
   * Builds a whole request from a batch, in parts. The largest parts are views of `bytes`, so that the caller copies them only once.
   *
   * @param sources - the scopes and resources of the records, in order
   */
  request(bytes: Uint8Array, sources: readonly RecordRun[]): Uint8Array[]
}

/** Returns the encoding for a protocol of OTLP/HTTP. Queued records are finished; a request adds few bytes around many of them. */
export function otlpEncoding(protocol: 'http/protobuf' | 'http/json'): OtlpEncoding {
  if (protocol === 'http/json') {
    const encoding: OtlpEncoding = {
      key: 'otlp:http/json',
      contentType: 'application/json',
      request: (bytes, sources) => jsonRequest(resourceRuns(bytes, sources)),
    }
    return walkFormat(encoding, (rules) => new OtlpTarget(rules, new OtlpJsonWriter(item)))
  }
  const encoding: OtlpEncoding = {
    key: 'otlp:http/protobuf',
    contentType: 'application/x-protobuf',
    binary: true,
    request: (bytes, sources) => protobufRequest(resourceRuns(bytes, sources)),
  }
  return walkFormat(encoding, (rules) => new OtlpTarget(rules, new OtlpProtobufWriter()))
}

/** The text around a record that is an item of an array. */
const item = { opening: '', closing: () => '},' }

const encoder = new TextEncoder()

/** Returns an ExportLogsServiceRequest in JSON (JS1), in parts. Each record ends with a comma. */
function jsonRequest(resources: readonly ResourceRun[]): Uint8Array[] {
  const parts: Uint8Array[] = []
  let text = '{"resourceLogs":['
  for (const [index, { resource, runs }] of resources.entries()) {
    text += `${index === 0 ? '' : ','}{${otlpJsonResource(resource)},"scopeLogs":[`
    for (const [runIndex, { scope, bytes }] of runs.entries()) {
      text += `${runIndex === 0 ? '' : ','}{${otlpJsonScope(scope)},"logRecords":[`
      parts.push(encoder.encode(text), bytes.subarray(0, bytes.length - 1))
      text = ']}'
    }
    text += ']}'
  }
  parts.push(encoder.encode(text + ']}'))
  return parts
}
