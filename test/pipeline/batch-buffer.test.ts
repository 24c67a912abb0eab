import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { BatchBuffer, RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { source } from '../support/pipeline/batch.ts'

const buffers = byteBuffers()
const createOwner = () => new RecordOwner(new Counters(), source)
const owner = createOwner()

function bufferOf(texts: readonly string[], severities: readonly number[] = []): BatchBuffer {
  const buffer = new BatchBuffer(1, buffers)
  texts.forEach((text, index) => buffer.add(text, severities[index] ?? 9, owner))
  buffer.close()
  return buffer
}

/** The offset at which each record ends, read from the buffer byte by byte. */
function endsOf(buffer: BatchBuffer): number[] {
  const counts = Array.from({ length: buffer.byteLength + 1 }, (_, bytes) => buffer.recordsIn(bytes))
  return Array.from({ length: buffer.count }, (_, index) => counts.findIndex((count) => count > index))
}

function bytesOf(texts: readonly string[]): number[] {
  let end = 0
  return texts.map((text) => (end += Buffer.byteLength(text)))
}

const alphabets = {
  'one-byte characters': ['a', 'b', '{'],
  'two-byte characters': ['é', 'ß', 'a'],
  'three-byte characters': ['日', '本', '\u2028', 'a'],
  'four-byte characters': ['😀', '𝒳', '日', 'é', 'a'],
  'lone surrogates, which are encoded as three bytes': ['\ud800', '\udfff', 'a'],
}

describe.each(Object.entries(alphabets))('batch buffers with %s', (_, characters) => {
  // A record ends in a newline, so that two lone surrogates never form a pair.
  const text = fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((parts) => parts.join('') + '\n')

  test('a batch buffer maps byte offsets to records and returns each record separately', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (texts) => {
        const buffer = bufferOf(texts)
        expect(endsOf(buffer)).toEqual(bytesOf(texts))
        expect(buffer.records().map((record) => record.text)).toEqual(texts.map((each) => each.toWellFormed()))
        expect(Buffer.from(buffer.bytes()).toString()).toBe(texts.join('').toWellFormed())
        expect(buffer.text()).toBe(texts.join('').toWellFormed())
        buffer.release()
      }),
    )
  })

  test('a batch buffer contains only the remaining records after a shift', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), fc.nat(60), (texts, bytes) => {
        const buffer = bufferOf(texts)
        const evicted: number[] = []
        const freed = buffer.dropFromFront(bytes, (_owner, severity) => evicted.push(severity))
        const ends = bytesOf(texts)
        const evictedCount = bytes === 0 ? 0 : 1 + ends.findIndex((end) => end >= Math.min(bytes, ends.at(-1)!))
        expect(evicted).toHaveLength(evictedCount)
        expect(freed).toBe(evictedCount === 0 ? 0 : ends[evictedCount - 1])
        const rest = texts.slice(evictedCount)
        expect(buffer.count).toBe(rest.length)
        expect(buffer.byteLength).toBe(bytesOf(rest).at(-1) ?? 0)
        expect(endsOf(buffer)).toEqual(bytesOf(rest))
        expect(buffer.records().map((record) => record.text)).toEqual(rest.map((each) => each.toWellFormed()))
        expect(buffer.text()).toBe(rest.join('').toWellFormed())
        buffer.release()
      }),
    )
  })
})

test('a batch buffer keeps a byte order mark at the start of its text', () => {
  const buffer = bufferOf(['\ufeffa\n', 'b\n'])
  expect(buffer.records().map(({ text }) => text)).toEqual(['\ufeffa\n', 'b\n'])
  expect(buffer.text()).toBe('\ufeffa\nb\n')
})

test('a batch buffer grows beyond its initial capacity of records', () => {
  const texts = Array.from({ length: 1_000 }, (_, index) => `${index}\n`)
  const buffer = bufferOf(
    texts,
    texts.map((_, index) => 1 + (index % 24)),
  )
  expect(buffer.records()).toEqual(texts.map((text, index) => ({ text, severity: 1 + (index % 24) })))
})

function runsOf(buffer: BatchBuffer, from: number, to: number): [RecordOwner, number][] {
  const runs: [RecordOwner, number][] = []
  buffer.forEachOwnerRun(from, to, (each, records) => runs.push([each, records]))
  return runs
}

describe('record owners in a batch buffer', () => {
  const [a, b, c] = [createOwner(), createOwner(), createOwner()]
  const mixed = () => {
    const buffer = new BatchBuffer(1, buffers)
    for (const each of [a, a, b, a, c, c]) buffer.add('x\n', 9, each)
    buffer.close()
    return buffer
  }
  test('forEachOwnerRun calls back once for each run of records of the same owner, for any range', () => {
    expect(runsOf(mixed(), 0, 6)).toEqual([
      [a, 2],
      [b, 1],
      [a, 1],
      [c, 2],
    ])
    expect(runsOf(mixed(), 1, 5)).toEqual([
      [a, 1],
      [b, 1],
      [a, 1],
      [c, 1],
    ])
    expect(runsOf(mixed(), 3, 3)).toEqual([])
  })

  test('the method each calls back with the owner of each record, for any range', () => {
    const seen: RecordOwner[] = []
    mixed().forEachRecord(1, 5, (each) => seen.push(each))
    expect(seen).toEqual([a, b, a, c])
  })

  test('a shift leaves the owners of the remaining records', () => {
    const buffer = mixed()
    buffer.dropFromFront(5, () => {})
    expect(runsOf(buffer, 0, buffer.count)).toEqual([
      [a, 1],
      [c, 2],
    ])
  })

  test('records keep their owners when the records of a severity are removed', () => {
    const buffer = new BatchBuffer(1, buffers)
    for (const [each, severity] of [
      [a, 9],
      [b, 13],
      [a, 9],
      [c, 17],
    ] as const)
      buffer.add(`${severity}\n`, severity, each)
    buffer.close()
    const evicted: RecordOwner[] = []
    const kept = buffer.copyWithout(9, (each) => evicted.push(each))
    kept.close()
    expect(evicted).toEqual([a, a])
    expect(runsOf(kept, 0, 2)).toEqual([
      [b, 1],
      [c, 1],
    ])
    expect(kept.records()).toEqual([
      { text: '13\n', severity: 13 },
      { text: '17\n', severity: 17 },
    ])
    expect(kept.minSeverity).toBe(13)
  })

  test('transferOwnership reassigns the records that are present and not those that are added later', () => {
    const buffer = new BatchBuffer(1, buffers)
    const newOwner = createOwner()
    buffer.add('1\n', 9, a)
    buffer.add('2\n', 9, b)
    buffer.add('3\n', 9, a)
    buffer.transferOwnership(a.counters, newOwner)
    buffer.add('4\n', 9, a)
    expect(runsOf(buffer, 0, 4)).toEqual([
      [newOwner, 1],
      [b, 1],
      [newOwner, 1],
      [a, 1],
    ])
  })
})
