import { beforeAll, describe, expect, test } from '@jest/globals'
import type { GrowthWork, Point } from '../support/work/growth.ts'
import { collectsNothing } from '../support/work/heap.ts'
import { countWork } from '../support/work/run.ts'

const program = new URL('../support/work/growth.ts', import.meta.url)
const PIECE = 65_536
/** How far a straight line may bend: the dearest record over the cheapest, the steepest step over the flattest. */
const RECORDS_FACTOR = 1.25
const ATTRIBUTES_FACTOR = 1.5

let work: GrowthWork
beforeAll(async () => {
  work = await countWork<GrowthWork>(program, { argument: null, flags: collectsNothing })
})

/** The most over the least. */
function spread(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values)
}

function aRecord(points: readonly Point[], figure: 'allocated' | 'bytes'): number[] {
  return points.map((point) => point[figure] / point.records)
}

/** What one attribute more costs a record, from each point to the next. */
function anAttribute(points: readonly Point[], figure: 'allocated' | 'bytes'): number[] {
  const costs = aRecord(points, figure)
  return points.slice(1).map(({ attributes }, index) => {
    return (costs[index + 1]! - costs[index]!) / (attributes - points[index]!.attributes)
  })
}

describe('from a thousand records to a hundred thousand', () => {
  test('each is as long', () => {
    expect(spread(aRecord(work.records, 'bytes'))).toBe(1)
  })

  test('each allocates as much', () => {
    expect(spread(aRecord(work.records, 'allocated'))).toBeLessThan(RECORDS_FACTOR)
  })

  test('each takes its share of a write call for each 64 KiB, and a burst one call more', () => {
    for (const { bytes, calls } of work.records) expect(calls).toBeLessThanOrEqual(bytes / PIECE + 1)
  })

  test('a logger whose records allocate more and more is seen', () => {
    expect(spread(aRecord(work.uneven, 'allocated'))).toBeGreaterThan(RECORDS_FACTOR)
  })
})

describe('from 1 attribute to 64', () => {
  test('each makes a record as much longer', () => {
    expect(spread(anAttribute(work.attributes, 'bytes'))).toBe(1)
  })

  test('each allocates as much more', () => {
    expect(spread(anAttribute(work.attributes, 'allocated'))).toBeLessThan(ATTRIBUTES_FACTOR)
  })
})
