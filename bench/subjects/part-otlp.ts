import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { encoderFor } from '../../src/encode/encoding.ts'
import type { OtlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import { BatchBuffer, RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { BoundState } from '../../src/record/bound.ts'
import { newRecord, type LogRecord } from '../../src/record/record.ts'
import { emptyScopeDetails } from '../../src/record/instrumentation-source.ts'
import { resolveLimits } from '../../src/values/limits.ts'
import { compileRedaction } from '../../src/redact/redact.ts'
import { standardSerializers } from '../../src/values/serializers.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import type { Log, LogSetup, Subject } from './subject.ts'

const recordsPerRequest = 512

/** The steps that correspond to an official serializer: encoding with redaction, batching, and the request. */
export const partOtlp: Subject = {
  title: 'the encoder and the batch buffers of sluice, 512 finished records per request',
  whenFull: 'creates a request immediately',
  open,
  read: () => {
    throw new Error('requests are not lines')
  },
}

const rules = {
  redaction: compileRedaction(undefined, '', []),
  serializers: standardSerializers,
  limits: resolveLimits(undefined, 'limits', []),
}

async function open({ otlp, trace }: LogSetup, build: string): Promise<Log> {
  const span = trace === undefined ? undefined : { ...trace, traceFlags: 1 }
  const { otlpExporter } = (await import(
    pathToFileURL(join(build, 'exporters.js')).href
  )) as typeof import('../../src/entries/exporters.ts')
  // The encoding of the build; the batch buffers are those of the checkout.
  const own = otlpExporter({ protocol: otlp!, url: 'http://127.0.0.1:9/v1/logs' })
  const encoding = own.encoding as OtlpEncoding
  const encoder = encoderFor(encoding, rules)
  const buffers = byteBuffers(encoding.binary === true ? 'latin1' : 'utf8')
  const owner = new RecordOwner(new Counters(), bound)
  let sequence = 1
  let batch = new BatchBuffer(sequence, buffers)
  let requests: Uint8Array[] = []

  function send(): void {
    if (batch.count === 0) return
    batch.close()
    requests.push(Buffer.concat(encoding.request(batch.bytes(), batch.sources())))
    batch.release()
    batch = new BatchBuffer(++sequence, buffers)
  }
  function add(body: string, attributes: object): void {
    batch.add(encoder.encode(recordOf(body, attributes, span)) as string, 9, owner)
    if (batch.count === recordsPerRequest) send()
  }
  return {
    text: (message) => add(message, {}),
    attributes: add,
    flush: send,
    requests() {
      const created = requests
      requests = []
      return created
    },
  }
}

const bound = BoundState.ofSource({
  scope: { ...emptyScopeDetails, name: 'bench', version: undefined },
  resource: {
    attributes: new Map([
      ['service.name', 'unknown_service:node'],
      ['telemetry.sdk.language', 'nodejs'],
      ['telemetry.sdk.name', 'sluice'],
      ['telemetry.sdk.version', '0.1.0'],
    ]),
    serviceName: undefined,
    schemaUrl: undefined,
  },
})

function recordOf(body: string, attributes: object, span: LogRecord['span']): LogRecord {
  const record = newRecord(Date.now(), 9, 'info', bound)
  record.body = body
  record.attributes = attributes
  record.span = span
  return record
}
