import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { HttpError } from '../../../src/viewer/server/http-error.ts'
import { parseQuery } from '../../../src/read/query/parse-query.ts'
import { RecordAdder } from '../../../src/viewer/store/record-adder.ts'
import { readRecord } from '../../output/written.ts'
import { addLogsRequest } from '../../../src/viewer/otlp/add-logs.ts'
import { requestOf, type TestRecord } from '../support.ts'
import { inDirectory, TestViewer } from './support.ts'

const span = {
  spanId: '1'.repeat(16),
  parentSpanId: '',
  name: 'GET /',
  service: 'shop',
  start: 1,
  end: 2,
  hasError: true,
}
const numbered = (from: number, count: number, bytes = 10, service = 'shop'): TestRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    time: 1_000 + from + index,
    body: `${from + index} ${'x'.repeat(bytes)}`,
    service,
  }))
const numbers = (messages: readonly (string | undefined)[]) =>
  messages.map((message) => Number.parseInt(message ?? '', 10))

describe('LogArchive', () => {
  it('reads the records and spans of a file again, in their order', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const first = new TestViewer(file)
      first.receive([
        { time: 1, body: 'one', service: 'shop' },
        { time: 2, body: 'two', service: 'mail' },
      ])
      first.receive([{ body: 'three', service: 'shop' }], 3)
      first.archive.save(() => first.archive.add('a'.repeat(32), span))
      const { records } = first
      first.archive.close()
      const second = new TestViewer(file)
      await second.archive.load()
      expect(second.records.map(({ raw, resource }) => [raw, resource])).toEqual(
        records.map(({ raw, resource }) => [raw, resource]),
      )
      // A record without a time has that of its arrival.
      expect([...second.logs.segments[0]!.times.subarray(0, 3)]).toEqual([1, 2, 3])
      expect(second.spans.ofTrace('a'.repeat(32))).toEqual([span])
      second.archive.close()
    })
  })

  it('shows a span after it was saved, once', async () => {
    await inDirectory((directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'))
      viewer.archive.save(() => {
        viewer.archive.add('a'.repeat(32), span)
        expect(viewer.spans.ofTrace('a'.repeat(32))).toEqual([])
      })
      expect(viewer.spans.ofTrace('a'.repeat(32))).toEqual([span])
      viewer.archive.close()
    })
  })

  it('saves records of lines together, at the latest when it is closed', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const first = new TestViewer(file)
      const adder = new RecordAdder(first.logs, () => 5)
      for (const message of ['one', 'two']) adder.record(readRecord({ message, body: message }))
      expect(first.archive.state.size).toBe(0)
      first.receive([{ body: 'three' }])
      expect(first.archive.state.size).toBe(3)
      adder.record(readRecord({ message: 'four', body: 'four' }))
      first.archive.close()
      const second = new TestViewer(file)
      await second.archive.load()
      expect(second.messages).toEqual(['one', 'two', 'three', 'four'])
      expect(second.records.map(({ format, origin }) => [format, origin.file])).toEqual(
        first.records.map(({ format, origin }) => [format, origin.file]),
      )
      second.archive.close()
    })
  })

  it('saves no records of files, which are read again by the next viewer', async () => {
    await inDirectory((directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'))
      new RecordAdder(viewer.logs, () => 5, false).record(readRecord({ message: 'one', body: 'one' }))
      viewer.receive([{ body: 'two' }])
      expect(viewer.messages).toEqual(['one', 'two'])
      expect(viewer.archive.state.size).toBe(1)
      viewer.archive.close()
    })
  })

  it('reads the newest records that fit into memory, and finds the older ones in the file', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const first = new TestViewer(file)
      for (let from = 0; from < 20_000; from += 1_000) first.receive(numbered(from, 1_000, 300))
      first.archive.close()
      const second = new TestViewer(file, { memory: 4_000_000 })
      await second.archive.load()
      second.receive(numbered(20_000, 10))
      const inMemory = numbers(second.messages)
      const older = numbers(await second.older({}))
      expect([...older.toReversed(), ...inMemory]).toEqual(Array.from({ length: 20_010 }, (_, index) => index))
      expect(inMemory.length).toBeGreaterThan(5_000)
      expect(second.archive.state).toMatchObject({ size: 20_010, older: older.length, isLoading: false })
      second.archive.close()
    })
  })

  it('counts records as older when they are removed from memory', async () => {
    await inDirectory(async (directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'), { memory: 2_000_000 })
      for (let from = 0; from < 20_000; from += 1_000) viewer.receive(numbered(from, 1_000, 200))
      expect(viewer.archive.state.older).toBe(viewer.logs.firstSequence)
      expect(viewer.logs.firstSequence).toBeGreaterThan(1_000)
      expect(numbers(await viewer.older({}))[0]).toBe(viewer.logs.firstSequence - 1)
      viewer.archive.close()
    })
  })

  it('counts the records that are lost: of files when they are removed from memory, and those deleted from the file', async () => {
    await inDirectory((directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'), { memory: 2_000_000, maxBytes: 4_000_000 })
      const file = new RecordAdder(viewer.logs, () => 5, false)
      let ofFile = 0
      for (let from = 0; from < 20_000; from += 1_000) {
        viewer.receive(numbered(from, 1_000, 400))
        for (let at = 0; at < 100; at++, ofFile++) file.record(readRecord({ message: 'file', body: 'file' }))
      }
      const { evicted, deletedFromFile, size } = viewer.archive.state
      expect(evicted).toBe(ofFile - viewer.messages.filter((message) => message === 'file').length)
      expect(evicted).toBeGreaterThan(500)
      expect(deletedFromFile).toBe(20_000 - size)
      expect(deletedFromFile).toBeGreaterThan(5_000)
      viewer.archive.close()
    })
  })

  it('adds records that arrive while others are loaded', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const first = new TestViewer(file)
      for (let from = 0; from < 20_000; from += 1_000) first.receive(numbered(from, 1_000))
      first.archive.close()
      const second = new TestViewer(file)
      const loading = second.archive.load()
      expect(second.archive.state).toMatchObject({ isLoading: true, older: 0 })
      second.receive(numbered(20_000, 1))
      await loading
      expect(numbers(second.messages).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 20_001 }, (_, index) => index),
      )
      expect(await second.older({})).toEqual([])
      second.archive.close()
    })
  })

  it('finds records that arrived while others were loaded, and were evicted before them', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const first = new TestViewer(file)
      for (let from = 0; from < 20_000; from += 1_000) first.receive(numbered(from, 1_000, 200))
      first.archive.close()
      const second = new TestViewer(file, { memory: 8_000_000 })
      const loading = second.archive.load()
      second.receive(numbered(20_000, 10))
      await loading
      let next = 20_010
      const isInMemory = (number: number): boolean => numbers(second.messages).includes(number)
      while (isInMemory(20_000)) {
        second.receive(numbered(next, 500, 200))
        next += 500
      }
      const inMemory = numbers(second.messages)
      // Records that were loaded later are still in memory.
      expect(inMemory.some((number) => number < 20_000)).toBe(true)
      const older = numbers(await second.older({}))
      expect([...older, ...inMemory].toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: next }, (_, index) => index),
      )
      expect(older).toEqual(older.toSorted((a, b) => b - a))
      expect(numbers(await second.older({}, false, 7))).toEqual(older)
      expect(numbers(await second.older({ query: parseQuery('"2000"') }))).toEqual(
        older.filter((number) => String(number).includes('2000')),
      )
      expect(second.archive.state.older).toBe(older.length)
      second.archive.close()
    })
  })

  it('stops to load when it is closed', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const first = new TestViewer(file)
      for (let from = 0; from < 20_000; from += 1_000) first.receive(numbered(from, 1_000))
      first.archive.close()
      const second = new TestViewer(file)
      const loading = second.archive.load()
      second.archive.close()
      await expect(loading).resolves.toBeUndefined()
      expect(second.logs.size).toBeLessThan(20_000)
    })
  })

  it('deletes the oldest records, their sources and their index, so that the file does not grow', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const maxBytes = 4_000_000
      const viewer = new TestViewer(file, { maxBytes })
      let largest = 0
      for (let from = 0; from < 40_000; from += 1_000) {
        viewer.receive(numbered(from, 1_000, 200, `shop${from}`))
        viewer.archive.save(() => viewer.archive.add('a'.repeat(32), span))
        viewer.index()
        largest = Math.max(largest, statSync(file).size)
      }
      expect(largest).toBeLessThanOrEqual(maxBytes)
      const { size } = viewer.archive.state
      expect(size).toBeGreaterThan(5_000)
      const kept = numbers(await viewer.older({}, true))
      expect(kept.toReversed()).toEqual(Array.from({ length: size }, (_, index) => 40_000 - size + index))
      expect(readFileSync(file).includes('shop1000')).toBe(false)
      viewer.archive.close()
      const reopened = new TestViewer(file, { maxBytes })
      await reopened.archive.load()
      expect(numbers(reopened.messages)).toEqual(kept.toReversed())
      expect(new Set(reopened.records.map(({ resource }) => resource.get('service.name'))).size).toBe(
        new Set(kept.map((number) => Math.floor(number / 1_000))).size,
      )
      reopened.archive.close()
    })
  })

  it('refuses a request that cannot be saved, and keeps nothing of it', async () => {
    await inDirectory(async (directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'), { maxBytes: 1_000_000 })
      viewer.receive([{ body: 'one' }])
      const large = numbered(0, 20_000, 400)
      expect(() => viewer.receive(large)).toThrow(HttpError)
      expect(() => viewer.receive(large)).toThrow(/full/)
      expect(viewer.archive.state).toMatchObject({ refused: 2, unsaved: 0, error: expect.stringMatching(/full/) })
      expect(viewer.messages).toEqual(['one'])
      expect([...viewer.logs.sources.used()]).toHaveLength(1)
      viewer.receive([{ body: 'two' }])
      expect(viewer.messages).toEqual(['one', 'two'])
      expect(viewer.archive.state.error).toBeNull()
      viewer.archive.close()
    })
  })

  it('acknowledges a request that was saved although old records cannot be deleted', async () => {
    await inDirectory((directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'))
      const { database } = viewer.archive
      let calls = 0
      Object.assign(database, {
        deleteOld: () => {
          calls++
          throw new Error('no disk')
        },
      })
      viewer.receive([{ body: 'one' }])
      viewer.index()
      expect(calls).toBe(2)
      expect(viewer.messages).toEqual(['one'])
      expect(viewer.archive.state).toMatchObject({ size: 1, refused: 0, error: null })
      viewer.archive.close()
    })
  })

  it('keeps its records if old ones cannot be deleted for a request, which is refused', async () => {
    await inDirectory(async (directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'), { maxBytes: 1_000_000 })
      for (let from = 0; from < 600; from += 10) viewer.receive(numbered(from, 10, 1_000))
      const { size, deletedFromFile } = viewer.archive.state
      const sources = Reflect.get(viewer.archive.database, 'sources') as object
      Object.assign(sources, {
        deleteBefore: () => {
          throw new Error('no disk')
        },
      })
      expect(() => viewer.receive(numbered(600, 500, 1_000))).toThrow(HttpError)
      expect(viewer.archive.state).toMatchObject({ size, deletedFromFile, refused: 1 })
      expect(await viewer.older({}, true)).toHaveLength(size)
      viewer.archive.close()
    })
  })

  it('shows an error of the file while it is read, and does not wait for more', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const first = new TestViewer(file)
      first.receive(numbered(0, 100))
      first.archive.close()
      const second = new TestViewer(file)
      second.archive.database.blocksFrom = () => {
        throw new Error('damaged')
      }
      await expect(second.archive.load()).rejects.toThrow('damaged')
      expect(second.archive.state).toMatchObject({ isLoading: false, error: 'damaged' })
      second.archive.close()
    })
  })

  it('continues without an index if the file cannot be read while it is written', async () => {
    await inDirectory((directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'))
      viewer.receive(numbered(0, 1_000, 100))
      const { index } = viewer.archive.database
      const database = Reflect.get(index!, 'database') as object
      Object.assign(index!, {
        indexNext: () => {
          throw new Error('no disk')
        },
        database: {},
      })
      expect(viewer.archive.database.indexUntil(() => false)).toBe(false)
      expect(index!.indexedUntil).toBe(0)
      Object.assign(index!, { database })
      viewer.archive.close()
    })
  })

  it('keeps the spans of the records that it keeps', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const viewer = new TestViewer(file, { maxBytes: 4_000_000 })
      for (let from = 0; from < 20_000; from += 100) {
        viewer.receive(numbered(from, 100, 400))
        viewer.archive.save(() => viewer.archive.add(String(from).padStart(32, '0'), span))
      }
      const { database } = viewer.archive
      const kept = database.newestSpans(1_000).map(({ traceId }) => Number(traceId))
      expect(database.firstNumber).toBeGreaterThan(5_000)
      expect(kept).toEqual(
        Array.from({ length: 200 }, (_, index) => index * 100).filter((from) => from + 100 >= database.firstNumber),
      )
      viewer.archive.close()
    })
  })

  it('saves the records before the damage of a request', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const viewer = new TestViewer(file)
      const request = requestOf([{ body: 'one' }])
      const damaged = Buffer.concat([request, request.subarray(0, -1)])
      expect(() => viewer.archive.save(() => addLogsRequest(viewer.logs, damaged, 0))).toThrow(RangeError)
      expect(viewer.archive.state.size).toBe(viewer.logs.size)
      viewer.archive.close()
    })
  })

  it('keeps and counts records of lines that cannot be saved', async () => {
    await inDirectory(async (directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'))
      viewer.archive.database.write = () => {
        throw new Error('no disk')
      }
      const adder = new RecordAdder(viewer.logs, () => 5)
      for (const message of ['one', 'two']) adder.record(readRecord({ message, body: message }))
      expect(() => viewer.receive([{ body: 'three' }])).toThrow(HttpError)
      expect(viewer.messages).toEqual(['one', 'two'])
      expect(viewer.archive.state).toMatchObject({ unsaved: 2, refused: 1, error: 'no disk' })
      viewer.archive.close()
    })
  })
})
