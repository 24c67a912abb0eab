import { describe, expect, test } from '@jest/globals'
import type { ExportResult } from '../../src/pipeline/exporter.ts'
import { AnsweringExporter, NarrowExporter, StallingExporter, TakingExporter } from '../support/pipeline/exporters.ts'
import { promisesSettle } from '../support/pipeline/host.ts'
import { ledgerFaults, pipeline, texts } from '../support/pipeline/producers.ts'

const refused: ExportResult = { status: 'rejected', accepted: 0, reason: 'io_error' }
const accepted: ExportResult = { status: 'accepted' }

/** The notices among the records that were taken. */
function noticesIn({ exporter, account }: { exporter: { taken: readonly string[] }; account: any }): any[] {
  expect(ledgerFaults(account)).toEqual([])
  return exporter.taken.filter((text) => text.includes('sluice.records_dropped')).map((text) => JSON.parse(text))
}

/** A line to a destination that answers each batch in turn; when the answers are used up it accepts. */
function answering(answers: ExportResult[]) {
  const line = pipeline(new AnsweringExporter())
  line.exporter.answer = () => answers.shift() ?? accepted
  const log = (count: number, severity = 9) => {
    line.logAll(texts(count), severity)
    line.host.turn()
  }
  return { ...line, log }
}

describe('the loss notice', () => {
  test('tells the counts at the first healthy moment, at level warn, by its event name (BLR3, D1)', () => {
    const line = answering([refused, refused])
    line.log(3, 9)
    line.log(2, 17)
    expect(noticesIn(line)).toEqual([])
    line.log(1)
    line.host.turn()
    expect(noticesIn(line)).toEqual([
      {
        timestamp: expect.any(String),
        level: 'warn',
        message: '5 records were dropped',
        'otel.event.name': 'sluice.records_dropped',
        attributes: { dropped: 5, by_reason: { io_error: 5 }, by_level: { info: 3, error: 2 } },
      },
    ])
  })

  test('is not repeated', () => {
    const line = answering([refused])
    line.log(3)
    for (let time = 0; time < 5; time++) line.log(1)
    expect(noticesIn(line)).toHaveLength(1)
  })

  test('is not written while the destination is unhealthy, a flush included', async () => {
    const line = answering([refused, { status: 'retryable', accepted: 0 }, { status: 'unknown', accepted: 0 }])
    line.log(1)
    line.log(1)
    line.log(1)
    await line.processor.flush(100)
    expect(line.exporter.taken).toEqual([])
    line.log(1)
    line.host.turn()
    expect(noticesIn(line)).toMatchObject([
      { attributes: { dropped: 2, by_reason: { io_error: 1, retry_exhausted: 1 } } },
    ])
  })

  test('is accounted for itself: emitted, accepted and written', () => {
    const line = answering([refused])
    line.log(3)
    line.log(1)
    line.host.turn()
    expect(line.account).toMatchObject({ emitted: 5, accepted: 5, written: 2, droppedTotal: 3, queued: 0 })
  })

  test('tells only what was lost since the last one', () => {
    const line = answering([refused, accepted, accepted, refused])
    line.log(3)
    line.log(1)
    line.host.turn()
    line.log(2, 13)
    line.log(1)
    line.host.turn()
    const [first, second] = noticesIn(line)
    expect(first.attributes).toEqual({ dropped: 3, by_reason: { io_error: 3 }, by_level: { info: 3 } })
    expect(second.attributes).toEqual({ dropped: 2, by_reason: { io_error: 2 }, by_level: { warn: 2 } })
  })

  test('that was lost itself is told again, with itself among the lost', () => {
    const line = answering([refused, accepted, refused])
    line.log(3)
    line.log(1)
    line.host.turn() // the notice is refused
    expect(noticesIn(line)).toEqual([])
    line.log(1)
    line.host.turn()
    expect(noticesIn(line)).toMatchObject([{ attributes: { dropped: 4, by_level: { info: 3, warn: 1 } } }])
    expect(line.account.droppedTotal).toBe(4)
  })

  test('is followed by the next one only when it has arrived, so that no count can be lost', async () => {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueBytes: 1_000 } }))
    const answer = async (result?: ExportResult) => {
      line.host.turn()
      line.exporter.answer(result)
      await promisesSettle()
    }
    line.log('a\n')
    await answer(refused)
    line.log('b\n')
    await answer()
    line.host.turn() // the notice of `a` is out
    line.log('x'.repeat(1_001))
    void line.processor.flush(100)
    await answer(refused)
    line.log('c\n')
    await answer()
    await answer()
    expect(noticesIn(line)).toMatchObject([
      { attributes: { dropped: 3, by_reason: { io_error: 2, too_large: 1 }, by_level: { info: 2, warn: 1 } } },
    ])
  })

  test('waits while the queue is more than half full', async () => {
    const line = pipeline(
      new StallingExporter({ delivery: { maxQueueBytes: 2_000, maxExportBatchSize: 50, onFull: 'dropNewest' } }),
    )
    line.logAll(texts(220))
    const answer = () => {
      line.exporter.answer()
      return promisesSettle()
    }
    await answer() // 1500 bytes wait
    expect(line.account.emitted).toBe(220)
    await answer() // 1000
    expect(line.account.emitted).toBe(221)
    await answer()
    await answer()
    line.host.turn()
    await answer()
    expect(line.exporter.taken.findIndex((text) => text.includes('records_dropped'))).toBe(200)
    expect(noticesIn(line)).toMatchObject([{ attributes: { dropped: 20, by_reason: { queue_full: 20 } } }])
  })

  test('that is longer than the queue is not written, and the queue stays within its bound', () => {
    const line = pipeline(new TakingExporter({ delivery: { maxQueueBytes: 50 } }))
    line.log('x'.repeat(51))
    line.log('a\n')
    line.host.turn()
    expect(line.exporter.taken).toEqual(['a\n'])
    expect(line.account).toMatchObject({ emitted: 2, droppedTotal: 1, queued: 0 })
  })

  test('comes before a shutdown ends, also by an exporter that answers late', async () => {
    const line = pipeline(new StallingExporter())
    line.log('a\n')
    line.host.turn()
    line.exporter.answer(refused)
    await promisesSettle()
    line.log('b\n')
    const over = line.processor.shutdown(1_000)
    while (line.exporter.shutdowns === 0) {
      if (line.exporter.pending !== undefined) line.exporter.answer()
      await promisesSettle()
    }
    await over
    expect(noticesIn(line)).toMatchObject([{ message: '1 record was dropped' }])
    expect(line.ledger()).toMatchObject({ written: 2, queued: 0, unknown: 0 })
  })

  test('is told by a drain that writes what waits', () => {
    const line = pipeline(new NarrowExporter({ delivery: { maxQueueSize: 4, onFull: 'dropNewest' } }))
    line.logAll(texts(6))
    line.exporter.room = 100
    line.processor.drain(line.host.now, false)
    expect(noticesIn(line)).toMatchObject([{ attributes: { dropped: 2 } }])
  })

  test('is not written any more after the shutdown', async () => {
    const line = pipeline(new TakingExporter())
    await line.processor.shutdown(100)
    line.log('late\n')
    await line.processor.flush(100)
    line.processor.drain(line.host.now, false)
    expect(line.exporter.batches).toEqual([])
    expect(line.ledger()).toMatchObject({ queued: 0, dropped: { byReason: { shutdown: 1 } } })
  })
})
