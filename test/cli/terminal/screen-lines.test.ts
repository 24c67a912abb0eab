import { expect, it } from '@jest/globals'
import { screenRows } from '../../../src/cli/terminal/screen-lines.ts'

it.each([
  { text: '', rows: 0 },
  { text: 'a\nb\n', rows: 2 },
  { text: '\n\n', rows: 2 },
  { text: 'a\nno line end', rows: 2 },
  { text: `${'x'.repeat(20)}\n`, rows: 1 },
  { text: `${'x'.repeat(21)}\n`, rows: 2 },
  { text: `${'東'.repeat(11)}\n`, rows: 2 },
  { text: `\u001b[31m${'x'.repeat(20)}\u001b[0m\n`, rows: 1 },
])('counts $rows rows of 20 columns for $text', ({ text, rows }) => {
  expect(screenRows(text, 20)).toBe(rows)
})
