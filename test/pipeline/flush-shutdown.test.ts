import { describe, expect, test } from '@jest/globals'
import type { ExportResult } from '../../src/pipeline/exporter.ts'
import { LimitedExporter, StallingExporter, AcceptingExporter } from '../support/pipeline/exporters.ts'
import { ManualHost, settlePromises } from '../support/pipeline/manual-host.ts'
import { createPipeline, texts } from '../support/pipeline/producers.ts'

/** The value of a promise, or 'pending', without waiting for it to settle. */
async function stateOf<T>(promise: Promise<T>): Promise<T | 'pending'> {
  await settlePromises()
  return Promise.race([promise, Promise.resolve('pending' as const)])
}

describe('flush', () => {
  // Requirements: PRO5
  test('flush waits until all records that were logged before it are exported', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(3))
    const flush = pipeline.processor.flush(1_000)
    expect(await stateOf(flush)).toBe('pending')
    pipeline.exporter.complete()
    expect(await stateOf(flush)).toEqual({ ok: true, pending: 0 })
    expect(pipeline.host.pendingDelays).toBe(0)
  })

  test('flush does not wait for records that are logged while it is pending', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(3))
    const flush = pipeline.processor.flush(1_000)
    pipeline.logAll(texts(4))
    pipeline.exporter.complete()
    expect(await stateOf(flush)).toEqual({ ok: true, pending: 4 })
    pipeline.host.endTurn()
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.stats()).toMatchObject({ written: 7, queued: 0 })
  })

  // Requirements: CON1, D9
  // Fault rows: 45
  test('a flush that is called during another flush waits for all records logged before its own call', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(3))
    const first = pipeline.processor.flush(1_000)
    const second = pipeline.processor.flush(1_000)
    pipeline.logAll(texts(2))
    const third = pipeline.processor.flush(1_000)
    expect(await stateOf(second)).toBe('pending')
    pipeline.exporter.complete()
    expect(await stateOf(first)).toMatchObject({ ok: true })
    expect(await stateOf(second)).toMatchObject({ ok: true })
    expect(await stateOf(third)).toBe('pending')
    pipeline.exporter.complete()
    expect(await stateOf(third)).toEqual({ ok: true, pending: 0 })
  })

  // Requirements: PRO5, ERR6, D27
  test('flush resolves with the number of pending records when its timeout expires', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(3))
    const flush = pipeline.processor.flush(1_000)
    pipeline.host.advance(999)
    expect(await stateOf(flush)).toBe('pending')
    pipeline.host.advance(1)
    expect(await stateOf(flush)).toEqual({ ok: false, pending: 3 })
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.stats()).toMatchObject({ written: 3, queued: 0 })
  })

  // Requirements: PRO5
  test('flush calls the flush method of the exporter when the queue is empty', async () => {
    const pipeline = createPipeline(new AcceptingExporter())
    expect(await pipeline.processor.flush(1_000)).toEqual({ ok: true, pending: 0 })
    expect(pipeline.exporter.flushes).toBe(1)
  })

  // Fault rows: 45
  test('all queued records are exported synchronously by exportSync when the shutdown timeout expires', async () => {
    const stalling = new StallingExporter({ delivery: { maxExportBatchSize: 1 } })
    const pipeline = createPipeline(
      Object.assign(stalling, { exportSync: (): ExportResult => ({ status: 'accepted' }) }),
    )
    pipeline.logAll(texts(3))
    pipeline.host.endTurn()
    pipeline.logAll(texts(2))
    const closed = pipeline.processor.shutdown(1_000)
    pipeline.host.advance(1_000)
    await closed
    expect(pipeline.stats()).toMatchObject({ written: 5, unknown: 0, queued: 0, dropped: { total: 0 } })
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
    const pipeline = createPipeline(Object.assign(new AcceptingExporter(), { flush }))
    pipeline.log('a\n')
    expect(await pipeline.processor.flush(1_000)).toEqual({ ok: false, pending: 0 })
  })

  test('flush stops waiting at its timeout when the flush method of the exporter never settles', async () => {
    const pipeline = createPipeline(
      Object.assign(new AcceptingExporter(), { flush: () => new Promise<void>(() => {}) }),
    )
    pipeline.log('a\n')
    const flush = pipeline.processor.flush(1_000)
    await settlePromises()
    pipeline.host.advance(1_000)
    expect(await stateOf(flush)).toEqual({ ok: false, pending: 0 })
  })

  test('a flush that is called inside an export does not resolve before the current batch is written', async () => {
    const pipeline = createPipeline(new LimitedExporter())
    pipeline.exporter.capacity = 1
    let inner: Promise<unknown> | undefined
    pipeline.exporter.onWait = () => (inner ??= pipeline.processor.flush(1_000))
    pipeline.logAll(texts(3))
    pipeline.processor.drain(pipeline.host.now + 10, false)
    expect(await stateOf(inner!)).toBe('pending')
    pipeline.exporter.addCapacity(10)
    expect(await stateOf(inner!)).toEqual({ ok: true, pending: 0 })
  })

  test('flush does not reject and keeps the records when their bytes cannot be allocated', async () => {
    const host = new ManualHost()
    const { textBuffers: buffers } = host
    host.textBuffers = { ...buffers, encode: outOfMemory, append: outOfMemory }
    const pipeline = createPipeline(new AcceptingExporter(), host)
    pipeline.logAll(texts(500, 300))
    expect(await pipeline.processor.flush(100)).toEqual({ ok: false, pending: 500 })
    Object.assign(host.textBuffers, buffers)
    expect(await pipeline.processor.flush(100)).toEqual({ ok: true, pending: 0 })
    expect(pipeline.exporter.accepted).toEqual(texts(500, 300))
  })
})

describe('shutdown', () => {
  // Requirements: PRO4
  test('shutdown exports the records that were logged before it, closes the exporter and drops later records', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(3))
    const closed = pipeline.processor.shutdown(1_000)
    pipeline.logAll(texts(2))
    expect(await stateOf(closed)).toBe('pending')
    pipeline.exporter.complete()
    await settlePromises()
    pipeline.exporter.complete() // the drop report for the two late records
    await closed
    pipeline.log('late\n')
    expect(pipeline.stats()).toMatchObject({ written: 4, queued: 0, dropped: { byReason: { shutdown: 3 } } })
    expect(pipeline.exporter.shutdowns).toBe(1)
    expect(pipeline.host.pendingDelays).toBe(0)
  })

  // Requirements: CON1, D10
  // Fault rows: 45
  test('a flush and a shutdown that is called during it both resolve', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(3))
    const flush = pipeline.processor.flush(1_000)
    const closed = pipeline.processor.shutdown(1_000)
    pipeline.exporter.complete()
    expect(await flush).toEqual({ ok: true, pending: 0 })
    await closed
    expect(pipeline.stats()).toMatchObject({ written: 3, queued: 0 })
  })

  // Requirements: PRO4, CON1
  // Fault rows: 45
  test('repeated calls of shutdown return the same promise, even from inside an export', async () => {
    const pipeline = createPipeline(new AcceptingExporter())
    const calls: Promise<void>[] = []
    pipeline.exporter.onExport = () => void calls.push(pipeline.processor.shutdown(1_000))
    pipeline.log('a\n')
    const closed = pipeline.processor.shutdown(1_000)
    await Promise.all([closed, ...calls, pipeline.processor.shutdown(1_000)])
    expect(new Set([closed, ...calls]).size).toBe(1)
    expect(pipeline.exporter.shutdowns).toBe(1)
  })

  // Requirements: PRO4, D27
  test('shutdown drops queued records at its timeout and counts the batch in flight as unknown', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { exportTimeoutMillis: 60_000 } }))
    pipeline.logAll(texts(3))
    pipeline.host.endTurn()
    pipeline.logAll(texts(2))
    const closed = pipeline.processor.shutdown(1_000)
    pipeline.host.advance(1_000)
    await closed
    expect(pipeline.stats()).toMatchObject({ unknown: 3, queued: 0, dropped: { byReason: { shutdown: 2 } } })
    expect(pipeline.exporter.signals[0]!.aborted).toBe(true)
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
    const pipeline = createPipeline(Object.assign(new AcceptingExporter(), { shutdown }))
    await expect(pipeline.processor.shutdown(1_000)).resolves.toBeUndefined()
  })

  // Requirements: PRO4
  test('shutdown stops waiting at its timeout when the shutdown method of the exporter never settles', async () => {
    const pipeline = createPipeline(
      Object.assign(new AcceptingExporter(), { shutdown: () => new Promise<void>(() => {}) }),
    )
    const closed = pipeline.processor.shutdown(1_000)
    await settlePromises()
    pipeline.host.advance(1_000)
    expect(await stateOf(closed)).toBeUndefined()
  })

  test('an export result that arrives after shutdown has no effect on the statistics', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(3))
    const closed = pipeline.processor.shutdown(10)
    pipeline.host.advance(10)
    await closed
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.stats()).toMatchObject({ unknown: 3, written: 0, queued: 0 })
  })
})

describe('keeping the process alive', () => {
  test('the process is kept alive while a flush is pending', async () => {
    const pipeline = createPipeline(new LimitedExporter())
    expect(pipeline.exporter.isKeptAlive).toBe(false)
    pipeline.log('a\n')
    const flush = pipeline.processor.flush(1_000)
    expect(pipeline.exporter.isKeptAlive).toBe(true)
    expect(pipeline.host.keptAlive.size).toBe(1)
    pipeline.exporter.addCapacity(10)
    await flush
    expect(pipeline.exporter.isKeptAlive).toBe(false)
    expect(pipeline.host.keptAlive.size).toBe(0)
  })

  test('the process is kept alive until the last of several flushes resolves', async () => {
    const pipeline = createPipeline(new LimitedExporter())
    pipeline.log('a\n')
    void pipeline.processor.flush(10)
    const second = pipeline.processor.flush(1_000)
    pipeline.host.advance(10)
    await settlePromises()
    expect(pipeline.exporter.isKeptAlive).toBe(true)
    pipeline.exporter.addCapacity(10)
    await second
    expect(pipeline.exporter.isKeptAlive).toBe(false)
  })

  test('each batch keeps the process alive only when records are not drained at process exit', () => {
    const host = new ManualHost()
    host.drainsAtExit = false
    expect(createPipeline(new LimitedExporter(), host).exporter.isKeptAlive).toBe(true)
    expect(createPipeline(new StallingExporter()).exporter.isKeptAlive).toBe(false)
  })
})

describe('drain', () => {
  test('a drain writes the batch in flight and then the queued records synchronously', async () => {
    const pipeline = createPipeline(new LimitedExporter())
    pipeline.logAll(texts(3))
    pipeline.host.endTurn()
    pipeline.logAll(texts(2, 10, 3))
    pipeline.exporter.capacity = 100
    expect(pipeline.processor.drain(pipeline.host.now, false)).toEqual({ ok: true, pending: 0 })
    expect(pipeline.exporter.accepted).toEqual(texts(5))
    await settlePromises()
    expect(pipeline.stats()).toMatchObject({ written: 5, queued: 0 })
  })

  test('a drain leaves all records queued when the exporter needs the event loop', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(3))
    expect(pipeline.processor.drain(pipeline.host.now + 1_000, false)).toEqual({ ok: false, pending: 3 })
    pipeline.host.endTurn()
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.stats()).toMatchObject({ written: 3, queued: 0 })
  })

  test('records that a drain could not write are exported later without another call', async () => {
    const pipeline = createPipeline(new LimitedExporter())
    pipeline.exporter.capacity = 2
    pipeline.logAll(texts(5))
    expect(pipeline.processor.drain(pipeline.host.now, false)).toEqual({ ok: false, pending: 5 })
    pipeline.exporter.addCapacity(10)
    await settlePromises()
    expect(pipeline.exporter.accepted).toEqual(texts(5))
    expect(pipeline.stats()).toMatchObject({ written: 5, queued: 0 })
  })
})

test('a producer that leaves the pipeline counts its pending records as unknown, and they are still exported', async () => {
  const pipeline = createPipeline(new StallingExporter())
  const other = createPipeline(pipeline.exporter) // Only its producer is used.
  pipeline.processor.producers.add(other.producer)
  pipeline.logAll(texts(2))
  pipeline.host.endTurn()
  pipeline.logAll(texts(3, 10, 2))
  pipeline.processor.removeProducer(pipeline.producer)
  expect(pipeline.stats()).toMatchObject({ unknown: 5, queued: 0 })
  pipeline.exporter.complete()
  await settlePromises()
  pipeline.host.endTurn()
  pipeline.exporter.complete()
  await settlePromises()
  expect(pipeline.exporter.accepted).toEqual(texts(5))
  expect(pipeline.stats()).toMatchObject({ unknown: 5, queued: 0, written: 0 })
})

function outOfMemory(): never {
  throw new RangeError('Array buffer allocation failed')
}
