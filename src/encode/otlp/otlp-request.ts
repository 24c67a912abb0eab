import type { InstrumentationSource } from '../../record/record.ts'
import type { Encoding } from '../encoding.ts'
import { jsonRequest } from './otlp-json-request.ts'
import { OtlpJsonWriter } from './otlp-json-writer.ts'
import { protobufRequest } from './otlp-protobuf-request.ts'
import { OtlpProtobufWriter } from './otlp-protobuf-writer.ts'
import { OtlpTarget } from './otlp-target.ts'
import { walkFormat } from '../walk-encoder.ts'

/** Neighbours of one scope and resource. */
export interface RecordRun extends InstrumentationSource {
  /** How many bytes they have. */
  readonly byteLength: number
}

/** Records that neighbour each other and have one resource, by identity. */
export interface ResourceRun {
  readonly resource: InstrumentationSource['resource']
  readonly runs: readonly { readonly scope: InstrumentationSource['scope']; readonly bytes: Uint8Array }[]
}

/** How records wait to become part of an ExportLogsServiceRequest, and how they become it. */
export interface OtlpEncoding extends Encoding {
  /** The media type of a request (OTL2). */
  readonly contentType: string
  /**
   * A whole request of a batch's bytes, in parts, of which the largest are parts of `bytes`: copied once, by whoever has
   * memory for it. `sources` say who speaks in it, in order.
   */
  request(bytes: Uint8Array, sources: readonly RecordRun[]): Uint8Array[]
}

/** The encoding of a protocol of OTLP/HTTP: what waits are finished records, and a request puts few bytes around many. */
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

/** An item of an array. */
const item = { opening: '', closing: () => '},' }

/** Groups a batch's bytes by who speaks in them. */
export function resourceRuns(bytes: Uint8Array, sources: readonly RecordRun[]): ResourceRun[] {
  const all: {
    resource: InstrumentationSource['resource']
    runs: { scope: InstrumentationSource['scope']; bytes: Uint8Array }[]
  }[] = []
  let from = 0
  for (const { scope, resource, byteLength } of sources) {
    const run = { scope, bytes: bytes.subarray(from, (from += byteLength)) }
    const last = all.at(-1)
    if (last?.resource === resource) last.runs.push(run)
    else all.push({ resource, runs: [run] })
  }
  return all
}
