import { describe, expect, test } from '@jest/globals'
import {
  facetValues,
  factRow,
  isSelected,
  queryOf,
  selectionOf,
} from '../../docs/site/.vitepress/theme/table-filter.ts'

const requirements = ['id', 'level', 'requirement', 'tests']
const peers = ['row', 'fault', 'sluice', 'pino', 'winston']

describe('facets of a row', () => {
  test.each([
    ['Tests in 3 files', 'passes'],
    ['Tests in 3 files: a.test.ts: Open is shown\nDiffers: a reason', 'differs'],
    ['Differs: not written', 'differs'],
    ['Open', 'open'],
    ['Fails: a.test.ts: a title', 'fails'],
  ])('a row with the tests %j has the result %s', (cell, result) => {
    expect(factRow(requirements, ['DM1', 'MUST', 'text', cell]).facets['result']).toEqual([result])
  })

  test('a requirement in development has the level of the others', () => {
    expect(factRow(requirements, ['EXC4', 'SHOULD (dev.)', '', '']).facets['level']).toEqual(['SHOULD'])
  })

  test('a row of the comparison has the loggers that fail', () => {
    expect(factRow(peers, ['1', 'a full disk', '✓', 'hangs', '✓']).facets['failing']).toEqual(['pino'])
  })

  test('a facet with one value is omitted', () => {
    const rows = [factRow(requirements, ['A', 'MUST', '', 'a']), factRow(requirements, ['B', 'MAY', '', 'b'])]
    expect([...facetValues(rows)]).toEqual([['level', ['MUST', 'MAY']]])
  })
})

describe('selection of rows', () => {
  const row = factRow(requirements, ['DM1', 'MUST', 'The time in nanoseconds', 'Open'])

  test.each([
    [{ q: '' }, true],
    [{ q: 'TIME dm1' }, true],
    [{ q: 'time bytes' }, false],
    [{ q: '', level: 'MUST', result: 'open' }, true],
    [{ q: 'time', level: 'MAY' }, false],
    [{ q: '', failing: 'pino' }, false],
  ])('the selection %j of a row is %s', (selection, isExpected) => {
    expect(isSelected(row, selection)).toBe(isExpected)
  })

  test('the query of an address and a selection are converted to each other', () => {
    const selection = selectionOf('?q=a%20b&level=MUST&other=1', ['level', 'result'])
    expect(selection).toEqual({ q: 'a b', level: 'MUST', result: '' })
    expect(queryOf(selection)).toBe('?q=a+b&level=MUST')
    expect(queryOf({ q: '' })).toBe('')
  })
})
