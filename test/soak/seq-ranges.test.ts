import { expect, test } from '@jest/globals'
import { array, assert, nat, property } from 'fast-check'
import { SeqRanges } from './seq-ranges.ts'

test('a set of ranges is the same in whatever order its numbers are added', () => {
  assert(
    property(array(nat(40)), nat(45), (numbers, end) => {
      const ranges = new SeqRanges()
      const set = new Set<number>()
      for (const number of numbers) {
        const expected = set.has(number) ? 'known' : number > Math.max(-1, ...set) ? 'next' : 'late'
        expect(ranges.add(number)).toBe(expected)
        set.add(number)
      }
      const copy = new SeqRanges(ranges.toJSON())
      for (const one of [ranges, copy]) {
        expect(one.size).toBe(set.size)
        expect(one.last).toBe(Math.max(-1, ...set))
        expect(one.missingBelow(end)).toBe(end - [...set].filter((number) => number < end).length)
      }
    }),
  )
})
