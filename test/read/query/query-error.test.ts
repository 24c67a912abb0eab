import { expect, test } from '@jest/globals'
import { parseQuery } from '../../../src/read/query/parse-query.ts'
import type { QueryError } from '../../../src/read/query/query-error.ts'

function errorOf(text: string): QueryError {
  try {
    parseQuery(text)
  } catch (error) {
    return error as QueryError
  }
  throw new Error(`${text} is valid`)
}

/** Queries with a caret at the position of the problem, and the reason. */
const problems: readonly (readonly [query: string, reason: string])[] = [
  ['^', 'expected a key, a text in quotes, "not", "exists" or "(" instead of the end of the query'],
  ['a = ^', 'expected a value instead of the end of the query'],
  ['a = ^and b = 1', 'expected a value instead of "and"; put "and" in quotes if it is a name or a value'],
  [
    '^and a = 1',
    'expected a key, a text in quotes, "not", "exists" or "(" instead of "and"; put "and" in quotes if it is a name or a value',
  ],
  ['a = 1 ^b = 2', 'expected "and" or "or" instead of "b"'],
  ['a = 1 ^adn b = 2', 'expected "and" or "or" instead of "adn"; did you mean and?'],
  ["a = 'x' ^'y'", 'expected "and" or "or" instead of a text in quotes'],
  ['a = b^=c', 'expected "and" or "or" instead of "="'],
  ['a ^contians b', 'expected an operator such as =, >=, ~ or in instead of "contians"; did you mean contains?'],
  ['a not ^= 1', 'expected "in", "contains", "like" or "matches" instead of "="'],
  ['timeout^', "timeout alone is not a condition; write exists(timeout), or 'timeout' in quotes to search the text"],
  ['a ^and b = 1', "a alone is not a condition; write exists(a), or 'a' in quotes to search the text"],
  ['(a = 1 ^b', 'expected "and", "or" or ")" instead of "b"'],
  ['x = 1 or ^(a = 1', 'this parenthesis has no closing ); add it'],
  ['a = 1^)', 'expected "and" or "or" instead of ")"'],
  ['a in ^x', 'expected "(" instead of "x"'],
  ['a in (^)', 'expected a value instead of ")"'],
  ['a in (x ^y)', 'expected "," or ")" instead of "y"'],
  ["a = ^'x", "this text has no closing '; add it"],
  ['a ~ ^/x', 'this regular expression has no closing /; add it, or put it in quotes'],
  [String.raw`a = 'x^\d'`, String.raw`\d is not an escape sequence; write \\ for a backslash`],
  ["a ~ ^'('", 'this is not a valid regular expression (unterminated group)'],
  [
    'path ~ ^/api/users',
    'the flags of an expression are i, m, s, u and v, not "users"; put a text with slashes in quotes',
  ],
  ['^exits(a)', 'there is no function "exits"; did you mean exists?'],
  ['^count(a)', 'there is no function "count"; the only one is exists(key)'],
  ['exists(a^?)', 'exists() does not accept an optional key; remove the ?'],
  ['exists(a ^b)', 'expected ")" instead of "b"'],
  ['a. ^= 1', 'expected a key instead of "="'],
  ['a[^x] = 1', 'expected an index or a name in quotes instead of "x"'],
  ['a^[0 = 1', 'this bracket has no closing ]; add it'],
  ['a ^>= true', '>= cannot compare with true; use = or !='],
  ['level >= ^wran', 'the order of the level "wran" is unknown; did you mean warn?'],
  [
    'level > ^audit',
    'the order of the level "audit" is unknown; the levels are trace, debug, info, warn, error, fatal',
  ],
  ['level >= ^50', '50 is not a severity number (1 to 24); write level>=error'],
  ['level in (^null)', 'a level is compared with a name or a severity number'],
  ['time ~ ^10', 'the time is not a text; compare it with >= or <'],
  [
    'time > ^tomorow',
    '"tomorow" is not a time; write 2026-11-23, 2026-11-23T10:30:00Z, 10:30, -3d, -15m, yesterday or seconds since 1970',
  ],
  ['format = ^pinoo', 'there is no format "pinoo"; did you mean pino?'],
]

test.each(problems)('the error of %j has its position and the reason %j', (marked, reason) => {
  const position = marked.indexOf('^')
  const query = marked.replace('^', '')
  const error = errorOf(query)
  expect({ position: error.position, reason: error.reason }).toEqual({ position, reason })
  expect(error.excerpt).toBe(`${query}\n${' '.repeat(position)}^`)
  expect(error.message).toBe(`SLUICE_QUERY_SYNTAX: parseQuery: ${reason} (at character ${position + 1})`)
  expect(error.query).toBe(query)
})

test('the error has a list of what was expected', () => {
  expect(errorOf('a = 1 b').expected).toEqual(['and', 'or'])
  expect(errorOf('a in (x y)').expected).toEqual([',', ')'])
})

test('the excerpt of a long query has the part around the position', () => {
  const { excerpt } = errorOf(`${'a=1 or '.repeat(50)}b ${"or 'x'".repeat(50)}`)
  const [line = '', caret = ''] = excerpt.split('\n')
  expect(line.length).toBeLessThanOrEqual(122)
  expect(line).toMatch(/^….*….?$/)
  expect(line.slice(caret.length - 1)).toMatch(/^or 'x'/)
})

test('the caret is below its character after wide characters, tabs and line breaks', () => {
  const [line = '', caret = ''] = errorOf("'日本'\tand\n = 1").excerpt.split('\n')
  expect(line).toBe("'日本' and  = 1")
  expect(caret).toBe(`${' '.repeat("'日本'".length + 2 + ' and  '.length)}^`)
})
