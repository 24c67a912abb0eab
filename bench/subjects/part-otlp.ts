import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { encoderFor } from '../../src/encode/encoding.ts'
import type { OtlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import { BatchBuffer, RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { BoundState, originOf } from '../../src/record/bound.ts'
import { emptyScopeDetails, type LogRecord } from '../../src/record/record.ts'
import { resolveLimits } from '../../src/values/limits.ts'
import { compileRedaction } from '../../src/redact/redact.ts'
import { standardSerializers } from '../../src/values/serializers.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import type { Log, LogSetup, Subject } from './subject.ts'

const recordsPerRequest = 512

/** What stands in the place of an official serializer: the walk with the rules, the queue's chunk, and the request. */
export const partOtlp: Subject = {
  title: 'the encoder and the chunks of sluice, given records, 512 records a request',
  whenFull: 'makes a request at once',
  open,
  read: () => {
    throw new Error('requests are no lines')
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
  // What ships; the chunk around it is what the queue would make.
  const own = otlpExporter({ protocol: otlp!, url: 'http://127.0.0.1:9/v1/logs' })
  const encoding = own.encoding as OtlpEncoding
  const encoder = encoderFor(encoding, rules)
  const buffers = byteBuffers(encoding.binary === true ? 'latin1' : 'utf8')
  const origin = new RecordOwner(new Counters(), bound)
  let sequence = 1
  let chunk = new BatchBuffer(sequence, buffers)
  let requests: Uint8Array[] = []

  function send(): void {
    if (chunk.count === 0) return
    chunk.close()
    requests.push(Buffer.concat(encoding.request(chunk.bytes(), chunk.sources())))
    chunk.release()
    chunk = new BatchBuffer(++sequence, buffers)
  }
  function add(body: string, attributes: object): void {
    chunk.add(encoder.encode(recordOf(body, attributes, span)) as string, 9, origin)
    if (chunk.count === recordsPerRequest) send()
  }
  return {
    text: (message) => add(message, {}),
    attributes: add,
    flush: send,
    requests() {
      const made = requests
      requests = []
      return made
    },
  }
}

const bound = BoundState.of(
  originOf({
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
  }),
)

function recordOf(body: string, attributes: object, span: LogRecord['span']): LogRecord {
  return {
    time: Date.now(),
    exact: undefined,
    severity: 9,
    level: 'info',
    body,
    literal: false,
    args: undefined,
    extra: undefined,
    attributes,
    droppedAttributes: 0,
    exception: undefined,
    span,
    eventName: undefined,
    bound,
    enriched: undefined,
  }
}
