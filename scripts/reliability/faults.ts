import { matrixPath, type FaultRow } from './matrix.ts'
import type { TestResult } from '../test-results.ts'
import type { TestsByRow } from './tests-by-row.ts'

/** Returns the errors in the fault matrix and in the test results, one sentence each. */
export function faultsOf(matrix: readonly FaultRow[], byRow: TestsByRow): string[] {
  const rowNumbers = matrix.map(({ row }) => row)
  const duplicates = rowNumbers.filter((row, index) => rowNumbers.indexOf(row) !== index)
  const missing = [...byRow.keys()].filter((row) => !rowNumbers.includes(row))
  return [
    ...duplicates.map((row) => `row ${row} is in ${matrixPath} more than once`),
    ...missing.map((row) => `row ${row} is in the annotation of a test, but not in ${matrixPath}`),
    ...matrix.flatMap((row) => rowFaults(row, byRow.get(row.row) ?? [])),
  ]
}

function rowFaults({ row, open, note }: FaultRow, tests: readonly TestResult[]): string[] {
  const hasPassed = tests.some(({ status }) => status === 'passed')
  const failed = tests.filter(({ status }) => status === 'failed')
  return [
    ...failed.map(({ title }) => `row ${row} fails: ${title}`),
    ...(open === true && hasPassed ? [`row ${row} is open, but a test of it passed: run \`npm run reliability\``] : []),
    ...(open !== true && !hasPassed && note === undefined
      ? [`row ${row} has no passing test: run \`npm test\` and \`npm run e2e\`, or fix its tests`]
      : []),
  ]
}

/** Returns the matrix without `open` in rows for which a test has passed. */
export function closePassed(matrix: readonly FaultRow[], byRow: TestsByRow): FaultRow[] {
  return matrix.map(({ open, ...row }) => {
    const hasPassed = byRow.get(row.row)?.some(({ status }) => status === 'passed') ?? false
    return open === undefined || hasPassed ? row : { ...row, open }
  })
}
