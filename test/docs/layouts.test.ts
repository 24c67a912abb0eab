import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { fieldOrder, layoutBases, layoutNames } from '../../src/encode/json/layout-bases.ts'
import { codeOf, tableUnder } from './blocks.ts'

const page = readFileSync(new URL('../../docs/reference/layouts.md', import.meta.url), 'utf8')
const rows = tableUnder('Fields', page)

describe('the layouts page', () => {
  test('the table of fields has every field, in the order in which they are written', () => {
    expect(rows.map(([field]) => codeOf(field!))).toEqual(fieldOrder)
  })

  test.each(layoutNames)('the table of fields has the keys of layout %s', (name) => {
    const { keys } = layoutBases[name]
    const column = layoutNames.indexOf(name) + 1
    const elsewhere = keys.exception === false ? 'attribute' : 'in the object'
    const expected = fieldOrder.map((field) => {
      const key = keys[field]
      return key === false ? '' : key === undefined ? elsewhere : `\`${key}\``
    })
    expect(rows.map((row) => row[column])).toEqual(expected)
  })

  test('the page has a heading for each layout', () => {
    const headings = page.match(/^## .*$/gm)!.join()
    expect(layoutNames.filter((name) => !headings.includes(name))).toEqual([])
  })
})
