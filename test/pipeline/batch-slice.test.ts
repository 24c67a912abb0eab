import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { BatchBuffer, RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { emptyScopeDetails, type Scope } from '../../src/record/instrumentation-source.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { source } from '../support/pipeline/batch.ts'

const buffers = { utf8: byteBuffers(), latin1: byteBuffers('latin1') }
const scopes = ['a', 'b', 'c'].map(scopeNamed)
const owners = scopes.map((scope) => new RecordOwner(new Counters(), { ...source, scope }))
const characters = { utf8: ['a', 'é', '日', '😀'], latin1: ['a', '\x00', '\x85', '\xff'] }

interface SliceRecord {
  readonly text: string
  readonly from: number
}

function bufferOf(form: 'utf8' | 'latin1', records: readonly SliceRecord[], shifted: number): BatchBuffer {
  const buffer = new BatchBuffer(1, buffers[form])
  for (const { text, from } of records) buffer.add(text, 9, owners[from]!)
  buffer.close()
  if (shifted > 0) buffer.dropFromFront(Buffer.byteLength(records[0]!.text, form), () => {})
  return buffer
}

test.each(['utf8', 'latin1'] as const)(
  'a slice of a batch in %s contains the bytes, count and sources of its records',
  (form) => {
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
        const slice = bufferOf(form, records, shifted).slice(from, to)
        const expected = left.slice(from, to)
        const bytes = Buffer.from(expected.map(({ text }) => text).join(''), form)
        expect(Buffer.from(slice.bytes()).equals(bytes)).toBe(true)
        expect(slice).toMatchObject({ count: to - from, byteLength: bytes.length })
        expect(slice.text()).toBe(expected.map(({ text }) => text).join(''))
        expect(slice.slice(to - from).count).toBe(0)
        expect(slice.recordsIn(slice.byteLength)).toBe(to - from)

        const sources = slice.sources()
        const scopesOfRecords = sources.flatMap(({ scope, count }) => Array.from({ length: count }, () => scope))
        expect(scopesOfRecords).toEqual(expected.map(({ from: index }) => scopes[index]))
        expect(sources.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(bytes.length)
        for (let index = 1; index < sources.length; index++)
          expect(sources[index]!.scope).not.toBe(sources[index - 1]!.scope)
      }),
    )
  },
)

test('consecutive records of two owners with the same source form one run', () => {
  const buffer = new BatchBuffer(1, buffers.utf8)
  buffer.add('a', 9, new RecordOwner(new Counters(), source))
  buffer.add('bc', 9, new RecordOwner(new Counters(), { ...source }))
  buffer.close()
  expect(buffer.sources()).toEqual([{ ...source, count: 2, byteLength: 3 }])
})

function scopeNamed(name: string): Scope {
  return { ...emptyScopeDetails, name, version: undefined }
}
