/**
 * The behavior of OpenTelemetry's BatchLogRecordProcessor, from its code and its documented options, as cases that run
 * against PipelineLogRecordProcessor in the LoggerProvider of each SDK version. exporter-behavior.test.ts has the cases
 * for the exporter and the processor contract. Where the official behavior is a defect, the case asserts the behavior of
 * both classes, so it fails when the official class changes. docs/reference/otel-parts.md lists the differences.
 */
import { describe, expect, jest, test } from '@jest/globals'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import { BatchBuffer } from '../../../src/pipeline/batch-buffer.ts'
import { StallingExporter } from '../../support/pipeline/exporters.ts'
import { shutDownAfterEach, official, pipeline, stallingExporter, type ProcessorSetup } from './harness.ts'
import { sdkRecord, sdks, numbers, turn, type OfficialProcessor, type StallingOtelExporter } from './sdks.ts'

shutDownAfterEach()

describe.each(sdks)('in the LoggerProvider of $name', (sdk) => {
  describe('batches', () => {
    // Requirements: BLR1
    test('records are exported once, in order, after scheduledDelayMillis', async () => {
      const exporter = stallingExporter(true)
      const { emit, processor } = pipeline(sdk, { exporter, scheduledDelayMillis: 5 })
      emit(numbers(10))
      expect(exporter.batches).toEqual([])
      await exporter.called(1)
      await processor.forceFlush()
      expect(exporter.bodies).toEqual(numbers(10))
      expect(exporter.sizes).toEqual([10])
    })

    // Requirements: BLR2
    test('a full batch is exported immediately, without the delay', async () => {
      const exporter = stallingExporter(true)
      const { emit } = pipeline(sdk, { exporter, maxExportBatchSize: 5, scheduledDelayMillis: 1_000_000 })
      emit(numbers(4))
      await turn()
      expect(exporter.sizes).toEqual([])
      emit([4])
      await exporter.called(1)
      expect(exporter.sizes).toEqual([5])
    })

    // Requirements: BLR1
    test('no batch is larger than maxExportBatchSize', async () => {
      const exporter = stallingExporter(true)
      const { emit, processor } = pipeline(sdk, { exporter, maxExportBatchSize: 5 })
      emit(numbers(13))
      await processor.forceFlush()
      expect(exporter.sizes).toEqual([5, 5, 3])
      expect(exporter.bodies).toEqual(numbers(13))
    })

    // Requirements: BLR1
    test('a maxExportBatchSize above maxQueueSize is reduced to maxQueueSize', async () => {
      const exporter = stallingExporter(true)
      const { emit } = pipeline(sdk, {
        exporter,
        maxQueueSize: 4,
        maxExportBatchSize: 100,
        scheduledDelayMillis: 1_000_000,
      })
      emit(numbers(4))
      await exporter.called(1)
      expect(exporter.sizes).toEqual([4])
    })

    // Requirements: BLR1
    test('the defaults are a queue of 2,048 records and delayed batches of 512', async () => {
      const exporter = stallingExporter()
      const { emit, processor } = pipeline(sdk, { exporter })
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

    test('export is not called when no records are queued', async () => {
      const exporter = stallingExporter(true)
      const { processor } = pipeline(sdk, { exporter })
      await processor.forceFlush()
      await processor.shutdown()
      expect([...new Set(exporter.calls)]).toEqual(['forceFlush', 'shutdown'])
    })

    // Requirements: PRO6
    test('a batch is not exported before the previous export completes', async () => {
      const exporter = stallingExporter()
      const { emit } = pipeline(sdk, { exporter, maxExportBatchSize: 2 })
      emit(numbers(6))
      await exporter.called(1)
      await turn()
      expect(exporter.sizes).toEqual([2])
      exporter.respond()
      await exporter.called(2)
      exporter.respond()
      await exporter.called(3)
      exporter.respond()
      expect(exporter.maxOpen).toBe(1)
      expect(exporter.bodies).toEqual(numbers(6))
    })

    // Requirements: D22
    test('a queue of 50,000 records is exported in batches without being copied', async () => {
      const exporter = stallingExporter(true)
      const { emit, processor } = pipeline(sdk, { exporter, maxQueueSize: 50_000, maxExportBatchSize: 512 })
      emit(numbers(50_000))
      // Everything that can move queued records: rewriting a batch buffer, or an array method that copies.
      const rewrites = [
        jest.spyOn(BatchBuffer.prototype, 'copyWithout'),
        jest.spyOn(BatchBuffer.prototype, 'dropFromFront'),
      ]
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
        // Only the last batch buffer is still open.
        expect(closes.mock.calls.length).toBeLessThanOrEqual(1)
      } finally {
        for (const spy of [...rewrites, closes, splice, slice]) spy.mockRestore()
      }
      expect(exporter.sizes.reduce((sum, size) => sum + size)).toBe(50_000)
    })
  })

  describe('a full queue', () => {
    // Requirements: D1, BLR1, BLR3
    test('a full queue drops new records, counts and reports them, and then exports a drop report', async () => {
      const exporter = stallingExporter()
      const { emit, processor, codes } = pipeline(sdk, { exporter, maxQueueSize: 10, maxExportBatchSize: 5 })
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
        exporter.respond()
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

    // Requirements: D1
    test('a full queue of the official processor drops records without a diagnostic', async () => {
      const exporter = stallingExporter(true)
      const log = jest.fn()
      const { emit, processor } = official(sdk, { exporter }, undefined, log)
      emit(numbers(10_000))
      await processor.forceFlush()
      expect(exporter.bodies.length).toBe(2_560)
      expect(log).not.toHaveBeenCalled()
    })

    test.each([
      ['dropOldest', [0, 1, 13, 14, 15, 'severe']],
      ['dropLowest', [0, 1, 2, 3, 4, 'severe']],
      ['dropNewest', [0, 1, 2, 3, 4, 5]],
    ] as const)('a full queue with onFull: %s keeps the records %p', async (onFull, kept) => {
      const exporter = stallingExporter()
      const { emit, processor, provider } = pipeline(sdk, { exporter, maxQueueSize: 6, maxExportBatchSize: 2, onFull })
      emit(numbers(16))
      provider.getLogger('test').emit({ body: 'severe', severityNumber: 17 })
      await exporter.called(1)
      exporter.resume()
      await processor.forceFlush()
      expect(exporter.bodies.slice(0, 6)).toEqual(kept)
    })
  })

  describe('forceFlush', () => {
    // Requirements: PRO5, EXP1
    test('forceFlush exports all records that were emitted before it, then flushes the exporter', async () => {
      const exporter = stallingExporter(true)
      const { emit, provider } = pipeline(sdk, { exporter, maxExportBatchSize: 5 })
      emit(numbers(12))
      await provider.forceFlush()
      expect(exporter.bodies).toEqual(numbers(12))
      expect(exporter.calls).toEqual(['export', 'export', 'export', 'forceFlush'])
    })

    // Requirements: PRO5, CON1
    test('forceFlush during an export waits for that export and for the queued records', async () => {
      const exporter = stallingExporter()
      const { emit, processor } = pipeline(sdk, { exporter, maxExportBatchSize: 2 })
      emit(numbers(3))
      await exporter.called(1)
      const flushed = jest.fn()
      const flushing = processor.forceFlush().then(flushed)
      exporter.respond()
      await exporter.called(2)
      await turn()
      expect(flushed).not.toHaveBeenCalled()
      exporter.respond()
      await flushing
      expect(exporter.bodies).toEqual(numbers(3))
    })

    // Requirements: D13
    test('forceFlush waits for the export in flight, unlike that of the official simple processor', async () => {
      const exporter = new StallingExporter({ schedule: 'sync' })
      const { emit, processor } = pipeline(sdk, { exporter })
      emit([1])
      expect(exporter.batches).toEqual([1])
      const flushed = jest.fn()
      const flushing = processor.forceFlush().then(flushed)
      for (let turns = 0; turns < 5; turns++) await turn()
      expect(flushed).not.toHaveBeenCalled()
      exporter.complete()
      await flushing
      expect(processor.stats()).toMatchObject({ written: 1, queued: 0 })

      const theirs = stallingExporter()
      const simple = new sdk.SimpleLogRecordProcessor({ exporter: theirs })
      const provider = new sdk.LoggerProvider({ processors: [simple] })
      for (const body of numbers(2)) provider.getLogger('test').emit({ body })
      await theirs.called(2)
      await simple.forceFlush()
      expect(theirs.open).toBe(2)
    })

    // Requirements: D9
    test('a second forceFlush waits for earlier records, unlike that of the official processor', async () => {
      const exporter = stallingExporter()
      const { emit, processor } = pipeline(sdk, { exporter })
      emit([1])
      const first = processor.forceFlush()
      emit([2])
      const second = jest.fn()
      const flushing = processor.forceFlush().then(second)
      await exporter.called(1)
      exporter.respond()
      await first
      await exporter.called(2)
      expect(second).not.toHaveBeenCalled()
      exporter.respond()
      await flushing
      expect(exporter.bodies).toEqual([1, 2])

      const theirs = stallingExporter()
      const other = official(sdk, { exporter: theirs })
      other.emit([1])
      void other.processor.forceFlush()
      other.emit([2])
      await other.processor.forceFlush()
      expect(theirs.bodies).toEqual([1])
      expect(theirs.open).toBe(1)
    })

    // Requirements: PRO5
    test('forceFlush rejects with the number of lost records, unlike that of the official processor', async () => {
      const exporter = stallingExporter()
      const { emit, processor, codes } = pipeline(sdk, { exporter })
      emit(numbers(3))
      const flushing = processor.forceFlush()
      await exporter.called(1)
      exporter.respond({ code: 1, error: new Error('secret') })
      await expect(flushing).rejects.toThrow('not all records were exported: 3 records were lost')
      expect(codes()).toEqual(['SLUICE_EXPORT_FAILED'])
      expect(processor.stats().dropped.byReason.io_error).toBe(3)
      await processor.forceFlush()

      const theirs = stallingExporter()
      const other = official(sdk, { exporter: theirs })
      other.emit(numbers(3))
      const resolves = other.processor.forceFlush()
      await theirs.called(1)
      theirs.respond({ code: 1, error: new Error('refused') })
      expect(await resolves).toBeUndefined()
    })

    // Requirements: PRO5
    test('forceFlush rejects after timeoutMillis, and the records stay queued', async () => {
      const exporter = stallingExporter()
      const { emit, processor } = pipeline(sdk, { exporter })
      emit(numbers(3))
      await expect(processor.forceFlush({ timeoutMillis: 5 })).rejects.toThrow(
        'not all records were exported: 3 are still queued',
      )
      exporter.respond()
      await processor.forceFlush()
      expect(exporter.bodies).toEqual(numbers(3))
    })

    // Requirements: D27
    test('the timeout of a provider flush does not apply to the later shutdown of the processor', async () => {
      const exporter = stallingExporter()
      const { emit, provider, processor } = pipeline(sdk, { exporter })
      emit([1])
      await expect(provider.forceFlush({ timeoutMillis: 5 })).rejects.toThrow('timed out')
      exporter.respond()
      await processor.shutdown()
      expect(processor.stats()).toMatchObject({ written: 1, queued: 0 })
    })
  })

  describe('shutdown', () => {
    // Requirements: PRO4, EXP1
    test('shutdown exports queued records, then flushes and shuts down the exporter once', async () => {
      const exporter = stallingExporter(true)
      const { emit, provider, processor } = pipeline(sdk, { exporter, maxExportBatchSize: 5 })
      emit(numbers(7))
      const [first, second] = [processor.shutdown(), processor.shutdown()]
      expect(second).toBe(first)
      await first
      await provider.shutdown()
      expect(exporter.bodies).toEqual(numbers(7))
      expect([...new Set(exporter.calls)]).toEqual(['export', 'forceFlush', 'shutdown'])
      expect(exporter.shutdowns).toBe(1)
    })

    // Requirements: PRO4
    test('records that are emitted after shutdown are dropped and counted', async () => {
      const exporter = stallingExporter(true)
      const { emit, processor } = pipeline(sdk, { exporter })
      emit([1])
      await processor.shutdown()
      processor.onEmit(sdkRecord)
      await processor.forceFlush()
      expect(exporter.bodies).toEqual([1])
      expect(processor.stats()).toMatchObject({ emitted: 2, written: 1, dropped: { byReason: { shutdown: 1 } } })
    })

    // Requirements: D10
    // Fault rows: 45
    test('shutdown during a flush exports the records emitted since, unlike the official processor', async () => {
      const ours = stallingExporter()
      expect(await flushedAndShutDown(ours, pipeline(sdk, { exporter: ours }))).toBe(109)
      const theirs = stallingExporter()
      expect(await flushedAndShutDown(theirs, official(sdk, { exporter: theirs }))).toBe(9)
    })

    // Requirements: PRO4
    test('shutdown rejects with the number of records whose delivery is unknown', async () => {
      const exporter = stallingExporter()
      const own = fromLogRecordExporter(exporter, { exportTimeoutMillis: 5, retry: false })
      const { emit, processor } = pipeline(sdk, { exporter: own })
      emit([1])
      await expect(processor.shutdown()).rejects.toThrow('not all records were exported: 1 may have arrived')
      expect(processor.stats()).toMatchObject({ unknown: 1, queued: 0 })
      expect(exporter.shutdowns).toBe(1)
    })
  })
})

/** Shuts down during a flush; 9 records were emitted before it and 100 meanwhile. Returns how many were exported. */
async function flushedAndShutDown(
  exporter: StallingOtelExporter,
  { emit, processor }: Pick<ProcessorSetup<OfficialProcessor>, 'emit' | 'processor'>,
): Promise<number> {
  emit(numbers(9))
  const flushing = processor.forceFlush()
  await exporter.called(1)
  emit(numbers(109, 9))
  const closing = processor.shutdown()
  exporter.respond()
  await turn()
  while (exporter.open > 0) {
    exporter.respond()
    await turn()
  }
  await Promise.all([flushing, closing])
  return exporter.bodies.length
}
