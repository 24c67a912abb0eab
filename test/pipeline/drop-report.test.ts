import { describe, expect, test } from '@jest/globals'
import type { ExportResult } from '../../src/pipeline/exporter.ts'
import { AnsweringExporter, NarrowExporter, StallingExporter, TakingExporter } from '../support/pipeline/exporters.ts'
import { promisesSettle } from '../support/pipeline/host.ts'
import { ledgerFaults, pipeline, texts } from '../support/pipeline/producers.ts'

const rejected: ExportResult = { status: 'rejected', accepted: 0, reason: 'io_error' }
const accepted: ExportResult = { status: 'accepted' }

/** The drop reports among the records that were written. */
function reportsIn({ exporter, account }: { exporter: { taken: readonly string[] }; account: any }): any[] {
  expect(ledgerFaults(account)).toEqual([])
  return exporter.taken.filter((text) => text.includes('sluice.records_dropped')).map((text) => JSON.parse(text))
}

/** A pipeline whose exporter returns the given results in order, and accepts every later batch. */
function answering(answers: ExportResult[]) {
  const line = pipeline(new AnsweringExporter())
  line.exporter.answer = () => answers.shift() ?? accepted
  const log = (count: number, severity = 9) => {
    line.logAll(texts(count), severity)
    line.host.turn()
  }
  return { ...line, log }
}

describe('drop reports', () => {
  test('a drop report with the counts is logged at level warn with its event name after the next successful export (BLR3, D1)', () => {
    const line = answering([rejected, rejected])
    line.log(3, 9)
    line.log(2, 17)
    expect(reportsIn(line)).toEqual([])
    line.log(1)
    line.host.turn()
    expect(reportsIn(line)).toEqual([
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
    const line = answering([rejected])
    line.log(3)
    for (let time = 0; time < 5; time++) line.log(1)
    expect(reportsIn(line)).toHaveLength(1)
  })

  test('no drop report is written while exports fail, even on flush', async () => {
    const line = answering([rejected, { status: 'retryable', accepted: 0 }, { status: 'unknown', accepted: 0 }])
    line.log(1)
    line.log(1)
    line.log(1)
    await line.processor.flush(100)
    expect(line.exporter.taken).toEqual([])
    line.log(1)
    line.host.turn()
    expect(reportsIn(line)).toMatchObject([
      { attributes: { dropped: 2, by_reason: { io_error: 1, retry_exhausted: 1 } } },
    ])
  })

  test('a drop report is itself counted as emitted, accepted and written', () => {
    const line = answering([rejected])
    line.log(3)
    line.log(1)
    line.host.turn()
    expect(line.account).toMatchObject({ emitted: 5, accepted: 5, written: 2, droppedTotal: 3, queued: 0 })
  })

  test('a drop report counts only the records that were dropped since the previous report', () => {
    const line = answering([rejected, accepted, accepted, rejected])
    line.log(3)
    line.log(1)
    line.host.turn()
    line.log(2, 13)
    line.log(1)
    line.host.turn()
    const [first, second] = reportsIn(line)
    expect(first.attributes).toEqual({ dropped: 3, by_reason: { io_error: 3 }, by_level: { info: 3 } })
    expect(second.attributes).toEqual({ dropped: 2, by_reason: { io_error: 2 }, by_level: { warn: 2 } })
  })

  test('the counts of a drop report that is dropped are included in the next one, which also counts the dropped report', () => {
    const line = answering([rejected, accepted, rejected])
    line.log(3)
    line.log(1)
    line.host.turn() // the drop report is rejected
    expect(reportsIn(line)).toEqual([])
    line.log(1)
    line.host.turn()
    expect(reportsIn(line)).toMatchObject([{ attributes: { dropped: 4, by_level: { info: 3, warn: 1 } } }])
    expect(line.account.droppedTotal).toBe(4)
  })

  test('the next drop report is written only after the result of the previous one, so that no count is lost', async () => {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueBytes: 1_000 } }))
    const answer = async (result?: ExportResult) => {
      line.host.turn()
      line.exporter.answer(result)
      await promisesSettle()
    }
    line.log('a\n')
    await answer(rejected)
    line.log('b\n')
    await answer()
    line.host.turn() // the drop report for `a` is in flight
    line.log('x'.repeat(1_001))
    void line.processor.flush(100)
    await answer(rejected)
    line.log('c\n')
    await answer()
    await answer()
    expect(reportsIn(line)).toMatchObject([
      { attributes: { dropped: 3, by_reason: { io_error: 2, too_large: 1 }, by_level: { info: 2, warn: 1 } } },
    ])
  })

  test('a drop report is delayed while the queue is more than half full', async () => {
    const line = pipeline(
      new StallingExporter({ delivery: { maxQueueBytes: 2_000, maxExportBatchSize: 50, onFull: 'dropNewest' } }),
    )
    line.logAll(texts(220))
    const answer = () => {
      line.exporter.answer()
      return promisesSettle()
    }
    await answer() // 1500 bytes are queued
    expect(line.account.emitted).toBe(220)
    await answer() // 1000
    expect(line.account.emitted).toBe(221)
    await answer()
    await answer()
    line.host.turn()
    await answer()
    expect(line.exporter.taken.findIndex((text) => text.includes('records_dropped'))).toBe(200)
    expect(reportsIn(line)).toMatchObject([{ attributes: { dropped: 20, by_reason: { queue_full: 20 } } }])
  })

  test('a drop report that is larger than the queue is not written, and the queue stays within its limit', () => {
    const line = pipeline(new TakingExporter({ delivery: { maxQueueBytes: 50 } }))
    line.log('x'.repeat(51))
    line.log('a\n')
    line.host.turn()
    expect(line.exporter.taken).toEqual(['a\n'])
    expect(line.account).toMatchObject({ emitted: 2, droppedTotal: 1, queued: 0 })
  })

  test('shutdown writes a pending drop report before it resolves, even when the exporter responds late', async () => {
    const line = pipeline(new StallingExporter())
    line.log('a\n')
    line.host.turn()
    line.exporter.answer(rejected)
    await promisesSettle()
    line.log('b\n')
    const over = line.processor.shutdown(1_000)
    while (line.exporter.shutdowns === 0) {
      if (line.exporter.pending !== undefined) line.exporter.answer()
      await promisesSettle()
    }
    await over
    expect(reportsIn(line)).toMatchObject([{ message: '1 record was dropped' }])
    expect(line.ledger()).toMatchObject({ written: 2, queued: 0, unknown: 0 })
  })

  test('a drain that empties the queue writes a drop report', () => {
    const line = pipeline(new NarrowExporter({ delivery: { maxQueueSize: 4, onFull: 'dropNewest' } }))
    line.logAll(texts(6))
    line.exporter.room = 100
    line.processor.drain(line.host.now, false)
    expect(reportsIn(line)).toMatchObject([{ attributes: { dropped: 2 } }])
  })

  test('no drop report is written after shutdown', async () => {
    const line = pipeline(new TakingExporter())
    await line.processor.shutdown(100)
    line.log('late\n')
    await line.processor.flush(100)
    line.processor.drain(line.host.now, false)
    expect(line.exporter.batches).toEqual([])
    expect(line.ledger()).toMatchObject({ queued: 0, dropped: { byReason: { shutdown: 1 } } })
  })
})
