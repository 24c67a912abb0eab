import { beforeAll, describe, expect, test } from '@jest/globals'
import type { GrowthWork, Point } from '../support/work/growth.ts'
import { noCollectionFlags } from '../support/work/heap.ts'
import { countWork } from '../support/work/run.ts'

const program = new URL('../support/work/growth.ts', import.meta.url)
const PIECE = 65_536
/** The largest accepted ratio of the highest to the lowest cost: of a record, and of an additional attribute. */
const RECORDS_FACTOR = 1.25
const ATTRIBUTES_FACTOR = 1.5

let work: GrowthWork
beforeAll(async () => {
  work = await countWork<GrowthWork>(program, { argument: null, flags: noCollectionFlags })
})

/** Returns the ratio of the largest value to the smallest. */
function spread(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values)
}

function aRecord(points: readonly Point[], figure: 'allocated' | 'bytes'): number[] {
  return points.map((point) => point[figure] / point.records)
}

/** Returns the cost of one additional attribute in a record, between each point and the next. */
function anAttribute(points: readonly Point[], figure: 'allocated' | 'bytes'): number[] {
  const costs = aRecord(points, figure)
  return points.slice(1).map(({ attributes }, index) => {
    return (costs[index + 1]! - costs[index]!) / (attributes - points[index]!.attributes)
  })
}

describe('from a thousand records to a hundred thousand', () => {
  test('every record has the same length', () => {
    expect(spread(aRecord(work.records, 'bytes'))).toBe(1)
  })

  test('every record allocates about the same number of bytes', () => {
    expect(spread(aRecord(work.records, 'allocated'))).toBeLessThan(RECORDS_FACTOR)
  })

  test('a burst needs at most one write call for each 64 KiB and one more', () => {
    for (const { bytes, calls } of work.records) expect(calls).toBeLessThanOrEqual(bytes / PIECE + 1)
  })

  test('the measurement detects a logger whose records allocate more and more', () => {
    expect(spread(aRecord(work.uneven, 'allocated'))).toBeGreaterThan(RECORDS_FACTOR)
  })
})

describe('from 1 attribute to 64', () => {
  test('every attribute adds the same number of bytes to a record', () => {
    expect(spread(anAttribute(work.attributes, 'bytes'))).toBe(1)
  })

  test('every attribute adds about the same number of allocated bytes', () => {
    expect(spread(anAttribute(work.attributes, 'allocated'))).toBeLessThan(ATTRIBUTES_FACTOR)
  })
})
