import { describe, expect, test } from '@jest/globals'
import type { DropReason } from '../../src/pipeline/counters.ts'
import type { ExportResult } from '../../src/pipeline/exporter.ts'
import {
  ScriptedExporter,
  LimitedExporter,
  StallingExporter,
  AcceptingExporter,
} from '../support/pipeline/exporters.ts'
import { settlePromises } from '../support/pipeline/manual-host.ts'
import { inconsistentCounts, createPipeline, texts } from '../support/pipeline/producers.ts'

/** The drop reasons with a count above 0. */
function droppedBy({ counters, stats }: ReturnType<typeof createPipeline>): Partial<Record<DropReason, number>> {
  expect(inconsistentCounts(counters)).toEqual([])
  const { byReason, total } = stats().dropped
  expect(counters.droppedTotal).toBe(total)
  return Object.fromEntries(Object.entries(byReason).filter(([, count]) => count > 0))
}

describe('reasons of dropped records', () => {
  test('a record that does not fit into the queue is counted as dropped with reason queue_full', () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueSize: 5, onFull: 'dropNewest' } }))
    pipeline.logAll(texts(12))
    expect(droppedBy(pipeline)).toEqual({ queue_full: 7 })
    expect(pipeline.stats()).toMatchObject({ queued: 5, written: 0 })
  })

  test('a record that is larger than the whole queue is counted as dropped with reason too_large', () => {
    const pipeline = createPipeline(new AcceptingExporter({ delivery: { maxQueueBytes: 100 } }))
    pipeline.log('x'.repeat(101))
    pipeline.log('x'.repeat(100), 13)
    pipeline.host.endTurn()
    expect(droppedBy(pipeline)).toEqual({ too_large: 1 })
    expect(pipeline.exporter.accepted[0]).toHaveLength(100)
    expect(pipeline.host.codes()).toEqual(['SLUICE_RECORD_TOO_LARGE'])
  })

  // Requirements: EXP1, PRO7
  test.each([
    ['io_error', { status: 'rejected', accepted: 2, reason: 'io_error' }],
    ['rejected', { status: 'rejected', accepted: 2, reason: 'rejected' }],
    ['retry_exhausted', { status: 'retryable', accepted: 2 }],
  ] as const)('%s is the drop reason when the export result names it or is retryable', (reason, result) => {
    const pipeline = createPipeline(new ScriptedExporter())
    pipeline.exporter.respond = () => result
    pipeline.logAll(texts(5))
    pipeline.host.endTurn()
    expect(droppedBy(pipeline)).toEqual({ [reason]: 3 })
    expect(pipeline.stats()).toMatchObject({ written: 2, queued: 0 })
    expect(pipeline.exporter.accepted).toEqual(texts(2))
  })

  test('a record that is not written before the process exits is counted as dropped with reason exit_deadline', () => {
    const pipeline = createPipeline(new LimitedExporter())
    pipeline.exporter.capacity = 4
    pipeline.logAll(texts(10))
    pipeline.processor.drain(pipeline.host.now + 100, true)
    expect(droppedBy(pipeline)).toEqual({ exit_deadline: 6 })
    expect(pipeline.host.diagnostics).toEqual([
      { code: 'SLUICE_RECORDS_LOST', message: '6 records could not be written to double before the process exited' },
    ])
  })

  test('a record that is pending when shutdown ends, or logged after it, is counted as dropped with reason shutdown', async () => {
    const pipeline = createPipeline(new LimitedExporter())
    pipeline.exporter.capacity = 4
    pipeline.logAll(texts(10))
    const over = pipeline.processor.shutdown(1_000)
    pipeline.log('late\n')
    await settlePromises()
    pipeline.host.advance(1_000)
    await over
    pipeline.log('later\n')
    expect(droppedBy(pipeline)).toEqual({ shutdown: 8 })
    expect(pipeline.stats()).toMatchObject({ written: 4, queued: 0 })
    expect(pipeline.host.diagnostics).toEqual([
      {
        code: 'SLUICE_RECORDS_LOST',
        message: '6 records could not be written to double before the logger was shut down; 1 was lost earlier',
      },
    ])
  })

  test('drops without a delivered drop report are reported once by a diagnostic at process exit', () => {
    const pipeline = createPipeline(new ScriptedExporter())
    pipeline.exporter.respond = () => ({ status: 'rejected', accepted: 0, reason: 'io_error' })
    pipeline.logAll(texts(5))
    pipeline.host.endTurn()
    pipeline.processor.drain(pipeline.host.now, true)
    pipeline.processor.drain(pipeline.host.now, true)
    expect(pipeline.host.diagnostics).toEqual([
      { code: 'SLUICE_RECORDS_LOST', message: '5 records for double were lost before the process exited' },
    ])
  })

  test('drops whose report is queued and dropped at process exit are reported by a diagnostic', () => {
    const results: ExportResult[] = [{ status: 'rejected', accepted: 0, reason: 'io_error' }, { status: 'accepted' }]
    const pipeline = createPipeline(new ScriptedExporter())
    pipeline.exporter.respond = () => results.shift() ?? { status: 'retryable', accepted: 0 }
    pipeline.logAll(texts(5))
    pipeline.host.endTurn()
    pipeline.logAll(texts(1))
    pipeline.host.endTurn()
    pipeline.processor.drain(pipeline.host.now, true)
    expect(pipeline.stats().dropped.total).toBe(6)
    expect(pipeline.host.diagnostics).toEqual([
      {
        code: 'SLUICE_RECORDS_LOST',
        message: '1 record could not be written to double before the process exited; 5 were lost earlier',
      },
    ])
  })

  test('drops whose report is written at process exit are not reported again by a diagnostic', () => {
    const pipeline = createPipeline(new AcceptingExporter({ delivery: { maxQueueBytes: 1_000 } }))
    pipeline.log('x'.repeat(2_000))
    pipeline.log('a\n')
    pipeline.processor.drain(pipeline.host.now, true)
    expect(pipeline.host.codes()).toEqual(['SLUICE_RECORD_TOO_LARGE'])
    expect(pipeline.exporter.accepted.join('')).toContain('sluice.records_dropped')
  })
})

test('dropped records are counted by level', () => {
  const pipeline = createPipeline(new ScriptedExporter())
  pipeline.exporter.respond = () => ({ status: 'rejected', accepted: 0, reason: 'rejected' })
  for (const severity of [1, 5, 8, 9, 12, 13, 17, 20, 21, 24]) pipeline.log('x\n', severity)
  pipeline.host.endTurn()
  expect(pipeline.stats().dropped.byLevel).toEqual({ trace: 1, debug: 2, info: 2, warn: 1, error: 2, fatal: 2 })
})

describe('records with an unknown outcome', () => {
  test('a record that was sent without a response before the process exits is counted as unknown', () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(3))
    pipeline.host.endTurn()
    pipeline.logAll(texts(2))
    pipeline.processor.drain(pipeline.host.now, true)
    expect(pipeline.stats()).toMatchObject({ unknown: 3, queued: 0, written: 0 })
    expect(droppedBy(pipeline)).toEqual({ exit_deadline: 2 })
  })

  test('a record is counted as unknown when the export result has status unknown', () => {
    const pipeline = createPipeline(new ScriptedExporter())
    pipeline.exporter.respond = () => ({ status: 'unknown', accepted: 1 })
    pipeline.logAll(texts(4))
    pipeline.host.endTurn()
    expect(pipeline.stats()).toMatchObject({ written: 1, unknown: 3, queued: 0 })
    expect(droppedBy(pipeline)).toEqual({})
  })
})

test.each([
  ['more records than the batch has', 99, 3],
  ['a negative number of records', -1, 0],
  ['a fraction', 1.9, 1],
  ['NaN', NaN, 0],
  ['a numeric string', '2' as never, 2],
])('an export result that accepts %s is limited to whole records of the batch', (_, accepted, written) => {
  const pipeline = createPipeline(new ScriptedExporter())
  pipeline.exporter.respond = () => ({ status: 'rejected', accepted, reason: 'io_error' })
  pipeline.logAll(texts(3))
  pipeline.host.endTurn()
  expect(pipeline.stats()).toMatchObject({ written, queued: 0, dropped: { total: 3 - written } })
})
