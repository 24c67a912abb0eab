import { describe, expect, it } from '@jest/globals'
import { SavedRanges } from '../../../src/viewer/database/saved-ranges.ts'

describe('SavedRanges', () => {
  it('keeps a limited number of ranges while records are evicted, and counts the evicted ones', () => {
    const ranges = new SavedRanges()
    // Every second record is saved, and the last 100 are in memory.
    for (let sequence = 0; sequence < 10_000; sequence += 2)
      ranges.add(sequence, sequence / 2, 1, Math.max(0, sequence - 99))
    expect(ranges.length).toBeLessThan(200)
    expect(ranges.countBefore(9_900)).toBe(4_950)
    expect(ranges.countInMemory(9_900, 0)).toBe(50)
    expect(ranges.missing(9_900, { first: 10, end: 5_001 })).toEqual([
      { first: 10, end: 4_950 },
      { first: 5_000, end: 5_001 },
    ])
  })

  it('keeps all ranges of records in memory', () => {
    const ranges = new SavedRanges()
    for (let sequence = 0; sequence < 10_000; sequence += 2) ranges.add(sequence, sequence / 2, 1, 0)
    expect(ranges.length).toBe(5_000)
    expect(ranges.countInMemory(0, 1_000)).toBe(4_000)
    expect(ranges.missing(0, { first: 0, end: 5_000 })).toEqual([])
  })
})
