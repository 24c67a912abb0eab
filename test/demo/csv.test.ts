import { describe, expect, test } from '@jest/globals'
import { createCsvParser } from '../../demo/csv.ts'
import { columns, rowAt, uploadOf } from '../../demo/rows.ts'

function parse(chunks: readonly Buffer[]): string[][] {
  const rows: string[][] = []
  const parser = createCsvParser((fields) => rows.push([...fields]))
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return rows
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf16le')

const text =
  'a,b,c\r\n' +
  '"call ""hi""","two\r\nlines, one field",plain\n' +
  ',"",\r\n' +
  '"","\r",""""\r\n' +
  'lone \ud83d,\ude00 lone,"\ud83d"\r\n' +
  '😀,"👨‍👩‍👧",last'

const expected = [
  ['a', 'b', 'c'],
  ['call "hi"', 'two\r\nlines, one field', 'plain'],
  ['', '', ''],
  ['', '\r', '"'],
  ['lone \ud83d', '\ude00 lone', '\ud83d'],
  ['😀', '👨‍👩‍👧', 'last'],
]

describe('the CSV parser', () => {
  test('the CSV parser follows RFC 4180', () => {
    expect(parse([bytesOf(text)])).toEqual(expected)
  })

  test('the CSV parser returns the same rows when the text is split at any byte', () => {
    const bytes = bytesOf(text)
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(parse([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected)
    }
  })

  test.each([1, 2, 3, 4, 5])('the CSV parser returns the same rows for chunks of %i bytes', (size) => {
    const bytes = bytesOf(text)
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => {
      return bytes.subarray(i * size, (i + 1) * size)
    })
    expect(parse(chunks)).toEqual(expected)
  })

  test('the CSV parser returns the last row with or without a line end', () => {
    expect(parse([bytesOf('a,b\r\nc,')])).toEqual([
      ['a', 'b'],
      ['c', ''],
    ])
    expect(parse([bytesOf('a,b\r\nc,\r\n')])).toEqual([
      ['a', 'b'],
      ['c', ''],
    ])
    expect(parse([bytesOf('""')])).toEqual([['']])
    expect(parse([])).toEqual([])
  })

  test('the CSV parser rejects a text that ends inside a quoted field or inside a character', () => {
    expect(() => parse([bytesOf('a,"b')])).toThrow('inside a quoted field')
    expect(() => parse([bytesOf('a,b').subarray(0, 5)])).toThrow('in the middle of a character')
  })

  test('the CSV parser returns every row of an upload, including lone surrogates', () => {
    const { body } = uploadOf(3, 200)
    const [head, ...rows] = parse([body.subarray(0, 4_001), body.subarray(4_001)])
    expect(head).toEqual(columns)
    expect(rows).toEqual(Array.from({ length: 200 }, (_, seq) => columns.map((column) => rowAt(3, seq)[column])))
    expect(rows.flat().some((field) => !field.isWellFormed())).toBe(true)
  })
})
