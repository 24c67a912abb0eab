import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { compileQuery } from '../../../src/read/query/compile-query.ts'
import { maxQueryDepth, maxQueryLength, parseQuery } from '../../../src/read/query/parse-query.ts'
import { QueryError } from '../../../src/read/query/query-error.ts'
import type { Query } from '../../../src/read/query/query.ts'
import { requiredText } from '../../../src/read/query/required-text.ts'
import { seed } from '../../support/seed.ts'
import { queryTexts } from './query-texts.ts'

const key = (...path: (string | number)[]): object => ({ path, isOptional: false })
const equal = (name: string, value: unknown): object => ({ kind: 'comparison', key: key(name), operator: '=', value })

describe('parseQuery', () => {
  test('parses comparisons, words, functions and lists in one query', () => {
    const text = `level>=warn and http.response.status_code>=500 and message~'time ?out' and exists(user.id) and tenant in (a, b)`
    expect(parseQuery(text)).toEqual({
      kind: 'and',
      operands: [
        { kind: 'comparison', key: key('level'), operator: '>=', value: 'warn' },
        { kind: 'comparison', key: key('http', 'response', 'status_code'), operator: '>=', value: 500 },
        { kind: 'regexp', key: key('message'), isNegated: false, source: 'time ?out', flags: '' },
        { kind: 'exists', path: ['user', 'id'] },
        { kind: 'in', key: key('tenant'), isNegated: false, values: ['a', 'b'] },
      ],
    })
  })

  test('binds not more than and, and and more than or', () => {
    expect(parseQuery('a=1 or not b=2 and c=3 or d=4')).toEqual({
      kind: 'or',
      operands: [
        equal('a', 1),
        { kind: 'and', operands: [{ kind: 'not', operand: equal('b', 2) }, equal('c', 3)] },
        equal('d', 4),
      ],
    })
  })

  test.each<[string, Query['kind'], string]>([
    ['tenant not in (a)', 'in', 'isNegated'],
    ['m !~ a', 'regexp', 'isNegated'],
    ['m not matches a', 'regexp', 'isNegated'],
    ['m not contains a', 'contains', 'isNegated'],
    ['m not like a*', 'like', 'isNegated'],
  ])('parses %j as a negated operator', (text, kind, member) => {
    expect(parseQuery(text)).toMatchObject({ kind, [member]: true })
  })

  test.each([
    ['a && b'.replaceAll(/[ab]/g, '$&=1'), 'a=1 and b=1'],
    ['a=1 || b=1', 'a=1 or b=1'],
    ['!(a=1)', 'not (a=1)'],
    ['a == 1', 'a = 1'],
    ['a =~ x', 'a ~ x'],
    ['a match x', 'a ~ x'],
    ['a contain x', 'a contains x'],
    ['a = 1 AND NOT b IN (1)', 'a=1 and not b in (1)'],
    ['\ta=1\r\nand\u00a0b=1 ', 'a=1 and b=1'],
  ])('parses %j like %j', (text, same) => {
    expect(parseQuery(text)).toEqual(parseQuery(same))
  })

  test.each([
    ['a=1', 1],
    ['a=-1.50', -1.5],
    ['a=-0', 0],
    ['a=12345678901234567890', 12345678901234567890n],
    ['a=007', '007'],
    ['a=1e3', '1e3'],
    ['a=0x1f', '0x1f'],
    ["a='1'", '1'],
    ['a=true', true],
    ['a="true"', 'true'],
    ['a=TRUE', 'TRUE'],
    ['a=null', null],
    ['a=/api/users?page', '/api/users?page'],
    ['a=10:30', '10:30'],
    ['a=2026-11-23T10:00:00.5+01:00', '2026-11-23T10:00:00.5+01:00'],
    ['a=*.example.com', '*.example.com'],
    ['a=user@example.com', 'user@example.com'],
    ['a=München', 'München'],
    [String.raw`a='it\'s \\ \u0041\n\"'`, 'it\'s \\ A\n"'],
    ['span_id=1234567890123456', '1234567890123456'],
    ['service=42', '42'],
  ])('the value in %j is %j', (text, value) => {
    expect(parseQuery(text)).toMatchObject({ kind: 'comparison', value })
  })

  test.each<[string, (string | number)[]]>([
    ['a.b.c=1', ['a', 'b', 'c']],
    ['a[0].b=1', ['a', 0, 'b']],
    ['span.[1].name=1', ['span', 1, 'name']],
    ['"a b".c=1', ['a b', 'c']],
    [`a["b.c"]['d']=1`, ['a', 'b.c', 'd']],
    ['a."b c"=1', ['a', 'b c']],
    ['app.kubernetes.io/name=1', ['app', 'kubernetes', 'io/name']],
    ['@timestamp=1', ['@timestamp']],
    ['x-request-id=1', ['x-request-id']],
    ['order=1', ['order']],
    ['not.x=1', ['not', 'x']],
    ['exists=1', ['exists']],
    ['"not"=1', ['not']],
  ])('the key in %j has the segments %j', (text, path) => {
    expect(parseQuery(text)).toMatchObject({ kind: 'comparison', key: { path, isOptional: false } })
  })

  test('parses a question mark after a key as optional', () => {
    expect(parseQuery('a.b?=1')).toMatchObject({ key: { path: ['a', 'b'], isOptional: true } })
    expect(parseQuery('"a b"? in (1)')).toMatchObject({ key: { path: ['a b'], isOptional: true } })
  })

  test('parses a quoted text alone as a search, and one before an operator as a key', () => {
    expect(parseQuery("'time out'")).toEqual({ kind: 'text', text: 'time out' })
    expect(parseQuery("'time out' contains x")).toMatchObject({ kind: 'contains', key: { path: ['time out'] } })
    expect(parseQuery("'a' and not 'b'")).toMatchObject({ operands: [{ text: 'a' }, { operand: { text: 'b' } }] })
  })

  test('keeps the backslashes of regular expressions and patterns', () => {
    expect(parseQuery(String.raw`m ~ '^\d+\'\\$'`)).toMatchObject({ source: String.raw`^\d+\'\\$` })
    expect(parseQuery(String.raw`m ~ /a\/[/]b/is`)).toMatchObject({ source: String.raw`a\/[/]b`, flags: 'is' })
    expect(parseQuery(String.raw`m like 'a\**'`)).toMatchObject({ pattern: String.raw`a\**` })
  })

  test('accepts a long list of operands without nesting', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `a=${index}`).join(' or ')
    expect(parseQuery(text)).toMatchObject({ kind: 'or', operands: { length: 5_000 } })
  })

  test.each(['(', '!', 'not ', '!('])('rejects deep nesting of %j with an error', (opening) => {
    const text = opening.repeat(maxQueryDepth + 1)
    expect(() => parseQuery(`${text}a=1`)).toThrow(/nested more than 100 levels deep/)
  })

  test('accepts nesting up to the limit', () => {
    const text = `${'('.repeat(maxQueryDepth)}a=1${')'.repeat(maxQueryDepth)}`
    expect(parseQuery(text)).toEqual(equal('a', 1))
  })

  test('rejects a query that is too long, and a key with too many parts', () => {
    expect(() => parseQuery(`a='${'x'.repeat(maxQueryLength)}'`)).toThrow(/longer than 65536 characters/)
    expect(() => parseQuery(`${'a.'.repeat(64)}a=1`)).toThrow(/the key has more than 64 parts/)
  })
})

/** Returns the error of a text; undefined if it is a query. */
function errorOf(text: string): unknown {
  try {
    const query = parseQuery(text)
    compileQuery(query)
    requiredText(query)
    return undefined
  } catch (error) {
    return error
  }
}

test('any text is parsed, or rejected with a QueryError whose position is in the text', () => {
  let parsed = 0
  fc.assert(
    fc.property(queryTexts, (text) => {
      const error = errorOf(text)
      if (error === undefined) {
        parsed++
        return
      }
      expect(error).toBeInstanceOf(QueryError)
      const { position, message, excerpt } = error as QueryError
      expect(position).toBeGreaterThanOrEqual(0)
      expect(position).toBeLessThanOrEqual(text.length)
      expect(message.length).toBeLessThan(300)
      expect(`${message}${excerpt.replace('\n', '')}`).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u)
    }),
    { seed, numRuns: 1_000 },
  )
  expect(parsed).toBeGreaterThan(10)
})
