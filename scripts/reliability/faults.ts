import type { FaultRow } from './matrix.ts'
import type { TestResult } from '../test-results.ts'
import { testsByRow } from './tests-by-row.ts'

/** What is wrong with the matrix and the results, one sentence each. */
export function faultsOf(matrix: readonly FaultRow[], tests: readonly TestResult[]): string[] {
  const byRow = testsByRow(tests)
  const known = matrix.map(({ row }) => row)
  return [
    ...known.filter((row, index) => known.indexOf(row) !== index).map((row) => `row ${row} stands in the matrix twice`),
    ...[...byRow.keys()].filter((row) => !known.includes(row)).map((row) => `row ${row} is named and stands nowhere`),
    ...matrix.flatMap((row) => rowFaults(row, byRow.get(row.row) ?? [])),
  ]
}

function rowFaults({ row, open, note }: FaultRow, tests: readonly TestResult[]): string[] {
  const passed = tests.some(({ status }) => status === 'passed')
  const failed = tests.filter(({ status }) => status === 'failed')
  return [
    ...failed.map(({ title }) => `row ${row} fails: ${title}`),
    ...(open === true && passed ? [`row ${row} is open and has passed: run \`npm run reliability\``] : []),
    ...(open !== true && !passed && note === undefined ? [`row ${row} has passed, and now nothing shows it`] : []),
  ]
}

/** The matrix without the word `open` where a test has passed by now. */
export function closePassed(matrix: readonly FaultRow[], tests: readonly TestResult[]): FaultRow[] {
  const byRow = testsByRow(tests)
  return matrix.map(({ open, ...row }) => {
    const passed = byRow.get(row.row)?.some(({ status }) => status === 'passed') ?? false
    return open === undefined || passed ? row : { ...row, open }
  })
}
