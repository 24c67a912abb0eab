import type { TestResult } from '../test-results.ts'
import { rowsIn } from './matrix.ts'

/** Groups tests by the row numbers in their titles. */
export function testsByRow(tests: readonly TestResult[]): Map<number, TestResult[]> {
  const byRow = new Map<number, TestResult[]>()
  for (const test of tests) {
    for (const row of rowsIn(test.title)) byRow.set(row, [...(byRow.get(row) ?? []), test])
  }
  return byRow
}
