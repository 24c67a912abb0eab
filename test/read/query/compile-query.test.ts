import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { compileQuery } from '../../../src/read/query/compile-query.ts'
import { parseQuery } from '../../../src/read/query/parse-query.ts'
import type { Query } from '../../../src/read/query/query.ts'
import type { ReadRecord } from '../../../src/read/record.ts'
import { seed } from '../../support/seed.ts'
import { queries } from './queries.ts'
import { anyValueOf, mapOf, recordWith, type Json } from './records.ts'

function matches(query: string, record: ReadRecord): boolean {
  return compileQuery(parseQuery(query), { now: Date.parse('2026-11-23T12:00:00Z'), timeZone: 'utc' })(record)
}

describe('values', () => {
  test.each<[query: string, value: Json, isMatch: boolean]>([
    ['x=200', 200, true],
    ['x=200', '200', true],
    ['x=200', '200.0', true],
    ['x=200', '0200', false],
    ['x=200', 'two', false],
    ["x='200'", 200, true],
    ["x='200'", '200.0', false],
    ['x=1e3', 1000, true],
    ['x=1e3', '1e3', true],
    ['x=007', '007', true],
    ['x=007', 7, false],
    ['x=12345678901234567890', 12345678901234567890n, true],
    ['x=12345678901234567890', '12345678901234567890', true],
    ['x=12345678901234567891', 12345678901234567890n, false],
    ['x=5', 5n, true],
    ['x=true', true, true],
    ['x=true', 'true', true],
    ['x=true', 1, false],
    ["x='false'", false, true],
    ['x=null', null, true],
    ['x=null', 'null', false],
    ['x=abc', 'abc', true],
    ['x=abc', 'ABC', false],
    ['x=abc', 'abcd', false],
    ['x=abc', { abc: 1 }, false],
    ['x!=abc', 'abcd', true],
    ['x!=abc', 'abc', false],
    ['x!=abc', { a: 1 }, true],
    ['x=a', ['b', 'a'], true],
    ['x!=a', ['b', 'a'], false],
    ['x!=c', ['b', 'a'], true],
    ['x>1', [0, 2], true],
    ['x>=500', 500, true],
    ['x>500', 500, false],
    ['x<500', 499.5, true],
    ['x<=500', '500', true],
    ['x>9', '10', true],
    ["x>'9'", '10', true],
    ["x>'9'", 10, true],
    ['x>=b', 'c', true],
    ['x>=b', 'a', false],
    ['x>=b', 3, false],
    ['x>3', 'c', false],
    ['x>3', true, false],
    ['x>3', null, false],
    ['x>=12345678901234567890', 12345678901234567891n, true],
    ['x in (1, a, null)', 'a', true],
    ['x in (1, a, null)', '1', true],
    ['x in (1, a, null)', null, true],
    ['x in (1, a, null)', 'b', false],
    ['x in (a)', ['b', 'a'], true],
    ['x not in (a)', ['b', 'a'], false],
    ['x not in (a)', 'b', true],
    ['x contains b', 'abc', true],
    ['x contains B', 'abc', false],
    ['x contains 0', 404, true],
    ['x contains b', ['a', 'abc'], true],
    ['x contains b', { b: 'b' }, false],
    ['x not contains b', 'abc', false],
    ['x like a*c', 'abc', true],
    ['x like b', 'abc', false],
    ['x not like a*', 'abc', false],
    ["x ~ '^a.c$'", 'abc', true],
    ["x ~ '^a.c$'", 'ABC', false],
    ['x ~ /^a.c$/i', 'ABC', true],
    [String.raw`x ~ '^\d{3}$'`, 404, true],
    ["x ~ 'null'", null, false],
    ["x !~ 'b'", 'abc', false],
    ["x !~ 'b'", ['a', 'c'], true],
  ])('the query %s on the value %j is %j', (query, value, isMatch) => {
    expect(matches(query, recordWith({ x: value }))).toBe(isMatch)
  })

  test.each(['x=1', 'x!=1', 'x>1', 'x in (1)', 'x not in (1)', "x~'1'", "x!~'1'", 'x contains 1', 'x not like 1'])(
    'a record without the key matches %s only if the key is optional or the query is negated',
    (query) => {
      expect(matches(query, recordWith())).toBe(false)
      expect(matches(query.replace('x', 'x?'), recordWith())).toBe(true)
      expect(matches(`not (${query})`, recordWith())).toBe(true)
    },
  )
})

describe('keys', () => {
  const attributes: Readonly<Record<string, Json>> = {
    'a.b': 'dotted',
    a: { b: 'nested', c: 'inner', 'd.e': { f: 'mixed' } },
    list: [{ name: 'first' }, { name: 'second', 'x.y': 1 }],
    'odd key': { 'with "quotes"': 1 },
    __proto__x: 1,
    level: 'attribute',
    empty: null,
  }
  const record = recordWith(attributes, {
    resource: mapOf({ 'service.name': 'checkout', host: { name: 'h1' }, a: 'of resource' }),
    body: mapOf({ order: { id: 7 } }),
    message: undefined,
    eventName: 'order.placed',
    scope: 'shop.cart',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    severityText: 'INFO',
    format: 'otel',
    time: Date.parse('2026-11-23T10:00:00Z'),
    origin: { file: 'logs/app.log', line: 3, container: 'web-1', stream: 'stderr' },
  })

  test.each([
    ['a.b = dotted', true],
    ['a.b = nested', false],
    ['a["b"] = dotted', true],
    ['a.c = inner', true],
    ['a.d.e.f = mixed', true],
    ['a["d.e"].f = mixed', true],
    ['list[1].name = second', true],
    ['list.[1].name = second', true],
    ['list.1.name = second', true],
    ['list[1].x.y = 1', true],
    ['list[2].name?=none', true],
    ['list.name = first', false],
    ['exists(list.length)', false],
    [`"odd key".'with "quotes"' = 1`, true],
    ['exists(__proto__)', false],
    ['exists(a.constructor)', false],
    ['exists(empty)', true],
    ['exists(a)', true],
    ['exists(a.x)', false],
    ['service = checkout', true],
    ['service.name = checkout', true],
    ['resource.service.name = checkout', true],
    ['resource.host.name = h1', true],
    ['host.name = h1', true],
    ['resource.a = "of resource"', true],
    ['a = "of resource"', false],
    ['attributes.level = attribute', true],
    ['level = attribute', false],
    ['body.order.id = 7', true],
    ['exists(body)', true],
    ['exists(message)', false],
    ['event_name = order.placed and eventName like order.*', true],
    ['scope = shop.cart and logger = shop.cart', true],
    ['trace_id = 4BF92F3577B34DA6A3CE929D0E0E4736', true],
    ['traceId in (x, 4bf92f3577b34da6a3ce929d0e0e4736)', true],
    ['trace_id like 4bf9*', true],
    ['span_id = 00f067aa0ba902b7 and exists(spanId)', true],
    ['format = OTEL', true],
    ['format = pino', false],
    ['file like */app.log and container = web-1 and stream = stderr', true],
    ['severity_text = INFO and severity_number = 9', true],
    ['severity_text = info', false],
    ['time = 2026-11-23T10:00:00Z', true],
    ['timestamp >= 2026-11-23T11:00+01:00', true],
    ['time >= -2h', true],
    ['time > -2h', false],
    ['time < 10:00', false],
    ['time <= 10:00', true],
    ['time >= 1795428000', true],
    ['time > yesterday and time < now', true],
    ['time not in (yesterday, today)', true],
  ])('the query %s is %j', (query, isMatch) => {
    expect(matches(query, record)).toBe(isMatch)
  })

  test.each(['message', 'msg', 'event_name', 'scope', 'service', 'trace_id', 'container', 'time'])(
    'finds an attribute with the name %s in a record without this part',
    (name) => {
      const withoutMessage = recordWith({ [name]: '1795428000' }, { body: mapOf({}), message: undefined })
      expect(matches(`exists(${name})`, withoutMessage)).toBe(true)
      expect(matches(`exists(${name})`, recordWith({}, { body: mapOf({}), message: undefined }))).toBe(false)
    },
  )
})

function at(severityNumber: number, level: string, severityText?: string): ReadRecord {
  return recordWith({}, { severityNumber, level, severityText })
}

describe('levels', () => {
  test.each<[string, ReadRecord, boolean]>([
    ['level=warn', at(13, 'warn'), true],
    ['level=warn', at(16, 'warn4'), true],
    ['level=WARNING', at(13, 'warn'), true],
    ['level=warn', at(17, 'error'), false],
    ['level!=warn', at(14, 'warn2'), false],
    ['level>=warn', at(13, 'warn'), true],
    ['level>warn', at(16, 'warn4'), false],
    ['level>warn', at(17, 'error'), true],
    ['level<=warn', at(16, 'warn4'), true],
    ['level<warn', at(12, 'info4'), true],
    ['level>=critical', at(17, 'error'), false],
    ['level>=critical', at(21, 'fatal'), true],
    ['level=crit', at(18, 'critical'), true],
    ['level=notice', at(10, 'notice'), true],
    ['level=notice', at(10, 'info2'), false],
    ['level=audit', at(9, 'audit', 'AUDIT'), true],
    ['level=Audit', at(9, 'audit'), true],
    ['level=custom', at(9, 'x', 'CUSTOM'), true],
    ['level in (audit, error)', at(18, 'error2'), true],
    ['level in (audit, error)', at(9, 'info'), false],
    ['level not in (audit, error)', at(9, 'audit'), false],
    ['level>=17', at(17, 'error'), true],
    ['level=13', at(14, 'warn2'), false],
    ["level~'^warn|err'", at(17, 'error'), true],
    ['level=info', at(0, ''), true],
    ['level<info', at(0, ''), false],
    ['level>=warn', at(0, ''), false],
    ['level?>=warn', at(0, ''), true],
    ['level?>=warn', at(9, 'info'), false],
    ['exists(level)', at(0, ''), false],
    ['exists(level)', at(9, 'info'), true],
  ])('the query %s on a record with the level %j is %j', (query, record, isMatch) => {
    expect(matches(query, record)).toBe(isMatch)
  })
})

describe('a text alone', () => {
  test.each<[string, ReadRecord]>([
    ['the message', recordWith({}, { message: 'a needle here' })],
    ['a body that is an object', recordWith({}, { body: mapOf({ a: ['needle'] }), message: undefined })],
    ['an attribute', recordWith({ a: 'needle' })],
    ['a nested attribute', recordWith({ a: [{ b: 'a needle' }] })],
    ['the event name', recordWith({}, { eventName: 'needle.found' })],
  ])('is found in %s', (_, record) => {
    expect(matches("'needle'", record)).toBe(true)
  })

  test('is found in numbers, booleans and ids', () => {
    const record = recordWith(
      { n: 40412, b: [true], big: 12345678901234567890n },
      { traceId: '0abcdef01', spanId: '0abcdef02' },
    )
    for (const text of ['0412', 'true', '678901234567890', 'abcdef01', 'abcdef02'])
      expect(matches(`'${text}'`, record)).toBe(true)
  })

  test('is not found in an id if it has fewer than 8 digits', () => {
    expect(matches("'404'", recordWith({}, { traceId: '404'.padEnd(32, '0') }))).toBe(false)
  })

  test('is not found in keys, the resource, the level, or with other case', () => {
    const record = recordWith(
      { needle: 1, a: 'Needle' },
      { resource: mapOf({ a: 'needle' }), level: 'needle', scope: 'needle' },
    )
    expect(matches("'needle'", record)).toBe(false)
  })

  test('is searched in values that are nested more deeply than the stack', () => {
    let value = anyValueOf('needle')
    for (let depth = 0; depth < 50_000; depth++) value = [value]
    expect(matches("'needle'", recordWith({}, { attributes: new Map([['a', value]]) }))).toBe(true)
  })
})

describe('operators', () => {
  const truth = recordWith({ t: 1 })
  test.each([
    ['t=1 and t=1', true],
    ['t=1 and t=2', false],
    ['t=1 and t=1 and t=2', false],
    ['t=2 or t=1', true],
    ['t=2 or t=3 or t=1', true],
    ['t=2 or t=3', false],
    ['not t=2', true],
    ['not not t=2', false],
    ['t=1 or t=1 and t=2', true],
    ['(t=1 or t=1) and t=2', false],
    ['not t=2 and t=1', true],
    ['not (t=1 and t=1)', false],
  ])('the query %s is %j', (query, isMatch) => {
    expect(matches(query, truth)).toBe(isMatch)
  })
})

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>

test('any query on any record is true or false, and its negation is the opposite', () => {
  const records = fc
    .dictionary(fc.constantFrom('a', 'b', 'a.b', 'and', 'level', '__proto__'), json)
    .map((attributes) => recordWith(attributes))
  fc.assert(
    fc.property(queries, records, (query, record) => {
      const negation: Query = { kind: 'not', operand: query }
      const isMatch = compileQuery(query)(record)
      expect(typeof isMatch).toBe('boolean')
      expect(compileQuery(negation)(record)).toBe(!isMatch)
    }),
    { seed, numRuns: 500 },
  )
})
