import { afterEach, describe, expect, test } from '@jest/globals'
import { fakeCollector, neverRespond, status, accept, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeSpools, held, numbers, segmentsIn, spoolLogger, takes } from './spool-logger.ts'

const collectors = new Set<FakeCollector>()
async function collector(port = 0): Promise<FakeCollector> {
  const created = await fakeCollector(undefined, port)
  collectors.add(created)
  return created
}

afterEach(async () => {
  await closeSpools()
  await Promise.all([...collectors].map((each) => each.close()))
  collectors.clear()
})

describe('spool with a working destination', () => {
  test('records are sent directly and no file is created while the destination works', async () => {
    const server = await collector()
    const { log, logAll, stats, directory } = spoolLogger({ url: server.url })
    logAll(10)
    await log.flush()
    expect(server.sequence).toEqual(numbers(10))
    expect(stats()).toMatchObject({ spooled: 0, waiting: 0, segments: 0 })
    expect(segmentsIn(directory)).toEqual([])
  })
})

describe('spool with a failing destination', () => {
  test('records are spooled immediately and counted as written while the destination fails', async () => {
    const server = await collector()
    server.respondAlways(status(503))
    const { log, logAll, stats, deliveryStats, directory } = spoolLogger({ url: server.url })
    logAll(10)
    await log.flush()
    expect(deliveryStats()).toMatchObject({ written: 10, queued: 0, unknown: 0, dropped: { total: 0 } })
    expect(stats()).toMatchObject({ spooled: 10, replayed: 0, waiting: 10 })
    expect(segmentsIn(directory)).toHaveLength(1)
  })

  test('spooled records are replayed in order before newer ones when the destination works again', async () => {
    const server = await collector()
    server.respondAlways(status(503))
    const { log, logAll, stats, directory } = spoolLogger({ url: server.url })
    for (let round = 0; round < 5; round++) {
      logAll(10)
      await log.flush()
    }
    const arrived = takes(server)
    logAll(10)
    await log.flush()
    await waitUntil(() => stats().waiting === 0)
    logAll(10)
    await log.flush()
    expect(arrived).toEqual(numbers(70))
    expect(stats()).toMatchObject({ replayed: stats().spooled, waiting: 0, rejected: 0, corrupt: 0 })
    expect(segmentsIn(directory)).toEqual([])
  })

  // Fault rows: 40
  test('a batch without a response is spooled after a second, and a late response still counts', async () => {
    const server = await collector()
    const later = held()
    server.respondNext(later.answer)
    const { log, logAll, stats, deliveryStats } = spoolLogger({ url: server.url })
    logAll(10)
    await log.flush({ timeoutMillis: 3_000 })
    expect(deliveryStats()).toMatchObject({ written: 10, queued: 0 })
    expect(stats()).toMatchObject({ spooled: 10, waiting: 10 })
    logAll(5)
    await log.flush()
    later.give(accept)
    await waitUntil(() => stats().waiting === 0)
    expect(server.sequence).toEqual(numbers(15))
    expect(stats()).toMatchObject({ spooled: 15, replayed: 15, maybeDuplicated: 0 })
  })

  test('shutdown spools all records when the destination stalls', async () => {
    const server = await collector()
    server.respondAlways(neverRespond)
    const { log, logAll, deliveryStats, directory } = spoolLogger({ url: server.url, otlp: { maxExportBatchSize: 10 } })
    logAll(100)
    const { ok } = await log.shutdown({ timeoutMillis: 4_000 })
    expect(ok).toBe(true)
    expect(deliveryStats()).toMatchObject({ written: 100, dropped: { total: 0 } })
    server.respondAlways(accept)
    const next = spoolLogger({ url: server.url, directory })
    await waitUntil(() => next.stats().replayed === 100)
    expect(new Set(server.sequence)).toEqual(new Set(numbers(100)))
    expect(next.stats()).toMatchObject({ spooled: 100, adopted: 100, waiting: 0, corrupt: 0 })
  })
})
