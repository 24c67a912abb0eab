import { type RecordRun, type ResourceRun, splitByResource } from './resource-runs.ts'
import type { Encoding } from '../encoding.ts'
import { OtlpJsonWriter } from './otlp-json-writer.ts'
import { protobufRequest } from './otlp-protobuf-request.ts'
import { OtlpProtobufWriter } from './otlp-protobuf-writer.ts'
import { OtlpTarget } from './otlp-target.ts'
import { walkFormat } from '../walk-encoder.ts'
import { otlpJsonResourceMembers, otlpJsonScopeMembers } from './otlp-json-source.ts'

/** The encoding of queued records for OTLP, which also builds an ExportLogsServiceRequest from them. */
export interface OtlpEncoding extends Encoding {
  /** The media type of a request. */
  readonly contentType: string
  /**
   * Builds a whole request from a batch, in parts. The largest parts are views of `bytes`, so that the caller copies them only once.
   *
   * @param recordRuns - the scopes and resources of the records, in order
   */
  request(bytes: Uint8Array, recordRuns: readonly RecordRun[]): Uint8Array[]
}

/** Returns the encoding for a protocol of OTLP/HTTP. Queued records are already encoded; a request only adds scopes and resources. */
export function otlpEncoding(protocol: 'http/protobuf' | 'http/json'): OtlpEncoding {
  if (protocol === 'http/json') {
    const encoding: OtlpEncoding = {
      key: 'otlp:http/json',
      contentType: 'application/json',
      request: (bytes, recordRuns) => jsonRequest(splitByResource(bytes, recordRuns)),
    }
    return walkFormat(encoding, (rules) => new OtlpTarget(rules, new OtlpJsonWriter(itemFrame)))
  }
  const encoding: OtlpEncoding = {
    key: 'otlp:http/protobuf',
    contentType: 'application/x-protobuf',
    binary: true,
    request: (bytes, recordRuns) => protobufRequest(splitByResource(bytes, recordRuns)),
  }
  return walkFormat(encoding, (rules) => new OtlpTarget(rules, new OtlpProtobufWriter()))
}

/** The text around a record that is an item of a list: the brace that closes it, and a comma. */
const itemFrame = { opening: '', closing: () => '},' }

const encoder = new TextEncoder()

/**
 * Returns an ExportLogsServiceRequest in JSON, in parts. Each queued record ends with a comma; that of the last one in a list is removed.
 */
function jsonRequest(resources: readonly ResourceRun[]): Uint8Array[] {
  const parts: Uint8Array[] = []
  let text = '{"resourceLogs":['
  for (const [index, { resource, scopeRuns }] of resources.entries()) {
    text += `${index === 0 ? '' : ','}{${otlpJsonResourceMembers(resource)},"scopeLogs":[`
    for (const [runIndex, { scope, bytes }] of scopeRuns.entries()) {
      text += `${runIndex === 0 ? '' : ','}{${otlpJsonScopeMembers(scope)},"logRecords":[`
      parts.push(encoder.encode(text), bytes.subarray(0, bytes.length - 1))
      text = ']}'
    }
    text += ']}'
  }
  parts.push(encoder.encode(text + ']}'))
  return parts
}
