import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { SequenceRanges } from '../../../src/cli/check/sequence-ranges.ts'

describe('SequenceRanges', () => {
  it('contains the integers that were added, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1 }), (values) => {
        const ranges = new SequenceRanges()
        const seen = new Set<number>()
        for (const value of values) {
          expect(ranges.add(value)).toBe(!seen.has(value))
          seen.add(value)
        }
        const missing = [...ranges.gaps()].flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, index) => first + index),
        )
        const min = Math.min(...values)
        const max = Math.max(...values)
        const all = Array.from({ length: max - min + 1 }, (_, index) => min + index)
        expect([ranges.first, ranges.last]).toEqual([min, max])
        expect(missing).toEqual(all.filter((value) => !seen.has(value)))
        expect(ranges.size).toBe([...ranges.gaps()].length + 1)
      }),
    )
  })

  it('needs one range for a complete sequence in any order', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          Array.from({ length: 30 }, (_, index) => index),
          { minLength: 30 },
        ),
        (values) => {
          const ranges = new SequenceRanges()
          for (const value of values) ranges.add(value)
          expect(ranges.size).toBe(1)
        },
      ),
    )
  })
})
