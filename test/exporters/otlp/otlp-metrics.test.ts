import { afterEach, expect, test } from '@jest/globals'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { createLogger } from '../../../src/create/create-logger.ts'
import { otlpExporterIn } from '../../../src/exporters/otlp/otlp-exporter.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import { fakeCollector, type Responder, type FakeCollector } from '../../support/otlp/fake-collector.ts'

let collector: FakeCollector
afterEach(() => collector.close())

const status =
  (code: number, body = ''): Responder =>
  (response) =>
    void response.writeHead(code, { 'content-type': 'application/json' }).end(body)

/** A MeterProvider whose metrics are collected on demand. */
function metrics() {
  const memory = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: memory, exportIntervalMillis: 2 ** 30 })
  const provider = new MeterProvider({ readers: [reader] })
  return {
    provider,
    async points(name: string) {
      memory.reset()
      await reader.forceFlush()
      const all = memory.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
      const metric = all.find(({ descriptor }) => descriptor.name === name)
      return (metric?.dataPoints ?? []).map(({ value, attributes }) => ({ value, attributes }))
    },
  }
}

// Requirements: MET8
test.each([
  ['http/protobuf', 'otlp_http_log_exporter'],
  ['http/json', 'otlp_http_json_log_exporter'],
] as const)(
  'over %s the component type is %s, and metrics include the server address and port',
  async (protocol, type) => {
    collector = await fakeCollector()
    const { provider, points } = metrics()
    const exporter = otlpExporterIn({}, { url: collector.url, protocol, scheduledDelayMillis: 5 })
    const log = createLogger({ exporter, meterProvider: provider, handleExit: false })
    log.info('one', { seq: 0 })
    await log.flush()
    const component = {
      'otel.component.type': type,
      'otel.component.name': expect.stringMatching(new RegExp(`^${type}/\\d+$`)),
      'server.address': '127.0.0.1',
      'server.port': collector.port,
    }
    expect(await points('otel.sdk.exporter.log.exported')).toEqual([{ value: 1, attributes: component }])
    expect(await points('otel.sdk.exporter.operation.duration')).toEqual([
      { value: expect.objectContaining({ count: 1 }), attributes: { ...component, 'http.response.status_code': 200 } },
    ])
    await log.shutdown()
  },
)

// Requirements: MET7
test('an export with its retries counts as one operation, and records that a partial success rejects as failed', async () => {
  collector = await fakeCollector()
  collector.respondNext(status(503), status(200, '{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"no"}}'))
  const { provider, points } = metrics()
  const exporter = otlpExporterIn(
    {},
    { url: collector.url, protocol: 'http/json', scheduledDelayMillis: 5, retry: { initialDelayMillis: 20 } },
  )
  const log = createLogger({ exporter, meterProvider: provider, handleExit: false, onDiagnostic: () => {} })
  for (let seq = 0; seq < 3; seq++) log.info('m', { seq })
  // The third request has the drop report of the rejected record.
  await collector.waitFor(3)
  await log.flush()
  const exported = await points('otel.sdk.exporter.log.exported')
  expect(exported.map(({ value, attributes }) => [value, attributes['error.type']])).toEqual(
    expect.arrayContaining([
      [3, undefined],
      [1, 'rejected'],
    ]),
  )
  const operations = await points('otel.sdk.exporter.operation.duration')
  expect(operations).toEqual([
    {
      value: expect.objectContaining({ count: 2 }),
      attributes: expect.objectContaining({ 'http.response.status_code': 200 }),
    },
  ])
  // In seconds: the first operation includes the delay between its two attempts, of which jitter leaves at least a half.
  const { max } = operations[0]!.value as { readonly max: number }
  expect([max >= 0.009, max < 5]).toEqual([true, true])
  await log.shutdown()
})

// Requirements: MET7
test('a rejected batch counts as a failed operation with the status code of the response', async () => {
  collector = await fakeCollector()
  collector.respondAlways(status(400))
  const { provider, points } = metrics()
  const exporter = otlpExporterIn({}, { url: collector.url, scheduledDelayMillis: 5 })
  const meterProvider = provider
  const loggers = createLoggerProvider({ exporter, meterProvider, handleExit: false, onDiagnostic: () => {} })
  loggers.getLogger('shop').emit({ body: 'm', attributes: { seq: 0 } })
  await loggers.forceFlush()
  const operations = await points('otel.sdk.exporter.operation.duration')
  expect(operations).toEqual([
    {
      value: expect.objectContaining({ count: 1 }),
      attributes: expect.objectContaining({ 'error.type': 'rejected', 'http.response.status_code': 400 }),
    },
  ])
  await loggers.shutdown()
})
