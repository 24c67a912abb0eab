import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { claimsIn, claimsOfTests, type Claim } from '../../scripts/requirements/claims.ts'
import { idsIn } from '../../scripts/requirements/ids.ts'
import { pageOf } from '../../scripts/requirements/page.ts'
import { closeProven, faultsOf, readTables, type Row, type Table } from '../../scripts/requirements/tables.ts'

test('each OpenTelemetry requirement has a test, a reason or is open, and titles name no other id', () => {
  expect(faultsOf(readTables(), claimsOfTests())).toEqual([])
})

test('the page matches its tables and the test titles (update it with `npm run requirements`)', () => {
  const page = readFileSync(new URL('../../docs/reference/opentelemetry.md', import.meta.url), 'utf8')
  expect(page === pageOf(readTables(), claimsOfTests())).toBe(true)
})

/** The titles in which ids are looked for, and the sentences that the page shows. */
const claimed = (source: string): [title: string, sentence: string][] =>
  claimsIn('test/a.test.ts', source).map(({ title, sentence }) => [title, sentence])

describe('claims of test titles', () => {
  test('a claim includes the titles of the enclosing groups', () => {
    expect(claimed(`describe('a (A1)', () => { describe('b', () => { test('c', () => {}) }) })`)).toEqual([
      ['a (A1)', 'a (A1)'],
      ['b', 'a (A1) b'],
      ['c', 'a (A1) b c'],
    ])
  })

  test('a claim is found in a test function returned by needs(), and in a test with a mode', () => {
    const source = `const traced = needs('strace', true)
      const both = is ? needs('a', true) : test.skip
      traced('a', () => {}, 30_000)
      both('b', () => {})
      test.only('c', () => {})
      it('d', () => {})`
    expect(claimed(source).map(([title]) => title)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('a claim is created for each row of a table with its own text', () => {
    const source = `test.each<[string, number]>([['NaN (A1)', NaN], ['b', 1]] as const)('%s is %p', () => {})`
    expect(claimed(source)).toEqual([
      ['%s is %p', '… is …'],
      ['NaN (A1) …', 'NaN (A1) is …'],
      ['b 1', 'b is 1'],
    ])
    expect(claimed(`test.each(rows)('%j and $name (A1)', () => {})`)).toEqual([['%j and $name (A1)', '… and … (A1)']])
  })

  test('a claim includes the parts of a template literal that are constant', () => {
    expect(claimed('test(`${a} is ` + "b" + `${c}`, () => {})')).toEqual([['… is b…', '… is b…']])
  })

  test.each([
    `test.skip('a (A1)', () => {})`,
    `test.todo('a (A1)')`,
    `test.failing('a (A1)', () => {})`,
    `describe.skip('a', () => { test('b (A1)', () => {}) })`,
    `describe('a (A1)', () => {})`,
    `// test('a (A1)', () => {})`,
    `const text = "test('a (A1)', () => {})"`,
    `expect('a (A1)').toBe(1)`,
  ])('code without an active test makes no claim: %s', (source) => {
    expect(claimed(source)).toEqual([])
  })
})

const named = (title: string): string[] => idsIn(title, ['D', 'JS', 'OTL'])

test('ids are read one by one and as a range', () => {
  expect(named('sent again after 2 s (OTL9)')).toEqual(['OTL9'])
  expect(named('(D5, JS8)')).toEqual(['D5', 'JS8'])
  expect(named('JS3 to JS6 is what it is')).toEqual(['JS3', 'JS6', 'JS4', 'JS5'])
  expect(named('holes (JS3) to the end')).toEqual(['JS3'])
  expect(named('(D15, rows 15, 16 and 17)')).toEqual(['D15'])
  expect(named('row 38 of a table, XOTL9, OTL9X, INFO3 and RFC 5424')).toEqual([])
})

const rows: Row[] = [
  { id: 'OTL1', level: 'MUST', text: 'a' },
  { id: 'OTL2', level: 'MAY', text: 'b', deviation: 'because' },
  { id: 'OTL3', level: 'SHOULD', development: true, text: 'c', open: true },
]
const tableOf = (...rows: readonly Row[]): Table[] => [{ heading: 'h', rows }]
const claimOf = (title: string): Claim => ({ path: 'test/a.test.ts', title, sentence: title })
const proven = [claimOf('a (OTL1)')]

describe('faults of the tables', () => {
  test('tables whose rows all have a test, a reason or are open have no fault', () => {
    expect(faultsOf(tableOf(...rows), proven)).toEqual([])
    expect(faultsOf(tableOf(...rows), [...proven, claimOf('b (OTL2)')])).toEqual([])
  })

  test.each<[string, readonly Row[], readonly Claim[], string]>([
    ['a requirement has neither a test nor a reason', rows, [], 'OTL1 has no test'],
    ['an open requirement has a test', rows, [...proven, claimOf('c (OTL3)')], 'OTL3 is open and has a test'],
    ['an open requirement has a reason', [{ ...rows[2]!, deviation: 'x' }], [], 'OTL3 is open and argued away'],
    ['a title names an id that is in no table', rows, [...proven, claimOf('z (OTL9)')], 'test/a.test.ts names OTL9'],
    ['an id is in the tables twice', [...rows, rows[1]!], proven, 'OTL2 stands in the tables twice'],
    ['a reason is empty', [{ ...rows[1]!, deviation: '' }], [], 'OTL2 says nothing'],
    ['a level is invalid', [{ ...rows[1]!, level: 'must' as never }], [], 'OTL2 has the level must'],
  ])('a fault is reported when %s', (_, rows, claims, fault) => {
    expect(faultsOf(tableOf(...rows), claims)).toEqual([expect.stringContaining(fault)])
  })
})

test('an open requirement is closed only by a test', () => {
  expect(closeProven(tableOf(...rows), proven)).toEqual(tableOf(...rows))
  const [table] = closeProven(tableOf(...rows), [claimOf('c (OTL3)')])
  expect(table!.rows[2]).toEqual({ id: 'OTL3', level: 'SHOULD', development: true, text: 'c' })
})

test('a row of the page has the id, the level, the text, the tests by file, and the deviation', () => {
  const page = pageOf(tableOf(...rows), [...proven, claimOf('<b>|`c` (OTL1)')])
  expect(page).toContain(
    '| OTL1 | MUST | a | [a.test.ts](../../test/a.test.ts): a (OTL1); &#60;b&#62;&#124;&#96;c&#96; (OTL1) |',
  )
  expect(page).toContain('| OTL2 | MAY | b | **Differs:** because |')
  expect(page).toContain('| OTL3 | SHOULD (dev.) | c | **Open** |')
  expect(page).toContain('| MUST | 1 | 1 | 0 | 0 |')
})
