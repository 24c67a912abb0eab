import type { OtlpMember, OtlpValue } from '../support/otlp/records.ts'

/** A value that is logged as the attribute `value`, and the OTLP value that a reader must receive. */
export interface ValueCase {
  readonly title: string
  readonly value: unknown
  readonly expected: OtlpValue
}

const text = (value: string): OtlpValue => ({ stringValue: value })
const int = (value: string): OtlpValue => ({ intValue: value })
const list = (...values: OtlpValue[]): OtlpValue => ({ arrayValue: { values } })
const map = (...members: [string, OtlpValue][]): OtlpValue => ({
  kvlistValue: { values: members.map(([key, value]): OtlpMember => ({ key, value })) },
})

const cycle: Record<string, unknown> = { name: 'loop' }
cycle['self'] = cycle
const error = new TypeError('outer', { cause: new RangeError('inner') })

/** Wraps `end` in `levels` nested values. */
function nested<T>(levels: number, end: T, around: (inner: T) => T): T {
  return levels === 0 ? end : around(nested(levels - 1, end, around))
}

/** Values that JSON, doubles or naive serialization would change. */
export const valueCases: readonly ValueCase[] = [
  { title: 'NaN', value: NaN, expected: { doubleValue: 'NaN' } },
  { title: 'Infinity', value: Infinity, expected: { doubleValue: 'Infinity' } },
  { title: '-Infinity', value: -Infinity, expected: { doubleValue: '-Infinity' } },
  { title: '2^53 + 2 as a BigInt', value: 2n ** 53n + 2n, expected: int('9007199254740994') },
  { title: 'the least int64', value: -(2n ** 63n), expected: int('-9223372036854775808') },
  { title: 'the largest int64', value: 2n ** 63n - 1n, expected: int('9223372036854775807') },
  { title: 'a BigInt beyond int64', value: 2n ** 64n, expected: text('18446744073709551616') },
  { title: '1e21', value: 1e21, expected: { doubleValue: 1e21 } },
  { title: 'the smallest double', value: 5e-324, expected: { doubleValue: 5e-324 } },
  { title: '-0', value: -0, expected: int('0') },
  { title: '0', value: 0, expected: int('0') },
  { title: 'false', value: false, expected: { boolValue: false } },
  { title: 'a Date', value: new Date(0), expected: text('1970-01-01T00:00:00.000Z') },
  {
    title: 'an Error with a cause',
    value: error,
    expected: map(
      ['type', text('TypeError')],
      ['message', text('outer')],
      ['stacktrace', text(error.stack!)],
      [
        'cause',
        map(
          ['type', text('RangeError')],
          ['message', text('inner')],
          ['stacktrace', text((error.cause as Error).stack!)],
        ),
      ],
    ),
  },
  { title: 'a Map', value: new Map([['k', 1]]), expected: map(['k', int('1')]) },
  { title: 'a Set', value: new Set([1, 'a']), expected: list(int('1'), text('a')) },
  { title: 'a cycle', value: cycle, expected: map(['name', text('loop')], ['self', text('[Circular]')]) },
  {
    title: 'a key __proto__',
    value: JSON.parse('{"__proto__":{"polluted":true}}'),
    expected: map(['__proto__', map(['polluted', { boolValue: true }])]),
  },
  { title: 'bytes', value: Uint8Array.of(251, 255, 0, 1), expected: { bytesValue: '+/8AAQ==' } },
  { title: 'no bytes', value: new Uint8Array(), expected: { bytesValue: '' } },
  { title: 'an empty string', value: '', expected: text('') },
  { title: 'an empty array', value: [], expected: list() },
  { title: 'an empty object', value: {}, expected: map() },
  { title: 'null', value: null, expected: {} },
  { title: 'null and undefined in an array', value: [1, null, undefined], expected: list(int('1'), {}, {}) },
  {
    title: '64 levels',
    value: nested<unknown>(63, { end: 1 }, (n) => ({ n })),
    expected: nested(63, map(['end', int('1')]), (inner) => map(['n', inner])),
  },
  {
    title: 'keys with dots, quotes and controls',
    value: { 'a.b': 1, 'q"\\\n\u0000': 2, '\u2028': 3 },
    expected: map(['a.b', int('1')], ['q"\\\n\u0000', int('2')], ['\u2028', int('3')]),
  },
  {
    title: 'text with controls',
    value: '\u0000\u001b[31m\u0085\u2028\r\n"\\',
    expected: text('\u0000\u001b[31m\u0085\u2028\r\n"\\'),
  },
  { title: 'half a pair of surrogates', value: 'a\ud800', expected: text('a\ufffd') },
  { title: 'a pair of surrogates', value: '\u{1f600}', expected: text('\u{1f600}') },
]
