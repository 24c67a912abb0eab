import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { pretty } from '../../src/exporters/pretty-encoding.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { RecordQueue } from '../../src/pipeline/record-queue.ts'
import type { EncodedBatch, Exporter } from '../../src/pipeline/exporter.ts'
import { RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import type { LongRecordBuffer } from '../../src/pipeline/long-record-buffer.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { LimitedExporter, StallingExporter } from '../support/pipeline/exporters.ts'
import { settlePromises } from '../support/pipeline/manual-host.ts'
import { inconsistentCounts, createPipeline, texts } from '../support/pipeline/producers.ts'
import { capturingExporter } from '../support/files/test-logger.ts'
import { longBatch, longLength, longLine, longText, parsedLines } from '../support/values/long-texts.ts'
import { source } from '../support/pipeline/batch.ts'

const text = longText('é"\n')
const limits = { recordBytes: Infinity }

describe('exporters that do not read pieces', () => {
  const readers: Readonly<Record<string, (batch: EncodedBatch) => string>> = {
    'bytes()': (batch) => Buffer.from(batch.bytes()).toString(),
    'text()': (batch) => batch.text(),
    'records()': (batch) =>
      batch
        .records()
        .map((record) => record.text)
        .join(''),
    'bytes() after byteLength': (batch) => {
      const { byteLength } = batch
      return Buffer.from(batch.bytes().subarray(0, byteLength)).toString()
    },
  }

  test.each(Object.entries(readers))(
    'an exporter that reads %s receives the whole line of a long record',
    async (_, read) => {
      const received: string[] = []
      const exporter: Exporter = {
        name: 'own',
        encoding: jsonLines(),
        schedule: 'turn',
        delivery: {},
        export: (batch) => {
          received.push(read(batch))
          return { status: 'accepted' }
        },
      }
      const log = createLogger({ exporter, limits })
      ;['before', text, 'after'].forEach((message) => log.info(message))
      expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
      const messages = parsedLines(received.join('')).map(({ message }) => (message === text ? 'long' : message))
      expect(messages).toEqual(['before', 'long', 'after'])
    },
  )

  test('a long batch has one record, which is complete only with all of its bytes', () => {
    const batch = longBatch()
    expect([batch.count, batch.records().length, batch.records()[0]!.severity]).toEqual([1, 1, 9])
    expect(batch.byteLength).toBe(Buffer.byteLength(batch.text()))
    const counts = [0, 1, batch.byteLength - 1, batch.byteLength].map((bytes) => batch.recordsIn(bytes))
    expect(counts).toEqual([0, 0, 0, 1])
    expect(Buffer.concat(Array.from(batch.pieces(), (piece) => Buffer.from(piece))).equals(batch.bytes())).toBe(true)
  })
})

test('memoryExporter contains a long record when the log call returns', () => {
  const exporter = memoryExporter()
  const log = createLogger({ exporter, limits })
  log.info('m', { text })
  expect(exporter.records.map(({ attributes }) => attributes!.text === text)).toEqual([true])
  expect(log.stats()).toMatchObject({ written: 1, queued: 0, queuedBytes: 0 })
})

test('exporters of the same and of different formats each receive a long record', () => {
  const [one, two, otel, human] = [
    capturingExporter(jsonLines()),
    capturingExporter(jsonLines()),
    capturingExporter(jsonLines('otel')),
    capturingExporter(pretty({ multiline: false, only: ['*'] })),
  ] as const
  const log = createLogger({ exporter: [one, two, otel, human], limits })
  log.info('{text}!', { text })
  expect(parsedLines(one.text())[0]!.attributes!.text === text).toBe(true)
  expect(two.text() === one.text()).toBe(true)
  expect(JSON.stringify(parsedLines(otel.text())[0]).split(JSON.stringify(text).slice(1, -1))).toHaveLength(3)
  expect(human.lines()).toHaveLength(1)
  expect(human.text().split('é')).toHaveLength(2 * text.split('é').length - 1)
  expect(log.stats()).toMatchObject({ emitted: 1, written: 4, queued: 0 })
})

describe('long records in a queue', () => {
  const { length } = longLine()
  const first = texts(1)[0]!

  /** A pipeline whose exporter holds a short record, so that later records stay queued. */
  function stalledPipeline(onFull: 'dropOldest' | 'dropLowest' | 'dropNewest', maxQueueBytes = 1.5 * length) {
    const pipeline = createPipeline(new StallingExporter({ delivery: { maxQueueBytes, onFull } }))
    const logLong = (severity: number, units?: number) => {
      pipeline.counters.emitted++
      pipeline.processor.push(longLine(units), severity, pipeline.producer.owner)
    }
    pipeline.log(first)
    pipeline.host.endTurn()
    return { ...pipeline, logLong }
  }

  /** Exports the queued records, and returns the length of each. */
  async function exportedLengths({ exporter, host, processor }: ReturnType<typeof stalledPipeline>): Promise<number[]> {
    void processor.flush(1_000)
    while (exporter.pending !== undefined) {
      exporter.complete()
      await settlePromises()
      host.endTurn()
    }
    return exporter.accepted.filter((each) => !each.includes('sluice.records_dropped')).map((each) => each.length)
  }

  test('a long record counts as one record with its full size, and is written once', async () => {
    const pipeline = stalledPipeline('dropNewest')
    pipeline.logLong(9)
    pipeline.log(texts(1)[0]!)
    expect(pipeline.stats()).toMatchObject({ queued: 3, queuedBytes: length + 20 })
    expect(await exportedLengths(pipeline)).toEqual([10, length, 10])
    expect(pipeline.stats()).toMatchObject({ written: 3, queued: 0, queuedBytes: 0, dropped: { total: 0 } })
    expect(inconsistentCounts(pipeline.counters)).toEqual([])
  })

  test('a long record is a separate batch, after the records that were logged before it', () => {
    const queue = new RecordQueue(byteBuffers(), Infinity, 4 * length)
    const owner = new RecordOwner(new Counters(), source)
    expect(['a\n', longLine(), longLine(), 'b\n', 'c\n'].map((each) => queue.add(each, 9, owner))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ])
    const lengths: number[] = []
    for (let batch = queue.selectHead(); batch !== undefined; batch = queue.selectHead()) {
      lengths.push(batch.text().length)
      queue.removeHead().release()
    }
    expect(lengths).toEqual([2, length, length, 4])
    expect([queue.heldBytes, queue.recordCount]).toEqual([0, 0])
  })

  test('a long record that exceeds the limit of the queue is dropped with reason too_large', async () => {
    const pipeline = stalledPipeline('dropOldest', length - 1)
    pipeline.logLong(21)
    expect(pipeline.stats()).toMatchObject({ queued: 1, dropped: { total: 1, byReason: { too_large: 1 } } })
    expect(pipeline.host.codes()).toEqual(['SLUICE_RECORD_TOO_LARGE'])
    expect(await exportedLengths(pipeline)).toEqual([10])
  })

  test('dropOldest evicts a whole long record to accept a newer one', async () => {
    const pipeline = stalledPipeline('dropOldest')
    pipeline.log(texts(1)[0]!)
    pipeline.logLong(9)
    pipeline.logLong(9, longLength + 2)
    expect(pipeline.stats()).toMatchObject({ queued: 2, queuedBytes: length + 11, dropped: { total: 2 } })
    expect(pipeline.stats().dropped.byReason.queue_full).toBe(2)
    expect(await exportedLengths(pipeline)).toEqual([10, length + 1])
    expect(inconsistentCounts(pipeline.counters)).toEqual([])
  })

  // Regression: the size of an evicted long record was not subtracted, so that no later record fit.
  test('dropLowest evicts a whole long record to accept a more severe one', async () => {
    const pipeline = stalledPipeline('dropLowest')
    pipeline.logLong(9)
    pipeline.logLong(17, longLength + 2)
    expect(pipeline.stats()).toMatchObject({ queued: 2, queuedBytes: length + 11, dropped: { total: 1 } })
    expect(await exportedLengths(pipeline)).toEqual([10, length + 1])
  })

  test('the queue counts no bytes and no records after its only long record is evicted', () => {
    const queue = new RecordQueue(byteBuffers(), Infinity)
    queue.add(longLine(), 9, new RecordOwner(new Counters(), source))
    expect(queue.evictLowest(17, () => {})).toBe(true)
    expect({ bytes: queue.heldBytes, records: queue.recordCount }).toEqual({ bytes: 0, records: 0 })
  })

  test('dropLowest evicts the least severe short records to accept a long record', async () => {
    const pipeline = stalledPipeline('dropLowest')
    pipeline.logAll(texts(3, length / 8), 9)
    pipeline.logAll(texts(3, length / 8), 13)
    pipeline.logLong(17)
    expect(pipeline.stats()).toMatchObject({ queued: 5, dropped: { total: 3, byLevel: { info: 3 } } })
    expect(await exportedLengths(pipeline)).toEqual([10, ...Array<number>(3).fill(Math.floor(length / 8)), length])
  })

  test.each([
    ['io_error', { status: 'rejected', accepted: 0, reason: 'io_error' }, { dropped: { byReason: { io_error: 1 } } }],
    ['unknown', { status: 'unknown', accepted: 0 }, { unknown: 1 }],
  ] as const)('a long record is counted by its export result: %s', async (_, result, counted) => {
    const pipeline = stalledPipeline('dropNewest')
    pipeline.logLong(9)
    pipeline.exporter.complete()
    await settlePromises()
    pipeline.exporter.complete(result)
    await settlePromises()
    expect(pipeline.stats()).toMatchObject({ written: 1, queued: 0, queuedBytes: 0, ...counted })
    expect(inconsistentCounts(pipeline.counters)).toEqual([])
  })

  test('a long record stays queued after a drain without progress, and is counted as dropped at process exit', () => {
    const pipeline = createPipeline(new LimitedExporter())
    pipeline.counters.emitted++
    pipeline.processor.push(longLine(), 9, pipeline.producer.owner)
    expect(pipeline.processor.drain(pipeline.host.now, false)).toEqual({ ok: false, pending: 1 })
    expect(pipeline.stats()).toMatchObject({ queued: 1, queuedBytes: length })
    expect(pipeline.processor.drain(pipeline.host.now, true)).toMatchObject({ pending: 0 })
    expect(pipeline.stats()).toMatchObject({ queued: 0, queuedBytes: 0, dropped: { byReason: { exit_deadline: 1 } } })
  })
})

// The buffers of pieces are never released, so they must not come from the pool.
test('a record that is written in pieces leaves the buffer pool unchanged', () => {
  const buffers = byteBuffers()
  const pooled = () => {
    const bytes = buffers.encode('short')
    const { byteLength } = bytes.buffer
    buffers.release(bytes)
    return byteLength
  }
  const before = pooled()
  const pipeline = longLine()
  const queue = new RecordQueue(buffers, Infinity)
  queue.add(pipeline, 9, new RecordOwner(new Counters(), source))
  for (const piece of (queue.selectClosedHead() as LongRecordBuffer).pieces()) expect(piece.length).toBeGreaterThan(0)
  queue.removeHead().release()
  expect(pooled()).toBe(before)
})
