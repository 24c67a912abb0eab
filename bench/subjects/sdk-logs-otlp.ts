import { importRival } from './rival.ts'
import type { Log, LogSetup, Subject } from './subject.ts'

interface SdkLogs {
  readonly LoggerProvider: new (options: object) => {
    getLogger(name: string): { emit(record: object): void }
    forceFlush(): Promise<void>
  }
  readonly BatchLogRecordProcessor: new (options: object) => object
}

interface Serializer {
  serializeRequest(records: readonly object[]): Uint8Array
}

/** The official SDK from `emit` to a request, which is not sent. */
export const sdkLogsOtlp: Subject = {
  title: '@opentelemetry/sdk-logs 3.1, BatchLogRecordProcessor({ maxQueueSize: Infinity }), the official serializers',
  whenFull: 'keeps everything in memory, without a limit',
  open,
  read: () => {
    throw new Error('requests are not lines')
  },
}

async function open({ otlp }: LogSetup): Promise<Log> {
  const { LoggerProvider, BatchLogRecordProcessor } = await importRival<SdkLogs>('@opentelemetry/sdk-logs')
  const transformer = await importRival<Readonly<Record<'JsonLogsSerializer' | 'ProtobufLogsSerializer', Serializer>>>(
    '@opentelemetry/otlp-transformer',
  )
  const serializer = otlp === 'http/json' ? transformer.JsonLogsSerializer : transformer.ProtobufLogsSerializer
  let requests: Uint8Array[] = []
  const exporter = {
    export(records: readonly object[], done: (result: { code: number }) => void): void {
      requests.push(serializer.serializeRequest(records))
      done({ code: 0 })
    },
    async forceFlush() {},
    async shutdown() {},
  }
  const provider = new LoggerProvider({
    processors: [new BatchLogRecordProcessor({ exporter, maxQueueSize: Infinity })],
  })
  const logger = provider.getLogger('bench')
  const info = { severityNumber: 9, severityText: 'info' }
  return {
    text: (body) => logger.emit({ ...info, body }),
    attributes: (body, attributes) => logger.emit({ ...info, body, attributes }),
    flush: () => provider.forceFlush(),
    requests() {
      const created = requests
      requests = []
      return created
    },
  }
}
