import * as fs from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { retry } from '../../../src/entries/exporters.ts'
import type { Exporter, ExportResult, RejectedRecords } from '../../../src/pipeline/exporter.ts'
import {
  fakeCollector,
  partialSuccess,
  resetAfterBody,
  status,
  accept,
  type FakeCollector,
} from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeSpools, held, numbers, spoolLogger, takes, type SpoolPlan } from './spool-logger.ts'

let server: FakeCollector
afterEach(async () => {
  await closeSpools()
  await server.close()
})

/** A logger whose spool has lines of ten records, one batch each, for a collector that was down. */
async function waiting(lines: number, plan: SpoolPlan = {}): Promise<ReturnType<typeof spoolLogger>> {
  server = await fakeCollector()
  server.respondAlways(status(503))
  const harness = spoolLogger({ url: server.url, ...plan })
  for (let line = 0; line < lines; line++) {
    harness.logAll(10)
    await harness.log.flush()
  }
  return harness
}

// Fault rows: 38
test('a permanently rejected batch is counted and reported, and does not block the others', async () => {
  const { stats, problems } = await waiting(3)
  const rejectSecond = (): void => server.respondNext(accept, status(400))
  server.respondAlways(accept)
  rejectSecond()
  await waitUntil(() => stats().waiting === 0)
  expect(stats()).toMatchObject({ spooled: 30, replayed: 30, rejected: 10, expired: 0, corrupt: 0 })
  expect(problems.map(({ code }) => code)).toContain('SLUICE_SPOOL_LOST')
})

// Fault rows: 39
test('records that a partial success rejects are counted during replay', async () => {
  const { stats } = await waiting(2)
  server.respondAlways(accept)
  server.respondNext(partialSuccess(3))
  await waitUntil(() => stats().waiting === 0)
  expect(stats()).toMatchObject({ spooled: 20, replayed: 20, rejected: 3 })
})

// Requirements: OTL9
test('after a failure one line is sent as a probe, but not before Retry-After', async () => {
  const { stats } = await waiting(5)
  const arrived = takes(server)
  let requests = 0
  server.respondNext((response, request) => {
    requests = server.received.length
    status(503, { 'retry-after': '1' })(response, request)
  })
  await waitUntil(() => stats().waiting === 0)
  const [probe, next] = server.received.slice(requests - 1)
  expect(next!.sequence).toEqual(probe!.sequence)
  expect(next!.at - probe!.at).toBeGreaterThanOrEqual(990)
  expect(arrived).toEqual(numbers(50))
})

// Fault rows: 41
test('a replayed batch without a response is sent again and counted as maybeDuplicated', async () => {
  const { stats } = await waiting(2)
  const arrived = takes(server)
  let reset: readonly number[] = []
  server.respondNext((response, request) => {
    reset = server.received.at(-1)!.sequence
    resetAfterBody(response, request)
  })
  await waitUntil(() => stats().waiting === 0)
  expect(reset).toEqual(numbers(10))
  expect(arrived).toEqual(numbers(20))
  expect(stats()).toMatchObject({ replayed: 20, maybeDuplicated: 10 })
})

test('a new batch without a response is spooled and counted as maybeDuplicated', async () => {
  server = await fakeCollector()
  server.respondNext(resetAfterBody)
  const { log, logAll, deliveryStats, stats } = spoolLogger({ url: server.url })
  logAll(10)
  await log.flush()
  expect(deliveryStats()).toMatchObject({ written: 10, maybeDuplicated: 10, unknown: 0 })
  await waitUntil(() => stats().replayed === 10)
})

test('a new batch that is permanently rejected is not spooled', async () => {
  server = await fakeCollector()
  server.respondAlways(status(400))
  const { log, logAll, deliveryStats, stats } = spoolLogger({ url: server.url })
  logAll(10)
  await log.flush()
  expect(deliveryStats()).toMatchObject({ written: 0, dropped: { total: 10, byReason: { rejected: 10 } } })
  expect(stats().spooled).toBe(0)
})

// Fault rows: 37
test('a server with repeated outages receives all records, and old ones before new ones', async () => {
  server = await fakeCollector()
  let turn = 0
  server.respondAlways((response, request) => {
    if (turn++ % 3 === 2) accept(response, request)
    else response.writeHead(503).end()
  })
  const { log, logAll, stats, deliveryStats } = spoolLogger({ url: server.url })
  for (let batch = 0; batch < 30; batch++) {
    logAll(7)
    await log.flush()
  }
  await waitUntil(() => stats().waiting === 0)
  const answered = server.received.filter((_, index) => index % 3 === 2).flatMap(({ sequence }) => sequence)
  expect(answered).toEqual(numbers(210))
  expect(deliveryStats()).toMatchObject({ written: 210, maybeDuplicated: 0 })
})

describe('spooling without the event loop', () => {
  test('flushSync spools the queued records and the batch in flight once', async () => {
    server = await fakeCollector()
    const later = held()
    server.respondNext(later.answer)
    const { log, logAll, stats, deliveryStats } = spoolLogger({ url: server.url, otlp: { maxExportBatchSize: 10 } })
    logAll(10)
    await server.waitFor(1)
    logAll(25)
    expect(log.flushSync(1_000)).toMatchObject({ ok: true, pending: 0 })
    expect(stats()).toMatchObject({ spooled: 35, waiting: 35 })
    later.give(accept)
    await waitUntil(() => stats().waiting === 0)
    expect(server.sequence).toEqual(numbers(35))
    expect(deliveryStats()).toMatchObject({ written: 35, maybeDuplicated: 0 })
  })

  // Fault rows: 14
  test('a full queue is spooled to files instead of dropping records', async () => {
    server = await fakeCollector()
    server.respondAlways(status(503))
    const { logAll, log, stats, deliveryStats } = spoolLogger({
      url: server.url,
      maxBytes: 256 * 1024 * 1024,
      otlp: { maxQueueSize: 1_000 },
    })
    logAll(20_000)
    await log.flush()
    expect(deliveryStats()).toMatchObject({ written: 20_000, dropped: { total: 0 } })
    expect(stats().spooled).toBe(20_000)
    const arrived = takes(server)
    await waitUntil(() => stats().waiting === 0, 20_000)
    expect(arrived).toEqual(numbers(20_000))
  })
})

/**
 * A logger whose first batch has four lines, of which the first is in a file, and no response until `respond` is called. Later batches
 * are accepted.
 */
async function partlyStored(plan: SpoolPlan = {}, members: Partial<Exporter> = {}) {
  const { promise, resolve: respond } = Promise.withResolvers<ExportResult>()
  const arrived: number[] = []
  let isFirst = true
  const exporter: Exporter = {
    name: 'late',
    encoding: otlpEncoding('http/json'),
    schedule: 'turn',
    batchBytes: 4 * 1024 * 1024,
    delivery: {},
    export(batch) {
      if (isFirst) {
        isFirst = false
        return promise
      }
      arrived.push(
        ...Array.from(batch.text().matchAll(/"seq","value":\{"intValue":"?(\d+)/g), ([, seq]) => Number(seq)),
      )
      return { status: 'accepted' }
    },
    ...members,
  }
  let freeLines = 1
  const write = ((...args: never[]) => {
    if (freeLines-- > 0) return (fs.write as (...all: never[]) => void)(...args)
    const done = args.at(-1) as unknown as (error: Error) => void
    return setImmediate(() => done(Object.assign(new Error('full'), { code: 'ENOSPC' })))
  }) as never
  const harness = spoolLogger({
    files: { ...fs, write },
    logger: { limits: { recordBytes: 900_000 } },
    ...plan,
    exporter: retry(exporter, { initialDelayMillis: 1, maxDelayMillis: 1 }),
  })
  harness.logAll(4, { pad: 'x'.repeat(300_000) })
  await waitUntil(() => harness.codes().includes('SLUICE_SPOOL_FAILED'))
  expect(harness.stats()).toMatchObject({ spooled: 1 })
  expect(harness.deliveryStats()).toMatchObject({ accepted: 4, queued: 4 })
  return { ...harness, respond, arrived }
}

/** Waits until no record is queued, and checks that each record is counted once. */
async function settled({ deliveryStats }: ReturnType<typeof spoolLogger>): Promise<void> {
  await waitUntil(() => deliveryStats().queued === 0)
  const { accepted, written, unknown, dropped } = deliveryStats()
  expect(written + unknown + dropped.total).toBe(accepted)
}

/** A response that rejects some records. */
const refused = (...parts: readonly RejectedRecords[]): ExportResult => ({ status: 'accepted', refused: parts })

describe('a batch of four lines, of which the first is in a file when its response arrives', () => {
  beforeEach(async () => {
    server = await fakeCollector()
  })

  test.each<[string, ExportResult, Record<string, number>]>([
    ['all records', { status: 'rejected', accepted: 0, reason: 'rejected' }, { rejected: 3 }],
    ['one record', refused({ records: 1, reason: 'rejected' }), {}],
    ['three records that are too large', refused({ records: 3, reason: 'too_large' }), { too_large: 2 }],
    [
      'two records for two reasons',
      refused({ records: 1, reason: 'rejected' }, { records: 1, reason: 'too_large' }),
      { too_large: 1 },
    ],
  ])('rejected records are counted once if the response rejects %s', async (_, result, byReason) => {
    const harness = await partlyStored()
    harness.respond(result)
    await settled(harness)
    expect(harness.deliveryStats().dropped).toMatchObject({
      total: Object.values(byReason).reduce((sum, count) => sum + count, 0),
      byReason,
    })
    await waitUntil(() => harness.stats().waiting === 0)
    expect(harness.stats()).toMatchObject({ spooled: 1, replayed: 1, rejected: 1 })
  })

  test('rejected records are counted once if the file has expired', async () => {
    const harness = await partlyStored({ maxAgeMillis: 10 })
    await new Promise((resolve) => setTimeout(resolve, 20))
    harness.respond({ status: 'rejected', accepted: 0, reason: 'rejected' })
    await settled(harness)
    expect(harness.deliveryStats().dropped).toMatchObject({ total: 3, byReason: { rejected: 3 } })
    expect(harness.stats()).toMatchObject({ spooled: 1, expired: 1, rejected: 0 })
  })

  test('records that the response settles are not sent again, except those in the file', async () => {
    const harness = await partlyStored()
    harness.respond({ status: 'retryable', accepted: 3, refused: [{ records: 1, reason: 'rejected' }] })
    await settled(harness)
    await waitUntil(() => harness.stats().waiting === 0)
    expect(new Set(harness.arrived)).toEqual(new Set([0, 3]))
    expect(harness.deliveryStats()).toMatchObject({
      maybeDuplicated: 0,
      dropped: { total: 1, byReason: { rejected: 1 } },
    })
    expect(harness.stats()).toMatchObject({ spooled: 1, replayed: 1, maybeDuplicated: 1 })
  })

  test('records that may have arrived are sent again and counted as maybeDuplicated', async () => {
    const harness = await partlyStored()
    harness.respond({ status: 'unknown', accepted: 0 })
    await settled(harness)
    await waitUntil(() => harness.stats().waiting === 0)
    expect(harness.arrived).toHaveLength(4)
    expect(new Set(harness.arrived)).toEqual(new Set(numbers(4)))
    expect(harness.deliveryStats()).toMatchObject({ written: 4, maybeDuplicated: 3 })
    expect(harness.stats()).toMatchObject({ spooled: 1, replayed: 1, maybeDuplicated: 1 })
  })

  test('records that the destination has not accepted at exit are written to a file', async () => {
    const harness = await partlyStored({}, { exportSync: () => ({ status: 'retryable', accepted: 1 }) })
    await harness.log.shutdown({ timeoutMillis: 0 })
    await settled(harness)
    expect(harness.deliveryStats()).toMatchObject({ written: 4 })
    expect(harness.stats()).toMatchObject({ spooled: 4 })
  })
})
