import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { pageOf } from '../../scripts/requirements/page.ts'
import { closeProven, faultsOf, readTables, type Row, type Table } from '../../scripts/requirements/tables.ts'
import { annotationsOfTests, type Annotation } from '../../scripts/annotations/annotations.ts'

test('each OpenTelemetry requirement has a test, a reason or is open, and no test names an unknown requirement', () => {
  expect(faultsOf(readTables(), annotationsOfTests())).toEqual([])
})

test('docs/reference/opentelemetry.md matches its tables and the tests (update it with `npm run requirements`)', () => {
  const page = readFileSync(new URL('../../docs/reference/opentelemetry.md', import.meta.url), 'utf8')
  expect(page === pageOf(readTables(), annotationsOfTests())).toBe(true)
})

const rows: Row[] = [
  { id: 'OTL1', level: 'MUST', text: 'a' },
  { id: 'OTL2', level: 'MAY', text: 'b', deviation: 'because' },
  { id: 'OTL3', level: 'SHOULD', development: true, text: 'c', open: true },
]
const tableOf = (...rows: readonly Row[]): Table[] => [{ heading: 'h', rows }]
const proofOf = (id: string, title: string): Annotation => {
  return { path: 'test/a.test.ts', title, isGroup: false, requirements: [id], faultRows: [] }
}
const proven = [proofOf('OTL1', 'a')]

describe('errors in the tables of requirements', () => {
  test('tables whose rows all have a test, a reason or are open have no error', () => {
    expect(faultsOf(tableOf(...rows), proven)).toEqual([])
    expect(faultsOf(tableOf(...rows), [...proven, proofOf('OTL2', 'b')])).toEqual([])
  })

  test.each<[string, readonly Row[], readonly Annotation[], string]>([
    ['a requirement has neither a test nor a reason', rows, [], 'OTL1 has no test and no deviation'],
    ['an open requirement has a test', rows, [...proven, proofOf('OTL3', 'c')], 'OTL3 is open, but has a test'],
    ['an open requirement has a reason', [{ ...rows[2]!, deviation: 'x' }], [], 'OTL3 is open, but has a deviation'],
    ['a test names an id that is in no table', rows, [...proven, proofOf('OTL9', 'z')], 'test/a.test.ts names OTL9'],
    ['an id is in the tables twice', [...rows, rows[1]!], proven, 'OTL2 is in the tables more than once'],
    ['a reason is empty', [{ ...rows[1]!, deviation: '' }], [], 'OTL2 has an empty text or deviation'],
    ['a level is invalid', [{ ...rows[1]!, level: 'must' as never }], [], 'OTL2 has the unknown level must'],
  ])('an error is reported when %s', (_, rows, annotations, fault) => {
    expect(faultsOf(tableOf(...rows), annotations)).toEqual([expect.stringContaining(fault)])
  })
})

test('an open requirement is closed only by a test', () => {
  expect(closeProven(tableOf(...rows), proven)).toEqual(tableOf(...rows))
  const [table] = closeProven(tableOf(...rows), [proofOf('OTL3', 'c')])
  expect(table!.rows[2]).toEqual({ id: 'OTL3', level: 'SHOULD', development: true, text: 'c' })
})

test('a row of the page has the id, the level, the text, the tests by file, and the deviation', () => {
  const page = pageOf(tableOf(...rows), [...proven, proofOf('OTL1', '<b>|`c`')])
  expect(page).toContain('| OTL1 | MUST | a | [a.test.ts](../../test/a.test.ts): a; &#60;b&#62;&#124;&#96;c&#96; |')
  expect(page).toContain('| OTL2 | MAY | b | **Differs:** because |')
  expect(page).toContain('| OTL3 | SHOULD (dev.) | c | **Open** |')
  expect(page).toContain('| MUST | 1 | 1 | 0 | 0 |')
})
