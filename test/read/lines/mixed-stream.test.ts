import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { ReadRecord } from '../../../src/read/record.ts'
import { seed } from '../../support/seed.ts'
import { readBytes, textOf, type Item } from './read-bytes.ts'
import { streamParts, type StreamPart } from './mixed-stream.ts'

const bytesOf = (parts: readonly StreamPart[]): string =>
  parts.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join('')

/** Returns the properties of a record that are expected of its lines. */
function expected({ record }: StreamPart, line: number) {
  const { attributeValues, origin, ...properties } = record!
  return {
    ...properties,
    origin: origin === undefined ? expect.objectContaining({ line }) : { ...origin, line },
    attributeValues: attributeValues ?? {},
  }
}

function actual(record: ReadRecord, part: StreamPart) {
  const { attributeValues = {}, ...properties } = part.record!
  const names = ['origin', ...Object.keys(properties)] as (keyof ReadRecord)[]
  return {
    ...Object.fromEntries(names.map((name) => [name, record[name]])),
    attributeValues: Object.fromEntries(
      Object.keys(attributeValues).map((name) => [name, record.attributes.get(name)]),
    ),
  }
}

function checkItems(items: readonly Item[], parts: readonly StreamPart[]): void {
  let at = 0
  let line = 1
  for (const part of parts) {
    if (part.record === undefined) {
      for (const text of part.lines) {
        const item = items[at++]
        expect({ text: item && textOf(item), record: item?.record, line: item?.origin.line }).toEqual({
          text: `${text}\n`,
          record: undefined,
          line: line++,
        })
      }
      continue
    }
    const item = items[at++]
    expect(item && textOf(item)).toBe(part.lines.map((one) => `${one}\n`).join(''))
    expect(actual(item!.record!, part)).toEqual(expected(part, line))
    line += part.lines.length
  }
  expect(items).toHaveLength(at)
}

/** Parts in any order, with text between them: a stack trace after a record would belong to it. */
const anyParts = fc
  .array(fc.constantFrom(...streamParts), { maxLength: 40 })
  .map((parts) => parts.flatMap((part) => [part, { name: 'text', lines: ['-- text --'], record: undefined }]))

describe('RecordReader', () => {
  it.each(streamParts.map((part) => [part.lines[0]!, part] as const))(
    'reads the lines that begin with %j',
    (_line, part) => {
      checkItems(readBytes(bytesOf([part])), [part])
    },
  )

  it('reads lines of all formats and envelopes in one stream', () => {
    checkItems(readBytes(bytesOf(streamParts)), streamParts)
  })

  it('reads lines of all formats in any order, with chunks that end after any lines', () => {
    fc.assert(
      fc.property(anyParts, fc.array(fc.integer({ min: 1, max: 9 })), fc.boolean(), (parts, counts, reuseBuffer) => {
        const items = readBytes(bytesOf(parts), { reuseBuffer }, counts)
        checkItems(items, parts)
        expect(items.map(textOf).join('')).toBe(bytesOf(parts))
      }),
      { seed, numRuns: 300 },
    )
  })
})
