import { describe, expect, test } from '@jest/globals'
import type { EncodedRecord } from '../../src/encode/encoding.ts'
import { LimitedExporter, StallingExporter, AcceptingExporter } from '../support/pipeline/exporters.ts'
import { ManualHost, settlePromises } from '../support/pipeline/manual-host.ts'
import { createPipeline, texts } from '../support/pipeline/producers.ts'

describe('schedule at the end of the turn', () => {
  test('all records of a turn are exported in one batch', () => {
    const pipeline = createPipeline(new AcceptingExporter())
    pipeline.logAll(texts(100))
    expect(pipeline.exporter.batches).toEqual([])
    pipeline.host.endTurn()
    expect(pipeline.exporter.batches).toEqual([100])
    pipeline.host.endTurn()
    pipeline.logAll(texts(3))
    pipeline.host.endTurn()
    expect(pipeline.exporter.batches).toEqual([100, 3])
  })

  test.each([
    ['68 KiB', undefined, 69_632],
    ['the batchBytes of the exporter', 65_536, 65_536],
  ])('a long burst exports batches of at most %s before the turn ends', (_, batchBytes, most) => {
    const sizes: number[] = []
    const pipeline = createPipeline(
      Object.assign(new AcceptingExporter(), batchBytes === undefined ? {} : { batchBytes }),
    )
    pipeline.exporter.onExport = ({ byteLength }) => sizes.push(byteLength)
    pipeline.logAll(texts(10_000, 230))
    expect(sizes).toHaveLength(Math.floor((10_000 * 230) / (most - (most % 230))))
    expect(Math.min(...sizes)).toBeGreaterThan(most - 230)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most)
    pipeline.host.endTurn()
    expect(sizes.reduce((sum, size) => sum + size)).toBe(10_000 * 230)
  })

  test('a million records schedule one end-of-turn callback, no timer and no microtask', () => {
    const host = new ManualHost()
    const pipeline = createPipeline(new AcceptingExporter(), host)
    for (let seq = 0; seq < 1_000_000; seq++)
      pipeline.processor.push('{"a":1}\n' as EncodedRecord, 9, pipeline.producer.owner)
    expect(host.requested).toEqual({ turns: 1, microtasks: 0, delays: 0 })
    host.endTurn()
    expect(pipeline.stats()).toMatchObject({ written: 1_000_000, queued: 0 })
  })

  test('records that are logged while a batch is in flight are exported in one batch when it settles', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(2))
    pipeline.host.endTurn()
    pipeline.logAll(texts(3))
    pipeline.host.endTurn()
    pipeline.logAll(texts(4))
    pipeline.host.endTurn()
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.exporter.batches).toEqual([2, 7])
    expect(pipeline.exporter.hasOverlapped).toBe(false)
  })

  test('records that queue up while a batch is in flight are encoded between turns and not in log calls', () => {
    const host = new ManualHost()
    const { append, encode } = host.textBuffers
    let encoded = 0
    host.textBuffers.append = (open, text) => (encoded++, append(open, text))
    host.textBuffers.encode = (text) => (encoded++, encode(text))
    const pipeline = createPipeline(new StallingExporter(), host)
    pipeline.logAll(texts(1))
    host.endTurn()
    let byCalls = 0
    for (let turn = 0; turn < 1_000; turn++) {
      const before = encoded
      pipeline.logAll(texts(20, 150))
      byCalls += encoded - before
      host.endTurn()
    }
    expect(byCalls).toBe(0)
    // 3,000 bytes a turn: each third turn.
    expect(encoded).toBeGreaterThan(300)
    expect(encoded).toBeLessThan(400)
    expect(pipeline.stats()).toMatchObject({ queued: 20_001 })
  })

  test('records that cannot be encoded between turns for lack of memory are encoded and exported later', async () => {
    const host = new ManualHost()
    const working = { ...host.textBuffers }
    const pipeline = createPipeline(new StallingExporter(), host)
    pipeline.logAll(texts(1))
    host.endTurn()
    host.textBuffers.append = host.textBuffers.encode = () => {
      throw new RangeError('Array buffer allocation failed')
    }
    pipeline.logAll(texts(600, 150))
    host.endTurn()
    pipeline.logAll(texts(600, 150))
    host.endTurn()
    Object.assign(host.textBuffers, working)
    for (let round = 0; round < 2; round++) {
      pipeline.exporter.complete()
      await settlePromises()
    }
    expect(pipeline.stats()).toMatchObject({ written: 1_201, queued: 0 })
  })

  test('full batches stay queued in order while a batch is in flight', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxExportBatchSize: 10 } }))
    pipeline.logAll(texts(35))
    pipeline.host.endTurn()
    for (let round = 0; round < 4; round++) {
      pipeline.exporter.complete()
      await settlePromises()
    }
    expect(pipeline.exporter.batches).toEqual([10, 10, 10, 5])
    expect(pipeline.exporter.accepted).toEqual(texts(35))
  })
})

describe('schedule with a delay', () => {
  const schedule = { delayMillis: 1_000 }

  // Requirements: BLR2
  test('records are exported when their batch is full or the delay ends', () => {
    const pipeline = createPipeline(new AcceptingExporter({ schedule, delivery: { maxExportBatchSize: 5 } }))
    pipeline.logAll(texts(12))
    expect(pipeline.exporter.batches).toEqual([5, 5])
    pipeline.host.advance(999)
    expect(pipeline.exporter.batches).toEqual([5, 5])
    pipeline.host.advance(1)
    expect(pipeline.exporter.batches).toEqual([5, 5, 2])
    expect(pipeline.host.requested).toEqual({ turns: 0, microtasks: 0, delays: 1 })
  })

  test('the delay begins with the first record, and no timer runs while the queue is empty', () => {
    const pipeline = createPipeline(new AcceptingExporter({ schedule }))
    pipeline.log('a\n')
    pipeline.host.advance(600)
    pipeline.log('b\n')
    pipeline.host.advance(400)
    expect(pipeline.exporter.batches).toEqual([2])
    expect(pipeline.host.pendingDelays).toBe(0)
  })

  test('a flush that empties the queue cancels the delay, and the next record begins a new one', async () => {
    const pipeline = createPipeline(new AcceptingExporter({ schedule }))
    pipeline.log('a\n')
    await pipeline.processor.flush(10)
    expect(pipeline.host.pendingDelays).toBe(0)
    pipeline.host.advance(900)
    pipeline.log('b\n')
    pipeline.host.advance(999)
    expect(pipeline.exporter.batches).toEqual([1])
    pipeline.host.advance(1)
    expect(pipeline.exporter.batches).toEqual([1, 1])
  })

  test('a settled export does not trigger an export of records whose delay has not ended', async () => {
    const pipeline = createPipeline(new StallingExporter({ schedule }))
    pipeline.logAll(texts(3))
    pipeline.host.advance(1_000)
    pipeline.logAll(texts(2))
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.exporter.batches).toEqual([3])
    pipeline.host.advance(1_000)
    expect(pipeline.exporter.batches).toEqual([3, 2])
  })

  test('records whose delay ended during an export are exported when it settles', async () => {
    const pipeline = createPipeline(new StallingExporter({ schedule }))
    pipeline.logAll(texts(3))
    pipeline.host.advance(1_000)
    pipeline.logAll(texts(2))
    pipeline.host.advance(1_000)
    expect(pipeline.exporter.batches).toEqual([3])
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.exporter.batches).toEqual([3, 2])
  })

  test('a delay keeps the process alive only when records are not drained at process exit', () => {
    const sync = createPipeline(new AcceptingExporter({ schedule }))
    sync.log('a\n')
    expect(sync.host.keptAlive.size).toBe(0)
    const unguarded = new ManualHost()
    unguarded.drainsAtExit = false
    createPipeline(new AcceptingExporter({ schedule }), unguarded).log('a\n')
    expect(unguarded.keptAlive.size).toBe(1)
    const needsLoop = createPipeline(new StallingExporter({ schedule }))
    needsLoop.log('a\n')
    expect(needsLoop.host.keptAlive.size).toBe(0)
  })
})

/** Logs one record in each of the given number of turns. */
function logInTurns(pipeline: ReturnType<typeof createPipeline>, turns: number): void {
  for (let turn = 0; turn < turns; turn++) {
    pipeline.log(`${turn}\n`)
    pipeline.host.endTurn()
  }
}

describe('schedule with whenBusy', () => {
  const schedule = { delayMillis: 5, whenBusy: true }
  const quietTurns = 8

  function busyLine(exporter = new AcceptingExporter({ schedule })) {
    const pipeline = createPipeline(exporter)
    logInTurns(pipeline, quietTurns)
    return pipeline
  }

  test('records are exported at the end of each turn while at most eight turns within a delay log', () => {
    const pipeline = createPipeline(new AcceptingExporter({ schedule }))
    for (let delay = 0; delay < 3; delay++) {
      logInTurns(pipeline, quietTurns)
      pipeline.host.advance(schedule.delayMillis)
    }
    expect(pipeline.exporter.batches).toHaveLength(3 * quietTurns)
    expect(pipeline.host.requested).toMatchObject({ turns: 3 * quietTurns, delays: 0 })
  })

  test('records of turns after the eighth are exported in one batch when the delay ends', () => {
    const pipeline = busyLine()
    logInTurns(pipeline, 20)
    expect(pipeline.exporter.batches).toHaveLength(quietTurns)
    pipeline.host.advance(schedule.delayMillis)
    expect(pipeline.exporter.batches.slice(quietTurns)).toEqual([20])
    expect(pipeline.host.requested).toMatchObject({ turns: quietTurns, delays: 1 })
  })

  test('records are exported at the end of the turn again after the load ends', () => {
    const pipeline = busyLine()
    logInTurns(pipeline, 20)
    pipeline.host.advance(schedule.delayMillis)
    logInTurns(pipeline, 1)
    expect(pipeline.exporter.batches.slice(quietTurns)).toEqual([20, 1])
  })

  test('queued records are exported at the end of the turn in which they reach 12 KiB', () => {
    const pipeline = busyLine()
    const [record] = texts(1, 4_096)
    for (const queued of [1, 2]) {
      pipeline.log(record!)
      pipeline.host.endTurn()
      expect(pipeline.processor.queuedRecords).toBe(queued)
    }
    pipeline.log(record!)
    pipeline.log(record!)
    pipeline.host.endTurn()
    expect(pipeline.exporter.batches.slice(quietTurns)).toEqual([4])
    expect(pipeline.host.pendingDelays).toBe(0)
  })

  test.each([
    ['ERROR', 17, 'at its end', 2],
    ['FATAL', 21, 'at its end', 2],
    ['WARN', 13, 'when the delay is over', 0],
  ])('a turn with a record of level %s (%i) is exported %s', (_level, severity, _when, exported) => {
    const pipeline = busyLine()
    logInTurns(pipeline, 1)
    pipeline.processor.push('late\n' as EncodedRecord, severity, pipeline.producer.owner)
    pipeline.host.endTurn()
    expect(pipeline.exporter.batches.slice(quietTurns)).toEqual(exported === 0 ? [] : [exported])
    pipeline.host.advance(schedule.delayMillis)
    expect(pipeline.stats()).toMatchObject({ written: quietTurns + 2, queued: 0 })
  })

  test.each([
    ['a delay does not keep the process alive when records are drained at process exit', true, 0],
    ['a delay keeps the process alive when records are not drained at process exit', false, 1],
  ])('%s', (_, drainsAtExit, kept) => {
    const host = new ManualHost()
    host.drainsAtExit = drainsAtExit
    logInTurns(createPipeline(new AcceptingExporter({ schedule }), host), quietTurns + 1)
    expect(host.keptAlive.size).toBe(kept)
  })

  test('a drain writes delayed records synchronously, and later records are still exported', () => {
    const pipeline = busyLine()
    logInTurns(pipeline, 3)
    expect(pipeline.processor.drain(pipeline.host.now, false)).toEqual({ ok: true, pending: 0 })
    pipeline.log('later\n')
    pipeline.host.advance(schedule.delayMillis)
    expect(pipeline.stats()).toMatchObject({ written: quietTurns + 4, queued: 0 })
  })
})

test('the microtask schedule exports all records of a task in one microtask', () => {
  const pipeline = createPipeline(new AcceptingExporter({ schedule: 'microtask' }))
  pipeline.logAll(texts(50))
  expect(pipeline.host.requested).toEqual({ turns: 0, microtasks: 1, delays: 0 })
  pipeline.host.runMicrotasks()
  expect(pipeline.exporter.batches).toEqual([50])
})

describe('synchronous schedule', () => {
  test('each record is exported within its log call', () => {
    const pipeline = createPipeline(new AcceptingExporter({ schedule: 'sync' }))
    pipeline.logAll(texts(3))
    expect(pipeline.exporter.batches).toEqual([1, 1, 1])
    expect(pipeline.host.requested).toEqual({ turns: 0, microtasks: 0, delays: 0 })
  })

  test('a record that is logged inside export is exported too', () => {
    const pipeline = createPipeline(new AcceptingExporter({ schedule: 'sync' }))
    pipeline.exporter.onExport = () => {
      pipeline.exporter.onExport = () => {}
      pipeline.log('inner\n')
    }
    pipeline.log('outer\n')
    expect(pipeline.exporter.accepted).toEqual(['outer\n', 'inner\n'])
  })

  // Requirements: PRO6, D13
  test('records are queued while an export is pending, and exported in one batch after it', async () => {
    const pipeline = createPipeline(new LimitedExporter({ schedule: 'sync' }))
    pipeline.logAll(texts(5))
    pipeline.exporter.addCapacity(100)
    await settlePromises()
    expect(pipeline.exporter.batches).toEqual([1, 4])
    expect(pipeline.exporter.accepted).toEqual(texts(5))
  })
})

describe.each(['turn', 'microtask', 'sync', { delayMillis: 10 }] as const)(
  'exporters that log to their own logger (%j)',
  (schedule) => {
    function endless() {
      const pipeline = createPipeline(new AcceptingExporter({ schedule, delivery: { maxExportBatchSize: 1 } }))
      pipeline.exporter.onExport = () => pipeline.log('again\n')
      return pipeline
    }

    test('an exporter that logs to its own logger does not prevent a turn from ending', () => {
      const pipeline = endless()
      pipeline.log('first\n')
      pipeline.host.endTurn()
      pipeline.host.advance(10)
      const { length } = pipeline.exporter.accepted
      expect(length).toBeGreaterThan(0)
      pipeline.host.endTurn()
      pipeline.host.advance(10)
      pipeline.host.endTurn()
      expect(pipeline.exporter.accepted.length).toBeGreaterThan(length)
    })

    test('an exporter that logs to its own logger prevents neither a drain nor the process from ending', () => {
      const pipeline = endless()
      pipeline.log('first\n')
      pipeline.processor.drain(pipeline.host.now + 1_000, false)
      pipeline.processor.drain(pipeline.host.now + 1_000, true)
      expect(pipeline.exporter.accepted.length).toBeGreaterThan(0)
    })
  },
)

describe('records after the drain at process exit', () => {
  test('each record after the exit drain is written within its log call, regardless of the schedule', () => {
    const pipeline = createPipeline(new AcceptingExporter())
    pipeline.log('a\n')
    pipeline.processor.drain(pipeline.host.now + 100, true)
    pipeline.processor.startWriteThrough()
    pipeline.logAll(texts(2))
    expect(pipeline.exporter.batches).toEqual([1, 1, 1])
  })

  test('a record that was scheduled for the end of the turn does not delay records that are logged after it at exit', () => {
    const pipeline = createPipeline(new AcceptingExporter())
    pipeline.processor.drain(pipeline.host.now + 100, true)
    pipeline.log('in an exit listener before ours\n')
    pipeline.processor.startWriteThrough()
    pipeline.log('in one behind ours\n')
    expect(pipeline.stats()).toMatchObject({ written: 2, queued: 0 })
  })

  test('a stalled destination delays the process for the exit timeout once, not for each record', () => {
    const pipeline = createPipeline(new LimitedExporter())
    pipeline.exporter.onWait = (deadline) => (pipeline.host.now = Math.max(pipeline.host.now, deadline))
    pipeline.processor.startWriteThrough()
    const start = pipeline.host.now
    pipeline.logAll(texts(20))
    expect(pipeline.host.now - start).toBe(pipeline.host.exitTimeoutMillis)
    expect(pipeline.stats()).toMatchObject({ queued: 0, dropped: { byReason: { exit_deadline: 20 } } })
    // Reported at 1, 2, 4, 8 and 16 records instead of once for each record.
    expect(pipeline.host.codes()).toEqual(Array.from({ length: 5 }, () => 'SLUICE_RECORDS_LOST'))
  })
})
