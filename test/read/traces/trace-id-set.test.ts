import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { TraceIdSet } from '../../../src/read/traces/trace-id-set.ts'
import { seed } from '../../support/seed.ts'

const hexId = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))
  .filter((id) => /[^0]/.test(id))
// Few different bytes, so that IDs are added more than once and differ in one word only.
const similarId = fc
  .array(fc.constantFrom('00000000', '00000001', 'ffffffff'), { minLength: 4, maxLength: 4 })
  .map((words) => words.join(''))
  .filter((id) => /[^0]/.test(id))
const id = fc.oneof(hexId, similarId)

describe('TraceIdSet', () => {
  it('has the IDs that were added and no others, as a set of strings has', () => {
    const property = fc.property(fc.array(id, { maxLength: 60 }), fc.array(id, { maxLength: 60 }), (added, others) => {
      const expected = new Set(added)
      const set = new TraceIdSet()
      for (const each of added) set.add(each)
      expect(set.size).toBe(expected.size)
      for (const each of [...added, ...others]) expect(set.has(each)).toBe(expected.has(each))
    })
    fc.assert(property, { seed })
  })

  it('keeps all IDs while it grows', () => {
    const ids = Array.from({ length: 20_000 }, () => randomBytes(16).toString('hex'))
    const set = new TraceIdSet()
    for (const each of ids) set.add(each)
    expect(set.size).toBe(ids.length)
    expect(ids.every((each) => set.has(each))).toBe(true)
  })

  it.each(['', 'abc', '0'.repeat(32), `${'a'.repeat(31)}g`, 'A'.repeat(32), 'a'.repeat(33)])(
    'ignores %j, which is not the ID of a trace',
    (text) => {
      const set = new TraceIdSet()
      set.add(text)
      expect([set.size, set.has(text)]).toEqual([0, false])
    },
  )
})
