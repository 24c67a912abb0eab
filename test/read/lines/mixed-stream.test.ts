import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { ReadRecord } from '../../../src/read/record.ts'
import { seed } from '../../support/seed.ts'
import { readBytes, textOf, type Item } from './read-bytes.ts'
import { streamParts, type StreamPart } from './mixed-stream.ts'

const textOfParts = (parts: readonly StreamPart[]): string => parts.flatMap(({ lines }) => lines.map(withEnd)).join('')

function withEnd(line: string): string {
  return `${line}\n`
}

/** Returns what is expected of the items of parts: their text, and the properties of a record that its part has. */
function expectedItems(parts: readonly StreamPart[]): unknown[] {
  let line = 1
  return parts.flatMap(({ lines, record }) => {
    const first = line
    line += lines.length
    if (record === undefined) return lines.map((text, index) => ({ text: withEnd(text), line: first + index }))
    const { attributeValues = {}, origin, ...properties } = record
    const { container, stream } = origin ?? {}
    return { text: lines.map(withEnd).join(''), line: first, container, stream, ...properties, attributeValues }
  })
}

/** Returns the same properties of what was read. */
function actualItems(items: readonly Item[], parts: readonly StreamPart[]): unknown[] {
  const records = parts.flatMap(({ lines, record }) => (record === undefined ? lines.map(() => undefined) : [record]))
  return items.map((item, index) => {
    const head = { text: textOf(item), line: item.origin.line }
    if (item.record === undefined) return head
    const { attributeValues = {}, origin: _origin, ...properties } = records[index] ?? {}
    const { container, stream } = item.origin
    const names = Object.keys(properties) as (keyof ReadRecord)[]
    return {
      ...head,
      container,
      stream,
      ...Object.fromEntries(names.map((name) => [name, item.record[name]])),
      attributeValues: Object.fromEntries(
        Object.keys(attributeValues).map((name) => [name, item.record.attributes.get(name)]),
      ),
    }
  })
}

/** Parts in any order, with text between them: a stack trace after a record would belong to it. */
const anyParts = fc
  .array(fc.constantFrom(...streamParts), { maxLength: 40 })
  .map((parts) => parts.flatMap((part) => [part, { name: 'text', lines: ['-- text --'], record: undefined }]))

describe('RecordReader', () => {
  it.each(streamParts.map((part) => [part.name, part] as const))('reads %s', (_name, part) => {
    expect(actualItems(readBytes(textOfParts([part])), [part])).toEqual(expectedItems([part]))
  })

  it('reads lines of all formats and envelopes in one stream', () => {
    expect(actualItems(readBytes(textOfParts(streamParts)), streamParts)).toEqual(expectedItems(streamParts))
  })

  it('reads lines of all formats in any order, with chunks that end after any lines', () => {
    fc.assert(
      fc.property(anyParts, fc.array(fc.integer({ min: 1, max: 9 })), fc.boolean(), (parts, counts, reuseBuffer) => {
        const items = readBytes(textOfParts(parts), { reuseBuffer }, counts)
        expect(actualItems(items, parts)).toEqual(expectedItems(parts))
        expect(items.map(textOf).join('')).toBe(textOfParts(parts))
      }),
      { seed, numRuns: 300 },
    )
  })
})
