import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { BatchProcessor } from '../../src/pipeline/batch-processor.ts'
import type { Delivery, Exporter, OnFull } from '../../src/pipeline/exporter.ts'
import { ErraticExporter, type Mood } from '../support/pipeline/erratic-exporter.ts'
import { ManualHost, promisesSettle } from '../support/pipeline/host.ts'
import { emit, laneOf, ledgerFaults } from '../support/pipeline/producers.ts'

const moods: readonly Mood[] = [
  'open',
  'narrow',
  'fails',
  'throws',
  'rejects',
  'forgets',
  'partly rejects',
  'partly retryable',
  'unsure',
]

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('log' as const),
      times: fc.integer({ min: 1, max: 6 }),
      length: fc.constantFrom(10, 60, 300, 5_000),
      severity: fc.constantFrom(1, 9, 13, 17, 21),
      lane: fc.nat(1),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mood' as const), mood: fc.constantFrom(...moods) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wake' as const), room: fc.nat(12) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), millis: fc.constantFrom(1, 50, 1_000, 40_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('flush' as const), millis: fc.constantFrom(0, 100, 5_000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drain' as const), millis: fc.constantFrom(0, 10) }) },
)

const settings = fc.record({
  onFull: fc.constantFrom<OnFull>('dropLowest', 'dropNewest', 'dropOldest', 'block'),
  sync: fc.boolean(),
  schedule: fc.constantFrom<Exporter['schedule']>('turn', 'sync', 'microtask', { delayMillis: 100 }),
  maxQueueBytes: fc.constantFrom(1_000, 4_000, 100_000),
  maxQueueSize: fc.constantFrom(undefined, 1, 7),
  maxExportBatchSize: fc.constantFrom(undefined, 1, 5),
  exportTimeoutMillis: fc.constantFrom(undefined, 500),
  nested: fc.boolean(),
})

const ends = fc.constantFrom('shutdown' as const, 'shutdown at once' as const, 'exit' as const)

test('the ledger says what an observer at the destination finds, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(settings, fc.array(step, { maxLength: 50 }), ends, async (chosen, steps, end) => {
      const { onFull, sync, schedule, nested, ...bounds } = chosen
      const delivery: Delivery = { ...bounds, onFull: onFull === 'block' && !sync ? 'dropNewest' : onFull }
      const host = new ManualHost()
      const exporter = new ErraticExporter(schedule, delivery, sync || onFull === 'block', (deadline) => {
        host.now = Math.max(host.now, deadline)
        // A reader reads at last, else `block` would wait for ever.
        exporter.room += 3
        if (exporter.mood === 'partly retryable') exporter.mood = 'narrow'
      })
      const processor = new BatchProcessor(exporter, host)
      const lanes = [laneOf(), laneOf()]
      for (const lane of lanes) processor.lanes.add(lane)
      let seq = 0
      const log = (lane: number, severity: number, length: number, key = 'seq') =>
        emit(processor, lanes[lane]!, `${JSON.stringify({ [key]: seq++ }).padEnd(length - 1)}\n`, severity)
      // Who is told of trouble may log; the reporter sees to it that this comes to an end.
      let problems = nested ? 0 : Infinity
      host.onDiagnostic = () => {
        // It comes before the record whose call brought the trouble.
        if (problems++ < 20) log(0, 9, 40, 'inner')
      }

      const flushes: Promise<unknown>[] = []
      const check = () => {
        expect(lanes.flatMap(({ owner: origin }) => ledgerFaults(origin.counters))).toEqual([])
        expect(processor.queuedBytes).toBeLessThanOrEqual(bounds.maxQueueBytes)
        const queued = lanes.reduce((sum, { owner: origin }) => sum + origin.counters.queued, 0)
        expect(queued).toBeLessThanOrEqual(bounds.maxQueueSize ?? Infinity)
      }
      for (const each of steps) {
        switch (each.do) {
          case 'log':
            for (let time = 0; time < each.times; time++) log(each.lane, each.severity, each.length)
            break
          case 'turn':
            host.turn()
            break
          case 'mood':
            exporter.mood = each.mood
            break
          case 'wake':
            exporter.room += each.room
            exporter.wake()
            break
          case 'pass':
            host.advance(each.millis)
            break
          case 'flush':
            flushes.push(processor.flush(each.millis))
            break
          case 'drain':
            processor.drain(host.now + each.millis, false)
            break
        }
        await promisesSettle()
        check()
      }

      if (end === 'exit') {
        processor.drain(host.now + 100, true)
        processor.writeAtOnce()
      } else {
        if (end === 'shutdown') exporter.mood = 'open'
        if (end === 'shutdown') exporter.wake()
        const over = processor.shutdown(200)
        log(1, 17, 40)
        for (let time = 0; time < 5; time++) {
          await promisesSettle()
          host.advance(100)
        }
        await over
      }
      await promisesSettle()
      check()
      for (let time = 0; time < 6; time++) host.advance(5_000)
      await Promise.all(flushes)
      host.turn()
      exporter.mood = 'open'
      exporter.wake()
      await promisesSettle()
      check()

      const { taken, takenLate, disowned, faults } = exporter
      expect(faults).toEqual([])
      const counts = { accepted: 0, written: 0, unknown: 0, dropped: 0, queued: 0 }
      for (const { owner: origin } of lanes) {
        counts.accepted += origin.counters.accepted
        counts.written += origin.counters.written
        counts.unknown += origin.counters.unknown
        counts.dropped += origin.counters.droppedTotal
        counts.queued += origin.counters.queued
      }
      expect(counts.queued).toBe(0)
      // What it took and said so is written; what it took without saying so is unknown, or it broke its word.
      expect(taken.length).toBeGreaterThanOrEqual(counts.written)
      expect(taken.length).toBeLessThanOrEqual(counts.written + counts.unknown + disowned)
      expect(new Set([...taken, ...takenLate]).size).toBe(taken.length + takenLate.length)
      const numbers = taken
        .map((text) => (JSON.parse(text) as { seq?: number }).seq)
        .filter((each) => each !== undefined)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      const told = taken
        .map((text) => JSON.parse(text))
        .filter((line) => line['otel.event.name'] === 'sluice.records_dropped')
      const inNotices = told.reduce((sum, { attributes }) => sum + (attributes as { dropped: number }).dropped, 0)
      expect(inNotices).toBeLessThanOrEqual(counts.dropped)
    }),
    { numRuns: 1_500 },
  )
}, 60_000)
