import { afterEach, describe, expect, test } from '@jest/globals'
import { fakeCollector, silence, status, taken, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { until } from '../../support/until.ts'
import { closeSpools, held, numbers, segmentsIn, spoolLogger, takes } from './spool-logger.ts'

const collectors = new Set<FakeCollector>()
async function collector(port = 0): Promise<FakeCollector> {
  const made = await fakeCollector(undefined, port)
  collectors.add(made)
  return made
}

afterEach(async () => {
  await closeSpools()
  await Promise.all([...collectors].map((each) => each.close()))
  collectors.clear()
})

describe('while the destination works', () => {
  test('records go to it, and no file is made', async () => {
    const server = await collector()
    const { log, logAll, stats, directory } = spoolLogger({ url: server.url })
    logAll(10)
    await log.flush()
    expect(server.sequence).toEqual(numbers(10))
    expect(stats()).toMatchObject({ spooled: 0, waiting: 0, segments: 0 })
    expect(segmentsIn(directory)).toEqual([])
  })
})

describe('while the destination fails', () => {
  test('records are written into files at once, and counted as written', async () => {
    const server = await collector()
    server.answerAlways(status(503))
    const { log, logAll, stats, ledger, directory } = spoolLogger({ url: server.url })
    logAll(10)
    await log.flush()
    expect(ledger()).toMatchObject({ written: 10, queued: 0, unknown: 0, dropped: { total: 0 } })
    expect(stats()).toMatchObject({ spooled: 10, replayed: 0, waiting: 10 })
    expect(segmentsIn(directory)).toHaveLength(1)
  })

  test('what came meanwhile is replayed in order once it works again, before what comes then', async () => {
    const server = await collector()
    server.answerAlways(status(503))
    const { log, logAll, stats, directory } = spoolLogger({ url: server.url })
    for (let round = 0; round < 5; round++) {
      logAll(10)
      await log.flush()
    }
    const arrived = takes(server)
    logAll(10)
    await log.flush()
    await until(() => stats().waiting === 0)
    logAll(10)
    await log.flush()
    expect(arrived).toEqual(numbers(70))
    expect(stats()).toMatchObject({ replayed: stats().spooled, waiting: 0, rejected: 0, corrupt: 0 })
    expect(segmentsIn(directory)).toEqual([])
  })

  test('a batch without an answer is in a file after a second, and its answer counts when it comes (row 40)', async () => {
    const server = await collector()
    const later = held()
    server.answerNext(later.answer)
    const { log, logAll, stats, ledger } = spoolLogger({ url: server.url })
    logAll(10)
    await log.flush({ timeoutMillis: 3_000 })
    expect(ledger()).toMatchObject({ written: 10, queued: 0 })
    expect(stats()).toMatchObject({ spooled: 10, waiting: 10 })
    logAll(5)
    await log.flush()
    later.give(taken)
    await until(() => stats().waiting === 0)
    expect(server.sequence).toEqual(numbers(15))
    expect(stats()).toMatchObject({ spooled: 15, replayed: 15, maybeDuplicated: 0 })
  })

  test('a stalled destination does not keep the logger from shutting down with everything in files', async () => {
    const server = await collector()
    server.answerAlways(silence)
    const { log, logAll, ledger, directory } = spoolLogger({ url: server.url, otlp: { maxExportBatchSize: 10 } })
    logAll(100)
    const { ok } = await log.shutdown({ timeoutMillis: 4_000 })
    expect(ok).toBe(true)
    expect(ledger()).toMatchObject({ written: 100, dropped: { total: 0 } })
    server.answerAlways(taken)
    const next = spoolLogger({ url: server.url, directory })
    await until(() => next.stats().replayed === 100)
    expect(new Set(server.sequence)).toEqual(new Set(numbers(100)))
    expect(next.stats()).toMatchObject({ spooled: 100, adopted: 100, waiting: 0, corrupt: 0 })
  })
})
