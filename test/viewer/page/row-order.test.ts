import { expect, test } from '@jest/globals'
import { newestFirst } from '../../../src/viewer/page/row-order.ts'
import type { Row } from '../../../src/viewer/page/server-types.ts'

const rowAt = (time: number, seq: number): Row => ({ time, seq }) as Row

test('rows are sorted by time, and those of one time stay in their order', () => {
  const rows = [rowAt(30, 1), rowAt(10, 2), rowAt(20, 3), rowAt(30, 4), rowAt(20, 5)]
  expect(newestFirst(rows).map(({ seq }) => seq)).toEqual([1, 4, 3, 5, 2])
  expect(rows[0]!.seq).toBe(1)
})
