import { describe, expect, test } from '@jest/globals'
import type { DropReason } from '../../src/pipeline/counters.ts'
import type { ExportResult } from '../../src/pipeline/exporter.ts'
import { AnsweringExporter, NarrowExporter, StallingExporter, TakingExporter } from '../support/pipeline/exporters.ts'
import { promisesSettle } from '../support/pipeline/host.ts'
import { ledgerFaults, pipeline, texts } from '../support/pipeline/producers.ts'

/** The drop reasons with a count above 0. */
function droppedBy({ account, ledger }: ReturnType<typeof pipeline>): Partial<Record<DropReason, number>> {
  expect(ledgerFaults(account)).toEqual([])
  const { byReason, total } = ledger().dropped
  expect(account.droppedTotal).toBe(total)
  return Object.fromEntries(Object.entries(byReason).filter(([, count]) => count > 0))
}

describe('reasons of dropped records', () => {
  test('a record that does not fit into the queue is counted as dropped with reason queue_full', () => {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueSize: 5, onFull: 'dropNewest' } }))
    line.logAll(texts(12))
    expect(droppedBy(line)).toEqual({ queue_full: 7 })
    expect(line.ledger()).toMatchObject({ queued: 5, written: 0 })
  })

  test('a record that is larger than the whole queue is counted as dropped with reason too_large', () => {
    const line = pipeline(new TakingExporter({ delivery: { maxQueueBytes: 100 } }))
    line.log('x'.repeat(101))
    line.log('x'.repeat(100), 13)
    line.host.turn()
    expect(droppedBy(line)).toEqual({ too_large: 1 })
    expect(line.exporter.taken[0]).toHaveLength(100)
    expect(line.host.codes()).toEqual(['SLUICE_RECORD_TOO_LARGE'])
  })

  test.each([
    ['io_error', { status: 'rejected', accepted: 2, reason: 'io_error' }],
    ['rejected', { status: 'rejected', accepted: 2, reason: 'rejected' }],
    ['retry_exhausted', { status: 'retryable', accepted: 2 }],
  ] as const)(
    '%s is the drop reason when the export result names it or is retryable (EXP1, PRO7)',
    (reason, answer) => {
      const line = pipeline(new AnsweringExporter())
      line.exporter.answer = () => answer
      line.logAll(texts(5))
      line.host.turn()
      expect(droppedBy(line)).toEqual({ [reason]: 3 })
      expect(line.ledger()).toMatchObject({ written: 2, queued: 0 })
      expect(line.exporter.taken).toEqual(texts(2))
    },
  )

  test('a record that is not written before the process exits is counted as dropped with reason exit_deadline', () => {
    const line = pipeline(new NarrowExporter())
    line.exporter.room = 4
    line.logAll(texts(10))
    line.processor.drain(line.host.now + 100, true)
    expect(droppedBy(line)).toEqual({ exit_deadline: 6 })
    expect(line.host.problems).toEqual([
      { code: 'SLUICE_RECORDS_LOST', message: '6 records could not be written to double before the process ended' },
    ])
  })

  test('a record that is pending when shutdown ends, or logged after it, is counted as dropped with reason shutdown', async () => {
    const line = pipeline(new NarrowExporter())
    line.exporter.room = 4
    line.logAll(texts(10))
    const over = line.processor.shutdown(1_000)
    line.log('late\n')
    await promisesSettle()
    line.host.advance(1_000)
    await over
    line.log('later\n')
    expect(droppedBy(line)).toEqual({ shutdown: 8 })
    expect(line.ledger()).toMatchObject({ written: 4, queued: 0 })
    expect(line.host.problems).toEqual([
      {
        code: 'SLUICE_RECORDS_LOST',
        message: '6 records could not be written to double before the logger was shut down; 1 were lost earlier',
      },
    ])
  })

  test('drops without a delivered drop report are reported once by a diagnostic at process exit', () => {
    const line = pipeline(new AnsweringExporter())
    line.exporter.answer = () => ({ status: 'rejected', accepted: 0, reason: 'io_error' })
    line.logAll(texts(5))
    line.host.turn()
    line.processor.drain(line.host.now, true)
    line.processor.drain(line.host.now, true)
    expect(line.host.problems).toEqual([
      { code: 'SLUICE_RECORDS_LOST', message: '5 records for double were lost before the process ended' },
    ])
  })

  test('drops whose report is queued and dropped at process exit are reported by a diagnostic', () => {
    const answers: ExportResult[] = [{ status: 'rejected', accepted: 0, reason: 'io_error' }, { status: 'accepted' }]
    const line = pipeline(new AnsweringExporter())
    line.exporter.answer = () => answers.shift() ?? { status: 'retryable', accepted: 0 }
    line.logAll(texts(5))
    line.host.turn()
    line.logAll(texts(1))
    line.host.turn()
    line.processor.drain(line.host.now, true)
    expect(line.ledger().dropped.total).toBe(6)
    expect(line.host.problems).toEqual([
      {
        code: 'SLUICE_RECORDS_LOST',
        message: '1 records could not be written to double before the process ended; 5 were lost earlier',
      },
    ])
  })

  test('drops whose report is written at process exit are not reported again by a diagnostic', () => {
    const line = pipeline(new TakingExporter({ delivery: { maxQueueBytes: 1_000 } }))
    line.log('x'.repeat(2_000))
    line.log('a\n')
    line.processor.drain(line.host.now, true)
    expect(line.host.codes()).toEqual(['SLUICE_RECORD_TOO_LARGE'])
    expect(line.exporter.taken.join('')).toContain('sluice.records_dropped')
  })
})

test('dropped records are counted by level', () => {
  const line = pipeline(new AnsweringExporter())
  line.exporter.answer = () => ({ status: 'rejected', accepted: 0, reason: 'rejected' })
  for (const severity of [1, 5, 8, 9, 12, 13, 17, 20, 21, 24]) line.log('x\n', severity)
  line.host.turn()
  expect(line.ledger().dropped.byLevel).toEqual({ trace: 1, debug: 2, info: 2, warn: 1, error: 2, fatal: 2 })
})

describe('records with an unknown outcome', () => {
  test('a record that was sent without a response before the process exits is counted as unknown', () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(3))
    line.host.turn()
    line.logAll(texts(2))
    line.processor.drain(line.host.now, true)
    expect(line.ledger()).toMatchObject({ unknown: 3, queued: 0, written: 0 })
    expect(droppedBy(line)).toEqual({ exit_deadline: 2 })
  })

  test('a record is counted as unknown when the export result has status unknown', () => {
    const line = pipeline(new AnsweringExporter())
    line.exporter.answer = () => ({ status: 'unknown', accepted: 1 })
    line.logAll(texts(4))
    line.host.turn()
    expect(line.ledger()).toMatchObject({ written: 1, unknown: 3, queued: 0 })
    expect(droppedBy(line)).toEqual({})
  })
})

test.each([
  ['more records than the batch has', 99, 3],
  ['a negative number of records', -1, 0],
  ['a fraction', 1.9, 1],
  ['NaN', NaN, 0],
  ['a numeric string', '2' as never, 2],
])('an export result that accepts %s is limited to whole records of the batch', (_, accepted, written) => {
  const line = pipeline(new AnsweringExporter())
  line.exporter.answer = () => ({ status: 'rejected', accepted, reason: 'io_error' })
  line.logAll(texts(3))
  line.host.turn()
  expect(line.ledger()).toMatchObject({ written, queued: 0, dropped: { total: 3 - written } })
})
