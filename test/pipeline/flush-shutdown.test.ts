import { describe, expect, test } from '@jest/globals'
import type { ExportResult } from '../../src/pipeline/exporter.ts'
import { NarrowExporter, StallingExporter, TakingExporter } from '../support/pipeline/exporters.ts'
import { ManualHost, promisesSettle } from '../support/pipeline/host.ts'
import { pipeline, texts } from '../support/pipeline/producers.ts'

/** The value of a promise, or 'pending', without waiting for it to settle. */
async function stateOf<T>(promise: Promise<T>): Promise<T | 'pending'> {
  await promisesSettle()
  return Promise.race([promise, Promise.resolve('pending' as const)])
}

describe('flush', () => {
  test('flush waits until all records that were logged before it are exported (PRO5)', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const flush = line.processor.flush(1_000)
    expect(await stateOf(flush)).toBe('pending')
    line.exporter.answer()
    expect(await stateOf(flush)).toEqual({ ok: true, pending: 0 })
    expect(line.host.waiting).toBe(0)
  })

  test('flush does not wait for records that are logged while it is pending', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const flush = line.processor.flush(1_000)
    line.logAll(texts(4))
    line.exporter.answer()
    expect(await stateOf(flush)).toEqual({ ok: true, pending: 4 })
    line.host.turn()
    line.exporter.answer()
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ written: 7, queued: 0 })
  })

  test('a flush that is called during another flush waits for all records logged before its own call (CON1, D9, row 45)', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const first = line.processor.flush(1_000)
    const second = line.processor.flush(1_000)
    line.logAll(texts(2))
    const third = line.processor.flush(1_000)
    expect(await stateOf(second)).toBe('pending')
    line.exporter.answer()
    expect(await stateOf(first)).toMatchObject({ ok: true })
    expect(await stateOf(second)).toMatchObject({ ok: true })
    expect(await stateOf(third)).toBe('pending')
    line.exporter.answer()
    expect(await stateOf(third)).toEqual({ ok: true, pending: 0 })
  })

  test('flush resolves with the number of pending records when its timeout expires (PRO5, ERR6, D27)', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const flush = line.processor.flush(1_000)
    line.host.advance(999)
    expect(await stateOf(flush)).toBe('pending')
    line.host.advance(1)
    expect(await stateOf(flush)).toEqual({ ok: false, pending: 3 })
    line.exporter.answer()
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ written: 3, queued: 0 })
  })

  test('flush calls the flush method of the exporter when the queue is empty (PRO5)', async () => {
    const line = pipeline(new TakingExporter())
    expect(await line.processor.flush(1_000)).toEqual({ ok: true, pending: 0 })
    expect(line.exporter.flushes).toBe(1)
  })

  test('all queued records are exported synchronously by exportSync when the shutdown timeout expires (row 45)', async () => {
    const stalling = new StallingExporter({ delivery: { maxExportBatchSize: 1 } })
    const line = pipeline(Object.assign(stalling, { exportSync: (): ExportResult => ({ status: 'accepted' }) }))
    line.logAll(texts(3))
    line.host.turn()
    line.logAll(texts(2))
    const closed = line.processor.shutdown(1_000)
    line.host.advance(1_000)
    await closed
    expect(line.ledger()).toMatchObject({ written: 5, unknown: 0, queued: 0, dropped: { total: 0 } })
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
  ])('flush does not reject when the flush method of the exporter %s', async (_, flush) => {
    const line = pipeline(Object.assign(new TakingExporter(), { flush }))
    line.log('a\n')
    expect(await line.processor.flush(1_000)).toEqual({ ok: false, pending: 0 })
  })

  test('flush stops waiting at its timeout when the flush method of the exporter never settles', async () => {
    const line = pipeline(Object.assign(new TakingExporter(), { flush: () => new Promise<void>(() => {}) }))
    line.log('a\n')
    const flush = line.processor.flush(1_000)
    await promisesSettle()
    line.host.advance(1_000)
    expect(await stateOf(flush)).toEqual({ ok: false, pending: 0 })
  })

  test('a flush that is called inside an export does not resolve before the current batch is written', async () => {
    const line = pipeline(new NarrowExporter())
    line.exporter.room = 1
    let inner: Promise<unknown> | undefined
    line.exporter.onWait = () => (inner ??= line.processor.flush(1_000))
    line.logAll(texts(3))
    line.processor.drain(line.host.now + 10, false)
    expect(await stateOf(inner!)).toBe('pending')
    line.exporter.makeRoom(10)
    expect(await stateOf(inner!)).toEqual({ ok: true, pending: 0 })
  })

  test('flush does not reject and keeps the records when their bytes cannot be allocated', async () => {
    const host = new ManualHost()
    const { buffers } = host
    host.buffers = { ...buffers, encode: outOfMemory, append: outOfMemory }
    const line = pipeline(new TakingExporter(), host)
    line.logAll(texts(500, 300))
    expect(await line.processor.flush(100)).toEqual({ ok: false, pending: 500 })
    Object.assign(host.buffers, buffers)
    expect(await line.processor.flush(100)).toEqual({ ok: true, pending: 0 })
    expect(line.exporter.taken).toEqual(texts(500, 300))
  })
})

describe('shutdown', () => {
  test('shutdown exports the records that were logged before it, closes the exporter and drops later records (PRO4)', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const closed = line.processor.shutdown(1_000)
    line.logAll(texts(2))
    expect(await stateOf(closed)).toBe('pending')
    line.exporter.answer()
    await promisesSettle()
    line.exporter.answer() // the drop report for the two late records
    await closed
    line.log('late\n')
    expect(line.ledger()).toMatchObject({ written: 4, queued: 0, dropped: { byReason: { shutdown: 3 } } })
    expect(line.exporter.shutdowns).toBe(1)
    expect(line.host.waiting).toBe(0)
  })

  test('a flush and a shutdown that is called during it both resolve (CON1, D10, row 45)', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const flush = line.processor.flush(1_000)
    const closed = line.processor.shutdown(1_000)
    line.exporter.answer()
    expect(await flush).toEqual({ ok: true, pending: 0 })
    await closed
    expect(line.ledger()).toMatchObject({ written: 3, queued: 0 })
  })

  test('repeated calls of shutdown return the same promise, even from inside an export (PRO4, CON1, row 45)', async () => {
    const line = pipeline(new TakingExporter())
    const calls: Promise<void>[] = []
    line.exporter.onExport = () => void calls.push(line.processor.shutdown(1_000))
    line.log('a\n')
    const closed = line.processor.shutdown(1_000)
    await Promise.all([closed, ...calls, line.processor.shutdown(1_000)])
    expect(new Set([closed, ...calls]).size).toBe(1)
    expect(line.exporter.shutdowns).toBe(1)
  })

  test('shutdown drops queued records at its timeout and counts the batch in flight as unknown (PRO4, D27)', async () => {
    const line = pipeline(new StallingExporter({ delivery: { exportTimeoutMillis: 60_000 } }))
    line.logAll(texts(3))
    line.host.turn()
    line.logAll(texts(2))
    const closed = line.processor.shutdown(1_000)
    line.host.advance(1_000)
    await closed
    expect(line.ledger()).toMatchObject({ unknown: 3, queued: 0, dropped: { byReason: { shutdown: 2 } } })
    expect(line.exporter.signals[0]!.aborted).toBe(true)
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
  ])('shutdown does not reject when the shutdown method of the exporter %s', async (_, shutdown) => {
    const line = pipeline(Object.assign(new TakingExporter(), { shutdown }))
    await expect(line.processor.shutdown(1_000)).resolves.toBeUndefined()
  })

  test('shutdown stops waiting at its timeout when the shutdown method of the exporter never settles (PRO4)', async () => {
    const line = pipeline(Object.assign(new TakingExporter(), { shutdown: () => new Promise<void>(() => {}) }))
    const closed = line.processor.shutdown(1_000)
    await promisesSettle()
    line.host.advance(1_000)
    expect(await stateOf(closed)).toBeUndefined()
  })

  test('an export result that arrives after shutdown has no effect on the statistics', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const closed = line.processor.shutdown(10)
    line.host.advance(10)
    await closed
    line.exporter.answer()
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ unknown: 3, written: 0, queued: 0 })
  })
})

describe('keeping the process alive', () => {
  test('the process is kept alive while a flush is pending', async () => {
    const line = pipeline(new NarrowExporter())
    expect(line.exporter.keptAlive).toBe(false)
    line.log('a\n')
    const flush = line.processor.flush(1_000)
    expect(line.exporter.keptAlive).toBe(true)
    expect(line.host.keptAlive.size).toBe(1)
    line.exporter.makeRoom(10)
    await flush
    expect(line.exporter.keptAlive).toBe(false)
    expect(line.host.keptAlive.size).toBe(0)
  })

  test('the process is kept alive until the last of several flushes resolves', async () => {
    const line = pipeline(new NarrowExporter())
    line.log('a\n')
    void line.processor.flush(10)
    const second = line.processor.flush(1_000)
    line.host.advance(10)
    await promisesSettle()
    expect(line.exporter.keptAlive).toBe(true)
    line.exporter.makeRoom(10)
    await second
    expect(line.exporter.keptAlive).toBe(false)
  })

  test('each batch keeps the process alive only when records are not drained at process exit', () => {
    const host = new ManualHost()
    host.drainsAtExit = false
    expect(pipeline(new NarrowExporter(), host).exporter.keptAlive).toBe(true)
    expect(pipeline(new StallingExporter()).exporter.keptAlive).toBe(false)
  })
})

describe('drain', () => {
  test('a drain writes the batch in flight and then the queued records synchronously', async () => {
    const line = pipeline(new NarrowExporter())
    line.logAll(texts(3))
    line.host.turn()
    line.logAll(texts(2, 10, 3))
    line.exporter.room = 100
    expect(line.processor.drain(line.host.now, false)).toEqual({ ok: true, pending: 0 })
    expect(line.exporter.taken).toEqual(texts(5))
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ written: 5, queued: 0 })
  })

  test('a drain leaves all records queued when the exporter needs the event loop', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    expect(line.processor.drain(line.host.now + 1_000, false)).toEqual({ ok: false, pending: 3 })
    line.host.turn()
    line.exporter.answer()
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ written: 3, queued: 0 })
  })

  test('records that a drain could not write are exported later without another call', async () => {
    const line = pipeline(new NarrowExporter())
    line.exporter.room = 2
    line.logAll(texts(5))
    expect(line.processor.drain(line.host.now, false)).toEqual({ ok: false, pending: 5 })
    line.exporter.makeRoom(10)
    await promisesSettle()
    expect(line.exporter.taken).toEqual(texts(5))
    expect(line.ledger()).toMatchObject({ written: 5, queued: 0 })
  })
})

test('a producer that leaves the pipeline counts its pending records as unknown, and they are still exported', async () => {
  const line = pipeline(new StallingExporter())
  const other = pipeline(line.exporter) // Only its producer is used.
  line.processor.producers.add(other.lane)
  line.logAll(texts(2))
  line.host.turn()
  line.logAll(texts(3, 10, 2))
  line.processor.removeProducer(line.lane)
  expect(line.ledger()).toMatchObject({ unknown: 5, queued: 0 })
  line.exporter.answer()
  await promisesSettle()
  line.host.turn()
  line.exporter.answer()
  await promisesSettle()
  expect(line.exporter.taken).toEqual(texts(5))
  expect(line.ledger()).toMatchObject({ unknown: 5, queued: 0, written: 0 })
})

function outOfMemory(): never {
  throw new RangeError('Array buffer allocation failed')
}
