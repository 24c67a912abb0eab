import { expect, it } from '@jest/globals'
import { visibleBytes } from '../../src/output/visible-text.ts'

it.each(['\0', '\b', '\v', '\r', '\u001b', '\u007f', '\u0080', '\u009b', '\u061c', '\u200e', '\u202e', '\u2066'])(
  'escapes %j as the only control character of a line for a file',
  (control) => {
    const line = `GET /orders${control}200\n`
    expect(Buffer.from(visibleBytes(Buffer.from(line))).toString()).not.toContain(control)
  },
)

it('keeps bytes of printable ASCII, tabs, line ends and other letters for a file', () => {
  for (const line of ['GET /orders ~\t200\n', 'für 3 €\n', 'GET /orders\r\n']) {
    const bytes = Buffer.from(line)
    expect(visibleBytes(bytes)).toBe(bytes)
  }
})
