import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { BatchBuffer, RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { nothingMore, type Scope } from '../../src/record/record.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { source } from '../support/pipeline/batch.ts'

const buffers = { utf8: byteBuffers(), latin1: byteBuffers('latin1') }
const scopes = ['a', 'b', 'c'].map(scopeNamed)
const origins = scopes.map((scope) => new RecordOwner(new Counters(), { ...source, scope }))
const characters = { utf8: ['a', 'é', '日', '😀'], latin1: ['a', '\x00', '\x85', '\xff'] }

interface Given {
  readonly text: string
  readonly from: number
}

function chunkOf(form: 'utf8' | 'latin1', records: readonly Given[], shifted: number): BatchBuffer {
  const chunk = new BatchBuffer(1, buffers[form])
  for (const { text, from } of records) chunk.add(text, 9, origins[from]!)
  chunk.close()
  if (shifted > 0) chunk.shift(Buffer.byteLength(records[0]!.text, form), () => {})
  return chunk
}

test.each(['utf8', 'latin1'] as const)('a slice of a batch of %s is the batch of its records', (form) => {
  const record = fc.record({
    text: fc.array(fc.constantFrom(...characters[form]), { minLength: 1, maxLength: 6 }).map((all) => all.join('')),
    from: fc.nat(2),
  })
  const cut = fc
    .array(record, { minLength: 2, maxLength: 12 })
    .chain((records) =>
      fc.record({ records: fc.constant(records), shifted: fc.nat(1), ends: fc.tuple(fc.nat(12), fc.nat(12)) }),
    )
  fc.assert(
    fc.property(cut, ({ records, shifted, ends }) => {
      const left = records.slice(shifted)
      const [from, to] = ends.map((end) => Math.min(end, left.length)).toSorted((a, b) => a - b) as [number, number]
      const slice = chunkOf(form, records, shifted).slice(from, to)
      const expected = left.slice(from, to)
      const bytes = Buffer.from(expected.map(({ text }) => text).join(''), form)
      expect(Buffer.from(slice.bytes()).equals(bytes)).toBe(true)
      expect(slice).toMatchObject({ count: to - from, byteLength: bytes.length })
      expect(slice.text()).toBe(expected.map(({ text }) => text).join(''))
      expect(slice.slice(to - from).count).toBe(0)
      expect(slice.recordsIn(slice.byteLength)).toBe(to - from)

      const sources = slice.sources()
      const spoken = sources.flatMap(({ scope, count }) => Array.from({ length: count }, () => scope))
      expect(spoken).toEqual(expected.map(({ from: index }) => scopes[index]))
      expect(sources.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(bytes.length)
      for (let index = 1; index < sources.length; index++)
        expect(sources[index]!.scope).not.toBe(sources[index - 1]!.scope)
    }),
  )
})

test('records of two accounts that speak for one source are one run', () => {
  const chunk = new BatchBuffer(1, buffers.utf8)
  chunk.add('a', 9, new RecordOwner(new Counters(), source))
  chunk.add('bc', 9, new RecordOwner(new Counters(), { ...source }))
  chunk.close()
  expect(chunk.sources()).toEqual([{ ...source, count: 2, byteLength: 3 }])
})

function scopeNamed(name: string): Scope {
  return { ...nothingMore, name, version: undefined }
}
