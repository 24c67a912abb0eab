import type { InstrumentationSource } from '../../record/record.ts'
import type { Encoding } from '../encoding.ts'
import { jsonRequest } from './otlp-json-request.ts'
import { OtlpJsonWriter } from './otlp-json-writer.ts'
import { protobufRequest } from './otlp-protobuf-request.ts'
import { OtlpProtobufWriter } from './otlp-protobuf-writer.ts'
import { OtlpTarget } from './otlp-target.ts'
import { walkFormat } from '../walk-encoder.ts'

/** Consecutive records with the same scope and resource. */
export interface RecordRun extends InstrumentationSource {
  /** The size of the records in bytes. */
  readonly byteLength: number
}

/** Consecutive records with the same resource, by identity. */
export interface ResourceRun {
  readonly resource: InstrumentationSource['resource']
  readonly runs: readonly { readonly scope: InstrumentationSource['scope']; readonly bytes: Uint8Array }[]
}

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

/** Groups the bytes of a batch by resource and scope. */
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
