import { describe, expect, test } from '@jest/globals'
import type { Redact } from '../../src/redact/redact.ts'
import { fastRedact, type FastRedactOptions as Options } from '../support/redaction/fast-redact.ts'
import { problemsOf, redacted } from '../support/redaction/redacting.ts'

function ours(options: Redact, data: unknown): string {
  return JSON.stringify(redacted(options, data))
}

/** What fast-redact does, what we do, and why. */
interface Difference {
  readonly why: string
  readonly options: Options
  readonly input: () => unknown
  /** What fast-redact writes, or `throws` and the message. */
  readonly theirs: string
  readonly ours: string
}

const once = { x: 1 }
const onPath = (_value: unknown, told: readonly string[]): string => told.join('.')

const differences: readonly Difference[] = [
  {
    why: 'null shows nothing, behind a wildcard as little as elsewhere',
    options: { paths: ['a.*', '*.c'] },
    input: () => ({ a: { b: null }, d: { c: null } }),
    theirs: '{"a":{"b":"[REDACTED]"},"d":{"c":"[REDACTED]"}}',
    ours: '{"a":{"b":null},"d":{"c":null}}',
  },
  {
    why: 'an undefined censor is an absent one: nobody who leaves it out wants members to vanish; remove does that',
    options: { paths: ['a'], censor: undefined },
    input: () => ({ a: 1 }),
    theirs: '{}',
    ours: '{"a":"[REDACTED]"}',
  },
  {
    why: 'a frozen object is covered, because it need not be changed',
    options: { paths: ['a'] },
    input: () => Object.freeze({ a: 1 }),
    theirs: '{"a":1}',
    ours: '{"a":"[REDACTED]"}',
  },
  {
    why: 'what a getter returns is covered, for the same reason',
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
    why: 'a rule covers places, not objects: the same object elsewhere is another place',
    options: { paths: ['a.x'] },
    input: () => ({ a: once, b: once }),
    theirs: '{"a":{"x":"[REDACTED]"},"b":{"x":"[REDACTED]"}}',
    ours: '{"a":{"x":"[REDACTED]"},"b":{"x":1}}',
  },
  {
    why: 'a value without members has nothing to cover',
    options: { paths: ['a'] },
    input: () => 5,
    theirs: 'throws fast-redact: primitives cannot be redacted',
    ours: '5',
  },
  {
    why: 'inherited members are not logged, so no rule makes them appear',
    options: { paths: ['a.toString', '*.valueOf'] },
    input: () => ({ a: {} }),
    theirs: '{"a":{"toString":"[REDACTED]","valueOf":"[REDACTED]"}}',
    ours: '{"a":{}}',
  },
  {
    why: 'the length of an array is not logged, so no rule covers it',
    options: { paths: ['a.length'] },
    input: () => ({ a: [1] }),
    theirs: 'throws Invalid array length',
    ours: '{"a":[1]}',
  },
  {
    why: 'a name that Object.prototype knows is a name like any other',
    options: { paths: ['__proto__'] },
    input: () => JSON.parse('{"__proto__":1}') as unknown,
    theirs: '{"__proto__":1}',
    ours: '{"__proto__":"[REDACTED]"}',
  },
  {
    why: 'each of three wildcards at the end stands for a segment; fast-redact covers one level too high',
    options: { paths: ['*.*.*'] },
    input: () => ({ a: { b: { c: 1 }, d: 2 } }),
    theirs: '{"a":{"b":"[REDACTED]","d":"[REDACTED]"}}',
    ours: '{"a":{"b":{"c":"[REDACTED]"},"d":2}}',
  },
  {
    why: 'names hold behind a second wildcard, too; fast-redact starts anew behind the first',
    options: { paths: ['*.*.x.y'] },
    input: () => ({ a: { y: 1, b: { x: { y: 2 } } } }),
    theirs: '{"a":{"y":"[REDACTED]","b":{"x":{"y":2}}}}',
    ours: '{"a":{"y":1,"b":{"x":{"y":"[REDACTED]"}}}}',
  },
  {
    why: 'a third wildcard behind a name is one, too; fast-redact covers everything at the second',
    options: { paths: ['*.*.x.*'] },
    input: () => ({ a: { y: 1, b: { x: { y: 2 } } } }),
    theirs: '{"a":{"y":"[REDACTED]","b":"[REDACTED]"}}',
    ours: '{"a":{"y":1,"b":{"x":{"y":"[REDACTED]"}}}}',
  },
  {
    why: 'a quote inside of a name is part of it behind a wildcard, too',
    options: { paths: ['*["it\'s"]'] },
    input: () => ({ a: { "it's": 1, its: 2 } }),
    theirs: '{"a":{"it\'s":1,"its":"[REDACTED]"}}',
    ours: '{"a":{"it\'s":"[REDACTED]","its":2}}',
  },
  {
    why: 'spaces around a name mean nothing behind a wildcard, too',
    options: { paths: ['*. x'] },
    input: () => ({ a: { x: 1, ' x': 2 } }),
    theirs: '{"a":{"x":1," x":"[REDACTED]"}}',
    ours: '{"a":{"x":"[REDACTED]"," x":2}}',
  },
  {
    why: 'a function is told where the value stands; fast-redact leaves the second star in',
    options: { paths: ['*.*.c'], censor: onPath },
    input: () => ({ a: { b: { c: 1 } } }),
    theirs: '{"a":{"b":{"c":"a.*.c"}}}',
    ours: '{"a":{"b":{"c":"a.b.c"}}}',
  },
  {
    why: 'a function that returns nothing shows nothing, behind a wildcard, too',
    options: { paths: ['*.x', 'y'], censor: () => undefined },
    input: () => ({ a: { x: 1 }, y: 2 }),
    theirs: '{"a":{"x":1}}',
    ours: '{"a":{}}',
  },
  {
    why: 'a function that throws shows nothing, and the log call returns',
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
    why: 'the outermost rule is asked, once; fast-redact goes by the order of the paths',
    options: { paths: ['a.b', 'a'], censor: (value: unknown) => JSON.stringify(value).length },
    input: () => ({ a: { b: 'long enough' } }),
    theirs: '{"a":8}',
    ours: '{"a":19}',
  },
  {
    why: 'a value that happens to be the censor is a value like any other on the way to a member',
    options: { paths: ['["a"][0]'] },
    input: () => ({ a: '[REDACTED]' }),
    theirs: "throws Unexpected token '['",
    ours: '{"a":"[REDACTED]"}',
  },
  {
    why: 'nothing is changed, so nothing has to be undone: with these paths fast-redact fails in it',
    options: { paths: ['a', '[0].*.*'] },
    input: () => [[{ b: 1 }]],
    theirs: "throws Cannot read properties of null (reading 'val')",
    ours: '[[{"b":"[REDACTED]"}]]',
  },
  {
    why: 'credential headers are covered by default',
    options: { paths: ['a'] },
    input: () => ({ headers: { authorization: 'x' } }),
    theirs: '{"headers":{"authorization":"x"}}',
    ours: '{"headers":{"authorization":"[REDACTED]"}}',
  },
]

/** What comes back, or the message of what is thrown. */
function outcome(run: () => unknown): string {
  try {
    return String(run())
  } catch (error) {
    return `throws ${(error as Error).message}`
  }
}

describe('differs from fast-redact 3.5', () => {
  test.each(differences.map((row) => [row.why, row] as const))('%s', (_why, row) => {
    expect(outcome(() => fastRedact(row.options)(row.input()))).toBe(row.theirs)
    expect(ours(row.options as Redact, row.input())).toBe(row.ours)
  })

  test('what toJSON returns is covered, because rules hold for what is written', () => {
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
  ])('by taking %s, whose meaning is clear', (one) => {
    expect(() => fastRedact({ paths: [one] })).toThrow(/Invalid path|Unexpected/)
    expect(problemsOf([one])).toEqual([])
  })

  test.each(['a[1+1]', 'a[1.5]', 'a[0x10]', 'a[true]', 'a[`x${1}`]', 'a.\\u0062'])(
    'by refusing %s, which is an expression of JavaScript and no path',
    (one) => {
      expect(() => fastRedact({ paths: [one] })).not.toThrow()
      expect(problemsOf([one])).toMatchObject([{ code: 'SLUICE_PATH_SYNTAX', path: 'redact[0]' }])
    },
  )

  test.each([{ serialize: false }, { strict: false }, { remove: 1 }, { censor: {} }])(
    'by refusing the options %j, which mean nothing here',
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
  ])('not by taking %j: both refuse it', (one) => {
    expect(() => fastRedact({ paths: [one] })).toThrow(/Invalid path|Unexpected/)
    expect(problemsOf([one])).toHaveLength(1)
  })
})
