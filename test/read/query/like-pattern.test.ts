import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { likeTest } from '../../../src/read/query/like-pattern.ts'
import { seed } from '../../support/seed.ts'

const units = fc.constantFrom('a', 'b', '*', '?', '\\', '😀')
const texts = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '\\', '😀'), maxLength: 12 })

/** Returns the regular expression of a pattern, one character after the other. */
function expressionOf(pattern: string): RegExp {
  const characters = Array.from(pattern)
  let source = ''
  for (let at = 0; at < characters.length; at++) {
    if (characters[at] === '*') source += '[^]*'
    else if (characters[at] === '?') source += '[^]'
    else {
      if (characters[at] === '\\' && at + 1 < characters.length) at++
      source += characters[at]!.replace(/[*?\\]/, String.raw`\$&`)
    }
  }
  return new RegExp(`^${source}$`, 'u')
}

test('a pattern matches the same texts as its regular expression', () => {
  fc.assert(
    fc.property(fc.string({ unit: units, maxLength: 8 }), texts, (pattern, text) => {
      expect(likeTest(pattern)(text)).toBe(expressionOf(pattern).test(text))
    }),
    { seed, numRuns: 3_000 },
  )
})

// A search that goes back for each star would not end.
test('a pattern with many stars is compared in linear time with a text that nearly matches', () => {
  const isMatch = likeTest(`${'*a'.repeat(200)}*b`)
  expect(isMatch('a'.repeat(100_000))).toBe(false)
})
