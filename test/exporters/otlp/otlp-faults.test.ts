import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../../src/create/create-logger.ts'
import { otlpExporterIn } from '../../../src/exporters/otlp/otlp-exporter.ts'
import type { DeliveryStats } from '../../../src/pipeline/counters.ts'
import {
  dripBody,
  dripHeader,
  fakeCollector,
  halfClose,
  hangUpInBody,
  respondWithoutHttp,
  partialSuccess,
  resetAfterBody,
  resetBeforeBody,
  neverRespond,
  stallInBody,
  status,
  type Responder,
  type FakeCollector,
} from '../../support/otlp/fake-collector.ts'
import { delay } from '../../../src/platform/node/end-of-turn.ts'
import { tcpProxy, type TcpProxy } from '../../support/processes/tcp-proxy.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeLoggers, numbers, otlpLogger } from './otlp-logger.ts'

let collector: FakeCollector

beforeEach(async () => {
  collector = await fakeCollector()
})
afterEach(async () => {
  await closeLoggers()
  await Promise.all(proxies.splice(0).map((proxy) => proxy.refuse()))
  await collector.close()
})

const options = (more: Parameters<typeof otlpLogger>[0] = {}) => ({ url: collector.url, ...more })

const proxies: TcpProxy[] = []

async function proxyToCollector(): Promise<TcpProxy> {
  const proxy = await tcpProxy(collector.port)
  proxies.push(proxy)
  return proxy
}

/** The sum of the parts of delivery statistics. */
function sumOf({ written, queued, unknown, dropped }: DeliveryStats): number {
  return written + queued + unknown + dropped.total
}

// Fault rows: 37
describe('outages of the server', () => {
  test('no record is lost or duplicated when the server is down and comes back', async () => {
    const proxy = await proxyToCollector()
    const { log, logAll, deliveryStats, codes } = otlpLogger({ url: proxy.url })
    logAll(100)
    await log.flush()
    await proxy.refuse()
    for (let turn = 0; turn < 20; turn++) {
      logAll(100)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(deliveryStats()).toMatchObject({ written: 100, queued: 2_000 })
    await proxy.listen()
    expect(await log.flush()).toMatchObject({ ok: true })
    expect(collector.sequence).toEqual(numbers(2_100))
    expect(deliveryStats()).toMatchObject({ written: 2_100, dropped: { total: 0 } })
    expect(new Set(codes())).toEqual(new Set(['SLUICE_OTLP_UNAVAILABLE']))
    await log.shutdown()
  })

  test('every record is delivered by an unreliable server, and duplicates are counted', async () => {
    const proxy = await proxyToCollector()
    const { log, logAll, deliveryStats } = otlpLogger({ url: proxy.url, maxExportBatchSize: 50, timeoutMillis: 100 })
    for (const mode of ['pass', 'reset', 'pass', 'cut', 'stall', 'pass', 'cut', 'reset', 'pass'] as const) {
      proxy.mode = mode
      logAll(100)
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    proxy.mode = 'pass'
    expect(await log.flush()).toMatchObject({ ok: true })
    const { written, maybeDuplicated, dropped } = deliveryStats()
    expect([...new Set(collector.sequence)].toSorted((a, b) => a - b)).toEqual(numbers(900))
    expect({ written, dropped: dropped.total }).toEqual({ written: 900, dropped: 0 })
    const twice = new Set(collector.sequence.filter((seq, at, all) => all.indexOf(seq) < at)).size
    expect(twice).toBeGreaterThan(0)
    expect(maybeDuplicated).toBeGreaterThanOrEqual(twice)
    await log.shutdown()
  })

  test('the queue stays within its limit and each drop is counted during a long outage', async () => {
    const proxy = await proxyToCollector()
    await proxy.refuse()
    const { log, logAll, deliveryStats } = otlpLogger({ url: proxy.url, maxQueueSize: 1_000 })
    logAll(5_000)
    expect(deliveryStats().queued).toBeLessThanOrEqual(1_000)
    expect(sumOf(deliveryStats())).toBe(deliveryStats().accepted)
    await proxy.listen()
    await log.shutdown()
    const { written, accepted, dropped } = deliveryStats()
    expect(dropped.byReason.queue_full).toBeGreaterThanOrEqual(4_000)
    expect(written + dropped.total).toBe(accepted)
    expect(collector.sequence).toHaveLength(written)
    // The drop report has no number.
    expect(collector.sequence.filter((seq) => !Number.isNaN(seq))).toHaveLength(5_000 - dropped.total)
  })

  // Requirements: OTL18, ERR1
  test('a batch is dropped with retry_exhausted and reported after maxElapsedMillis of an outage', async () => {
    const proxy = await proxyToCollector()
    await proxy.refuse()
    const { log, logAll, deliveryStats, codes } = otlpLogger({ url: proxy.url, retry: { maxElapsedMillis: 60 } })
    logAll(10)
    await waitUntil(() => deliveryStats().dropped.total === 10)
    expect(deliveryStats()).toMatchObject({ queued: 0, unknown: 0, dropped: { byReason: { retry_exhausted: 10 } } })
    expect(codes()).toContain('SLUICE_RETRY_EXHAUSTED')
    await log.shutdown()
  })
})

// Fault rows: 38
describe('status codes', () => {
  // Requirements: OTL8
  test.each([429, 502, 503, 504])('a request is retried after the status code %i', async (code) => {
    collector.respondNext(status(code), status(code))
    const { log, logAll, deliveryStats } = otlpLogger(options())
    logAll(10)
    await log.flush()
    expect(collector.received).toHaveLength(3)
    // Each request got a response, so no record can be duplicated.
    expect(deliveryStats()).toMatchObject({ written: 10, maybeDuplicated: 0 })
    await log.shutdown()
  })

  // Requirements: OTL8
  test.each([400, 401, 403, 404, 405, 408, 500, 501, 301, 307])(
    'a request is not retried after status code %i',
    async (code) => {
      const elsewhere = await fakeCollector()
      collector.respondNext(status(code, { location: elsewhere.url, 'retry-after': '0' }))
      const { log, logAll, deliveryStats, codes } = otlpLogger(options())
      logAll(10)
      await log.flush()
      expect(collector.received).toHaveLength(1)
      expect(elsewhere.connectionCount).toBe(0)
      expect(deliveryStats()).toMatchObject({ written: 0, dropped: { total: 10, byReason: { rejected: 10 } } })
      expect(codes()).toEqual(['SLUICE_OTLP_REJECTED'])
      await log.shutdown()
      await elsewhere.close()
    },
  )

  // Requirements: D19
  test.each(['0', '-1', 'soon', 'Sat, 21 Nov 1998 09:56:05 GMT'])(
    'a Retry-After of %j does not shorten the delay before a retry',
    async (value) => {
      collector.respondNext(...Array.from({ length: 5 }, () => status(503, { 'retry-after': value })))
      const { log, logAll } = otlpLogger(options({ retry: { initialDelayMillis: 20, maxDelayMillis: 20 } }))
      logAll(1)
      await log.flush()
      const at = collector.received.map(({ at }) => at)
      const waits = at.slice(1).map((time, index) => time - at[index]!)
      // Without a valid Retry-After, jitter may halve the delay.
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(9)
      expect(waits).toHaveLength(5)
      await log.shutdown()
    },
  )

  // Requirements: OTL9
  test.each([
    ['2', 2_000],
    [new Date(Date.now() + 3_600_000).toUTCString(), 60_000],
  ])('a request is retried after a 503 with Retry-After %s within %i ms', async (value, millis) => {
    collector.respondNext(status(503, { 'retry-after': value }))
    const waits: number[] = []
    const timing = {
      delay: (wait: number, callback: () => void) => {
        waits.push(wait)
        return delay(1, callback)
      },
      random: Math.random,
    }
    const exporter = otlpExporterIn({}, options({ retry: { maxElapsedMillis: 60_000 } }), timing)
    const log = createLogger({ exporter, handleExit: false, onDiagnostic: () => {} })
    log.info('record', { seq: 0 })
    await log.shutdown()
    expect(collector.sequence).toEqual([0, 0])
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeLessThanOrEqual(millis)
    expect(waits[0]).toBeGreaterThan(millis - 500)
  })

  test('a batch whose Retry-After exceeds maxElapsedMillis is retried once when that time ends', async () => {
    collector.respondNext(status(503, { 'retry-after': '86400' }))
    const { log, logAll, deliveryStats } = otlpLogger(options({ retry: { maxElapsedMillis: 100 } }))
    logAll(1)
    await log.flush()
    const [first, second] = collector.received
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(80)
    expect(deliveryStats()).toMatchObject({ written: 1 })
    await log.shutdown()
  })
})

// Fault rows: 39
describe('successful responses', () => {
  // Requirements: OTL7, OTL11
  test.each<[string, Responder, number, number]>([
    ['that rejects some records', partialSuccess('3', 'too old'), 7, 3],
    ['that rejects all records', partialSuccess(10), 0, 10],
    ['that rejects more records than were sent', partialSuccess(500), 0, 10],
    ['that only contains a warning', partialSuccess(0, 'careful'), 10, 0],
    ['that cannot be read', status(200, { 'content-type': 'application/json' }, '{"partial'), 10, 0],
    ['that ends early', hangUpInBody, 10, 0],
    ['that is empty', status(200), 10, 0],
    ['of 5 MiB', status(200, {}, Buffer.alloc(5 << 20)), 0, 10],
  ])(
    'a response %s is not retried, and its rejected records are counted',
    async (_title, answer, written, rejected) => {
      collector.respondNext(answer)
      const { log, logAll, deliveryStats } = otlpLogger(options())
      logAll(10)
      await log.flush()
      expect(collector.received).toHaveLength(1)
      expect(deliveryStats()).toMatchObject({ written, dropped: { total: rejected, byReason: { rejected } } })
      await log.shutdown()
    },
  )

  // Requirements: OTL11
  test.each<[string, string | number, string, string, string]>([
    ['some', '3', 'the record is too old', 'SLUICE_OTLP_REJECTED', 'rejected 3 records (the record is too old)'],
    ['all', 10, 'read-only', 'SLUICE_OTLP_REJECTED', 'rejected 10 records (read-only)'],
    ['some without a message', 1, '', 'SLUICE_OTLP_REJECTED', 'rejected 1 record'],
    ['none', 0, 'use a newer version', 'SLUICE_OTLP_RESPONSE', 'returned a warning (use a newer version)'],
    [
      'some, with control characters,',
      2,
      'old\r\nsluice: SLUICE_X:\u001b[2J\u202eforged\u2028end',
      'SLUICE_OTLP_REJECTED',
      'rejected 2 records (old sluice: SLUICE_X: [2J forged end)',
    ],
    [
      'some, with credentials of the request,',
      2,
      `old ${'x'.repeat(170)} Bearer tok-hunter2-of-the-hour, sid=cookie-hunter2`,
      'SLUICE_OTLP_REJECTED',
      `rejected 2 records (old ${'x'.repeat(170)} Bearer [REDACTED], [REDAC…)`,
    ],
    ['some, with a quoted value,', 2, 'old: "hunter2"', 'SLUICE_OTLP_REJECTED', 'rejected 2 records (old:)'],
  ])(
    'a batch of which a partial success rejects %s is sent once, and the message is reported',
    async (_title, count, message, code, reported) => {
      collector.respondNext(partialSuccess(count, message))
      const headers = { authorization: 'Bearer tok-hunter2-of-the-hour', cookie: 'sid=cookie-hunter2' }
      const { log, logAll, deliveryStats, problems } = otlpLogger(options({ headers }))
      logAll(10)
      expect(await log.flush()).toMatchObject({ ok: Number(count) === 0, dropped: Number(count) })
      await log.shutdown()
      // The drop report is in another request: no other request has records of this batch.
      expect(collector.sequence.filter((seq) => !Number.isNaN(seq))).toEqual(numbers(10))
      expect(deliveryStats().dropped).toMatchObject({ total: Number(count), byReason: { rejected: Number(count) } })
      expect(problems[0]).toEqual({ code, message: `otlp:${new URL(collector.url).origin} ${reported}` })
      expect(JSON.stringify(problems)).not.toContain('hunter2')
    },
  )
})

// Fault rows: 40
describe('slow servers', () => {
  const slow: readonly [string, Responder, boolean][] = [
    ['that never responds', neverRespond, false],
    ['that sends its headers byte by byte', dripHeader(5), false],
    ['that sends its body byte by byte', dripBody(5), true],
    ['that stalls in its body', stallInBody, true],
  ]

  // Requirements: OTL13, D19
  test.each(slow)('a request to a server %s ends at its deadline and is closed', async (_title, answer, isTaken) => {
    collector.respondNext(answer)
    const { log, logAll, deliveryStats } = otlpLogger(options({ timeoutMillis: 300 }))
    logAll(10)
    await log.flush()
    expect(collector.received).toHaveLength(isTaken ? 1 : 2)
    expect(deliveryStats()).toMatchObject({ written: 10, maybeDuplicated: isTaken ? 0 : 10 })
    await waitUntil(() => collector.connections.size <= (isTaken ? 0 : 1))
    await log.shutdown()
    await waitUntil(() => collector.connections.size === 0)
  })

  test.each(slow)('a server %s does not delay shutdown() beyond its timeout', async (_title, answer, isTaken) => {
    collector.respondAlways(answer)
    const { log, logAll, deliveryStats } = otlpLogger(options())
    logAll(1_000)
    await collector.waitFor(1)
    const start = performance.now()
    await log.shutdown({ timeoutMillis: 200 })
    expect(performance.now() - start).toBeLessThan(400)
    const sent = isTaken ? { written: 512, unknown: 0 } : { written: 0, unknown: 512 }
    expect(deliveryStats()).toMatchObject({ queued: 0, ...sent, dropped: { total: 488, byReason: { shutdown: 488 } } })
    await waitUntil(() => collector.connections.size === 0)
  })
})

// Fault rows: 41
describe('connections that end without a response', () => {
  // Requirements: OTL10
  test.each([
    ['is reset after the server has read the request', resetAfterBody],
    ['is closed by the server', halfClose],
    ['returns a response that is not HTTP', respondWithoutHttp],
  ])('a batch whose connection %s is retried, and its records count as maybeDuplicated', async (_title, answer) => {
    collector.respondNext(answer)
    const { log, logAll, deliveryStats } = otlpLogger(options())
    logAll(10)
    await log.flush()
    expect(collector.sequence).toEqual([...numbers(10), ...numbers(10)])
    expect(deliveryStats()).toMatchObject({ written: 10, maybeDuplicated: 10 })
    await log.shutdown()
  })

  test('a batch whose connection is cut after delivery is sent twice and counted as maybeDuplicated', async () => {
    const proxy = await proxyToCollector()
    proxy.mode = 'cut'
    const { log, logAll, deliveryStats, codes } = otlpLogger({ url: proxy.url })
    logAll(10)
    await waitUntil(() => codes().length === 1)
    proxy.mode = 'pass'
    await log.flush()
    expect(collector.sequence).toEqual([...numbers(10), ...numbers(10)])
    expect(deliveryStats()).toMatchObject({ written: 10, maybeDuplicated: 10 })
    await log.shutdown()
  })

  test('a long request whose connection is reset before the server has read it is not lost', async () => {
    collector.respondNext(resetBeforeBody)
    const { log, logAll, deliveryStats } = otlpLogger(options({ maxQueueBytes: 64 << 20, maxRequestBytes: Infinity }))
    // Many records, because the limit for one record is below the size of the system buffers.
    logAll(500, { pad: 'x'.repeat(1_000) })
    await log.flush()
    expect([...new Set(collector.sequence)]).toEqual(numbers(500))
    expect(deliveryStats().written).toBe(500)
    expect(deliveryStats().maybeDuplicated).toBeGreaterThanOrEqual(collector.sequence.length - 500)
    await log.shutdown()
  })

  test('records count as unknown when connections are reset until the retries are exhausted', async () => {
    collector.respondAlways(resetAfterBody)
    const { log, logAll, deliveryStats } = otlpLogger(options({ retry: { maxElapsedMillis: 40 } }))
    logAll(10)
    await waitUntil(() => deliveryStats().queued === 0)
    expect(deliveryStats()).toMatchObject({ written: 0, unknown: 10, dropped: { total: 0 } })
    await log.shutdown()
  })
})

// Requirements: OTL10
describe('delays between retries', () => {
  test.each<[string, () => Promise<string>, string]>([
    [
      'a connection that is refused',
      async () => {
        const proxy = await proxyToCollector()
        await proxy.refuse()
        return proxy.url
      },
      'ECONNREFUSED',
    ],
    [
      'a connection that is reset before an answer',
      async () => {
        collector.respondAlways(resetAfterBody)
        return collector.url
      },
      'ECONNRESET',
    ],
    [
      'a response that is not HTTP',
      async () => {
        collector.respondAlways(respondWithoutHttp)
        return collector.url
      },
      'HPE_',
    ],
  ])('delays between retries double up to 10 s after %s', async (_title, urlOf, why) => {
    const waits: number[] = []
    const problems: string[] = []
    const timing = {
      delay: (wait: number, callback: () => void) => {
        waits.push(wait)
        return delay(1, callback)
      },
      random: () => 1,
    }
    const exporter = otlpExporterIn({}, { url: await urlOf(), scheduledDelayMillis: 1 }, timing)
    const log = createLogger({ exporter, handleExit: false, onDiagnostic: ({ message }) => problems.push(message) })
    log.info('record', { seq: 0 })
    await waitUntil(() => waits.length >= 6)
    await log.shutdown({ timeoutMillis: 0 })
    // Each delay ends at a fixed time: the time since the failure is subtracted from it.
    expect(waits.slice(0, 6).map((wait) => Math.ceil(wait / 500) * 500)).toEqual([
      1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ])
    expect(problems[0]).toContain(why)
  })
})

test('exportTimeoutMillis ends a batch even when it could be retried', async () => {
  collector.respondAlways(neverRespond)
  const { log, logAll, deliveryStats, codes } = otlpLogger(options({ exportTimeoutMillis: 60 }))
  logAll(10)
  await waitUntil(() => deliveryStats().queued === 0)
  expect(deliveryStats()).toMatchObject({ unknown: 10 })
  expect(codes()).toContain('SLUICE_EXPORT_TIMEOUT')
  await waitUntil(() => collector.connections.size === 0)
  await log.shutdown()
})

// Requirements: D16
test('no connection and no timer remains of an exporter that is shut down during a retry delay', async () => {
  const before = process.getActiveResourcesInfo()
  collector.respondAlways(status(503))
  const { log, logAll, deliveryStats } = otlpLogger(options({ retry: { initialDelayMillis: 60_000 } }))
  logAll(10)
  await collector.waitFor(1)
  await log.shutdown({ timeoutMillis: 20 })
  expect(deliveryStats()).toMatchObject({ queued: 0, dropped: { byReason: { shutdown: 10 } } })
  await waitUntil(() => collector.connections.size === 0)
  await waitUntil(() => countOf(process.getActiveResourcesInfo()) <= countOf(before))
})

/** Timers that keep the process alive, and connections of this process, the collector's included. */
function countOf(resources: readonly string[]): number {
  return resources.filter((name) => name === 'Timeout' || name === 'TCPSocketWrap').length
}
