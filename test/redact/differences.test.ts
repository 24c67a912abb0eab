import { describe, expect, test } from '@jest/globals'
import type { Redact } from '../../src/redact/redact.ts'
import { fastRedact, type FastRedactOptions as Options } from '../support/redaction/fast-redact.ts'
import { problemsOf, applyRules } from '../support/redaction/rules.ts'

function ours(options: Redact, data: unknown): string {
  return JSON.stringify(applyRules(options, data))
}

/** A difference between fast-redact and this package, and its reason. */
interface Difference {
  readonly why: string
  readonly options: Options
  readonly input: () => unknown
  /** The output of fast-redact, or `throws` and the message. */
  readonly theirs: string
  readonly ours: string
}

const once = { x: 1 }
const onPath = (_value: unknown, path: readonly string[]): string => path.join('.')

const differences: readonly Difference[] = [
  {
    why: 'null is not redacted, also after a wildcard, because it contains no secret',
    options: { paths: ['a.*', '*.c'] },
    input: () => ({ a: { b: null }, d: { c: null } }),
    theirs: '{"a":{"b":"[REDACTED]"},"d":{"c":"[REDACTED]"}}',
    ours: '{"a":{"b":null},"d":{"c":null}}',
  },
  {
    why: 'an undefined censor is treated as a missing one; use remove to omit members',
    options: { paths: ['a'], censor: undefined },
    input: () => ({ a: 1 }),
    theirs: '{}',
    ours: '{"a":"[REDACTED]"}',
  },
  {
    why: 'a frozen object is redacted, because the input is not modified',
    options: { paths: ['a'] },
    input: () => Object.freeze({ a: 1 }),
    theirs: '{"a":1}',
    ours: '{"a":"[REDACTED]"}',
  },
  {
    why: 'the value of a getter is redacted, because the input is not modified',
    options: { paths: ['a'] },
    input: () => ({
      get a() {
        return 1
      },
    }),
    theirs: '{"a":1}',
    ours: '{"a":"[REDACTED]"}',
  },
  {
    why: 'a rule redacts paths, not objects: the same object at another path is not redacted',
    options: { paths: ['a.x'] },
    input: () => ({ a: once, b: once }),
    theirs: '{"a":{"x":"[REDACTED]"},"b":{"x":"[REDACTED]"}}',
    ours: '{"a":{"x":"[REDACTED]"},"b":{"x":1}}',
  },
  {
    why: 'a primitive has no members to redact',
    options: { paths: ['a'] },
    input: () => 5,
    theirs: 'throws fast-redact: primitives cannot be redacted',
    ours: '5',
  },
  {
    why: 'inherited members are not logged, so redaction does not add them',
    options: { paths: ['a.toString', '*.valueOf'] },
    input: () => ({ a: {} }),
    theirs: '{"a":{"toString":"[REDACTED]","valueOf":"[REDACTED]"}}',
    ours: '{"a":{}}',
  },
  {
    why: 'the length of an array is not logged, so redaction does not change it',
    options: { paths: ['a.length'] },
    input: () => ({ a: [1] }),
    theirs: 'throws Invalid array length',
    ours: '{"a":[1]}',
  },
  {
    why: 'a name that exists on Object.prototype is redacted like any other name',
    options: { paths: ['__proto__'] },
    input: () => JSON.parse('{"__proto__":1}') as unknown,
    theirs: '{"__proto__":1}',
    ours: '{"__proto__":"[REDACTED]"}',
  },
  {
    why: 'each of three final wildcards matches one segment; fast-redact redacts one level too high',
    options: { paths: ['*.*.*'] },
    input: () => ({ a: { b: { c: 1 }, d: 2 } }),
    theirs: '{"a":{"b":"[REDACTED]","d":"[REDACTED]"}}',
    ours: '{"a":{"b":{"c":"[REDACTED]"},"d":2}}',
  },
  {
    why: 'names after a second wildcard must match; fast-redact matches them after the first',
    options: { paths: ['*.*.x.y'] },
    input: () => ({ a: { y: 1, b: { x: { y: 2 } } } }),
    theirs: '{"a":{"y":"[REDACTED]","b":{"x":{"y":2}}}}',
    ours: '{"a":{"y":1,"b":{"x":{"y":"[REDACTED]"}}}}',
  },
  {
    why: 'a third wildcard after a name matches one segment; fast-redact redacts everything at the second',
    options: { paths: ['*.*.x.*'] },
    input: () => ({ a: { y: 1, b: { x: { y: 2 } } } }),
    theirs: '{"a":{"y":"[REDACTED]","b":"[REDACTED]"}}',
    ours: '{"a":{"y":1,"b":{"x":{"y":"[REDACTED]"}}}}',
  },
  {
    why: 'a quote inside a name is part of the name, also after a wildcard',
    options: { paths: ['*["it\'s"]'] },
    input: () => ({ a: { "it's": 1, its: 2 } }),
    theirs: '{"a":{"it\'s":1,"its":"[REDACTED]"}}',
    ours: '{"a":{"it\'s":"[REDACTED]","its":2}}',
  },
  {
    why: 'spaces around a name are ignored, also after a wildcard',
    options: { paths: ['*. x'] },
    input: () => ({ a: { x: 1, ' x': 2 } }),
    theirs: '{"a":{"x":1," x":"[REDACTED]"}}',
    ours: '{"a":{"x":"[REDACTED]"," x":2}}',
  },
  {
    why: 'a censor function receives the actual path; fast-redact passes the second wildcard literally',
    options: { paths: ['*.*.c'], censor: onPath },
    input: () => ({ a: { b: { c: 1 } } }),
    theirs: '{"a":{"b":{"c":"a.*.c"}}}',
    ours: '{"a":{"b":{"c":"a.b.c"}}}',
  },
  {
    why: 'a censor function that returns undefined removes the value, also after a wildcard',
    options: { paths: ['*.x', 'y'], censor: () => undefined },
    input: () => ({ a: { x: 1 }, y: 2 }),
    theirs: '{"a":{"x":1}}',
    ours: '{"a":{}}',
  },
  {
    why: 'the default censor replaces the value when a censor function throws, and the log call returns',
    options: {
      paths: ['a'],
      censor: () => {
        throw new Error('broken')
      },
    },
    input: () => ({ a: 1 }),
    theirs: 'throws broken',
    ours: '{"a":"[REDACTED]"}',
  },
  {
    why: 'the censor function is called once, for the outermost match; fast-redact follows the order of the paths',
    options: { paths: ['a.b', 'a'], censor: (value: unknown) => JSON.stringify(value).length },
    input: () => ({ a: { b: 'long enough' } }),
    theirs: '{"a":8}',
    ours: '{"a":19}',
  },
  {
    why: 'a value that equals the censor is matched like any other value',
    options: { paths: ['["a"][0]'] },
    input: () => ({ a: '[REDACTED]' }),
    theirs: "throws Unexpected token '['",
    ours: '{"a":"[REDACTED]"}',
  },
  {
    why: 'the input is not modified, so nothing is restored; fast-redact fails to restore these paths',
    options: { paths: ['a', '[0].*.*'] },
    input: () => [[{ b: 1 }]],
    theirs: "throws Cannot read properties of null (reading 'val')",
    ours: '[[{"b":"[REDACTED]"}]]',
  },
  {
    why: 'credential headers are redacted by default',
    options: { paths: ['a'] },
    input: () => ({ headers: { authorization: 'x' } }),
    theirs: '{"headers":{"authorization":"x"}}',
    ours: '{"headers":{"authorization":"[REDACTED]"}}',
  },
]

/** Returns the result as a string, or `throws` and the message. */
function outcome(run: () => unknown): string {
  try {
    return String(run())
  } catch (error) {
    return `throws ${(error as Error).message}`
  }
}

describe('differences from fast-redact 3.5', () => {
  test.each(differences.map((row) => [row.why, row] as const))('%s', (_why, row) => {
    expect(outcome(() => fastRedact(row.options)(row.input()))).toBe(row.theirs)
    expect(ours(row.options as Redact, row.input())).toBe(row.ours)
  })

  test('the result of toJSON is redacted, because redaction applies to the output', () => {
    const input = { a: { toJSON: () => ({ b: 1 }) } }
    expect(fastRedact({ paths: ['a.b'] })(input)).toBe('{"a":{"b":1}}')
    expect(ours(['a.b'], JSON.parse(JSON.stringify(input)))).toBe('{"a":{"b":"[REDACTED]"}}')
  })

  test.each([
    'a.x-y',
    'first name',
    '0a',
    'a.0',
    'soap:id',
    '@id',
    '〇',
    '[ * ]',
    'a["b"] ',
    'a["b]c"]',
    'a["b;c"]',
    '**.x',
    'a.**',
  ])('the path %s is accepted, while fast-redact rejects it', (one) => {
    expect(() => fastRedact({ paths: [one] })).toThrow(/Invalid path|Unexpected/)
    expect(problemsOf([one])).toEqual([])
  })

  test.each(['a[1+1]', 'a[1.5]', 'a[0x10]', 'a[true]', 'a[`x${1}`]', 'a.\\u0062'])(
    'the path %s is rejected because it contains a JavaScript expression, while fast-redact accepts it',
    (one) => {
      expect(() => fastRedact({ paths: [one] })).not.toThrow()
      expect(problemsOf([one])).toMatchObject([{ code: 'SLUICE_PATH_SYNTAX', path: 'redact[0]' }])
    },
  )

  test.each([{ serialize: false }, { strict: false }, { remove: 1 }, { censor: {} }])(
    'the options %j are rejected because they are not supported, while fast-redact accepts them',
    (options) => {
      expect(() => fastRedact({ paths: ['a'], ...options } as unknown as Options)).not.toThrow()
      expect(problemsOf({ paths: ['a'], ...options })).toHaveLength(1)
    },
  )

  test.each([
    '',
    'a.',
    '.a',
    'a..b',
    'a[]',
    'a[b]',
    'a[00]',
    'a*',
    'a,b',
    'a;b',
    'a.[0]',
    'a\nb',
    'a/b',
    'a?.b',
    'a`x`',
  ])('the path %j is rejected by both', (one) => {
    expect(() => fastRedact({ paths: [one] })).toThrow(/Invalid path|Unexpected/)
    expect(problemsOf([one])).toHaveLength(1)
  })
})
