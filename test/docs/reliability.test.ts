import { describe, expect, test } from '@jest/globals'
import { claimsOfTests } from '../../scripts/requirements/claims.ts'
import { closePassed, faultsOf } from '../../scripts/reliability/faults.ts'
import { readMatrix, rowsIn, type FaultRow } from '../../scripts/reliability/matrix.ts'
import { pageOf } from '../../scripts/reliability/page.ts'
import type { TestResult } from '../../scripts/test-results.ts'

test('the fault matrix has 48 rows, each once, with a fault and a way to make it', () => {
  const matrix = readMatrix()
  expect(matrix.map(({ row }) => row)).toEqual(Array.from({ length: 48 }, (_, index) => index + 1))
  expect(matrix.filter(({ fault, how }) => fault === '' || how === '')).toEqual([])
})

test('titles of tests name only rows that exist', () => {
  const claims = claimsOfTests().filter(({ title }) => rowsIn(title).some((row) => row < 1 || row > 48))
  expect(claims).toEqual([])
})

test('rows are named in parentheses, one or several', () => {
  expect(rowsIn('sent again (row 38)')).toEqual([38])
  expect(rowsIn('(D15, rows 15, 16 and 17)')).toEqual([15, 16, 17])
  expect(rowsIn('twice (row 1), and (rows 1 and 2)')).toEqual([1, 2])
  expect(rowsIn('row 38 of a table, and (arrow 3)')).toEqual([])
})

const matrix: FaultRow[] = [
  { row: 1, fault: 'a', how: 'b' },
  { row: 2, fault: 'c', how: 'd', open: true },
  { row: 3, fault: 'e', how: 'f', note: 'cannot be made' },
]
const passed = (row: number): TestResult => ({ path: 'test/a.test.ts', title: `<t> (row ${row})`, status: 'passed' })

describe('faults of the matrix', () => {
  test('a matrix whose claims are all supported has no fault', () => {
    expect(faultsOf(matrix, [passed(1)])).toEqual([])
    expect(faultsOf(matrix, [passed(1), passed(3)])).toEqual([])
  })

  test.each<[string, readonly TestResult[], string]>([
    ['no test passes for a row any longer', [], 'row 1 has no passing test'],
    ['a test failed', [passed(1), { ...passed(1), status: 'failed' }], 'row 1 fails: <t> (row 1)'],
    ['all tests of a row were skipped', [{ ...passed(1), status: 'pending' }], 'row 1 has no passing test'],
    ['a test of an open row has passed', [passed(1), passed(2)], 'row 2 is open, but a test of it passed'],
    [
      'a title names a row that does not exist',
      [passed(1), passed(9)],
      'row 9 is in the title of a test, but not in docs/reference/reliability.json',
    ],
  ])('a fault is reported when %s', (_, tests, fault) => {
    expect(faultsOf(matrix, tests)).toEqual([expect.stringContaining(fault)])
  })
})

test('an open row is closed only by a test that passed', () => {
  expect(closePassed(matrix, [passed(1), { ...passed(2), status: 'pending' }])).toEqual(matrix)
  expect(closePassed(matrix, [passed(2)])[1]).toEqual({ row: 2, fault: 'c', how: 'd' })
})

test('a row of the page has the fault, how it is produced, and the tests by file with their results', () => {
  const page = pageOf(matrix, [passed(1), { ...passed(1), title: 'u (row 1)', status: 'pending' }], undefined)
  expect(page).toContain(
    '| 1 | a | b | Passes: [a.test.ts](../../test/a.test.ts): &#60;t&#62; (row 1)<br>Skipped: [a.test.ts](../../test/a.test.ts): u (row 1) |',
  )
  expect(page).toContain('| 2 | c | d | **Open** |')
  expect(page).toContain('| 3 | e | f | cannot be made |')
})

test('the page has a table of the faults that other loggers survive', () => {
  const page = pageOf(matrix, [], {
    node: '24',
    subjects: [
      { name: 'us', version: '1', setup: 's' },
      { name: 'them', version: '2', setup: 't' },
    ],
    rows: [
      { row: 1, fault: 'a', wrong: { us: [], them: ['5 of 10 lost'] } },
      { row: 2, fault: 'b', wrong: { us: ['hangs'] } },
    ],
  })
  expect(page).toContain('| 1 | a | ✓ | 5 of 10 lost |')
  expect(page).toContain('| 2 | b | hangs |  |')
  expect(page).toContain('|  | **passed** | 1 of 2 | 0 of 1 |')
})
