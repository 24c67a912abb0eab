import { describe, expect, test } from '@jest/globals'
import type { ExportResult } from '../../src/pipeline/exporter.ts'
import { NarrowExporter, StallingExporter, TakingExporter } from '../support/pipeline/exporters.ts'
import { ManualHost, promisesSettle } from '../support/pipeline/host.ts'
import { pipeline, texts } from '../support/pipeline/producers.ts'

/** What a promise has come to, without waiting for it. */
async function stateOf<T>(promise: Promise<T>): Promise<T | 'pending'> {
  await promisesSettle()
  return Promise.race([promise, Promise.resolve('pending' as const)])
}

describe('a flush', () => {
  test('waits until what was logged before has left (PRO5)', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const flush = line.processor.flush(1_000)
    expect(await stateOf(flush)).toBe('pending')
    line.exporter.answer()
    expect(await stateOf(flush)).toEqual({ ok: true, pending: 0 })
    expect(line.host.waiting).toBe(0)
  })

  test('does not wait for what is logged meanwhile', async () => {
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

  test('waits, when another one is under way, for what that waits for (CON1, D9, row 45)', async () => {
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

  test('gives up when its time is over, and says how many records wait (PRO5, ERR6, D27)', async () => {
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

  test('of an empty pipeline asks the exporter to make durable what it has (PRO5)', async () => {
    const line = pipeline(new TakingExporter())
    expect(await line.processor.flush(1_000)).toEqual({ ok: true, pending: 0 })
    expect(line.exporter.flushes).toBe(1)
  })

  test('gives all that waits to a destination that takes it without the event loop, when the time is over (row 45)', async () => {
    const stalling = new StallingExporter({ delivery: { maxExportBatchSize: 1 } })
    const line = pipeline(Object.assign(stalling, { exportSync: (): ExportResult => ({ status: 'accepted' }) }))
    line.logAll(texts(3))
    line.host.turn()
    line.logAll(texts(2))
    const over = line.processor.shutdown(1_000)
    line.host.advance(1_000)
    await over
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
  ])('does not reject when the exporter that it asks %s', async (_, flush) => {
    const line = pipeline(Object.assign(new TakingExporter(), { flush }))
    line.log('a\n')
    expect(await line.processor.flush(1_000)).toEqual({ ok: false, pending: 0 })
  })

  test('does not wait for ever for an exporter that never comes back', async () => {
    const line = pipeline(Object.assign(new TakingExporter(), { flush: () => new Promise<void>(() => {}) }))
    line.log('a\n')
    const flush = line.processor.flush(1_000)
    await promisesSettle()
    line.host.advance(1_000)
    expect(await stateOf(flush)).toEqual({ ok: false, pending: 0 })
  })

  test('from inside export does not end before the batch that is being written', async () => {
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

  test('does not reject, and keeps the records, when there is no memory for their bytes', async () => {
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

describe('a shutdown', () => {
  test('writes what was logged before, closes the exporter, and takes nothing any more (PRO4)', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const over = line.processor.shutdown(1_000)
    line.logAll(texts(2))
    expect(await stateOf(over)).toBe('pending')
    line.exporter.answer()
    await promisesSettle()
    line.exporter.answer() // the notice of the two that came too late
    await over
    line.log('late\n')
    expect(line.ledger()).toMatchObject({ written: 4, queued: 0, dropped: { byReason: { shutdown: 3 } } })
    expect(line.exporter.shutdowns).toBe(1)
    expect(line.host.waiting).toBe(0)
  })

  test('during a flush lets both end (CON1, D10, row 45)', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const flush = line.processor.flush(1_000)
    const over = line.processor.shutdown(1_000)
    line.exporter.answer()
    expect(await flush).toEqual({ ok: true, pending: 0 })
    await over
    expect(line.ledger()).toMatchObject({ written: 3, queued: 0 })
  })

  test('that is asked for again, from inside too, is the same one (PRO4, CON1, row 45)', async () => {
    const line = pipeline(new TakingExporter())
    const asked: Promise<void>[] = []
    line.exporter.onExport = () => void asked.push(line.processor.shutdown(1_000))
    line.log('a\n')
    const over = line.processor.shutdown(1_000)
    await Promise.all([over, ...asked, line.processor.shutdown(1_000)])
    expect(new Set([over, ...asked]).size).toBe(1)
    expect(line.exporter.shutdowns).toBe(1)
  })

  test('drops what the destination has not taken in time, and calls nothing it began unwritten that may arrive (PRO4, D27)', async () => {
    const line = pipeline(new StallingExporter({ delivery: { exportTimeoutMillis: 60_000 } }))
    line.logAll(texts(3))
    line.host.turn()
    line.logAll(texts(2))
    const over = line.processor.shutdown(1_000)
    line.host.advance(1_000)
    await over
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
  ])('does not reject when the exporter that it closes %s', async (_, shutdown) => {
    const line = pipeline(Object.assign(new TakingExporter(), { shutdown }))
    await expect(line.processor.shutdown(1_000)).resolves.toBeUndefined()
  })

  test('does not wait for ever for an exporter that does not close (PRO4)', async () => {
    const line = pipeline(Object.assign(new TakingExporter(), { shutdown: () => new Promise<void>(() => {}) }))
    const over = line.processor.shutdown(1_000)
    await promisesSettle()
    line.host.advance(1_000)
    expect(await stateOf(over)).toBeUndefined()
  })

  test('leaves a late answer without effect', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    const over = line.processor.shutdown(10)
    line.host.advance(10)
    await over
    line.exporter.answer()
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ unknown: 3, written: 0, queued: 0 })
  })
})

describe('the process is kept alive', () => {
  test('while somebody waits for a flush', async () => {
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

  test('until the last of them has gone', async () => {
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

  test('for every batch only where there is no exit guard', () => {
    const host = new ManualHost()
    host.drainsAtExit = false
    expect(pipeline(new NarrowExporter(), host).exporter.keptAlive).toBe(true)
    expect(pipeline(new StallingExporter()).exporter.keptAlive).toBe(false)
  })
})

describe('a drain', () => {
  test('writes what waits at once, the batch that is out first', async () => {
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

  test('of an exporter that needs the event loop leaves everything where it is', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    expect(line.processor.drain(line.host.now + 1_000, false)).toEqual({ ok: false, pending: 3 })
    line.host.turn()
    line.exporter.answer()
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ written: 3, queued: 0 })
  })

  test('that leaves something has it go on by itself', async () => {
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

test('a lane that leaves before its records have left counts them as unknown, and they still arrive', async () => {
  const line = pipeline(new StallingExporter())
  const other = pipeline(line.exporter) // never used to log: only its lane stays
  line.processor.lanes.add(other.lane)
  line.logAll(texts(2))
  line.host.turn()
  line.logAll(texts(3, 10, 2))
  line.processor.leave(line.lane)
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
