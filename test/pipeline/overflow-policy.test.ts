import { describe, expect, test } from '@jest/globals'
import type { EncodedRecord } from '../../src/encode/encoding.ts'
import { RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { NarrowExporter, StallingExporter } from '../support/pipeline/exporters.ts'
import { promisesSettle, type ManualHost } from '../support/pipeline/host.ts'
import { pipeline, texts } from '../support/pipeline/producers.ts'
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
    exporter.answer()
    await Promise.resolve()
    await Promise.resolve()
    host.turn()
  }
  return exporter.taken.filter((text) => !text.includes('sluice.records_dropped'))
}

describe('dropNewest', () => {
  test('dropNewest keeps the queued records and drops the new record', async () => {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropNewest' } }))
    line.logAll(texts(15), 21)
    expect(line.ledger()).toMatchObject({ queued: 10, queuedBytes: 100 })
    expect(await waitingIn(line)).toEqual(texts(10))
  })
})

describe('dropOldest', () => {
  test('dropOldest evicts the oldest queued records', async () => {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropOldest' } }))
    line.logAll(texts(15))
    expect(line.ledger()).toMatchObject({ queued: 10, dropped: { total: 5 } })
    expect(await waitingIn(line)).toEqual(texts(10, 10, 5))
  })

  test('dropOldest evicts no more records than the new record needs', async () => {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropOldest' } }))
    line.logAll(texts(10))
    const long = `${'long'.padEnd(24, '.')}\n`
    line.log(long)
    expect(await waitingIn(line)).toEqual([...texts(7, 10, 3), long])
  })

  test('dropOldest never evicts the batch in flight', async () => {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropOldest' } }))
    line.logAll(texts(6))
    line.host.turn()
    line.logAll(texts(20, 10, 6))
    expect(await waitingIn(line)).toEqual([...texts(6), ...texts(4, 10, 22)])
  })

  test('dropOldest evicts nothing for a record that would not fit even then', async () => {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropOldest' } }))
    line.logAll(texts(6))
    line.host.turn()
    line.logAll(texts(2, 10, 6))
    line.log('x'.repeat(50))
    expect(line.ledger()).toMatchObject({ queued: 8, dropped: { total: 1 } })
    expect(await waitingIn(line)).toEqual(texts(8))
  })

  test('dropOldest counts an evicted record for the producer that logged it', () => {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueSize: 2, onFull: 'dropOldest' } }))
    const other = new RecordOwner(new (line.account.constructor as any)(), source)
    line.logAll(texts(2))
    line.processor.push('o\n' as EncodedRecord, 17, other)
    expect(line.ledger()).toMatchObject({ queued: 1, dropped: { total: 1, byLevel: { info: 1 } } })
    expect(other.counters).toMatchObject({ queued: 1, droppedTotal: 0 })
  })
})

describe('dropLowest', () => {
  const delivery = { maxQueueBytes: 100, onFull: 'dropLowest' } as const

  test('dropLowest reserves the last fifth of the queue for WARN and higher severities', () => {
    const line = pipeline(new StallingExporter({ delivery }))
    line.logAll(texts(12), 12)
    expect(line.ledger()).toMatchObject({ queued: 8, dropped: { total: 4 } })
    line.logAll(texts(2), 13)
    expect(line.ledger()).toMatchObject({ queued: 10, dropped: { total: 4 } })
  })

  test('dropLowest reports nothing while the reserve has capacity for severe records', () => {
    const line = pipeline(new StallingExporter({ delivery }))
    line.logAll(texts(8))
    line.logAll(texts(2), 13)
    expect(line.host.codes()).toEqual([])
    line.log('x\n', 13)
    expect(line.host.codes()).toEqual(['SLUICE_QUEUE_FULL'])
  })

  test('dropLowest evicts the least severe queued records of one batch at once when the queue is full', async () => {
    const line = pipeline(new StallingExporter({ delivery: { ...delivery, maxExportBatchSize: 4 } }))
    line.logAll(texts(1)) // The batch is full at 4 records and is exported.
    line.logAll(texts(3, 10, 1))
    line.logAll(texts(2, 10, 4), 5)
    line.logAll(texts(2, 10, 6), 9)
    line.logAll(texts(2, 10, 8), 13)
    line.log('e1'.padEnd(10), 17)
    expect(line.ledger().dropped.byLevel).toMatchObject({ debug: 2, info: 0 })
    line.logAll(['e2'.padEnd(10), 'e3'.padEnd(10)], 17)
    expect(line.ledger().dropped.byLevel).toMatchObject({ debug: 2, info: 2, warn: 0 })
    const rest = await waitingIn(line)
    expect(rest).toEqual([...texts(4), ...texts(2, 10, 8), 'e1'.padEnd(10), 'e2'.padEnd(10), 'e3'.padEnd(10)])
  })

  test('dropLowest evicts a record only for a more severe one', () => {
    const line = pipeline(new StallingExporter({ delivery }))
    line.logAll(texts(10), 17)
    line.logAll(texts(3), 17)
    line.logAll(texts(2), 13)
    expect(line.ledger()).toMatchObject({ queued: 10, dropped: { byLevel: { warn: 2, error: 3 } } })
    line.logAll(texts(1), 21)
    expect(line.ledger()).toMatchObject({ queued: 1, dropped: { byLevel: { error: 13 } } })
  })

  test('dropLowest never evicts the batch in flight', async () => {
    const line = pipeline(new StallingExporter({ delivery }))
    line.logAll(texts(8))
    line.host.turn()
    line.logAll(texts(5, 10, 8), 21)
    expect(line.ledger()).toMatchObject({ queued: 10, dropped: { byLevel: { info: 0, fatal: 3 } } })
    expect(await waitingIn(line)).toEqual(texts(10))
  })

  test('dropLowest never changes a batch that was partially written', async () => {
    const line = pipeline(new NarrowExporter({ delivery }))
    line.exporter.room = 3
    line.logAll(texts(8))
    void line.processor.flush(0)
    line.logAll(texts(4, 10, 8), 21)
    line.exporter.makeRoom(100)
    await promisesSettle()
    line.host.turn()
    expect(line.exporter.forsaken).toBe(false)
    expect(line.exporter.taken).toEqual(texts(10))
  })

  test('dropLowest accepts a record that needs the reserve when the queue is empty', () => {
    const line = pipeline(new StallingExporter({ delivery }))
    line.log('x'.repeat(90))
    expect(line.ledger()).toMatchObject({ queued: 1, dropped: { total: 0 } })
  })

  test('dropLowest keeps all records at WARN or above among a million in one turn, within the byte limit (ERR6, row 14)', async () => {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueBytes: 4_000_000 } }))
    const { processor, lane, account } = line
    const pad = '.'.repeat(90)
    let highest = 0
    for (let seq = 0; seq < 1_000_000; seq++) {
      account.emitted++
      const severity = seq % 100 === 99 ? (seq % 1_000 === 999 ? 17 : 13) : 1 + (seq % 3) * 4
      processor.push(`${seq}${pad}\n` as EncodedRecord, severity, lane.owner)
      if (processor.queuedBytes > highest) highest = processor.queuedBytes
    }
    expect(highest).toBeLessThanOrEqual(4_000_000)
    const { dropped, queued } = line.ledger()
    expect(dropped.byLevel).toMatchObject({ warn: 0, error: 0, fatal: 0 })
    expect(queued + dropped.total).toBe(1_000_000)
    const worse = (await waitingIn(line)).filter((text) => Number.parseInt(text, 10) % 100 === 99)
    expect(worse).toHaveLength(10_000)
    expect(line.ledger()).toMatchObject({ written: queued + 1, queued: 0 })
  })
})

describe('block', () => {
  const delivery = { maxQueueBytes: 100, onFull: 'block' } as const

  test('block waits until the destination has accepted enough records, and drops none (BLR3)', () => {
    const line = pipeline(new NarrowExporter({ delivery }))
    line.exporter.onWait = (deadline) => {
      line.host.now = deadline
      line.exporter.room += 1
    }
    line.logAll(texts(50))
    line.exporter.makeRoom(100)
    line.host.turn()
    expect(line.exporter.taken).toEqual(texts(50))
    expect(line.host.problems).toEqual([])
    expect(line.ledger()).toMatchObject({ written: 50, dropped: { total: 0 } })
  })

  test('block waits only until the new record fits', () => {
    const line = pipeline(new NarrowExporter({ delivery: { ...delivery, maxExportBatchSize: 1 } }))
    line.logAll(texts(10))
    const start = line.host.now
    line.exporter.onWait = (deadline) => {
      line.host.now = deadline
      if (deadline === start + 300 && line.exporter.taken.length === 0) line.exporter.room = 1
    }
    line.log('last\n')
    expect(line.host.now).toBe(start + 300)
    expect(line.ledger()).toMatchObject({ queued: 10, written: 1, dropped: { total: 0 } })
  })

  test('block neither waits nor busy-loops when the destination fails at once', () => {
    const line = pipeline(new NarrowExporter({ delivery }))
    line.exporter.failsSoon = true
    line.logAll(texts(13))
    expect(line.ledger()).toMatchObject({ queued: 10, dropped: { byReason: { queue_full: 3 } } })
  })

  test('block does not wait for records that are logged inside a drain, and drops them', () => {
    const line = pipeline(new NarrowExporter({ delivery }))
    line.logAll(texts(10))
    line.exporter.onWait = () => line.log('inner\n')
    line.processor.drain(line.host.now + 10, false)
    expect(line.ledger()).toMatchObject({ queued: 10, dropped: { byReason: { queue_full: 1 } } })
  })
})

test('a full queue writes the records that the destination accepts without blocking before it drops any', () => {
  const line = pipeline(new NarrowExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropNewest' } }))
  line.exporter.room = 1_000
  line.logAll(texts(35))
  expect(line.ledger().dropped.total).toBe(0)
  line.host.turn()
  expect(line.exporter.taken).toEqual(texts(35))
})

test('a diagnostics callback that logs on SLUICE_QUEUE_FULL does not make the queue exceed its limit', () => {
  const line = pipeline(new StallingExporter({ delivery: { maxQueueBytes: 100, onFull: 'dropOldest' } }))
  line.host.onDiagnostic = () => {
    line.host.onDiagnostic = () => {}
    line.log('0123456789'.repeat(5))
  }
  line.logAll(texts(11))
  expect(line.ledger().queuedBytes).toBeLessThanOrEqual(100)
})
