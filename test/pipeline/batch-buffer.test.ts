import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { BatchBuffer, RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { source } from '../support/pipeline/batch.ts'

const buffers = byteBuffers()
const origin = () => new RecordOwner(new Counters(), source)
const here = origin()

function chunkOf(texts: readonly string[], severities: readonly number[] = []): BatchBuffer {
  const chunk = new BatchBuffer(1, buffers)
  texts.forEach((text, index) => chunk.add(text, severities[index] ?? 9, here))
  chunk.close()
  return chunk
}

/** Where each record ends, asked of the chunk byte by byte. */
function endsOf(chunk: BatchBuffer): number[] {
  const counts = Array.from({ length: chunk.byteLength + 1 }, (_, bytes) => chunk.recordsIn(bytes))
  return Array.from({ length: chunk.count }, (_, index) => counts.findIndex((count) => count > index))
}

function bytesOf(texts: readonly string[]): number[] {
  let end = 0
  return texts.map((text) => (end += Buffer.byteLength(text)))
}

const alphabets = {
  'one byte': ['a', 'b', '{'],
  'two bytes': ['é', 'ß', 'a'],
  'three bytes': ['日', '本', '\u2028', 'a'],
  'four bytes': ['😀', '𝒳', '日', 'é', 'a'],
  'halves of characters, which become three bytes': ['\ud800', '\udfff', 'a'],
}

describe.each(Object.entries(alphabets))('a chunk of characters of %s', (_, characters) => {
  // A record ends in a newline, so that no two halves of a character meet.
  const text = fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((parts) => parts.join('') + '\n')

  test('knows where each record ends in bytes, and gives each back by itself', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (texts) => {
        const chunk = chunkOf(texts)
        expect(endsOf(chunk)).toEqual(bytesOf(texts))
        expect(chunk.records().map((record) => record.text)).toEqual(texts.map((each) => each.toWellFormed()))
        expect(Buffer.from(chunk.bytes()).toString()).toBe(texts.join('').toWellFormed())
        expect(chunk.text()).toBe(texts.join('').toWellFormed())
        chunk.release()
      }),
    )
  })

  test('is the chunk of the rest after a shift', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), fc.nat(60), (texts, bytes) => {
        const chunk = chunkOf(texts)
        const shed: number[] = []
        const freed = chunk.shift(bytes, (_origin, severity) => shed.push(severity))
        const ends = bytesOf(texts)
        const gone = bytes === 0 ? 0 : 1 + ends.findIndex((end) => end >= Math.min(bytes, ends.at(-1)!))
        expect(shed).toHaveLength(gone)
        expect(freed).toBe(gone === 0 ? 0 : ends[gone - 1])
        const rest = texts.slice(gone)
        expect(chunk.count).toBe(rest.length)
        expect(chunk.byteLength).toBe(bytesOf(rest).at(-1) ?? 0)
        expect(endsOf(chunk)).toEqual(bytesOf(rest))
        expect(chunk.records().map((record) => record.text)).toEqual(rest.map((each) => each.toWellFormed()))
        expect(chunk.text()).toBe(rest.join('').toWellFormed())
        chunk.release()
      }),
    )
  })
})

test('a chunk whose text begins with a byte order mark keeps it', () => {
  const chunk = chunkOf(['\ufeffa\n', 'b\n'])
  expect(chunk.records().map(({ text }) => text)).toEqual(['\ufeffa\n', 'b\n'])
  expect(chunk.text()).toBe('\ufeffa\nb\n')
})

test('a chunk holds more records than it had room for at first', () => {
  const texts = Array.from({ length: 1_000 }, (_, index) => `${index}\n`)
  const chunk = chunkOf(
    texts,
    texts.map((_, index) => 1 + (index % 24)),
  )
  expect(chunk.records()).toEqual(texts.map((text, index) => ({ text, severity: 1 + (index % 24) })))
})

function runsOf(chunk: BatchBuffer, from: number, to: number): [RecordOwner, number][] {
  const runs: [RecordOwner, number][] = []
  chunk.eachOrigin(from, to, (each, records) => runs.push([each, records]))
  return runs
}

describe('the origins of a chunk', () => {
  const [a, b, c] = [origin(), origin(), origin()]
  const mixed = () => {
    const chunk = new BatchBuffer(1, buffers)
    for (const each of [a, a, b, a, c, c]) chunk.add('x\n', 9, each)
    chunk.close()
    return chunk
  }
  test('are told in runs, for any part', () => {
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

  test('are told one by one, with the severity, for any part', () => {
    const seen: RecordOwner[] = []
    mixed().each(1, 5, (each) => seen.push(each))
    expect(seen).toEqual([a, b, a, c])
  })

  test('are those of the rest after a shift', () => {
    const chunk = mixed()
    chunk.shift(5, () => {})
    expect(runsOf(chunk, 0, chunk.count)).toEqual([
      [a, 1],
      [c, 2],
    ])
  })

  test('stay with the records that a severity is taken from', () => {
    const chunk = new BatchBuffer(1, buffers)
    for (const [each, severity] of [
      [a, 9],
      [b, 13],
      [a, 9],
      [c, 17],
    ] as const)
      chunk.add(`${severity}\n`, severity, each)
    chunk.close()
    const gone: RecordOwner[] = []
    const kept = chunk.without(9, (each) => gone.push(each))
    kept.close()
    expect(gone).toEqual([a, a])
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

  test('can be given to an heir, also those of records that are still added', () => {
    const chunk = new BatchBuffer(1, buffers)
    const heir = origin()
    chunk.add('1\n', 9, a)
    chunk.add('2\n', 9, b)
    chunk.add('3\n', 9, a)
    chunk.transferOwnership(a.counters, heir)
    chunk.add('4\n', 9, a)
    expect(runsOf(chunk, 0, 4)).toEqual([
      [heir, 1],
      [b, 1],
      [heir, 1],
      [a, 1],
    ])
  })
})
