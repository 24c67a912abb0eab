import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { compileQuery } from '../../../src/read/query/compile-query.ts'
import { parseQuery } from '../../../src/read/query/parse-query.ts'
import { requiredText } from '../../../src/read/query/required-text.ts'
import { seed } from '../../support/seed.ts'
import { queries } from './queries.ts'
import { RecordReader } from '../../../src/read/lines/record-reader.ts'
import type { ReadRecord } from '../../../src/read/record.ts'
import { mapOf, recordWith } from './records.ts'

describe('requiredText', () => {
  test.each<[string, string[] | undefined]>([
    ["message contains 'abc'", ['abc']],
    ['tenant=acme', ['acme']],
    ['status=500', ['500']],
    ["status='500'", ['500']],
    ['status=1.5', undefined],
    ["status='1.50'", undefined],
    ['status=1e3', undefined],
    ['x=12345678901234567890', undefined],
    ['x=true', undefined],
    ['x=null', undefined],
    ['x=a', undefined],
    ['message contains "can\'t connect to <db>"', ['connect']],
    ["message contains 'Zürich'", ['rich']],
    [String.raw`message contains 'C:\\temp\\log'`, ['temp']],
    ['message contains \'""\'', undefined],
    ["'needle'", ['needle']],
    ["'404'", ['404']],
    ["'TypeError: failed (internal)'", ['TypeError']],
    ["'Caused by'", undefined],
    ["'Error: at once'", ['once']],
    ['logger=shop.cart', ['shop']],
    ['host=shop.example.com', ['shop.example.com']],
    ["'4bf92f3577b34da6'", ['b34da6', 'B34DA6', '872873']],
    ["'4bf92f3577'", undefined],
    ['message like *time?out*', ['time']],
    [String.raw`message like '*50\*cents*'`, ['cents']],
    ["message ~ 'time ?out'", ['time']],
    ["message ~ 'connection (reset|refused)'", ['connection']],
    ["message ~ '^(user) logged in$'", ['logged']],
    [String.raw`message ~ 'a\.b+\.com'`, ['.com']],
    ['message ~ /timeout/i', undefined],
    ["message ~ 'ab|cd'", undefined],
    [String.raw`message ~ '\babc\nxy'`, ['abc']],
    ['trace_id=4bf92f3577b34da6a3ce929d0e0e4736', ['929d0e', '929D0E']],
    ['span_id=1234567890123456', ['901234', '846728']],
    ['trace_id=4bf9', undefined],
    ['trace_id like 4bf9*', undefined],
    ['level=error', undefined],
    ['level>=error', undefined],
    ['file=app.log', undefined],
    ['format=pino', undefined],
    ['time=2026-11-23', undefined],
    ['service=checkout', ['checkout']],
    ['tenant!=acme', undefined],
    ['tenant?=acme', undefined],
    ['not tenant=acme', undefined],
    ['tenant not in (acme)', undefined],
    ['message !~ abc', undefined],
    ['message not contains abc', undefined],
    ['exists(tenant)', undefined],
    ['status>=500', undefined],
    ['tenant in (acme, other)', ['acme', 'other']],
    ['tenant in (acme, null)', undefined],
    ['level>=error and tenant=acme', ['acme']],
    ['tenant=acme and message contains checkout', ['checkout']],
    ['tenant in (acme, other) and status=404', ['404']],
    ['tenant=acme or status=404', ['acme', '404']],
    ['tenant=acme or tenant=acme and level=warn', ['acme']],
    ['tenant=acme or level=warn', undefined],
    [Array.from({ length: 9 }, (_, index) => `tenant=t${index}`).join(' or '), undefined],
  ])('the required text of %s is %j', (query, texts) => {
    expect(requiredText(parseQuery(query))).toEqual(texts)
  })

  test('a record that matches has one of the texts in its line as JSON, with any value', () => {
    const text = fc.constantFrom('ab', 'ab c', '12', '5', 'a"b', 'c/ab', 'é12', '<ab>', '-5', '1.50', 'ab\ncd', '')
    const value = fc.oneof(text, fc.constantFrom(12, 5, -5, 1.5, 112), fc.boolean(), fc.constant(null))
    const attributes = fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(value, fc.array(value, { maxLength: 2 })))
    const literal = fc.oneof(
      text.map((each) => JSON.stringify(each).replaceAll('/', String.raw`\/`)),
      fc.constantFrom('12', '5', '-5', '1.5', '1e2'),
    )
    const condition = fc
      .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('=', 'contains', '!=', '? =', 'like', '~'), literal)
      .map(([key, operator, value]) =>
        operator === '~'
          ? `${key} ~ '${value.replaceAll(/[^\w<]/g, '.')}'`
          : `${key}${operator.replace(/^(?!\?)/, ' ')} ${value}`,
      )
    const query = fc
      .array(fc.tuple(fc.constantFrom('and', 'or', 'and not', 'or not'), condition), { minLength: 1, maxLength: 4 })
      .map((parts) =>
        parts
          .flat()
          .join(' ')
          .replace(/^(?:and|or) /, ''),
      )
    let selective = 0
    fc.assert(
      fc.property(query, fc.array(attributes, { minLength: 10, maxLength: 20 }), (text, all) => {
        const parsed = parseQuery(text)
        const texts = requiredText(parsed)
        if (texts === undefined) return
        const predicate = compileQuery(parsed)
        for (const each of all) {
          if (!predicate(recordWith(each))) continue
          selective++
          const line = JSON.stringify(each)
          expect(texts.some((required) => line.includes(required))).toBe(true)
        }
      }),
      { seed, numRuns: 1_500 },
    )
    expect(selective).toBeGreaterThan(50)
  })

  test('never throws', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const texts = requiredText(query)
        for (const text of texts ?? []) expect(text).toMatch(/^[ -~]{2,}$/)
      }),
      { seed, numRuns: 300 },
    )
  })
})

test('an attribute of a nested object is found in the line of the record', () => {
  const record = recordWith({}, { attributes: mapOf({ user: { name: 'ada' } }) })
  const query = parseQuery('user.name=ada')
  expect(compileQuery(query)(record)).toBe(true)
  expect(requiredText(query)).toEqual(['ada'])
})

/** JSON lines in which a reader finds texts that are not in the line as they are. */
const joinedLines: readonly (readonly [format: string, query: string, line: unknown])[] = [
  [
    'a message of LogTape that is an array',
    "message contains 'order-17 placed'",
    {
      timestamp: 1_795_428_000_000,
      level: 'info',
      category: ['shop', 'cart'],
      message: ['order-', 17, ' placed'],
      properties: {},
    },
  ],
  [
    'a category of LogTape that is an array',
    'logger = shop.cart',
    { timestamp: 1_795_428_000_000, level: 'info', category: ['shop', 'cart'], message: 'x', properties: {} },
  ],
  [
    'several arguments of tslog 4',
    "message contains 'connection lost'",
    { '0': 'connection', '1': 'lost', _meta: { logLevelId: 3, logLevelName: 'INFO', date: '2026-11-23T10:00:00Z' } },
  ],
  [
    'a stack trace of an error and its cause',
    "'Caused by: Error: no route'",
    {
      level: 50,
      time: 1795428000000,
      pid: 1,
      hostname: 'h',
      msg: 'x',
      err: { type: 'Error', message: 'm', stack: 'Error: m', cause: { message: 'no route' } },
    },
  ],
]

test.each(joinedLines)(
  'a record with %s is found by the query %s in lines that are searched first',
  (_, text, line) => {
    const query = parseQuery(text)
    const predicate = compileQuery(query)
    const texts = requiredText(query)
    const other = JSON.stringify({ level: 30, time: 1795428000000, pid: 1, hostname: 'h', msg: 'other' })
    const bytes = Buffer.from(`${other}\n${JSON.stringify(line)}\n${other}\n`)
    const found: ReadRecord[] = []
    const sink = {
      record: (record: ReadRecord) => {
        if (predicate(record)) found.push(record)
      },
      text: () => undefined,
    }
    const reader = new RecordReader({ file: '-', sink, needed: texts && { texts: [texts] } })
    reader.read({ bytes, firstLine: 1, offset: 0, isEnd: true })
    reader.flush()
    expect(found.map(({ origin }) => origin.line)).toEqual([2])
  },
)
