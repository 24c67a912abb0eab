/** The program that logs: it sends records with the official SDK and exporter, paced so that its queue never drops one. */
import { ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api'
import { importRival } from '../../subjects/rival.ts'
import type { ExporterJob } from './method.ts'

interface Sdk {
  readonly LoggerProvider: new (options: object) => {
    getLogger(name: string): { emit(record: object): void }
    forceFlush(): Promise<void>
  }
  readonly BatchLogRecordProcessor: new (options: object) => object
}
interface Exporters {
  readonly OTLPLogExporter: new (options: object) => object
}
interface Resources {
  resourceFromAttributes(attributes: object): object
}

/** The default of `OTEL_BLRP_MAX_QUEUE_SIZE`. */
const queueSize = 2_048
const job = JSON.parse(process.argv[2]!) as ExporterJob
const { LoggerProvider, BatchLogRecordProcessor } = await importRival<Sdk>('@opentelemetry/sdk-logs')
const { OTLPLogExporter } = await importRival<Exporters>('@opentelemetry/exporter-logs-otlp-proto')
const { resourceFromAttributes } = await importRival<Resources>('@opentelemetry/resources')
const exporter = new OTLPLogExporter({ url: `${job.url}/v1/logs` })
const providers = ['shop', 'mail', 'payments'].map(
  (name) =>
    new LoggerProvider({
      resource: resourceFromAttributes({ 'service.name': name }),
      processors: [new BatchLogRecordProcessor({ exporter, maxQueueSize: queueSize })],
    }),
)
const loggers = providers.map((provider) => provider.getLogger('http'))
const levels = [
  { severityNumber: 9, severityText: 'INFO' },
  { severityNumber: 5, severityText: 'DEBUG' },
  { severityNumber: 13, severityText: 'WARN' },
  { severityNumber: 17, severityText: 'ERROR' },
]
/** The trace of one of 1,000 records. */
const tracedContext = trace.setSpanContext(ROOT_CONTEXT, {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: '00f067aa0ba902b7',
  traceFlags: TraceFlags.SAMPLED,
})

const start = performance.now()
for (let at = 0; at < job.records; at += queueSize) {
  const end = Math.min(job.records, at + queueSize)
  const service = (at / queueSize) % providers.length
  for (let index = at; index < end; index++) loggers[service]!.emit(recordOf(index))
  await providers[service]!.forceFlush()
}
process.send!(performance.now() - start)
process.disconnect()

/** Returns a record that the viewer stores in less than 200 bytes. */
function recordOf(index: number): object {
  const level = index % 100 === 0 ? 3 : index % 20 === 0 ? 2 : index % 3 === 0 ? 1 : 0
  return {
    ...(index % 1_000 === 600 && { context: tracedContext }),
    ...levels[level],
    body: index === 1_000 ? 'the needle' : `order ${index} placed`,
    attributes: { 'http.route': '/orders/:id', duration_ms: index % 977, tenant: index % 2 === 0 ? 'acme' : 'globex' },
  }
}
