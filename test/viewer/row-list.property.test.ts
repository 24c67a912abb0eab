import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { RowList, type Rows } from '../../src/viewer/views/row-list.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'

/** A batch of new rows by their times, or the removal of the oldest rows. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
)

test('a row list has the rows of all batches that were not removed, sorted by time and then by sequence number', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const list = new RowList()
      let expected: (readonly [time: number, sequence: number])[] = []
      let next = 0
      for (const each of steps) {
        if (typeof each === 'number') {
          const before = Math.floor(each * next)
          list.removeBefore(before)
          expected = expected.filter(([, sequence]) => sequence >= before)
          continue
        }
        const batch = each.map((time, index) => [time, next + index] as const)
        next += each.length
        list.insert(rowsOf(batch.toSorted(inOrder)))
        expected = [...expected, ...batch].toSorted(inOrder)
      }
      expect([...list.times]).toEqual(expected.map(([time]) => time))
      expect([...list.sequences]).toEqual(expected.map(([, sequence]) => sequence))
      expect([...list.severities]).toEqual(expected.map(([, sequence]) => sequence % 24))
    }),
    { seed, numRuns: 200 * runs },
  )
})

test('the epoch of a row list stays the same only while rows are added at its end', () => {
  const list = new RowList()
  list.insert(rowsOf([[10, 0]]))
  list.insert(rowsOf([[20, 1]]))
  const { epoch } = list
  list.insert(rowsOf([[20, 2]]))
  expect(list.epoch).toBe(epoch)
  list.insert(rowsOf([[15, 3]]))
  expect(list.epoch).not.toBe(epoch)
})

function inOrder([time, sequence]: readonly [number, number], [otherTime, other]: readonly [number, number]): number {
  return time - otherTime || sequence - other
}

function rowsOf(rows: readonly (readonly [time: number, sequence: number])[]): Rows {
  return {
    times: Float64Array.from(rows, ([time]) => time),
    sequences: Float64Array.from(rows, ([, sequence]) => sequence),
    severities: Uint8Array.from(rows, ([, sequence]) => sequence % 24),
    length: rows.length,
  }
}
