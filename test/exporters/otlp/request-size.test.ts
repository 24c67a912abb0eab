import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../../src/create/create-logger.ts'
import { otlpExporterIn } from '../../../src/exporters/otlp/otlp-exporter.ts'
import { fakeCollector, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { closeLoggers, numbers, otlpLogger } from './otlp-logger.ts'

let collector: FakeCollector

beforeEach(async () => {
  collector = await fakeCollector()
})
afterEach(async () => {
  await closeLoggers()
  await collector.close()
})

const protocols = ['http/protobuf', 'http/json'] as const

describe.each(
  protocols.flatMap((protocol) => (['none', 'gzip'] as const).map((compression) => ({ protocol, compression }))),
)('requests of $protocol with compression $compression', ({ protocol, compression }) => {
  const options = (maxRequestBytes?: number) => ({
    url: collector.url,
    protocol,
    compression,
    ...(maxRequestBytes === undefined ? {} : { maxRequestBytes }),
  })

  /** The size of a request with one record, before compression. */
  async function lengthOf(pad: string): Promise<number> {
    const { log, logAll } = otlpLogger(options())
    logAll(1, { pad })
    await log.shutdown()
    return collector.received.at(-1)!.body.length
  }

  // Requirements: OTL6, D18
  test('requests are split by their size before compression', async () => {
    const { log, logAll, deliveryStats } = otlpLogger(options(4_000))
    logAll(60, { pad: 'x'.repeat(300) })
    await log.flush()
    expect(collector.sequence).toEqual(numbers(60))
    expect(Math.max(...collector.received.map(({ body }) => body.length))).toBeLessThanOrEqual(4_000)
    expect(collector.received.length).toBeGreaterThanOrEqual(5)
    expect(deliveryStats()).toMatchObject({ written: 60 })
  })

  // Requirements: OTL6
  test('a request of exactly maxRequestBytes is sent, and one with one more byte is not', async () => {
    const pad = 'x'.repeat(3_000)
    const length = await lengthOf(pad)
    const before = collector.received.length
    const fits = otlpLogger(options(length))
    fits.logAll(1, { pad })
    await fits.log.flush()
    expect(collector.received.slice(before).map(({ body }) => body.length)).toEqual([length])
    expect(fits.deliveryStats()).toMatchObject({ written: 1, dropped: { total: 0 } })
    expect(fits.problems).toEqual([])
    const exceeds = otlpLogger(options(length - 1))
    exceeds.logAll(1, { pad })
    await exceeds.log.flush()
    expect(collector.received.slice(before + 1).filter(({ body }) => body.includes('x'.repeat(100)))).toEqual([])
    expect(exceeds.deliveryStats().dropped).toMatchObject({ byReason: { too_large: 1 } })
    expect(exceeds.codes()).toEqual(['SLUICE_OTLP_REJECTED'])
  })
})

// Requirements: OTL6, OTL18
test('a record over 16 MiB is dropped, counted and reported by default', async () => {
  const codes: string[] = []
  const mebibyte = 1024 * 1024
  const log = createLogger({
    exporter: otlpExporterIn({}, { url: collector.url, compression: 'gzip', maxQueueBytes: 64 * mebibyte }),
    limits: { recordBytes: 64 * mebibyte },
    onDiagnostic: ({ code }) => codes.push(code),
    handleExit: false,
  })
  log.info('x'.repeat(17 * mebibyte))
  log.info('x'.repeat(15 * mebibyte))
  await log.flush()
  const lengths = collector.received.map(({ body }) => body.length).filter((length) => length > mebibyte)
  expect(lengths).toEqual([expect.any(Number)])
  expect(lengths[0]).toBeLessThanOrEqual(16 * mebibyte)
  expect(log.stats().exporters[0]).toMatchObject({ dropped: { total: 1, byReason: { too_large: 1 } } })
  expect(codes).toEqual(['SLUICE_OTLP_REJECTED'])
  await log.shutdown()
})
