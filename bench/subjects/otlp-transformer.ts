import { importRival } from './rival.ts'
import type { Log, LogSetup, Subject } from './subject.ts'

const recordsPerRequest = 512

interface Transformer {
  readonly JsonLogsSerializer: Serializer
  readonly ProtobufLogsSerializer: Serializer
}

interface Serializer {
  serializeRequest(records: readonly object[]): Uint8Array
}

/** The serializers of the official exporters, which receive finished records of the official SDK. */
export const otlpTransformer: Subject = {
  title: '@opentelemetry/otlp-transformer 0.301, 512 finished records per request',
  whenFull: 'creates a request immediately',
  open,
  read: () => {
    throw new Error('requests are not lines')
  },
}

async function open({ otlp, trace }: LogSetup): Promise<Log> {
  const spanContext = trace === undefined ? undefined : { ...trace, traceFlags: 1 }
  const { JsonLogsSerializer, ProtobufLogsSerializer } = await importRival<Transformer>(
    '@opentelemetry/otlp-transformer',
  )
  const { resourceFromAttributes } = await importRival<{ resourceFromAttributes(attributes: object): object }>(
    '@opentelemetry/resources',
  )
  const serializer = otlp === 'http/json' ? JsonLogsSerializer : ProtobufLogsSerializer
  const resource = resourceFromAttributes({
    'service.name': 'unknown_service:node',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.version': '3.1.0',
  })
  const instrumentationScope = { name: 'bench' }
  let records: object[] = []
  let requests: Uint8Array[] = []

  function send(): void {
    if (records.length === 0) return
    requests.push(serializer.serializeRequest(records))
    records = []
  }
  function add(body: string, attributes: object): void {
    const now = Date.now()
    const hrTime = [Math.trunc(now / 1_000), (now % 1_000) * 1_000_000]
    records.push({
      hrTime,
      hrTimeObserved: hrTime,
      spanContext,
      severityNumber: 9,
      severityText: 'info',
      body,
      attributes,
      droppedAttributesCount: 0,
      resource,
      instrumentationScope,
    })
    if (records.length === recordsPerRequest) send()
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
