import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { intervalText, longerInterval } from '../../../src/cli/stats/intervals.ts'
import { alignedTo, fittedTo, Timeline } from '../../../src/cli/stats/timeline.ts'

function timelineOf(times: readonly number[], maxIntervals = 16): Timeline {
  const timeline = new Timeline(1, maxIntervals)
  for (const time of times) timeline.add(time)
  return timeline
}

const anyTime = fc.oneof(
  fc.integer({ min: 0, max: 1_000 }),
  fc.integer({ min: 1_795_000_000_000, max: 1_795_000_900_000 }),
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
)

describe('Timeline', () => {
  it('counts each time in its interval, in any order', () => {
    fc.assert(
      fc.property(fc.array(anyTime, { minLength: 1, maxLength: 50 }), (times) => {
        const { interval, first, counts } = timelineOf(times).snapshot()
        expect(counts.length).toBeLessThanOrEqual(16)
        const expected = counts.map(() => 0)
        for (const time of times) expected[Math.floor(time / interval) - first]!++
        expect(counts).toEqual(expected)
      }),
    )
  })

  it('keeps intervals as long as they were if the times fit', () => {
    expect(timelineOf([5, 7, 7]).snapshot()).toEqual({ interval: 1, first: 5, counts: [1, 0, 2] })
  })

  it('aligns a part of the times with all of them', () => {
    fc.assert(
      fc.property(fc.array(anyTime, { minLength: 1 }), fc.array(anyTime, { minLength: 1 }), (some, others) => {
        const all = fittedTo(8, timelineOf([...some, ...others]).snapshot())
        const aligned = (times: readonly number[]): number[] => alignedTo(all, timelineOf(times).snapshot())
        const sums = aligned(some).map((count, index) => count + aligned(others)[index]!)
        expect(all.counts.length).toBeLessThanOrEqual(8)
        expect(sums).toEqual(all.counts)
      }),
    )
  })
})

describe('longerInterval', () => {
  it('returns a multiple of any interval', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), (interval) => {
        expect(longerInterval(interval)).toBeGreaterThan(interval)
        expect(longerInterval(interval) % interval).toBe(0)
      }),
    )
  })
})

describe('intervalText', () => {
  it.each([
    [200, '200ms'],
    [1_500, '1500ms'],
    [30_000, '30s'],
    [90_000, '90s'],
    [3_600_000, '1h'],
    [172_800_000, '2d'],
  ])('returns %d milliseconds as %s', (interval, text) => {
    expect(intervalText(interval)).toBe(text)
  })
})
