/**
 * What OpenTelemetry's own BatchLogRecordProcessor does, by its code and its documented options, as cases that run against
 * ours in the LoggerProvider of each line; exporter-behaviours.test.ts has those of the exporter behind it and of the processor
 * contract. Where its behaviour is a defect the case shows that ours is right, and beside it what the official class does
 * today: when that changes, a test here says so. docs/reference/otel-parts.md lists the deviations with their reasons.
 */
import { describe, expect, jest, test } from '@jest/globals'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import { BatchBuffer } from '../../../src/pipeline/batch-buffer.ts'
import { StallingExporter } from '../../support/pipeline/exporters.ts'
import { endAfterEach, official, pipeline, stallingExporter, type Behind } from './harness.ts'
import { lines, numbers, turn, type OfficialProcessor, type StallingOtelExporter } from './lines.ts'

endAfterEach()

const record = {
  hrTime: [1, 0] as [number, number],
  hrTimeObserved: [1, 0] as [number, number],
  resource: { attributes: {} },
  instrumentationScope: { name: 'a' },
  attributes: {},
  droppedAttributesCount: 0,
}

describe.each(lines)('in the LoggerProvider of $name', (line) => {
  describe('batches', () => {
    test('BLR1 what is emitted is exported after scheduledDelayMillis, in order and once', async () => {
      const exporter = stallingExporter(true)
      const { emit, processor } = pipeline(line, { exporter, scheduledDelayMillis: 5 })
      emit(numbers(10))
      expect(exporter.batches).toEqual([])
      await exporter.called(1)
      await processor.forceFlush()
      expect(exporter.bodies).toEqual(numbers(10))
      expect(exporter.sizes).toEqual([10])
    })

    test('BLR2 a full batch is exported at once, without the delay', async () => {
      const exporter = stallingExporter(true)
      const { emit } = pipeline(line, { exporter, maxExportBatchSize: 5, scheduledDelayMillis: 1_000_000 })
      emit(numbers(4))
      await turn()
      expect(exporter.sizes).toEqual([])
      emit([4])
      await exporter.called(1)
      expect(exporter.sizes).toEqual([5])
    })

    test('BLR1 no batch is larger than maxExportBatchSize', async () => {
      const exporter = stallingExporter(true)
      const { emit, processor } = pipeline(line, { exporter, maxExportBatchSize: 5 })
      emit(numbers(13))
      await processor.forceFlush()
      expect(exporter.sizes).toEqual([5, 5, 3])
      expect(exporter.bodies).toEqual(numbers(13))
    })

    test('BLR1 a maxExportBatchSize above maxQueueSize is maxQueueSize', async () => {
      const exporter = stallingExporter(true)
      const { emit } = pipeline(line, {
        exporter,
        maxQueueSize: 4,
        maxExportBatchSize: 100,
        scheduledDelayMillis: 1_000_000,
      })
      emit(numbers(4))
      await exporter.called(1)
      expect(exporter.sizes).toEqual([4])
    })

    test('BLR1 defaults are 2,048 records, batches of 512 and 1,000 ms', async () => {
      const exporter = stallingExporter()
      const { emit, processor } = pipeline(line, { exporter })
      emit(numbers(511))
      await turn()
      expect(exporter.sizes).toEqual([])
      emit(numbers(2_048, 511))
      await exporter.called(1)
      expect(processor.stats().queued).toBe(2_048)
      emit([2_048])
      expect(processor.stats().dropped.byReason.queue_full).toBe(1)
      expect(exporter.sizes).toEqual([512])
    })

    test('nothing is exported when there is nothing', async () => {
      const exporter = stallingExporter(true)
      const { processor } = pipeline(line, { exporter })
      await processor.forceFlush()
      await processor.shutdown()
      expect([...new Set(exporter.calls)]).toEqual(['forceFlush', 'shutdown'])
    })

    test('PRO6 the next batch waits for the answer to the one before', async () => {
      const exporter = stallingExporter()
      const { emit } = pipeline(line, { exporter, maxExportBatchSize: 2 })
      emit(numbers(6))
      await exporter.called(1)
      await turn()
      expect(exporter.sizes).toEqual([2])
      exporter.answer()
      await exporter.called(2)
      exporter.answer()
      await exporter.called(3)
      exporter.answer()
      expect(exporter.mostOpen).toBe(1)
      expect(exporter.bodies).toEqual(numbers(6))
    })

    test('D22 a queue of 50,000 records leaves it in batches without being copied', async () => {
      const exporter = stallingExporter(true)
      const { emit, processor } = pipeline(line, { exporter, maxQueueSize: 50_000, maxExportBatchSize: 512 })
      emit(numbers(50_000))
      // All that can move what is queued: rewriting a chunk, or an array method that copies.
      const rewrites = [jest.spyOn(BatchBuffer.prototype, 'without'), jest.spyOn(BatchBuffer.prototype, 'shift')]
      const closes = jest.spyOn(BatchBuffer.prototype, 'close')
      const splice = jest.spyOn(Array.prototype, 'splice')
      const slice = jest.spyOn(Array.prototype, 'slice')
      try {
        await processor.forceFlush()
        const copied = [splice, slice]
          .flatMap(({ mock }) => mock.contexts as unknown[][])
          .filter((all) => all.length > 1_000)
        expect(copied).toEqual([])
        expect(rewrites.map(({ mock }) => mock.calls.length)).toEqual([0, 0])
        // The last chunk alone is still open.
        expect(closes.mock.calls.length).toBeLessThanOrEqual(1)
      } finally {
        for (const spy of [...rewrites, closes, splice, slice]) spy.mockRestore()
      }
      expect(exporter.sizes.reduce((sum, size) => sum + size)).toBe(50_000)
    })
  })

  describe('a full queue', () => {
    test('D1, BLR1 and BLR3: drops what comes, counts it and tells it; then the stream says it, too', async () => {
      const exporter = stallingExporter()
      const { emit, processor, codes } = pipeline(line, { exporter, maxQueueSize: 10, maxExportBatchSize: 5 })
      emit(numbers(25))
      expect(codes()).toEqual(['SLUICE_QUEUE_FULL'])
      expect(processor.stats().dropped).toMatchObject({
        total: 15,
        byReason: { queue_full: 15 },
        byLevel: { info: 15 },
      })
      await exporter.called(1)
      const flushed = processor.forceFlush()
      for (const call of [1, 2, 3]) {
        await exporter.called(call)
        exporter.answer()
      }
      await flushed
      expect(exporter.bodies).toEqual([...numbers(10), '15 records were dropped'])
      expect(exporter.batches.at(-1)!.at(-1)).toMatchObject({
        eventName: 'sluice.records_dropped',
        attributes: { dropped: 15, by_reason: { queue_full: 15 } },
        instrumentationScope: { name: 'sluice' },
      })
      expect(exporter.batches.at(-1)!.at(-1)!.resource).toBe(exporter.batches[0]![0]!.resource)
    })

    test('D1 behind the official processor drops in silence', async () => {
      const exporter = stallingExporter(true)
      const told = jest.fn()
      const { emit, processor } = official(line, { exporter }, undefined, told)
      emit(numbers(10_000))
      await processor.forceFlush()
      expect(exporter.bodies.length).toBe(2_560)
      expect(told).not.toHaveBeenCalled()
    })

    test.each([
      ['dropOldest', [0, 1, 13, 14, 15, 'severe']],
      ['dropLowest', [0, 1, 2, 3, 4, 'severe']],
      ['dropNewest', [0, 1, 2, 3, 4, 5]],
    ] as const)('with %s keeps %p', async (onFull, kept) => {
      const exporter = stallingExporter()
      const { emit, processor, provider } = pipeline(line, { exporter, maxQueueSize: 6, maxExportBatchSize: 2, onFull })
      emit(numbers(16))
      provider.getLogger('test').emit({ body: 'severe', severityNumber: 17 })
      await exporter.called(1)
      exporter.goOn()
      await processor.forceFlush()
      expect(exporter.bodies.slice(0, 6)).toEqual(kept)
    })
  })

  describe('forceFlush', () => {
    test('PRO5 EXP1 exports everything that was emitted before, then flushes the exporter', async () => {
      const exporter = stallingExporter(true)
      const { emit, provider } = pipeline(line, { exporter, maxExportBatchSize: 5 })
      emit(numbers(12))
      await provider.forceFlush()
      expect(exporter.bodies).toEqual(numbers(12))
      expect(exporter.calls).toEqual(['export', 'export', 'export', 'forceFlush'])
    })

    test('PRO5 CON1 a flush during an export waits for it, and for what was emitted meanwhile', async () => {
      const exporter = stallingExporter()
      const { emit, processor } = pipeline(line, { exporter, maxExportBatchSize: 2 })
      emit(numbers(3))
      await exporter.called(1)
      const flushed = jest.fn()
      const flushing = processor.forceFlush().then(flushed)
      exporter.answer()
      await exporter.called(2)
      await turn()
      expect(flushed).not.toHaveBeenCalled()
      exporter.answer()
      await flushing
      expect(exporter.bodies).toEqual(numbers(3))
    })

    test('D13 a flush waits for the export in flight; that of the official simple processor does not', async () => {
      const exporter = new StallingExporter({ schedule: 'sync' })
      const { emit, processor } = pipeline(line, { exporter })
      emit([1])
      expect(exporter.batches).toEqual([1])
      const flushed = jest.fn()
      const flushing = processor.forceFlush().then(flushed)
      for (let turns = 0; turns < 5; turns++) await turn()
      expect(flushed).not.toHaveBeenCalled()
      exporter.answer()
      await flushing
      expect(processor.stats()).toMatchObject({ written: 1, queued: 0 })

      const theirs = stallingExporter()
      const simple = new line.SimpleLogRecordProcessor({ exporter: theirs })
      const provider = new line.LoggerProvider({ processors: [simple] })
      for (const body of numbers(2)) provider.getLogger('test').emit({ body })
      await theirs.called(2)
      await simple.forceFlush()
      expect(theirs.open).toBe(2)
    })

    test('D9 a second forceFlush waits for what was emitted before it; that of the official one does not', async () => {
      const exporter = stallingExporter()
      const { emit, processor } = pipeline(line, { exporter })
      emit([1])
      const first = processor.forceFlush()
      emit([2])
      const second = jest.fn()
      const flushing = processor.forceFlush().then(second)
      await exporter.called(1)
      exporter.answer()
      await first
      await exporter.called(2)
      expect(second).not.toHaveBeenCalled()
      exporter.answer()
      await flushing
      expect(exporter.bodies).toEqual([1, 2])

      const theirs = stallingExporter()
      const other = official(line, { exporter: theirs })
      other.emit([1])
      void other.processor.forceFlush()
      other.emit([2])
      await other.processor.forceFlush()
      expect(theirs.bodies).toEqual([1])
      expect(theirs.open).toBe(1)
    })

    test('PRO5 rejects with what was lost; that of the official one resolves', async () => {
      const exporter = stallingExporter()
      const { emit, processor, codes } = pipeline(line, { exporter })
      emit(numbers(3))
      const flushing = processor.forceFlush()
      await exporter.called(1)
      exporter.answer({ code: 1, error: new Error('secret') })
      await expect(flushing).rejects.toThrow('not everything was exported: 3 records were lost')
      expect(codes()).toEqual(['SLUICE_EXPORT_FAILED'])
      expect(processor.stats().dropped.byReason.io_error).toBe(3)
      await processor.forceFlush()

      const theirs = stallingExporter()
      const other = official(line, { exporter: theirs })
      other.emit(numbers(3))
      const resolves = other.processor.forceFlush()
      await theirs.called(1)
      theirs.answer({ code: 1, error: new Error('refused') })
      expect(await resolves).toBeUndefined()
    })

    test('PRO5 timeoutMillis bounds it, and what waits goes on waiting', async () => {
      const exporter = stallingExporter()
      const { emit, processor } = pipeline(line, { exporter })
      emit(numbers(3))
      await expect(processor.forceFlush({ timeoutMillis: 5 })).rejects.toThrow('not everything was exported: 3 wait')
      exporter.answer()
      await processor.forceFlush()
      expect(exporter.bodies).toEqual(numbers(3))
    })

    test('D27 the time that a provider is given ends its own wait only; shutdown of ours has a time of its own', async () => {
      const exporter = stallingExporter()
      const { emit, provider, processor } = pipeline(line, { exporter })
      emit([1])
      await expect(provider.forceFlush({ timeoutMillis: 5 })).rejects.toThrow('timed out')
      exporter.answer()
      await processor.shutdown()
      expect(processor.stats()).toMatchObject({ written: 1, queued: 0 })
    })
  })

  describe('shutdown', () => {
    test('PRO4 EXP1 exports what waits, flushes and shuts the exporter down, once', async () => {
      const exporter = stallingExporter(true)
      const { emit, provider, processor } = pipeline(line, { exporter, maxExportBatchSize: 5 })
      emit(numbers(7))
      const [first, second] = [processor.shutdown(), processor.shutdown()]
      expect(second).toBe(first)
      await first
      await provider.shutdown()
      expect(exporter.bodies).toEqual(numbers(7))
      expect([...new Set(exporter.calls)]).toEqual(['export', 'forceFlush', 'shutdown'])
      expect(exporter.shutdowns).toBe(1)
    })

    test('PRO4 what is emitted later is ignored, and counted', async () => {
      const exporter = stallingExporter(true)
      const { emit, processor } = pipeline(line, { exporter })
      emit([1])
      await processor.shutdown()
      processor.onEmit(record)
      await processor.forceFlush()
      expect(exporter.bodies).toEqual([1])
      expect(processor.stats()).toMatchObject({ emitted: 2, written: 1, dropped: { byReason: { shutdown: 1 } } })
    })

    test('D10 (row 45) during a flush it exports what was emitted meanwhile; the official one loses that', async () => {
      const ours = stallingExporter()
      expect(await flushedAndShutDown(ours, pipeline(line, { exporter: ours }))).toBe(109)
      const theirs = stallingExporter()
      expect(await flushedAndShutDown(theirs, official(line, { exporter: theirs }))).toBe(9)
    })

    test('PRO4 rejects with what was lost', async () => {
      const exporter = stallingExporter()
      const own = fromLogRecordExporter(exporter, { exportTimeoutMillis: 5, retry: false })
      const { emit, processor } = pipeline(line, { exporter: own })
      emit([1])
      await expect(processor.shutdown()).rejects.toThrow('not everything was exported: 1 may have arrived')
      expect(processor.stats()).toMatchObject({ unknown: 1, queued: 0 })
      expect(exporter.shutdowns).toBe(1)
    })
  })
})

/** Shuts down during a flush; 9 records were emitted before it and 100 meanwhile. Returns how many were exported. */
async function flushedAndShutDown(
  exporter: StallingOtelExporter,
  { emit, processor }: Pick<Behind<OfficialProcessor>, 'emit' | 'processor'>,
): Promise<number> {
  emit(numbers(9))
  const flushing = processor.forceFlush()
  await exporter.called(1)
  emit(numbers(109, 9))
  const closing = processor.shutdown()
  exporter.answer()
  await turn()
  while (exporter.open > 0) {
    exporter.answer()
    await turn()
  }
  await Promise.all([flushing, closing])
  return exporter.bodies.length
}
