import { describe, expect, test } from '@jest/globals'
import { compileQuery } from '../../../src/read/query/compile-query.ts'
import { parseQuery } from '../../../src/read/query/parse-query.ts'
import { QueryTimeoutError } from '../../../src/read/query/query-timeout-error.ts'
import { selectRecords } from '../../../src/read/query/select-records.ts'
import type { ReadRecord } from '../../../src/read/record.ts'
import { recordWith } from './records.ts'

const slow = String.raw`x ~ '^(\w+\s?)*$'`
/** A text for which the expression tries 2^60 paths. */
const slowText = `${'a'.repeat(60)}!`
const quick = (index: number): ReadRecord => recordWith({ x: index % 2 === 0 ? 'a word' : 'a.word', index })

function predicateOf(query: string, regexMillis = 50): (record: ReadRecord) => boolean {
  return compileQuery(parseQuery(query), { regexMillis })
}

function errorOf(callee: () => unknown): QueryTimeoutError | undefined {
  try {
    callee()
    return undefined
  } catch (error) {
    return error instanceof QueryTimeoutError ? error : undefined
  }
}

describe('a predicate', () => {
  test('ends an expression that takes too long, and names it', () => {
    const start = performance.now()
    const error = errorOf(() => predicateOf(slow)(recordWith({ x: slowText })))
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(error?.expression).toBe(String.raw`/^(\w+\s?)*$/`)
    expect(error?.message).toBe(
      String.raw`SLUICE_QUERY_TIMEOUT: the regular expression /^(\w+\s?)*$/ exceeded 50 ms for one record; use contains, or simplify its repetitions`,
    )
  })

  test('tests other records after an expression took too long', () => {
    const predicate = predicateOf(slow)
    expect(errorOf(() => predicate(recordWith({ x: slowText })))).toBeDefined()
    expect([0, 1].map((index) => predicate(quick(index)))).toEqual([true, false])
  })

  test.each([
    ['a backreference', String.raw`(a+)+\1b`],
    ['a lookahead', '(?=(a+)+b).'],
    ['nested alternatives', '(a|a)*b'],
    ['a large repetition', '(?:a{1,100}){1,100}b'],
    ['optional parts', '(?:a?){60}b{60}'],
    ['a lookbehind', '(?<=b(a+)+)$'],
    ['a named group with the Unicode flag', String.raw`(?<w>\p{L}+)+\d\k<w>`],
  ])('ends a slow expression with %s', (_, source) => {
    const query = `x ~ /${source}/${source.includes(String.raw`\p`) ? 'u' : ''}`
    expect(errorOf(() => predicateOf(query)(recordWith({ x: 'a'.repeat(80) })))).toBeDefined()
  })

  test('ends an expression on a long text whose steps grow faster than the text', () => {
    const predicate = predicateOf(`x ~ '.*a.*b.*c$'`)
    expect(errorOf(() => predicate(recordWith({ x: 'ab'.repeat(20_000) })))).toBeDefined()
    expect(predicate(recordWith({ x: 'ab'.repeat(20) }))).toBe(false)
  })

  test('reports an expression that needs more memory than the engine has', () => {
    const error = errorOf(() => predicateOf(`x ~ '(?:a|b)*c'`, 60_000)(recordWith({ x: 'ab'.repeat(10_000_000) })))
    expect(error?.message).toMatch(/exceeded the engine's memory/)
  })
})

describe('selectRecords', () => {
  test('returns the matching records in order', () => {
    const records = Array.from({ length: 1_000 }, (_, index) => quick(index))
    const expected = records.filter((_, index) => index % 2 === 0)
    expect(selectRecords(predicateOf(slow, 10_000), records)).toEqual(expected)
    expect(selectRecords(predicateOf("x = 'a word'"), records)).toEqual(expected)
  })

  test('names the expression that took too long, and not another one of the query', () => {
    const records = [quick(0), recordWith({ x: slowText }), quick(1)]
    const error = errorOf(() => selectRecords(predicateOf(`message ~ 'hel+o' and ${slow}`), records))
    expect(error?.expression).toBe(String.raw`/^(\w+\s?)*$/`)
  })

  test('limits the time for each record, and not for all records together', () => {
    const regexMillis = 100
    const record = recordWith({ x: `${'a'.repeat(18)}!` })
    const query = `${slow} or x like '*!'`
    const predicate = predicateOf(query)
    selectRecords(predicate, [record])
    const oneStart = performance.now()
    selectRecords(predicate, [record])
    const count = Math.ceil((regexMillis * 3) / (performance.now() - oneStart))
    const start = performance.now()
    expect(
      selectRecords(
        predicateOf(query, regexMillis),
        Array.from({ length: count }, () => record),
      ),
    ).toHaveLength(count)
    expect(performance.now() - start).toBeGreaterThan(regexMillis)
  })
})

test('simple expressions run without a time limit, which takes longer than they', () => {
  const predicate = predicateOf("x ~ 'time ?out' or x ~ '^(GET|POST) /api/v\\d+'", 1)
  const record = recordWith({ x: 'GET /api/v2/orders' })
  predicate(record)
  const start = performance.now()
  for (let count = 0; count < 20_000; count++) predicate(record)
  // With a limit for each, it takes a second or more.
  expect(performance.now() - start).toBeLessThan(400)
})
