import * as fc from 'fast-check'
import type { ComparisonOperator, Query, QueryKey, QueryPath, QueryValue } from '../../../src/read/query/query.ts'
import { fieldNames } from '../../../src/read/query/record-field.ts'

const name = fc.oneof(
  fc.stringMatching(/^[a-z][a-z_-]{0,6}$/),
  fc.constantFrom(
    'and',
    'OR',
    'not',
    'in',
    'exists',
    'like',
    'true',
    'a.b',
    "it's",
    'say "hi"',
    '007',
    'a\nb',
    '\u202e',
    '\ud800',
    'é',
  ),
  fc.string({ minLength: 1, unit: 'grapheme' }),
)
const isFieldName = (text: string | number | undefined): boolean => typeof text === 'string' && fieldNames.has(text)

/** Keys of attributes, so that any value can be compared with them. */
const path: fc.Arbitrary<QueryPath> = fc
  .tuple(
    name,
    fc.array(fc.oneof({ arbitrary: name, weight: 3 }, { arbitrary: fc.nat(1_000), weight: 1 }), { maxLength: 3 }),
  )
  .map((parts) => parts.flat())
  .filter((path) => path.length > 1 || !isFieldName(path[0]))

const key: fc.Arbitrary<QueryKey> = fc.record({ path, isOptional: fc.boolean() })

const number = fc
  .oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  )
  // Values with an exponent are parsed as texts.
  .filter((value) => !String(value).includes('e') && (!Number.isInteger(value) || Number.isSafeInteger(value)))
const bigint = fc
  .bigInt()
  .filter((value) => value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER))
const value: fc.Arbitrary<QueryValue> = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('12', '1e3', 'true', 'null', 'and', 'In', '-3d', '10:30', '', "'", '"', '\\', '\ud800x', '/a/b?c=d'),
  number,
  bigint,
  fc.boolean(),
  fc.constant(null),
)

const source = fc
  .oneof(
    fc.constantFrom(
      'a/b',
      String.raw`a\/b`,
      '[/]',
      String.raw`\d+\.\d`,
      "it's",
      'say "hi"',
      String.raw`'"\'\"`,
      '',
      String.raw`\\`,
      '[^]',
      '^$',
    ),
    fc.string({ unit: 'binary-ascii' }),
  )
  .filter((source) => isRegExp(source))

function isRegExp(source: string): boolean {
  try {
    RegExp(source, 'u')
    RegExp(source)
    return true
  } catch {
    return false
  }
}

/** Returns whether a source can be written in quotes, or between slashes if there are flags, without additional escapes. */
function isWrittenAsIs(source: string, flags: string): boolean {
  const unescaped = source.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, '')
  const inQuotes = source.replaceAll(/\\[^]/g, '')
  return flags === '' && !(inQuotes.includes("'") && inQuotes.includes('"')) ? true : !unescaped.includes('/')
}

const condition: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    kind: fc.constant('comparison' as const),
    key,
    operator: fc.constantFrom<ComparisonOperator>('=', '!=', '>', '>=', '<', '<='),
    value: value.filter((value) => value !== null && typeof value !== 'boolean'),
  }),
  fc.record({
    kind: fc.constant('comparison' as const),
    key,
    operator: fc.constantFrom<ComparisonOperator>('=', '!='),
    value,
  }),
  fc.record({
    kind: fc.constant('in' as const),
    key,
    isNegated: fc.boolean(),
    values: fc.array(value, { minLength: 1, maxLength: 4 }),
  }),
  fc
    .record({
      kind: fc.constant('regexp' as const),
      key,
      isNegated: fc.boolean(),
      source,
      flags: fc.subarray(['i', 'm', 's']).map((flags) => flags.join('')),
    })
    .filter(({ source, flags }) => isWrittenAsIs(source, flags)),
  fc.record({
    kind: fc.constant('contains' as const),
    key,
    isNegated: fc.boolean(),
    text: fc.string({ unit: 'grapheme' }),
  }),
  fc.record({
    kind: fc.constant('like' as const),
    key,
    isNegated: fc.boolean(),
    pattern: fc.string({ unit: fc.constantFrom('a', '*', '?', String.raw`\*`, String.raw`\\`, '"', ' ', 'é') }),
  }),
  fc.record({ kind: fc.constant('exists' as const), path }),
  fc.record({ kind: fc.constant('text' as const), text: fc.string({ unit: 'grapheme' }) }),
)

/** Queries of every kind, with keys of attributes. */
export const queries: fc.Arbitrary<Query> = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    condition,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      operands: fc.array(tie('query'), { minLength: 2, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('query') }),
  ),
})).query

/** Sources of regular expressions with slashes and both kinds of quotes. */
export const sources: fc.Arbitrary<string> = source
