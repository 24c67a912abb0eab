// The measured behavior of OpenTelemetry's exporters with the same faults: 0.301.0 with sdk-logs 3.1. When one of these
// fails after an update, their behavior has changed, and the documentation must be updated.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from '@opentelemetry/sdk-logs'
import {
  dripBody,
  dripHeader,
  fakeCollector,
  partialSuccess,
  resetAfterBody,
  status,
  type FakeCollector,
} from '../../support/otlp/fake-collector.ts'

let collector: FakeCollector

beforeEach(async () => {
  collector = await fakeCollector()
})
afterEach(() => collector.close())

/** The result code of each export: 0 for success, 1 for failure. */
interface Observed {
  readonly codes: number[]
  readonly provider: LoggerProvider
  logAll(count: number): void
}

function observed(create: (url: string) => LogRecordExporter): Observed {
  const codes: number[] = []
  const exporter = create(collector.url)
  const inner = exporter.export.bind(exporter)
  exporter.export = (logs, done) =>
    inner(logs, (result) => {
      codes.push(result.code)
      done(result)
    })
  const provider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter })] })
  const logger = provider.getLogger('official')
  return {
    codes,
    provider,
    logAll(count) {
      for (let seq = 0; seq < count; seq++) logger.emit({ body: 'record', attributes: { seq } })
    },
  }
}

const wait = (millis: number): Promise<'waited'> =>
  new Promise((resolve) => setTimeout(() => resolve('waited'), millis))

describe.each([
  ['protobuf', (url: string, timeoutMillis: number) => new ProtobufExporter({ url, timeoutMillis })],
  ['JSON', (url: string, timeoutMillis: number) => new JsonExporter({ url, timeoutMillis })],
])('the OpenTelemetry exporter of %s', (_title, create) => {
  // Requirements: D16
  // Fault rows: 38
  test('the OpenTelemetry exporter drops a batch after one attempt when Retry-After exceeds its timeout', async () => {
    collector.respondNext(status(503, { 'retry-after': '60' }))
    const { codes, provider, logAll } = observed((url) => create(url, 2_000))
    logAll(3)
    await provider.forceFlush()
    expect(collector.received).toHaveLength(1)
    expect(codes).toEqual([1])
    await provider.shutdown()
  })

  // Requirements: D19
  // Fault rows: 38
  test('the OpenTelemetry exporter sends a batch six times within 1 s when Retry-After is 0', async () => {
    collector.respondAlways(status(503, { 'retry-after': '0' }))
    const { codes, provider, logAll } = observed((url) => create(url, 2_000))
    logAll(3)
    await provider.forceFlush()
    expect(collector.received).toHaveLength(6)
    const [first, last] = [collector.received[0]!.at, collector.received[5]!.at]
    expect(last - first).toBeLessThan(1_000)
    expect(codes).toEqual([1])
    await provider.shutdown()
  })

  // Requirements: D16
  // Fault rows: 37
  test('the OpenTelemetry exporter drops a batch during an outage that exceeds its timeout', async () => {
    collector.respondAlways(status(503))
    const { codes, provider, logAll } = observed((url) => create(url, 500))
    logAll(3)
    await provider.forceFlush()
    expect(codes).toEqual([1])
    collector.respondAlways(status(200))
    await provider.forceFlush()
    expect(collector.received).toHaveLength(1)
    await provider.shutdown()
  })

  // Fault rows: 39
  test('the OpenTelemetry exporter reports success when a partial success rejects records', async () => {
    collector.respondNext(partialSuccess(3, 'too old'))
    const { codes, provider, logAll } = observed((url) => create(url, 2_000))
    logAll(3)
    await provider.forceFlush()
    expect(codes).toEqual([0])
    await provider.shutdown()
  })

  // Requirements: D18
  test('the OpenTelemetry exporter drops a batch after status 413 without splitting it', async () => {
    collector.respondNext(status(413))
    const { codes, provider, logAll } = observed((url) => create(url, 2_000))
    logAll(3)
    await provider.forceFlush()
    expect(collector.received).toHaveLength(1)
    expect(codes).toEqual([1])
    await provider.shutdown()
  })

  // Requirements: D19
  // Fault rows: 40
  test.each([
    ['headers', dripHeader(20)],
    ['a body', dripBody(20)],
  ])(
    'the OpenTelemetry exporter waits for %s sent byte by byte without applying its timeout',
    async (_what, answer) => {
      collector.respondAlways(answer)
      const { codes, provider, logAll } = observed((url) => create(url, 500))
      logAll(3)
      const closed = provider.shutdown()
      expect(await Promise.race([closed, wait(1_500)])).toBe('waited')
      expect(codes).toEqual([])
      expect(collector.connections.size).toBe(1)
      await collector.close()
      await closed
    },
  )

  // Fault rows: 41
  test('the OpenTelemetry exporter repeats a batch that may have arrived, without counting duplicates', async () => {
    collector.respondNext(resetAfterBody)
    const { codes, provider, logAll } = observed((url) => create(url, 2_000))
    logAll(3)
    await provider.forceFlush()
    expect(collector.sequence).toEqual([0, 1, 2, 0, 1, 2])
    expect(codes).toEqual([0])
    await provider.shutdown()
  })
})

// Requirements: D1
// Fault rows: 14
test('BatchLogRecordProcessor delivers 2,560 of 5,000 records logged in one turn, without an error', async () => {
  const { provider, logAll } = observed((url) => new ProtobufExporter({ url }))
  logAll(5_000)
  await provider.shutdown()
  expect(collector.sequence).toHaveLength(2_560)
})
