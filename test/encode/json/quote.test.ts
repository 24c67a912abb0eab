import { expect, test } from '@jest/globals'
import { escape, quote, quoteWellFormed } from '../../../src/encode/json/quote.ts'
import { importOf, runChild } from '../../support/processes/child.ts'

// The test uses %StringIsFlat, which V8 supports only with --allow-natives-syntax.
test('a cached fragment is a flat string, also in optimized code', async () => {
  const program =
    importOf('{ flattenString }', 'src/encode/json/quote.ts') +
    `let parts = 0
    const made = (i) => 'the beginning ' + i + ' and what follows it ' + i
    const tree = made(0)
    if (%StringIsFlat(tree)) throw new Error('a concatenation is in one piece: this test cannot fail')
    const kept = (i) => flattenString(made(i))
    for (let i = 0; i < 200_000; i++) if (!%StringIsFlat(kept(i))) parts++
    console.log(parts)`
  const { stdout, stderr } = await runChild({
    args: ['--allow-natives-syntax', '--input-type=module', '-e', program],
  })
  expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' })
})

/** Returns the escaped form of one code unit, as RFC 8259 and terminals require. */
function escapedUnit(unit: string): string {
  const code = unit.charCodeAt(0)
  const isC1 = code >= 0x7f && code <= 0x9f
  return isC1 ? '\\u00' + code.toString(16) : JSON.stringify(unit).slice(1, -1)
}

// Texts of these lengths are searched for characters to escape in three different ways.
test.each([12, 13, 100, 101, 400])(
  'each code unit is escaped the same at the start, in the middle and at the end of a text of %i code units',
  (length) => {
    const wrong: string[] = []
    for (let code = 0; code <= 0xffff; code++) {
      const unit = String.fromCharCode(code)
      const inside = escapedUnit(unit)
      for (const at of [0, length >> 1, length - 1]) {
        const before = 'a'.repeat(at)
        const after = 'b'.repeat(length - 1 - at)
        const text = before + unit + after
        const due = before + inside + after
        const wellFormed = before + (unit.isWellFormed() ? inside : '\ufffd') + after
        if (escape(text) !== due || quote(text) !== `"${due}"` || quoteWellFormed(text) !== `"${wellFormed}"`)
          wrong.push(`${code.toString(16)} at ${at}`)
      }
    }
    expect(wrong).toEqual([])
  },
)
