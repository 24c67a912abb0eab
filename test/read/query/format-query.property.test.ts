import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { formatQuery } from '../../../src/read/query/format-query.ts'
import { parseQuery } from '../../../src/read/query/parse-query.ts'
import { seed } from '../../support/seed.ts'
import { queries, sources } from './queries.ts'

test('the text of any query is parsed to an equal query', () => {
  fc.assert(
    fc.property(queries, (query) => {
      expect(parseQuery(formatQuery(query))).toEqual(query)
    }),
    { seed, numRuns: 500 },
  )
})

test('a query that was parsed from any text has a text that is parsed to an equal query', () => {
  fc.assert(
    fc.property(sources, fc.constantFrom("'", '"'), (source, quote) => {
      fc.pre(!source.replaceAll(/\\[^]/g, '').includes(quote))
      const query = parseQuery(`message ~ ${quote}${source}${quote}`)
      expect(parseQuery(formatQuery(query))).toEqual(query)
    }),
    { seed, numRuns: 1_000 },
  )
})

test('a regular expression with both kinds of quotes is written with escapes that match the same texts', () => {
  const text = formatQuery({
    kind: 'regexp',
    key: { path: ['message'], isOptional: false },
    isNegated: false,
    source: `it's "/a"`,
    flags: 'i',
  })
  const query = parseQuery(text)
  expect(query.kind === 'regexp' && new RegExp(query.source, query.flags).test(`IT'S "/A"`)).toBe(true)
})

test.each([
  ["level>=warn and(a.b=1)or not 'x'", "level >= warn and a.b = 1 or not 'x'"],
  ['a = 1 and (b = 2 or c = 3)', 'a = 1 and (b = 2 or c = 3)'],
  ['a == 1 && !(b = 2 || c =~ x)', "a = 1 and not (b = 2 or c ~ 'x')"],
  [
    '"a b".c[0]["d.e"]? in ("x", "1", true, null, \'don\\\'t\')',
    `'a b'.c[0].'d.e'? in (x, '1', true, null, 'don\\'t')`,
  ],
  [`m ~ "it's" and m ~ /a\\/b/i`, `m ~ "it's" and m ~ /a\\/b/i`],
  ['EXISTS(a) AND b CONTAINS c AND d NOT LIKE e*', "exists(a) and b contains 'c' and d not like 'e*'"],
])('the text of the query %j is %j', (text, expected) => {
  expect(formatQuery(parseQuery(text))).toBe(expected)
})
