// What OpenTelemetry's own exporters do with the same faults, as measured: 0.301.0 with sdk-logs 3.1. When one of these fails
// after an update, they have become better (or worse), and what the documentation says of them changes.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from '@opentelemetry/sdk-logs'
import {
  dripBody,
  dripHeader,
  fakeCollector,
  partial,
  resetAfterBody,
  status,
  type FakeCollector,
} from '../../support/otlp/fake-collector.ts'

let collector: FakeCollector

beforeEach(async () => {
  collector = await fakeCollector()
})
afterEach(() => collector.close())

/** What an exporter answered to each batch: 0 success, 1 failure. */
interface Observed {
  readonly codes: number[]
  readonly provider: LoggerProvider
  logAll(count: number): void
}

function observed(make: (url: string) => LogRecordExporter): Observed {
  const codes: number[] = []
  const exporter = make(collector.url)
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
])('the official exporter of %s', (_title, make) => {
  test('drops a batch after one try when it is asked to wait longer than its timeout (row 38, D16)', async () => {
    collector.answerNext(status(503, { 'retry-after': '60' }))
    const { codes, provider, logAll } = observed((url) => make(url, 2_000))
    logAll(3)
    await provider.forceFlush()
    expect(collector.received).toHaveLength(1)
    expect(codes).toEqual([1])
    await provider.shutdown()
  })

  test('sends six times in a row when it is asked to wait 0 s (row 38, D19)', async () => {
    collector.answerAlways(status(503, { 'retry-after': '0' }))
    const { codes, provider, logAll } = observed((url) => make(url, 2_000))
    logAll(3)
    await provider.forceFlush()
    expect(collector.received).toHaveLength(6)
    const [first, last] = [collector.received[0]!.at, collector.received[5]!.at]
    expect(last - first).toBeLessThan(1_000)
    expect(codes).toEqual([1])
    await provider.shutdown()
  })

  test('loses a batch for good once its timeout is over: an outage of seconds is too long (row 37, D16)', async () => {
    collector.answerAlways(status(503))
    const { codes, provider, logAll } = observed((url) => make(url, 500))
    logAll(3)
    await provider.forceFlush()
    expect(codes).toEqual([1])
    collector.answerAlways(status(200))
    await provider.forceFlush()
    expect(collector.received).toHaveLength(1)
    await provider.shutdown()
  })

  test('takes records that were rejected for delivered (row 39)', async () => {
    collector.answerNext(partial(3, 'too old'))
    const { codes, provider, logAll } = observed((url) => make(url, 2_000))
    logAll(3)
    await provider.forceFlush()
    expect(codes).toEqual([0])
    await provider.shutdown()
  })

  test('gives a batch up that is too large, and does not divide it (D18)', async () => {
    collector.answerNext(status(413))
    const { codes, provider, logAll } = observed((url) => make(url, 2_000))
    logAll(3)
    await provider.forceFlush()
    expect(collector.received).toHaveLength(1)
    expect(codes).toEqual([1])
    await provider.shutdown()
  })

  test.each([
    ['headers', dripHeader(20)],
    ['a body', dripBody(20)],
  ])('waits for %s that drip as long as they drip, whatever its timeout is (row 40, D19)', async (_what, answer) => {
    collector.answerAlways(answer)
    const { codes, provider, logAll } = observed((url) => make(url, 100))
    logAll(3)
    const closed = provider.shutdown()
    expect(await Promise.race([closed, wait(1_000)])).toBe('waited')
    expect(codes).toEqual([])
    expect(collector.connections.size).toBe(1)
    await collector.close()
    await closed
  })

  test('sends again what may have arrived, and counts nothing (row 41)', async () => {
    collector.answerNext(resetAfterBody)
    const { codes, provider, logAll } = observed((url) => make(url, 2_000))
    logAll(3)
    await provider.forceFlush()
    expect(collector.sequence).toEqual([0, 1, 2, 0, 1, 2])
    expect(codes).toEqual([0])
    await provider.shutdown()
  })
})

test('a burst of 5,000 records in one turn arrives as 2,560, without a word (row 14, D1)', async () => {
  const { provider, logAll } = observed((url) => new ProtobufExporter({ url }))
  logAll(5_000)
  await provider.shutdown()
  expect(collector.sequence).toHaveLength(2_560)
})
