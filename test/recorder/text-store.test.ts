import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { byteBuffers as edgeBuffers } from '../../src/platform/edge/byte-buffers.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { HeldRecordPool, type EncodedForHolding, type HeldRecord } from '../../src/recorder/held-record.ts'
import { HeldRecords } from '../../src/recorder/held-records.ts'
import type { RecorderSettings } from '../../src/recorder/options.ts'
import { TextStore } from '../../src/recorder/text-store.ts'
import { runs } from '../support/runs.ts'

const destination = { count: () => {}, release: () => {}, discard: () => {} }
const encoded = (text: string): EncodedForHolding => ({
  text,
  lengths: undefined,
  truncatedFlags: undefined,
  destination,
})

const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      unit: fc.constantFrom('a', 'é', '記', '🙂'),
      count: fc.integer({ min: 1, max: 400 }),
    }),
  },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove oldest' as const), count: fc.nat(200) }) },
)

test.each([
  ['Node', () => byteBuffers()],
  ['an edge runtime', () => edgeBuffers()],
])('on %s, held texts stay unchanged and the memory stays below about twice their length', (_, createBuffers) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), fc.boolean(), (steps, isAsciiOnly) => {
      const pageLength = 4_096
      const store = new TextStore(createBuffers(), pageLength * 16, () => {})
      const pool = new HeldRecordPool()
      const held: { readonly record: HeldRecord; readonly text: string }[] = []
      const remove = (index: number) => {
        const { record, text } = held.splice(index, 1)[0]!
        if (record.page!.textOf(record) !== text) throw new Error('the text of a held record has changed')
        store.remove(record)
        pool.release(record)
      }
      let id = 0
      for (const each of steps) {
        if (each.do === 'add') {
          const text = `${id++}:${(isAsciiOnly ? 'a' : each.unit).repeat(each.count)}\n`
          const record = pool.create(encoded(text), 5, 0)
          store.add(record, text)
          held.push({ record, text })
        } else if (each.do === 'remove' && held.length > 0) remove(each.at % held.length)
        else if (each.do === 'remove oldest') for (let i = 0; i < each.count && held.length > 0; i++) remove(0)
        const length = held.reduce((sum, { text }) => sum + text.length, 0)
        // A page can be longer than others by one text, and the buffers of Node are longer than pages.
        // Text that is not ASCII has up to three bytes for each UTF-16 unit.
        const maxBytesPerUnit = isAsciiOnly ? 1 : 3
        expect(store.byteLength).toBeLessThanOrEqual(maxBytesPerUnit * (3 * length + 7 * pageLength))
        expect(store.byteLength).toBeGreaterThanOrEqual(length)
      }
      for (const { record, text } of held) expect(record.page!.textOf(record)).toBe(text)
      while (held.length > 0) remove(0)
      expect(store.byteLength).toBe(0)
    }),
    { numRuns: Math.ceil(60 * runs) },
  )
})

test('the texts of a page with few held records are moved, so that records that are held for long do not keep all pages', () => {
  const pageLength = 4_096
  const store = new TextStore(byteBuffers(), pageLength * 16, () => {})
  const pool = new HeldRecordPool()
  const kept: HeldRecord[] = []
  let largest = 0
  for (let i = 0; i < 5_000; i++) {
    const text = `${i}:${'x'.repeat(100)}`
    const record = pool.create(encoded(text), 5, 0)
    store.add(record, text)
    if (i % 100 === 0) kept.push(record)
    else store.remove(record)
    largest = Math.max(largest, store.byteLength)
  }
  // Without moving, each of the 125 pages would be kept.
  expect(largest).toBeLessThan(12 * pageLength)
  expect(kept.map((record) => record.page!.textOf(record).split(':')[0])).toEqual(
    kept.map((_, index) => String(index * 100)),
  )
})

test('much text is encoded at the end of the turn, for which one callback is scheduled', () => {
  const encodedTexts: string[] = []
  const buffers = byteBuffers()
  const callbacks: (() => void)[] = []
  const store = new TextStore(
    {
      ...buffers,
      decode: (bytes) => buffers.decode(bytes),
      append: (open, text) => (encodedTexts.push(text), buffers.append(open, text)),
    },
    1_048_576,
    (callback) => callbacks.push(callback),
  )
  const pool = new HeldRecordPool()
  const add = (text: string) => {
    const record = pool.create(encoded(text), 5, 0)
    store.add(record, text)
    return record
  }
  const first = add('é'.repeat(8_191))
  add('b')
  expect(callbacks).toHaveLength(0)
  add('c')
  add('d')
  expect(callbacks).toHaveLength(1)
  expect(encodedTexts).toEqual([])
  callbacks.shift()!()
  expect(encodedTexts).toEqual([`${'é'.repeat(8_191)}bcd`])
  expect(first.page!.textOf(first)).toBe('é'.repeat(8_191))
  add('e'.repeat(8_192))
  const last = add('f')
  expect(callbacks).toHaveLength(1)
  callbacks.shift()!()
  expect(encodedTexts).toHaveLength(2)
  expect(last.page!.textOf(last)).toBe('f')
})

test('texts of a page that are not ASCII are decoded once for all records that are released together', () => {
  const buffers = byteBuffers()
  let decodedCount = 0
  const counting = {
    ...buffers,
    decode(bytes: Uint8Array) {
      decodedCount++
      return buffers.decode(bytes)
    },
  }
  const settings = { maxRecords: 1_000, maxLength: 100_000, maxTotalBytes: 2 ** 24, maxAgeMillis: 1_000 }
  const records = new HeldRecords(settings as RecorderSettings, counting, () => {})
  const released: string[] = []
  const collecting = { ...destination, release: (_: HeldRecord, text: string) => released.push(text) }
  const ring = records.addRing('key', 0)
  const texts = Array.from({ length: 200 }, (_, index) => `${index}: é\n`)
  for (const text of texts) records.append(ring, { ...encoded(text), destination: collecting }, 5, 0)
  records.release(ring, 0)
  expect(released).toEqual(texts)
  expect(decodedCount).toBe(1)
})
