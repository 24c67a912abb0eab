import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { BatchProcessor } from '../../src/pipeline/batch-processor.ts'
import type { Delivery, Exporter, OnFull } from '../../src/pipeline/exporter.ts'
import { ErraticExporter, type Behavior } from '../support/pipeline/erratic-exporter.ts'
import { ManualHost, settlePromises } from '../support/pipeline/manual-host.ts'
import { emit, createProducer, inconsistentCounts } from '../support/pipeline/producers.ts'

const behaviors: readonly Behavior[] = [
  'open',
  'limited',
  'fails',
  'throws',
  'rejects',
  'returns undefined',
  'partly rejects',
  'partly retryable',
  'unknown',
]

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('log' as const),
      times: fc.integer({ min: 1, max: 6 }),
      length: fc.constantFrom(10, 60, 300, 5_000),
      severity: fc.constantFrom(1, 9, 13, 17, 21),
      producer: fc.nat(1),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('set behavior' as const), behavior: fc.constantFrom(...behaviors) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wake' as const), capacity: fc.nat(12) }) },
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

test('delivery statistics match the records that the destination received after any sequence of events', async () => {
  await fc.assert(
    fc.asyncProperty(settings, fc.array(step, { maxLength: 50 }), ends, async (chosen, steps, end) => {
      const { onFull, sync, schedule, nested, ...bounds } = chosen
      const delivery: Delivery = { ...bounds, onFull: onFull === 'block' && !sync ? 'dropNewest' : onFull }
      const host = new ManualHost()
      const exporter = new ErraticExporter(schedule, delivery, sync || onFull === 'block', (deadline) => {
        host.now = Math.max(host.now, deadline)
        // A reader must read eventually, or `block` would wait forever.
        exporter.capacity += 3
        if (exporter.behavior === 'partly retryable') exporter.behavior = 'limited'
      })
      const processor = new BatchProcessor(exporter, host)
      const producers = [createProducer(), createProducer()]
      for (const producer of producers) processor.producers.add(producer)
      let seq = 0
      const log = (producer: number, severity: number, length: number, key = 'seq') =>
        emit(processor, producers[producer]!, `${JSON.stringify({ [key]: seq++ }).padEnd(length - 1)}\n`, severity)
      // A diagnostics callback may log; the reporter limits this recursion.
      let diagnostics = nested ? 0 : Infinity
      host.onDiagnostic = () => {
        // This record precedes the one whose call caused the diagnostic.
        if (diagnostics++ < 20) log(0, 9, 40, 'inner')
      }

      const flushes: Promise<unknown>[] = []
      const check = () => {
        expect(producers.flatMap(({ owner }) => inconsistentCounts(owner.counters))).toEqual([])
        expect(processor.queuedBytes).toBeLessThanOrEqual(bounds.maxQueueBytes)
        const queued = producers.reduce((sum, { owner }) => sum + owner.counters.queued, 0)
        expect(queued).toBeLessThanOrEqual(bounds.maxQueueSize ?? Infinity)
      }
      for (const each of steps) {
        switch (each.do) {
          case 'log':
            for (let time = 0; time < each.times; time++) log(each.producer, each.severity, each.length)
            break
          case 'turn':
            host.endTurn()
            break
          case 'set behavior':
            exporter.behavior = each.behavior
            break
          case 'wake':
            exporter.capacity += each.capacity
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
        await settlePromises()
        check()
      }

      if (end === 'exit') {
        processor.drain(host.now + 100, true)
        processor.startWriteThrough()
      } else {
        if (end === 'shutdown') exporter.behavior = 'open'
        if (end === 'shutdown') exporter.wake()
        const over = processor.shutdown(200)
        log(1, 17, 40)
        for (let time = 0; time < 5; time++) {
          await settlePromises()
          host.advance(100)
        }
        await over
      }
      await settlePromises()
      check()
      for (let time = 0; time < 6; time++) host.advance(5_000)
      await Promise.all(flushes)
      host.endTurn()
      exporter.behavior = 'open'
      exporter.wake()
      await settlePromises()
      check()

      const { accepted, acceptedLate, acceptedWithoutResult, violations } = exporter
      expect(violations).toEqual([])
      const counts = { accepted: 0, written: 0, unknown: 0, dropped: 0, queued: 0 }
      for (const { owner } of producers) {
        counts.accepted += owner.counters.accepted
        counts.written += owner.counters.written
        counts.unknown += owner.counters.unknown
        counts.dropped += owner.counters.droppedTotal
        counts.queued += owner.counters.queued
      }
      expect(counts.queued).toBe(0)
      // Acknowledged records count as written, unacknowledged ones as unknown, unless the exporter's result was wrong.
      expect(accepted.length).toBeGreaterThanOrEqual(counts.written)
      expect(accepted.length).toBeLessThanOrEqual(counts.written + counts.unknown + acceptedWithoutResult)
      expect(new Set([...accepted, ...acceptedLate]).size).toBe(accepted.length + acceptedLate.length)
      const numbers = accepted
        .map((text) => (JSON.parse(text) as { seq?: number }).seq)
        .filter((each) => each !== undefined)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      const reports = accepted
        .map((text) => JSON.parse(text))
        .filter((line) => line['otel.event.name'] === 'sluice.records_dropped')
      const inReports = reports.reduce((sum, { attributes }) => sum + (attributes as { dropped: number }).dropped, 0)
      expect(inReports).toBeLessThanOrEqual(counts.dropped)
    }),
    { numRuns: 500 },
  )
}, 60_000)
