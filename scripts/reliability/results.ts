import { existsSync, globSync, readFileSync } from 'node:fs'
import { rowsIn } from './matrix.ts'

/** What became of a test that names rows. */
export interface RowTest {
  /** The test's file, from the root of the repository. */
  readonly path: string
  /** With the titles of the groups around it. */
  readonly title: string
  /** As jest says it: `passed`, `failed`, `pending` for a test that was skipped. */
  readonly status: string
}

/** What the last run of each test file left in temp/fault-rows; files that are gone are left out. */
export function readResults(directory = 'temp/fault-rows'): RowTest[] {
  return globSync(`${directory}/*.json`)
    .toSorted()
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as { path: string; tests: Omit<RowTest, 'path'>[] })
    .filter(({ path }) => existsSync(path))
    .flatMap(({ path, tests }) => tests.map((test) => ({ path, ...test })))
}

/** The tests of each row. */
export function testsByRow(tests: readonly RowTest[]): Map<number, RowTest[]> {
  const byRow = new Map<number, RowTest[]>()
  for (const test of tests) {
    for (const row of rowsIn(test.title)) byRow.set(row, [...(byRow.get(row) ?? []), test])
  }
  return byRow
}
