import { describe, expect, test } from '@jest/globals'
import { annotationsOfTests, type Annotation } from '../../scripts/annotations/annotations.ts'
import { closePassed, faultsOf } from '../../scripts/reliability/faults.ts'
import { readMatrix, type FaultRow } from '../../scripts/reliability/matrix.ts'
import { pageOf } from '../../scripts/reliability/page.ts'
import { rowAnnotations } from '../../scripts/reliability/row-annotations.ts'
import { testsByRow } from '../../scripts/reliability/tests-by-row.ts'
import type { TestResult } from '../../scripts/test-results.ts'

test('the fault matrix has 48 rows, each once, with a fault and a way to cause it', () => {
  const matrix = readMatrix()
  expect(matrix.map(({ row }) => row)).toEqual(Array.from({ length: 48 }, (_, index) => index + 1))
  expect(matrix.filter(({ fault, how }) => fault === '' || how === '')).toEqual([])
})

test('tests name only fault rows that exist', () => {
  const annotations = [...annotationsOfTests(), ...rowAnnotations()]
  expect(annotations.filter(({ faultRows }) => faultRows.some((row) => row < 1 || row > 48))).toEqual([])
})

const resultOf = (title: string): TestResult => ({ path: 'test/a.test.ts', title, status: 'passed' })

const annotationOf = (title: string, isGroup = false): Annotation => {
  return { path: 'test/a.test.ts', title, isGroup, requirements: [], faultRows: [38] }
}
const titlesFor = (annotation: Annotation, ...titles: readonly string[]): string[] => {
  return (testsByRow(titles.map(resultOf), [annotation]).get(38) ?? []).map(({ title }) => title)
}

describe('tests of a fault row', () => {
  test('an annotated test is found by its whole title', () => {
    expect(titlesFor(annotationOf('a (b) is $1'), 'a (b) is $1', 'a (b) is $1 too', 'x a (b) is $1')).toEqual([
      'a (b) is $1',
    ])
  })

  test('the tests of an annotated group are found by the start of their titles', () => {
    expect(titlesFor(annotationOf('files', true), 'files a', 'files b c', 'filesystem a', 'a files')).toEqual([
      'files a',
      'files b c',
    ])
  })

  test('a part of a title that is known only when the test runs matches any text', () => {
    expect(titlesFor(annotationOf('… is … again'), 'a is b again', 'a is b')).toEqual(['a is b again'])
  })

  test('a test with the same title in another file is not found', () => {
    const other = { ...resultOf('a'), path: 'test/b.test.ts' }
    expect(testsByRow([other], [annotationOf('a')]).get(38)).toEqual([])
  })

  test('a test that several annotations name is found once', () => {
    expect(testsByRow([resultOf('a b')], [annotationOf('a', true), annotationOf('a b')]).get(38)).toHaveLength(1)
  })
})

const matrix: FaultRow[] = [
  { row: 1, fault: 'a', how: 'b' },
  { row: 2, fault: 'c', how: 'd', open: true },
  { row: 3, fault: 'e', how: 'f', note: 'cannot be made' },
]
const passed = resultOf('<t>')
const failed: TestResult = { ...passed, status: 'failed' }
const skipped: TestResult = { ...passed, status: 'pending' }
const rowsOf = (rows: Readonly<Record<number, readonly TestResult[]>>): Map<number, readonly TestResult[]> =>
  new Map(Object.entries(rows).map(([row, tests]) => [Number(row), tests]))

describe('errors in the fault matrix', () => {
  test('a matrix whose rows are proven, open or have a note has no error', () => {
    expect(faultsOf(matrix, rowsOf({ 1: [passed] }))).toEqual([])
    expect(faultsOf(matrix, rowsOf({ 1: [passed], 3: [passed] }))).toEqual([])
  })

  test.each<[string, Readonly<Record<number, readonly TestResult[]>>, string]>([
    ['no test passes for a row any longer', {}, 'row 1 has no passing test'],
    ['a test failed', { 1: [passed, failed] }, 'row 1 fails: <t>'],
    ['all tests of a row were skipped', { 1: [skipped] }, 'row 1 has no passing test'],
    ['a test of an open row has passed', { 1: [passed], 2: [passed] }, 'row 2 is open, but a test of it passed'],
    [
      'a test names a row that does not exist',
      { 1: [passed], 9: [passed] },
      'row 9 is in the annotation of a test, but not in docs/reference/reliability.json',
    ],
  ])('an error is reported when %s', (_, rows, fault) => {
    expect(faultsOf(matrix, rowsOf(rows))).toEqual([expect.stringContaining(fault)])
  })
})

test('an open row is closed only by a test that passed', () => {
  expect(closePassed(matrix, rowsOf({ 1: [passed], 2: [skipped] }))).toEqual(matrix)
  expect(closePassed(matrix, rowsOf({ 2: [passed] }))[1]).toEqual({ row: 2, fault: 'c', how: 'd' })
})

test('a row of the page has the fault, how it is caused, and the tests by file with their results', () => {
  const page = pageOf(matrix, rowsOf({ 1: [passed, { ...skipped, title: 'u' }] }), undefined)
  expect(page).toContain(
    '| 1 | a | b | Passes: [a.test.ts](../../test/a.test.ts): &#60;t&#62;<br>Skipped: [a.test.ts](../../test/a.test.ts): u |',
  )
  expect(page).toContain('| 2 | c | d | **Open** |')
  expect(page).toContain('| 3 | e | f | cannot be made |')
})

test('the page has a table of the faults that other loggers survive', () => {
  const page = pageOf(matrix, new Map(), {
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
