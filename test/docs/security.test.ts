import { describe, expect, test } from '@jest/globals'
import { countsOf, type AttackClass } from '../../scripts/security/classes.ts'
import { faultsOf, statedCounts, withTable } from '../../scripts/security/table.ts'

const attack: AttackClass = { class: 'Forged lines', checked: 'each value', files: ['test/docs/security.test.ts'] }
const page = 'before\n<!-- attack classes: written by `npm run security` -->\n<!-- end of attack classes -->\nafter\n'
const counts = { passed: 1_200, failed: 0, inputs: 34_000 }

describe('the table of attack classes in SECURITY.md', () => {
  test('the table states the counts that were written to it', () => {
    const text = withTable(page, [[attack, counts]])
    expect(text).toContain('| Forged lines | each value | 1,200 | 34,000 |')
    expect(text.startsWith('before\n')).toBe(true)
    expect(text.endsWith('\nafter\n')).toBe(true)
    expect(statedCounts(text)).toEqual(new Map([['Forged lines', { passed: 1_200, inputs: 34_000 }]]))
    expect(withTable(text, [[attack, counts]])).toBe(text)
  })

  test('the table states the same counts after its cells were aligned', () => {
    const text = withTable(page, [[attack, counts]]).replace('| 1,200 | 34,000 |', '|   1,200 | 34,000   |')
    expect(statedCounts(text)).toEqual(new Map([['Forged lines', { passed: 1_200, inputs: 34_000 }]]))
  })

  test('the table has a dash for a class without generated inputs', () => {
    const text = withTable(page, [[attack, { ...counts, inputs: 0 }]])
    expect(text).toContain('| 1,200 | – |')
    expect(statedCounts(text).get('Forged lines')).toEqual({ passed: 1_200, inputs: 0 })
  })

  test('the table is valid for a run with at least as many tests and inputs', () => {
    const stated = statedCounts(withTable(page, [[attack, counts]]))
    expect(faultsOf(stated, [[attack, counts]])).toEqual([])
    expect(faultsOf(stated, [[attack, { passed: 1_201, failed: 0, inputs: 34_001 }]])).toEqual([])
  })

  test.each([
    ['a failed test', { ...counts, failed: 1 }, '1 tests failed'],
    ['fewer tests', { ...counts, passed: 1_199 }, '1199 tests passed, SECURITY.md states 1200'],
    ['fewer inputs', { ...counts, inputs: 33_999 }, '33999 inputs checked, SECURITY.md states 34000'],
  ])('the table is invalid for a run with %s', (_, run, fault) => {
    const stated = statedCounts(withTable(page, [[attack, counts]]))
    expect(faultsOf(stated, [[attack, run]])).toEqual([expect.stringContaining(fault)])
  })

  test('the table has a row for each class and no other', () => {
    const stated = statedCounts(withTable(page, [[attack, counts]]))
    expect(faultsOf(stated, [])).toEqual(['"Forged lines" is not a class'])
    expect(faultsOf(new Map(), [[attack, counts]])).toEqual(['SECURITY.md has no row for "Forged lines"'])
  })
})

test('a class counts the tests of its files and the inputs that they checked', () => {
  const path = 'test/docs/security.test.ts'
  const tests = [
    { path, title: 'a value is escaped', status: 'passed' },
    { path, title: 'a key is escaped', status: 'passed' },
    { path, title: 'a value is failed', status: 'failed' },
    { path: 'test/docs/other.test.ts', title: 'a value', status: 'passed' },
  ]
  const inputs = new Map([[path, new Map([['a value is escaped', 100]])]])
  expect(countsOf(attack, tests, inputs)).toEqual({ passed: 2, failed: 1, inputs: 100 })
  expect(countsOf({ ...attack, titles: '^a key' }, tests, inputs)).toEqual({ passed: 1, failed: 0, inputs: 0 })
})
