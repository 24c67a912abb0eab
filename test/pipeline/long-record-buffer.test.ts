import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { pretty } from '../../src/encode/pretty/pretty.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { BoundedQueue } from '../../src/pipeline/bounded-queue.ts'
import type { EncodedBatch, Exporter } from '../../src/pipeline/exporter.ts'
import { RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import type { LongRecordBuffer } from '../../src/pipeline/long-record-buffer.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { NarrowExporter, StallingExporter } from '../support/pipeline/exporters.ts'
import { promisesSettle } from '../support/pipeline/host.ts'
import { ledgerFaults, pipeline, texts } from '../support/pipeline/producers.ts'
import { lineKeeper } from '../support/files/line-keeper.ts'
import { longBatch, longLength, longLine, longText, parsedLines } from '../support/values/long-texts.ts'
import { source } from '../support/pipeline/batch.ts'

const text = longText('é"\n')
const limits = { recordBytes: Infinity }

describe('an exporter that asks for no pieces', () => {
  const ways: Readonly<Record<string, (batch: EncodedBatch) => string>> = {
    'the bytes': (batch) => Buffer.from(batch.bytes()).toString(),
    'the text': (batch) => batch.text(),
    'each record': (batch) =>
      batch
        .records()
        .map((record) => record.text)
        .join(''),
    'the bytes after their length': (batch) => {
      const { byteLength } = batch
      return Buffer.from(batch.bytes().subarray(0, byteLength)).toString()
    },
  }

  test.each(Object.entries(ways))('gets the line whole when it asks for %s', async (_, ask) => {
    const got: string[] = []
    const exporter: Exporter = {
      name: 'own',
      encoding: jsonLines(),
      schedule: 'turn',
      delivery: {},
      export: (batch) => {
        got.push(ask(batch))
        return { status: 'accepted' }
      },
    }
    const log = createLogger({ exporter, limits })
    ;['before', text, 'after'].forEach((message) => log.info(message))
    expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
    const said = parsedLines(got.join('')).map(({ message }) => (message === text ? 'long' : message))
    expect(said).toEqual(['before', 'long', 'after'])
  })

  test('is told of one record, which only all of its bytes hold', () => {
    const batch = longBatch()
    expect([batch.count, batch.records().length, batch.records()[0]!.severity]).toEqual([1, 1, 9])
    expect(batch.byteLength).toBe(Buffer.byteLength(batch.text()))
    const counts = [0, 1, batch.byteLength - 1, batch.byteLength].map((bytes) => batch.recordsIn(bytes))
    expect(counts).toEqual([0, 0, 0, 1])
    expect(Buffer.concat(Array.from(batch.pieces(), (piece) => Buffer.from(piece))).equals(batch.bytes())).toBe(true)
  })
})

test('a memoryExporter has the record when the call returns', () => {
  const exporter = memoryExporter()
  const log = createLogger({ exporter, limits })
  log.info('m', { text })
  expect(exporter.records.map(({ attributes }) => attributes!.text === text)).toEqual([true])
  expect(log.stats()).toMatchObject({ written: 1, queued: 0, queuedBytes: 0 })
})

test('exporters of several formats, and several of one, each get the record', () => {
  const [one, two, otel, people] = [
    lineKeeper(jsonLines()),
    lineKeeper(jsonLines()),
    lineKeeper(jsonLines('otel')),
    lineKeeper(pretty({ color: false })),
  ] as const
  const log = createLogger({ exporter: [one, two, otel, people], limits })
  log.info('{text}!', { text })
  expect(parsedLines(one.text())[0]!.attributes!.text === text).toBe(true)
  expect(two.text() === one.text()).toBe(true)
  expect(JSON.stringify(parsedLines(otel.text())[0]).split(JSON.stringify(text).slice(1, -1))).toHaveLength(3)
  expect(people.lines()).toHaveLength(1)
  expect(people.text().split('é')).toHaveLength(2 * text.split('é').length - 1)
  expect(log.stats()).toMatchObject({ emitted: 1, written: 4, queued: 0 })
})

describe('in a queue', () => {
  const { length } = longLine()
  const first = texts(1)[0]!

  /** A pipeline whose exporter has a short record, so that what comes waits. */
  function waiting(onFull: 'dropOldest' | 'dropLowest' | 'dropNewest', maxQueueBytes = 1.5 * length) {
    const line = pipeline(new StallingExporter({ delivery: { maxQueueBytes, onFull } }))
    const logLong = (severity: number, units?: number) => {
      line.account.emitted++
      line.processor.push(longLine(units), severity, line.lane.owner)
    }
    line.log(first)
    line.host.turn()
    return { ...line, logLong }
  }

  /** Lets the exporter take what waits, and returns how long each of the records is. */
  async function taken({ exporter, host, processor }: ReturnType<typeof waiting>): Promise<number[]> {
    void processor.flush(1_000)
    while (exporter.pending !== undefined) {
      exporter.answer()
      await promisesSettle()
      host.turn()
    }
    return exporter.taken.filter((each) => !each.includes('sluice.records_dropped')).map((each) => each.length)
  }

  test('it counts as one record and as what it holds, and is written once', async () => {
    const line = waiting('dropNewest')
    line.logLong(9)
    line.log(texts(1)[0]!)
    expect(line.ledger()).toMatchObject({ queued: 3, queuedBytes: length + 20 })
    expect(await taken(line)).toEqual([10, length, 10])
    expect(line.ledger()).toMatchObject({ written: 3, queued: 0, queuedBytes: 0, dropped: { total: 0 } })
    expect(ledgerFaults(line.account)).toEqual([])
  })

  test('it has a chunk of its own, behind what came before it', () => {
    const queue = new BoundedQueue(byteBuffers(), Infinity, 4 * length)
    const origin = new RecordOwner(new Counters(), source)
    expect(['a\n', longLine(), longLine(), 'b\n', 'c\n'].map((each) => queue.add(each, 9, origin))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ])
    const lengths: number[] = []
    for (let chunk = queue.take(true); chunk !== undefined; chunk = queue.take(true)) {
      lengths.push(chunk.text().length)
      queue.settle(true)
    }
    expect(lengths).toEqual([2, length, length, 4])
    expect([queue.bytes, queue.records]).toEqual([0, 0])
  })

  test('it is too large where it is longer than the whole queue may be', async () => {
    const line = waiting('dropOldest', length - 1)
    line.logLong(21)
    expect(line.ledger()).toMatchObject({ queued: 1, dropped: { total: 1, byReason: { too_large: 1 } } })
    expect(line.host.codes()).toEqual(['SLUICE_RECORD_TOO_LARGE'])
    expect(await taken(line)).toEqual([10])
  })

  test('it gives way whole where the oldest do, and comes where others gave way', async () => {
    const line = waiting('dropOldest')
    line.log(texts(1)[0]!)
    line.logLong(9)
    line.logLong(9, longLength + 2)
    expect(line.ledger()).toMatchObject({ queued: 2, queuedBytes: length + 11, dropped: { total: 2 } })
    expect(line.ledger().dropped.byReason.queue_full).toBe(2)
    expect(await taken(line)).toEqual([10, length + 1])
    expect(ledgerFaults(line.account)).toEqual([])
  })

  // The queue forgets to take off what a long record that gave way held, so that nothing more finds room.
  test('it gives way where the least severe do', async () => {
    const line = waiting('dropLowest')
    line.logLong(9)
    line.logLong(17, longLength + 2)
    expect(line.ledger()).toMatchObject({ queued: 2, queuedBytes: length + 11, dropped: { total: 1 } })
    expect(await taken(line)).toEqual([10, length + 1])
  })

  test('it leaves nothing in the counts of the queue when it was the least severe', () => {
    const queue = new BoundedQueue(byteBuffers(), Infinity)
    queue.add(longLine(), 9, new RecordOwner(new Counters(), source))
    expect(queue.shedLowest(17, () => {})).toBe(true)
    expect({ bytes: queue.bytes, records: queue.records }).toEqual({ bytes: 0, records: 0 })
  })

  test('others give way to it, the least severe ones first', async () => {
    const line = waiting('dropLowest')
    line.logAll(texts(3, length / 8), 9)
    line.logAll(texts(3, length / 8), 13)
    line.logLong(17)
    expect(line.ledger()).toMatchObject({ queued: 5, dropped: { total: 3, byLevel: { info: 3 } } })
    expect(await taken(line)).toEqual([10, ...Array<number>(3).fill(Math.floor(length / 8)), length])
  })

  test.each([
    ['io_error', { status: 'rejected', accepted: 0, reason: 'io_error' }, { dropped: { byReason: { io_error: 1 } } }],
    ['unknown', { status: 'unknown', accepted: 0 }, { unknown: 1 }],
  ] as const)('it is counted for what the exporter says of it: %s', async (_, answer, counted) => {
    const line = waiting('dropNewest')
    line.logLong(9)
    line.exporter.answer()
    await promisesSettle()
    line.exporter.answer(answer)
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ written: 1, queued: 0, queuedBytes: 0, ...counted })
    expect(ledgerFaults(line.account)).toEqual([])
  })

  test('it waits through a drain that ends too soon, and is counted when the process ends', () => {
    const line = pipeline(new NarrowExporter())
    line.account.emitted++
    line.processor.push(longLine(), 9, line.lane.owner)
    expect(line.processor.drain(line.host.now, false)).toEqual({ ok: false, pending: 1 })
    expect(line.ledger()).toMatchObject({ queued: 1, queuedBytes: length })
    expect(line.processor.drain(line.host.now, true)).toMatchObject({ pending: 0 })
    expect(line.ledger()).toMatchObject({ queued: 0, queuedBytes: 0, dropped: { byReason: { exit_deadline: 1 } } })
  })
})

// Nobody gives the buffers of the pieces back.
test('what is written in pieces leaves the pool of buffers as it was', () => {
  const buffers = byteBuffers()
  const pooled = () => {
    const bytes = buffers.encode('short')
    const { byteLength } = bytes.buffer
    buffers.release(bytes)
    return byteLength
  }
  const before = pooled()
  const line = longLine()
  const queue = new BoundedQueue(buffers, Infinity)
  queue.add(line, 9, new RecordOwner(new Counters(), source))
  for (const piece of (queue.take(false) as LongRecordBuffer).pieces()) expect(piece.length).toBeGreaterThan(0)
  queue.settle(true)
  expect(pooled()).toBe(before)
})
