import { describe, expect, test } from '@jest/globals'
import type { EncodedRecord } from '../../src/encode/encoding.ts'
import { RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { LimitedExporter, StallingExporter } from '../support/pipeline/exporters.ts'
import { settlePromises, type ManualHost } from '../support/pipeline/manual-host.ts'
import { createPipeline, texts } from '../support/pipeline/producers.ts'
import { source } from '../support/pipeline/batch.ts'

/** The queued records of a pipeline whose exporter stalls, oldest first. */
async function waitingIn({
  processor,
  exporter,
  host,
}: {
  processor: any
  exporter: StallingExporter
  host: ManualHost
}) {
  void processor.flush(1_000)
  while (exporter.pending !== undefined) {
    exporter.complete()
    await Promise.resolve()
    await Promise.resolve()
    host.endTurn()
  }
  return exporter.accepted.filter((text) => !text.includes('sluice.records_dropped'))
}

describe('dropNewest', () => {
  test('dropNewest keeps the queued records and drops the new record', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropNewest' } }))
    pipeline.logAll(texts(15), 21)
    expect(pipeline.stats()).toMatchObject({ queued: 10, queuedBytes: 100 })
    expect(await waitingIn(pipeline)).toEqual(texts(10))
  })
})

describe('dropOldest', () => {
  test('dropOldest evicts the oldest queued records', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropOldest' } }))
    pipeline.logAll(texts(15))
    expect(pipeline.stats()).toMatchObject({ queued: 10, dropped: { total: 5 } })
    expect(await waitingIn(pipeline)).toEqual(texts(10, 10, 5))
  })

  test('dropOldest evicts no more records than the new record needs', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropOldest' } }))
    pipeline.logAll(texts(10))
    const long = `${'long'.padEnd(24, '.')}\n`
    pipeline.log(long)
    expect(await waitingIn(pipeline)).toEqual([...texts(7, 10, 3), long])
  })

  test('dropOldest never evicts the batch in flight', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropOldest' } }))
    pipeline.logAll(texts(6))
    pipeline.host.endTurn()
    pipeline.logAll(texts(20, 10, 6))
    expect(await waitingIn(pipeline)).toEqual([...texts(6), ...texts(4, 10, 22)])
  })

  test('dropOldest evicts nothing for a record that would not fit even then', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropOldest' } }))
    pipeline.logAll(texts(6))
    pipeline.host.endTurn()
    pipeline.logAll(texts(2, 10, 6))
    pipeline.log('x'.repeat(50))
    expect(pipeline.stats()).toMatchObject({ queued: 8, dropped: { total: 1 } })
    expect(await waitingIn(pipeline)).toEqual(texts(8))
  })

  test('dropOldest counts an evicted record for the producer that logged it', () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueSize: 2, onFull: 'dropOldest' } }))
    const other = new RecordOwner(new (pipeline.counters.constructor as any)(), source)
    pipeline.logAll(texts(2))
    pipeline.processor.push('o\n' as EncodedRecord, 17, other)
    expect(pipeline.stats()).toMatchObject({ queued: 1, dropped: { total: 1, byLevel: { info: 1 } } })
    expect(other.counters).toMatchObject({ queued: 1, droppedTotal: 0 })
  })
})

describe('dropLowest', () => {
  const delivery = { maxQueueBytes: 100, onFull: 'dropLowest' } as const

  test('dropLowest reserves the last fifth of the queue for WARN and higher severities', () => {
    const pipeline = createPipeline(new StallingExporter({ delivery }))
    pipeline.logAll(texts(12), 12)
    expect(pipeline.stats()).toMatchObject({ queued: 8, dropped: { total: 4 } })
    pipeline.logAll(texts(2), 13)
    expect(pipeline.stats()).toMatchObject({ queued: 10, dropped: { total: 4 } })
  })

  test('dropLowest reports nothing while the reserve has capacity for severe records', () => {
    const pipeline = createPipeline(new StallingExporter({ delivery }))
    pipeline.logAll(texts(8))
    pipeline.logAll(texts(2), 13)
    expect(pipeline.host.codes()).toEqual([])
    pipeline.log('x\n', 13)
    expect(pipeline.host.codes()).toEqual(['SLUICE_QUEUE_FULL'])
  })

  test('dropLowest evicts the least severe queued records of one batch at once when the queue is full', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { ...delivery, maxExportBatchSize: 4 } }))
    pipeline.logAll(texts(1)) // The batch is full at 4 records and is exported.
    pipeline.logAll(texts(3, 10, 1))
    pipeline.logAll(texts(2, 10, 4), 5)
    pipeline.logAll(texts(2, 10, 6), 9)
    pipeline.logAll(texts(2, 10, 8), 13)
    pipeline.log('e1'.padEnd(10), 17)
    expect(pipeline.stats().dropped.byLevel).toMatchObject({ debug: 2, info: 0 })
    pipeline.logAll(['e2'.padEnd(10), 'e3'.padEnd(10)], 17)
    expect(pipeline.stats().dropped.byLevel).toMatchObject({ debug: 2, info: 2, warn: 0 })
    const rest = await waitingIn(pipeline)
    expect(rest).toEqual([...texts(4), ...texts(2, 10, 8), 'e1'.padEnd(10), 'e2'.padEnd(10), 'e3'.padEnd(10)])
  })

  test('dropLowest evicts a record only for a more severe one', () => {
    const pipeline = createPipeline(new StallingExporter({ delivery }))
    pipeline.logAll(texts(10), 17)
    pipeline.logAll(texts(3), 17)
    pipeline.logAll(texts(2), 13)
    expect(pipeline.stats()).toMatchObject({ queued: 10, dropped: { byLevel: { warn: 2, error: 3 } } })
    pipeline.logAll(texts(1), 21)
    expect(pipeline.stats()).toMatchObject({ queued: 1, dropped: { byLevel: { error: 13 } } })
  })

  test('dropLowest never evicts the batch in flight', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery }))
    pipeline.logAll(texts(8))
    pipeline.host.endTurn()
    pipeline.logAll(texts(5, 10, 8), 21)
    expect(pipeline.stats()).toMatchObject({ queued: 10, dropped: { byLevel: { info: 0, fatal: 3 } } })
    expect(await waitingIn(pipeline)).toEqual(texts(10))
  })

  test('dropLowest never changes a batch that was partially written', async () => {
    const pipeline = createPipeline(new LimitedExporter({ delivery }))
    pipeline.exporter.capacity = 3
    pipeline.logAll(texts(8))
    void pipeline.processor.flush(0)
    pipeline.logAll(texts(4, 10, 8), 21)
    pipeline.exporter.addCapacity(100)
    await settlePromises()
    pipeline.host.endTurn()
    expect(pipeline.exporter.hasAbandonedBatch).toBe(false)
    expect(pipeline.exporter.accepted).toEqual(texts(10))
  })

  test('dropLowest accepts a record that needs the reserve when the queue is empty', () => {
    const pipeline = createPipeline(new StallingExporter({ delivery }))
    pipeline.log('x'.repeat(90))
    expect(pipeline.stats()).toMatchObject({ queued: 1, dropped: { total: 0 } })
  })

  // Requirements: ERR6
  // Fault rows: 14
  test('dropLowest keeps all records at WARN or above among a million in one turn, within the byte limit', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueBytes: 4_000_000 } }))
    const { processor, producer, counters } = pipeline
    const pad = '.'.repeat(90)
    let highest = 0
    for (let seq = 0; seq < 1_000_000; seq++) {
      counters.emitted++
      const severity = seq % 100 === 99 ? (seq % 1_000 === 999 ? 17 : 13) : 1 + (seq % 3) * 4
      processor.push(`${seq}${pad}\n` as EncodedRecord, severity, producer.owner)
      if (processor.queuedBytes > highest) highest = processor.queuedBytes
    }
    expect(highest).toBeLessThanOrEqual(4_000_000)
    const { dropped, queued } = pipeline.stats()
    expect(dropped.byLevel).toMatchObject({ warn: 0, error: 0, fatal: 0 })
    expect(queued + dropped.total).toBe(1_000_000)
    const worse = (await waitingIn(pipeline)).filter((text) => Number.parseInt(text, 10) % 100 === 99)
    expect(worse).toHaveLength(10_000)
    expect(pipeline.stats()).toMatchObject({ written: queued + 1, queued: 0 })
  })
})

describe('block', () => {
  const delivery = { maxQueueBytes: 100, onFull: 'block' } as const

  // Requirements: BLR3
  test('block waits until the destination has accepted enough records, and drops none', () => {
    const pipeline = createPipeline(new LimitedExporter({ delivery }))
    pipeline.exporter.onWait = (deadline) => {
      pipeline.host.now = deadline
      pipeline.exporter.capacity += 1
    }
    pipeline.logAll(texts(50))
    pipeline.exporter.addCapacity(100)
    pipeline.host.endTurn()
    expect(pipeline.exporter.accepted).toEqual(texts(50))
    expect(pipeline.host.diagnostics).toEqual([])
    expect(pipeline.stats()).toMatchObject({ written: 50, dropped: { total: 0 } })
  })

  test('block waits only until the new record fits', () => {
    const pipeline = createPipeline(new LimitedExporter({ delivery: { ...delivery, maxExportBatchSize: 1 } }))
    pipeline.logAll(texts(10))
    const start = pipeline.host.now
    pipeline.exporter.onWait = (deadline) => {
      pipeline.host.now = deadline
      if (deadline === start + 300 && pipeline.exporter.accepted.length === 0) pipeline.exporter.capacity = 1
    }
    pipeline.log('last\n')
    expect(pipeline.host.now).toBe(start + 300)
    expect(pipeline.stats()).toMatchObject({ queued: 10, written: 1, dropped: { total: 0 } })
  })

  test('block neither waits nor busy-loops when the destination fails at once', () => {
    const pipeline = createPipeline(new LimitedExporter({ delivery }))
    pipeline.exporter.failsWithoutWaiting = true
    pipeline.logAll(texts(13))
    expect(pipeline.stats()).toMatchObject({ queued: 10, dropped: { byReason: { queue_full: 3 } } })
  })

  test('block does not wait for records that are logged inside a drain, and drops them', () => {
    const pipeline = createPipeline(new LimitedExporter({ delivery }))
    pipeline.logAll(texts(10))
    pipeline.exporter.onWait = () => pipeline.log('inner\n')
    pipeline.processor.drain(pipeline.host.now + 10, false)
    expect(pipeline.stats()).toMatchObject({ queued: 10, dropped: { byReason: { queue_full: 1 } } })
  })
})

test('a full queue writes the records that the destination accepts without blocking before it drops any', () => {
  const pipeline = createPipeline(new LimitedExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropNewest' } }))
  pipeline.exporter.capacity = 1_000
  pipeline.logAll(texts(35))
  expect(pipeline.stats().dropped.total).toBe(0)
  pipeline.host.endTurn()
  expect(pipeline.exporter.accepted).toEqual(texts(35))
})

test('a diagnostics callback that logs on SLUICE_QUEUE_FULL does not make the queue exceed its limit', () => {
  const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropOldest' } }))
  pipeline.host.onDiagnostic = () => {
    pipeline.host.onDiagnostic = () => {}
    pipeline.log('0123456789'.repeat(5))
  }
  pipeline.logAll(texts(11))
  expect(pipeline.stats().queuedBytes).toBeLessThanOrEqual(100)
})
