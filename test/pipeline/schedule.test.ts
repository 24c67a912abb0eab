import { describe, expect, test } from '@jest/globals'
import type { EncodedRecord } from '../../src/encode/encoding.ts'
import { NarrowExporter, StallingExporter, TakingExporter } from '../support/pipeline/exporters.ts'
import { ManualHost, promisesSettle } from '../support/pipeline/host.ts'
import { pipeline, texts } from '../support/pipeline/producers.ts'

describe('schedule at the end of the turn', () => {
  test('all records of a turn are exported in one batch', () => {
    const line = pipeline(new TakingExporter())
    line.logAll(texts(100))
    expect(line.exporter.batches).toEqual([])
    line.host.turn()
    expect(line.exporter.batches).toEqual([100])
    line.host.turn()
    line.logAll(texts(3))
    line.host.turn()
    expect(line.exporter.batches).toEqual([100, 3])
  })

  test.each([
    ['68 KiB', undefined, 69_632],
    ['the batchBytes of the exporter', 65_536, 65_536],
  ])('a long burst exports batches of at most %s before the turn ends', (_, batchBytes, most) => {
    const sizes: number[] = []
    const line = pipeline(Object.assign(new TakingExporter(), batchBytes === undefined ? {} : { batchBytes }))
    line.exporter.onExport = ({ byteLength }) => sizes.push(byteLength)
    line.logAll(texts(10_000, 230))
    expect(sizes).toHaveLength(Math.floor((10_000 * 230) / (most - (most % 230))))
    expect(Math.min(...sizes)).toBeGreaterThan(most - 230)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most)
    line.host.turn()
    expect(sizes.reduce((sum, size) => sum + size)).toBe(10_000 * 230)
  })

  test('a million records schedule one end-of-turn callback, no timer and no microtask', () => {
    const host = new ManualHost()
    const line = pipeline(new TakingExporter(), host)
    for (let seq = 0; seq < 1_000_000; seq++) line.processor.push('{"a":1}\n' as EncodedRecord, 9, line.lane.owner)
    expect(host.asked).toEqual({ turns: 1, microtasks: 0, delays: 0 })
    host.turn()
    expect(line.ledger()).toMatchObject({ written: 1_000_000, queued: 0 })
  })

  test('records that are logged while a batch is in flight are exported in one batch when it settles', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(2))
    line.host.turn()
    line.logAll(texts(3))
    line.host.turn()
    line.logAll(texts(4))
    line.host.turn()
    line.exporter.answer()
    await promisesSettle()
    expect(line.exporter.batches).toEqual([2, 7])
    expect(line.exporter.overlapped).toBe(false)
  })

  test('records that queue up while a batch is in flight are encoded between turns and not in log calls', () => {
    const host = new ManualHost()
    const { append, encode } = host.buffers
    let encoded = 0
    host.buffers.append = (open, text) => (encoded++, append(open, text))
    host.buffers.encode = (text) => (encoded++, encode(text))
    const line = pipeline(new StallingExporter(), host)
    line.logAll(texts(1))
    host.turn()
    let byCalls = 0
    for (let turn = 0; turn < 1_000; turn++) {
      const before = encoded
      line.logAll(texts(20, 150))
      byCalls += encoded - before
      host.turn()
    }
    expect(byCalls).toBe(0)
    // 3,000 bytes a turn: each third turn.
    expect(encoded).toBeGreaterThan(300)
    expect(encoded).toBeLessThan(400)
    expect(line.ledger()).toMatchObject({ queued: 20_001 })
  })

  test('records that cannot be encoded between turns for lack of memory are encoded and exported later', async () => {
    const host = new ManualHost()
    const working = { ...host.buffers }
    const line = pipeline(new StallingExporter(), host)
    line.logAll(texts(1))
    host.turn()
    host.buffers.append = host.buffers.encode = () => {
      throw new RangeError('Array buffer allocation failed')
    }
    line.logAll(texts(600, 150))
    host.turn()
    line.logAll(texts(600, 150))
    host.turn()
    Object.assign(host.buffers, working)
    for (let answers = 0; answers < 2; answers++) {
      line.exporter.answer()
      await promisesSettle()
    }
    expect(line.ledger()).toMatchObject({ written: 1_201, queued: 0 })
  })

  test('full batches stay queued in order while a batch is in flight', async () => {
    const line = pipeline(new StallingExporter({ delivery: { maxExportBatchSize: 10 } }))
    line.logAll(texts(35))
    line.host.turn()
    for (let answers = 0; answers < 4; answers++) {
      line.exporter.answer()
      await promisesSettle()
    }
    expect(line.exporter.batches).toEqual([10, 10, 10, 5])
    expect(line.exporter.taken).toEqual(texts(35))
  })
})

describe('schedule with a delay', () => {
  const schedule = { delayMillis: 1_000 }

  test('records are exported when their batch is full or the delay ends (BLR2)', () => {
    const line = pipeline(new TakingExporter({ schedule, delivery: { maxExportBatchSize: 5 } }))
    line.logAll(texts(12))
    expect(line.exporter.batches).toEqual([5, 5])
    line.host.advance(999)
    expect(line.exporter.batches).toEqual([5, 5])
    line.host.advance(1)
    expect(line.exporter.batches).toEqual([5, 5, 2])
    expect(line.host.asked).toEqual({ turns: 0, microtasks: 0, delays: 1 })
  })

  test('the delay begins with the first record, and no timer runs while the queue is empty', () => {
    const line = pipeline(new TakingExporter({ schedule }))
    line.log('a\n')
    line.host.advance(600)
    line.log('b\n')
    line.host.advance(400)
    expect(line.exporter.batches).toEqual([2])
    expect(line.host.waiting).toBe(0)
  })

  test('a flush that empties the queue cancels the delay, and the next record begins a new one', async () => {
    const line = pipeline(new TakingExporter({ schedule }))
    line.log('a\n')
    await line.processor.flush(10)
    expect(line.host.waiting).toBe(0)
    line.host.advance(900)
    line.log('b\n')
    line.host.advance(999)
    expect(line.exporter.batches).toEqual([1])
    line.host.advance(1)
    expect(line.exporter.batches).toEqual([1, 1])
  })

  test('a settled export does not trigger an export of records whose delay has not ended', async () => {
    const line = pipeline(new StallingExporter({ schedule }))
    line.logAll(texts(3))
    line.host.advance(1_000)
    line.logAll(texts(2))
    line.exporter.answer()
    await promisesSettle()
    expect(line.exporter.batches).toEqual([3])
    line.host.advance(1_000)
    expect(line.exporter.batches).toEqual([3, 2])
  })

  test('records whose delay ended during an export are exported when it settles', async () => {
    const line = pipeline(new StallingExporter({ schedule }))
    line.logAll(texts(3))
    line.host.advance(1_000)
    line.logAll(texts(2))
    line.host.advance(1_000)
    expect(line.exporter.batches).toEqual([3])
    line.exporter.answer()
    await promisesSettle()
    expect(line.exporter.batches).toEqual([3, 2])
  })

  test('a delay keeps the process alive only when records are not drained at process exit', () => {
    const sync = pipeline(new TakingExporter({ schedule }))
    sync.log('a\n')
    expect(sync.host.keptAlive.size).toBe(0)
    const unguarded = new ManualHost()
    unguarded.drainsAtExit = false
    pipeline(new TakingExporter({ schedule }), unguarded).log('a\n')
    expect(unguarded.keptAlive.size).toBe(1)
    const needsLoop = pipeline(new StallingExporter({ schedule }))
    needsLoop.log('a\n')
    expect(needsLoop.host.keptAlive.size).toBe(0)
  })
})

/** Logs one record in each of the given number of turns. */
function logInTurns(line: ReturnType<typeof pipeline>, turns: number): void {
  for (let turn = 0; turn < turns; turn++) {
    line.log(`${turn}\n`)
    line.host.turn()
  }
}

describe('schedule with whenBusy', () => {
  const schedule = { delayMillis: 5, whenBusy: true }
  const quietTurns = 8

  function busyLine(exporter = new TakingExporter({ schedule })) {
    const line = pipeline(exporter)
    logInTurns(line, quietTurns)
    return line
  }

  test('records are exported at the end of each turn while at most eight turns within a delay log', () => {
    const line = pipeline(new TakingExporter({ schedule }))
    for (let delay = 0; delay < 3; delay++) {
      logInTurns(line, quietTurns)
      line.host.advance(schedule.delayMillis)
    }
    expect(line.exporter.batches).toHaveLength(3 * quietTurns)
    expect(line.host.asked).toMatchObject({ turns: 3 * quietTurns, delays: 0 })
  })

  test('records of turns after the eighth are exported in one batch when the delay ends', () => {
    const line = busyLine()
    logInTurns(line, 20)
    expect(line.exporter.batches).toHaveLength(quietTurns)
    line.host.advance(schedule.delayMillis)
    expect(line.exporter.batches.slice(quietTurns)).toEqual([20])
    expect(line.host.asked).toMatchObject({ turns: quietTurns, delays: 1 })
  })

  test('records are exported at the end of the turn again after the load ends', () => {
    const line = busyLine()
    logInTurns(line, 20)
    line.host.advance(schedule.delayMillis)
    logInTurns(line, 1)
    expect(line.exporter.batches.slice(quietTurns)).toEqual([20, 1])
  })

  test('queued records are exported at the end of the turn in which they reach 12 KiB', () => {
    const line = busyLine()
    const [record] = texts(1, 4_096)
    for (const queued of [1, 2]) {
      line.log(record!)
      line.host.turn()
      expect(line.processor.queuedRecords).toBe(queued)
    }
    line.log(record!)
    line.log(record!)
    line.host.turn()
    expect(line.exporter.batches.slice(quietTurns)).toEqual([4])
    expect(line.host.waiting).toBe(0)
  })

  test.each([
    ['ERROR', 17, 'at its end', 2],
    ['FATAL', 21, 'at its end', 2],
    ['WARN', 13, 'when the delay is over', 0],
  ])('a turn with a record of level %s (%i) is exported %s', (_level, severity, _when, exported) => {
    const line = busyLine()
    logInTurns(line, 1)
    line.processor.push('late\n' as EncodedRecord, severity, line.lane.owner)
    line.host.turn()
    expect(line.exporter.batches.slice(quietTurns)).toEqual(exported === 0 ? [] : [exported])
    line.host.advance(schedule.delayMillis)
    expect(line.ledger()).toMatchObject({ written: quietTurns + 2, queued: 0 })
  })

  test.each([
    ['a delay does not keep the process alive when records are drained at process exit', true, 0],
    ['a delay keeps the process alive when records are not drained at process exit', false, 1],
  ])('%s', (_, drainsAtExit, kept) => {
    const host = new ManualHost()
    host.drainsAtExit = drainsAtExit
    logInTurns(pipeline(new TakingExporter({ schedule }), host), quietTurns + 1)
    expect(host.keptAlive.size).toBe(kept)
  })

  test('a drain writes delayed records synchronously, and later records are still exported', () => {
    const line = busyLine()
    logInTurns(line, 3)
    expect(line.processor.drain(line.host.now, false)).toEqual({ ok: true, pending: 0 })
    line.log('later\n')
    line.host.advance(schedule.delayMillis)
    expect(line.ledger()).toMatchObject({ written: quietTurns + 4, queued: 0 })
  })
})

test('the microtask schedule exports all records of a task in one microtask', () => {
  const line = pipeline(new TakingExporter({ schedule: 'microtask' }))
  line.logAll(texts(50))
  expect(line.host.asked).toEqual({ turns: 0, microtasks: 1, delays: 0 })
  line.host.runMicrotasks()
  expect(line.exporter.batches).toEqual([50])
})

describe('synchronous schedule', () => {
  test('each record is exported within its log call', () => {
    const line = pipeline(new TakingExporter({ schedule: 'sync' }))
    line.logAll(texts(3))
    expect(line.exporter.batches).toEqual([1, 1, 1])
    expect(line.host.asked).toEqual({ turns: 0, microtasks: 0, delays: 0 })
  })

  test('a record that is logged inside export is exported too', () => {
    const line = pipeline(new TakingExporter({ schedule: 'sync' }))
    line.exporter.onExport = () => {
      line.exporter.onExport = () => {}
      line.log('inner\n')
    }
    line.log('outer\n')
    expect(line.exporter.taken).toEqual(['outer\n', 'inner\n'])
  })

  test('records are queued while an export is pending, and exported in one batch after it (PRO6, D13)', async () => {
    const line = pipeline(new NarrowExporter({ schedule: 'sync' }))
    line.logAll(texts(5))
    line.exporter.makeRoom(100)
    await promisesSettle()
    expect(line.exporter.batches).toEqual([1, 4])
    expect(line.exporter.taken).toEqual(texts(5))
  })
})

describe.each(['turn', 'microtask', 'sync', { delayMillis: 10 }] as const)(
  'exporters that log to their own logger (%j)',
  (schedule) => {
    function endless() {
      const line = pipeline(new TakingExporter({ schedule, delivery: { maxExportBatchSize: 1 } }))
      line.exporter.onExport = () => line.log('again\n')
      return line
    }

    test('an exporter that logs to its own logger does not prevent a turn from ending', () => {
      const line = endless()
      line.log('first\n')
      line.host.turn()
      line.host.advance(10)
      const { length } = line.exporter.taken
      expect(length).toBeGreaterThan(0)
      line.host.turn()
      line.host.advance(10)
      line.host.turn()
      expect(line.exporter.taken.length).toBeGreaterThan(length)
    })

    test('an exporter that logs to its own logger prevents neither a drain nor the process from ending', () => {
      const line = endless()
      line.log('first\n')
      line.processor.drain(line.host.now + 1_000, false)
      line.processor.drain(line.host.now + 1_000, true)
      expect(line.exporter.taken.length).toBeGreaterThan(0)
    })
  },
)

describe('records after the drain at process exit', () => {
  test('each record after the exit drain is written within its log call, regardless of the schedule', () => {
    const line = pipeline(new TakingExporter())
    line.log('a\n')
    line.processor.drain(line.host.now + 100, true)
    line.processor.writeThrough()
    line.logAll(texts(2))
    expect(line.exporter.batches).toEqual([1, 1, 1])
  })

  test('a record that was scheduled for the end of the turn does not delay records that are logged after it at exit', () => {
    const line = pipeline(new TakingExporter())
    line.processor.drain(line.host.now + 100, true)
    line.log('in an exit listener before ours\n')
    line.processor.writeThrough()
    line.log('in one behind ours\n')
    expect(line.ledger()).toMatchObject({ written: 2, queued: 0 })
  })

  test('a stalled destination delays the process for the exit timeout once, not for each record', () => {
    const line = pipeline(new NarrowExporter())
    line.exporter.onWait = (deadline) => (line.host.now = Math.max(line.host.now, deadline))
    line.processor.writeThrough()
    const start = line.host.now
    line.logAll(texts(20))
    expect(line.host.now - start).toBe(line.host.exitTimeoutMillis)
    expect(line.ledger()).toMatchObject({ queued: 0, dropped: { byReason: { exit_deadline: 20 } } })
    // Reported at 1, 2, 4, 8 and 16 records instead of once for each record.
    expect(line.host.codes()).toEqual(Array.from({ length: 5 }, () => 'SLUICE_RECORDS_LOST'))
  })
})
