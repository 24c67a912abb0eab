import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { compileQuery } from '../../src/read/query/compile-query.ts'
import { parseQuery } from '../../src/read/query/parse-query.ts'
import type { Query } from '../../src/read/query/query.ts'
import { addLogsRequest } from '../../src/viewer/otlp/add-logs.ts'
import type { LogStore } from '../../src/viewer/store/log-store.ts'
import { columnTest, no, unknown, yes } from '../../src/viewer/views/column-test.ts'
import { LogView } from '../../src/viewer/views/log-view.ts'
import { CompiledFilter } from '../../src/viewer/views/view-filter.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'
import { storeWith, type TestRecord } from './support.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const shortTrace = `${'0'.repeat(16)}a3ce929d0e0e4736`

const scalar = fc.constantFrom<unknown>(
  'order placed',
  'true',
  'false',
  'null',
  'ü café',
  '\ud83d\ude00 smile',
  'error',
  '42',
  '4.5e3',
  true,
  false,
  42,
  4_500,
  0.1,
  Number.NaN,
  Infinity,
  12_345_678,
  'deadbeefcafe',
  Uint8Array.of(111, 114, 100, 101, 114),
)
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(fc.constantFrom('a', 'b'), scalar))

const record: fc.Arbitrary<TestRecord> = fc.record({
  time: fc.nat(3),
  severityNumber: fc.constantFrom(undefined, 1, 9, 10, 13, 17, 18, 24),
  severityText: fc.constantFrom(undefined, 'INFO', 'warning', 'critical', 'notice', 'audit', 'error', 'ERROR2'),
  body: fc.oneof(fc.constant(undefined), value),
  attributes: fc.dictionary(
    fc.constantFrom('tenant', 'n', 'order', 'level', 'service', 'trace_id', 'severity_number', 'scope'),
    value,
    { maxKeys: 3 },
  ),
  service: fc.constantFrom('shop', 'mail', 'order'),
  scope: fc.constantFrom('http', ''),
  traceId: fc.constantFrom(undefined, trace, shortTrace),
  eventName: fc.constantFrom(undefined, 'order.placed'),
})

const keys = [
  'level severity_number severity_text service service.name scope trace_id span_id time message body event_name',
  'format file stream tenant n order order.a tenant[0]',
].flatMap((names) => names.split(' '))
const texts = [
  'order placed erro tru true null nul NaN Infinity fin 42 4.5 4500 e ü café \ud83d\ude00 shop mail http critical audit',
  'notice warn error2 17 1234567 deadbeef a3ce929d 3ce929d0 ce929d0e0 otlp nested',
  `${trace} ${shortTrace} ${trace.toUpperCase()}`,
].flatMap((words) => words.split(' '))
const text = fc.constantFrom(...texts)
const key = fc.record({ path: fc.constantFrom(...keys).map(pathOf), isOptional: fc.boolean() })
const literal = fc.oneof(text, fc.constantFrom<string | number | boolean>(17, 42, 0, 9, true, false, 4_500))
const isNegated = fc.boolean()

const leaf: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    kind: fc.constant('comparison' as const),
    key,
    operator: fc.constantFrom('=', '!=', '>', '>=', '<', '<=' as const),
    value: literal,
  }),
  fc.record({
    kind: fc.constant('in' as const),
    key,
    isNegated,
    values: fc.array(literal, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('contains' as const), key, isNegated, text }),
  fc.record({ kind: fc.constant('like' as const), key, isNegated, pattern: text.map((each) => `*${each}*`) }),
  fc.record({
    kind: fc.constant('regexp' as const),
    key,
    isNegated,
    source: fc.constantFrom('order', '^tru', 'ord.r', '(a|b)+$', 'nul?l'),
    flags: fc.constantFrom('', 'i'),
  }),
  fc.record({ kind: fc.constant('exists' as const), path: fc.constantFrom(...keys).map(pathOf) }),
  fc.record({ kind: fc.constant('text' as const), text }),
)
const query = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({ kind: fc.constantFrom('and', 'or' as const), operands: fc.tuple(tie('query'), tie('query')) }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('query') }),
  ),
})).query

test('a view has the records that the predicate of its query matches, whatever is tested by columns and by bytes before', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 8 }), query, (records, each) => {
      const store = storeWith(records)
      const view = new LogView(store, { query: each })
      view.update(() => false)
      const predicate = compileQuery(each)
      const expected = indexesOf(store).filter((index) => predicate(store.readAt(store.segments[0]!, index)))
      expect([...view.rows.sequences].toSorted((a, b) => a - b)).toEqual(expected)
    }),
    { seed, numRuns: 200 * runs },
  )
})

test('a column test is unknown or has the result of the predicate', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 8 }), query, (records, each) => {
      const store = storeWith(records)
      const columns = columnTest(each, store)
      const predicate = compileQuery(each)
      for (const index of indexesOf(store)) {
        const segment = store.segments[0]!
        const result = columns?.(segment, index) ?? unknown
        expect([unknown, predicate(store.readAt(segment, index)) ? yes : no]).toContain(result)
      }
    }),
    { seed, numRuns: 100 * runs },
  )
})

test.each([
  ['level>=error'],
  ['level=warn'],
  ['level in (debug, fatal)'],
  ['not level>=error'],
  ['severity_number>=17'],
  ['service=shop'],
  ['service!=shop'],
  ['service in (shop, mail)'],
  ['service like s*'],
  ['exists(service)'],
  ['scope=http'],
  ['format=otlp'],
  ['level>=error and service=shop'],
  ['level>=error or service=shop'],
])('the query %s reads no record', (text) => {
  const store = storeWith([
    { severityNumber: 13, severityText: 'WARN' },
    { severityNumber: 17, severityText: 'ERROR' },
  ])
  const columns = columnTest(parseQuery(text), store)
  for (const index of indexesOf(store)) expect(columns?.(store.segments[0]!, index)).not.toBe(unknown)
})

test.each([
  ['"order 4711"', 1],
  ['"zebra"', 1],
  ['message contains zebra', 1],
  ['level>=error and n>10', 1],
  [`trace_id=${trace}`, 1],
  ['tenant=zebra', 1],
])('the query %s reads only the records that can match', (text, read) => {
  const store = storeWith([
    { body: 'order 4711: zebra', severityNumber: 17, traceId: trace, attributes: { n: 11, tenant: 'zebra' } },
    ...Array.from({ length: 50 }, () => ({ body: 'x', severityNumber: 9, traceId: shortTrace, attributes: { n: 1 } })),
  ])
  let reads = 0
  const readAt = store.readAt.bind(store)
  store.readAt = (segment, index) => {
    reads++
    return readAt(segment, index)
  }
  const matches = new CompiledFilter({ query: parseQuery(text) }, store).select(store.segments[0]!, 0, 51)
  expect(matches).toEqual([0])
  expect(reads).toBe(read)
})

test('a view finds the texts that are in place of damaged and of nested values', () => {
  let deep: unknown = 'x'
  for (let level = 0; level < 300; level++) deep = [deep]
  const store = storeWith([{ body: deep }, { body: 'other' }])
  const damaged = Buffer.from([0x0a, 9, 0x12, 7, 0x12, 5, 0x32, 3, 0x12, 1, 0x0a])
  addLogsRequest(store, damaged, 0)
  for (const [text, sequence] of [
    ['"nested too"', 0],
    ['"damaged"', 2],
  ] as const) {
    const view = new LogView(store, { query: parseQuery(text) })
    view.update(() => false)
    expect([...view.rows.sequences]).toEqual([sequence])
  }
})

function pathOf(text: string): (string | number)[] {
  return text === 'tenant[0]' ? ['tenant', 0] : text === 'service.name' ? [text] : text.split('.')
}

function indexesOf(store: LogStore): number[] {
  return Array.from({ length: store.segments[0]?.count ?? 0 }, (_, index) => index)
}
