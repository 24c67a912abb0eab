import { describe, expect, test } from '@jest/globals'
import type { Counters } from '../../src/pipeline/counters.ts'
import type { ExportResult } from '../../src/pipeline/exporter.ts'
import {
  ScriptedExporter,
  LimitedExporter,
  StallingExporter,
  AcceptingExporter,
} from '../support/pipeline/exporters.ts'
import { settlePromises } from '../support/pipeline/manual-host.ts'
import { inconsistentCounts, createPipeline, texts } from '../support/pipeline/producers.ts'

const rejected: ExportResult = { status: 'rejected', accepted: 0, reason: 'io_error' }
const accepted: ExportResult = { status: 'accepted' }

/** The drop reports among the records that were written. */
function reportsIn({ exporter, counters }: { exporter: { accepted: readonly string[] }; counters: Counters }): any[] {
  expect(inconsistentCounts(counters)).toEqual([])
  return exporter.accepted.filter((text) => text.includes('sluice.records_dropped')).map((text) => JSON.parse(text))
}

/** A pipeline whose exporter returns the given results in order, and accepts every later batch. */
function pipelineWithResults(results: ExportResult[]) {
  const pipeline = createPipeline(new ScriptedExporter())
  pipeline.exporter.respond = () => results.shift() ?? accepted
  const log = (count: number, severity = 9) => {
    pipeline.logAll(texts(count), severity)
    pipeline.host.endTurn()
  }
  return { ...pipeline, log }
}

describe('drop reports', () => {
  // Requirements: BLR3, D1
  test('a drop report with the counts is logged at level warn with its event name after the next successful export', () => {
    const pipeline = pipelineWithResults([rejected, rejected])
    pipeline.log(3, 9)
    pipeline.log(2, 17)
    expect(reportsIn(pipeline)).toEqual([])
    pipeline.log(1)
    pipeline.host.endTurn()
    expect(reportsIn(pipeline)).toEqual([
      {
        timestamp: expect.any(String),
        level: 'warn',
        message: '5 records were dropped',
        'otel.event.name': 'sluice.records_dropped',
        attributes: { dropped: 5, by_reason: { io_error: 5 }, by_level: { info: 3, error: 2 } },
      },
    ])
  })

  test('a drop report that was delivered is not repeated', () => {
    const pipeline = pipelineWithResults([rejected])
    pipeline.log(3)
    for (let time = 0; time < 5; time++) pipeline.log(1)
    expect(reportsIn(pipeline)).toHaveLength(1)
  })

  test('no drop report is written while exports fail, even on flush', async () => {
    const pipeline = pipelineWithResults([
      rejected,
      { status: 'retryable', accepted: 0 },
      { status: 'unknown', accepted: 0 },
    ])
    pipeline.log(1)
    pipeline.log(1)
    pipeline.log(1)
    await pipeline.processor.flush(100)
    expect(pipeline.exporter.accepted).toEqual([])
    pipeline.log(1)
    pipeline.host.endTurn()
    expect(reportsIn(pipeline)).toMatchObject([
      { attributes: { dropped: 2, by_reason: { io_error: 1, retry_exhausted: 1 } } },
    ])
  })

  test('a drop report is itself counted as emitted, accepted and written', () => {
    const pipeline = pipelineWithResults([rejected])
    pipeline.log(3)
    pipeline.log(1)
    pipeline.host.endTurn()
    expect(pipeline.counters).toMatchObject({ emitted: 5, accepted: 5, written: 2, droppedTotal: 3, queued: 0 })
  })

  test('a drop report counts only the records that were dropped since the previous report', () => {
    const pipeline = pipelineWithResults([rejected, accepted, accepted, rejected])
    pipeline.log(3)
    pipeline.log(1)
    pipeline.host.endTurn()
    pipeline.log(2, 13)
    pipeline.log(1)
    pipeline.host.endTurn()
    const [first, second] = reportsIn(pipeline)
    expect(first.attributes).toEqual({ dropped: 3, by_reason: { io_error: 3 }, by_level: { info: 3 } })
    expect(second.attributes).toEqual({ dropped: 2, by_reason: { io_error: 2 }, by_level: { warn: 2 } })
  })

  test('the counts of a drop report that is dropped are included in the next one, which also counts the dropped report', () => {
    const pipeline = pipelineWithResults([rejected, accepted, rejected])
    pipeline.log(3)
    pipeline.log(1)
    pipeline.host.endTurn() // the drop report is rejected
    expect(reportsIn(pipeline)).toEqual([])
    pipeline.log(1)
    pipeline.host.endTurn()
    expect(reportsIn(pipeline)).toMatchObject([{ attributes: { dropped: 4, by_level: { info: 3, warn: 1 } } }])
    expect(pipeline.counters.droppedTotal).toBe(4)
  })

  test('the next drop report is written only after the result of the previous one, so that no count is lost', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueBytes: 1_000 } }))
    const completeExport = async (result?: ExportResult) => {
      pipeline.host.endTurn()
      pipeline.exporter.complete(result)
      await settlePromises()
    }
    pipeline.log('a\n')
    await completeExport(rejected)
    pipeline.log('b\n')
    await completeExport()
    pipeline.host.endTurn() // the drop report for `a` is in flight
    pipeline.log('x'.repeat(1_001))
    void pipeline.processor.flush(100)
    await completeExport(rejected)
    pipeline.log('c\n')
    await completeExport()
    await completeExport()
    expect(reportsIn(pipeline)).toMatchObject([
      { attributes: { dropped: 3, by_reason: { io_error: 2, too_large: 1 }, by_level: { info: 2, warn: 1 } } },
    ])
  })

  test('a drop report is delayed while the queue is more than half full', async () => {
    const pipeline = createPipeline(
      new StallingExporter({ delivery: { maxQueueBytes: 2_000, maxExportBatchSize: 50, onFull: 'dropNewest' } }),
    )
    pipeline.logAll(texts(220))
    const completeExport = () => {
      pipeline.exporter.complete()
      return settlePromises()
    }
    await completeExport() // 1500 bytes are queued
    expect(pipeline.counters.emitted).toBe(220)
    await completeExport() // 1000
    expect(pipeline.counters.emitted).toBe(221)
    await completeExport()
    await completeExport()
    pipeline.host.endTurn()
    await completeExport()
    expect(pipeline.exporter.accepted.findIndex((text) => text.includes('records_dropped'))).toBe(200)
    expect(reportsIn(pipeline)).toMatchObject([{ attributes: { dropped: 20, by_reason: { queue_full: 20 } } }])
  })

  test('a drop report that is larger than the queue is not written, and the queue stays within its limit', () => {
    const pipeline = createPipeline(new AcceptingExporter({ delivery: { maxQueueBytes: 50 } }))
    pipeline.log('x'.repeat(51))
    pipeline.log('a\n')
    pipeline.host.endTurn()
    expect(pipeline.exporter.accepted).toEqual(['a\n'])
    expect(pipeline.counters).toMatchObject({ emitted: 2, droppedTotal: 1, queued: 0 })
  })

  test('shutdown writes a pending drop report before it resolves, even when the exporter responds late', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.log('a\n')
    pipeline.host.endTurn()
    pipeline.exporter.complete(rejected)
    await settlePromises()
    pipeline.log('b\n')
    const over = pipeline.processor.shutdown(1_000)
    while (pipeline.exporter.shutdowns === 0) {
      if (pipeline.exporter.pending !== undefined) pipeline.exporter.complete()
      await settlePromises()
    }
    await over
    expect(reportsIn(pipeline)).toMatchObject([{ message: '1 record was dropped' }])
    expect(pipeline.stats()).toMatchObject({ written: 2, queued: 0, unknown: 0 })
  })

  test('a drain that empties the queue writes a drop report', () => {
    const pipeline = createPipeline(new LimitedExporter({ delivery: { maxQueueSize: 4, onFull: 'dropNewest' } }))
    pipeline.logAll(texts(6))
    pipeline.exporter.capacity = 100
    pipeline.processor.drain(pipeline.host.now, false)
    expect(reportsIn(pipeline)).toMatchObject([{ attributes: { dropped: 2 } }])
  })

  test('no drop report is written after shutdown', async () => {
    const pipeline = createPipeline(new AcceptingExporter())
    await pipeline.processor.shutdown(100)
    pipeline.log('late\n')
    await pipeline.processor.flush(100)
    pipeline.processor.drain(pipeline.host.now, false)
    expect(pipeline.exporter.batches).toEqual([])
    expect(pipeline.stats()).toMatchObject({ queued: 0, dropped: { byReason: { shutdown: 1 } } })
  })
})
