import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { Redact } from '../../src/redact/redact.ts'
import { fastRedact, type FastRedactOptions as Options } from '../support/redaction/fast-redact.ts'
import { applyRules } from '../support/redaction/rules.ts'

/** Returns the output of fast-redact. */
function theirs(options: Options, data: unknown): string {
  return String(fastRedact({ serialize: JSON.stringify, ...options })(structuredClone(data)))
}

/**
 * Returns the output of fast-redact without its restore step, which fails for some pairs of paths; undefined
 * if the preparation of that step already fails. differences.test.ts has a row for each of these failures.
 */
function theirsNotRestored({ remove, ...options }: Options, data: unknown): string | undefined {
  // fast-redact allows remove only when it serializes itself; an undefined censor has the same effect.
  const censor = remove === true ? { censor: undefined } : {}
  try {
    return JSON.stringify(fastRedact({ ...options, ...censor, serialize: false })(structuredClone(data)))
  } catch (error) {
    if ((error as Error).name === 'SyntaxError') return undefined
    throw error
  }
}

function ours(options: Redact, data: unknown): string {
  return JSON.stringify(applyRules(options, data))
}

const numRuns = 400

const plainName = fc.constantFrom('a', 'b', 'c')
const anyName = fc.oneof({ weight: 6, arbitrary: plainName }, fc.constantFrom('0', '1', 'b-c', 'd.e', 'x y'))

/** A name in any notation that fast-redact accepts for it. */
const name = fc.tuple(anyName, fc.constantFrom('.', '"', "'", '`')).map(([text, notation]) => {
  if (notation !== '.') return `[${notation}${text}${notation}]`
  return /^\d$/.test(text) ? `[${text}]` : /^[a-z]$/.test(text) ? `.${text}` : `["${text}"]`
})
const names = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(name, { minLength, maxLength }).map((parts) => parts.join(''))
const star = fc.constantFrom('.*', '[*]', '["*"]')
const joined = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join('').replace(/^\./, ''))

const supported: Record<string, fc.Arbitrary<string>> = {
  'a.b.c': joined(names(1, 4)),
  'a.b.*': joined(names(0, 3), star),
  'a.*.b.c': joined(names(0, 2), star, names(1, 3)),
  'a.*.b.*': joined(names(0, 2), star, names(0, 2), star),
  'a.*.b.*.c': joined(names(0, 2), star, names(0, 2), star, name),
  'a.*.*.*.b': joined(names(0, 1), star, star, star, name),
}
const path = fc.oneof(...Object.values(supported))

// No null: differences.test.ts tests null after a wildcard.
const scalar = fc.oneof(fc.constantFrom('', 0, false, true, 'x'), fc.string(), fc.double({ noNaN: true }))
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    scalar,
    fc.dictionary(anyName, tie('tree'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
  ),
}))
const data = fc.oneof(
  fc.dictionary(anyName, tree, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
  fc.array(tree, { minLength: 1, maxLength: 3 }),
)

function withValue(value: unknown): string {
  return `was ${JSON.stringify(value)}`
}

// fast-redact passes the path only to functions with two parameters.
function withPath(value: unknown, path: readonly string[]): string {
  return `${typeof value} at ${path.join('|')}`
}

describe('agreement with fast-redact 3.5', () => {
  test.each(Object.entries(supported))('redaction of paths such as %s agrees with fast-redact', (_form, paths) => {
    let redactedCount = 0
    fc.assert(
      fc.property(paths, data, (one, input) => {
        const expected = theirs({ paths: [one] }, input)
        if (expected !== JSON.stringify(input)) redactedCount++
        expect(ours([one], input)).toBe(expected)
      }),
      { numRuns },
    )
    expect(redactedCount).toBeGreaterThan(numRuns / 100) // otherwise the generated paths rarely match the data
  })

  test.each<[string, Options]>([
    ['the default censor', {}],
    ['a string censor', { censor: '' }],
    ['a number censor', { censor: 0 }],
    ['a boolean censor', { censor: true }],
    ['a null censor', { censor: null }],
    ['remove', { remove: true }],
    ['remove and a censor', { remove: true, censor: 'ignored' }],
    ['a false remove', { remove: false, censor: 'x' }],
  ])('redaction of several paths with %s agrees with fast-redact', (_title, options) => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 4 }), data, (paths, input) => {
        const expected = theirsNotRestored({ ...options, paths }, input)
        fc.pre(expected !== undefined)
        expect(ours({ ...options, paths } as Redact, input)).toBe(expected)
      }),
      { numRuns },
    )
  })

  test('redaction of one path with remove agrees with fast-redact', () => {
    fc.assert(
      fc.property(path, data, (one, input) => {
        expect(ours({ paths: [one], remove: true }, input)).toBe(theirs({ paths: [one], remove: true }, input))
      }),
      { numRuns },
    )
  })

  test('a censor function receives the same value as in fast-redact and its result is written in the same way', () => {
    fc.assert(
      fc.property(path, data, (one, input) => {
        expect(ours({ paths: [one], censor: withValue }, input)).toBe(
          theirs({ paths: [one], censor: withValue }, input),
        )
      }),
      { numRuns },
    )
  })

  test('a censor function receives the same path as in fast-redact, for paths with at most one, final wildcard', () => {
    const pathsWithoutInnerWildcard = fc.oneof(supported['a.b.c']!, supported['a.b.*']!)
    fc.assert(
      fc.property(pathsWithoutInnerWildcard, data, (one, input) => {
        expect(ours({ paths: [one], censor: withPath }, input)).toBe(theirs({ paths: [one], censor: withPath }, input))
      }),
      { numRuns },
    )
  })

  test('null and undefined at the end of a path of names are handled as in fast-redact', () => {
    const input = { a: { b: null, c: undefined, d: 1 } }
    const paths = ['a.b', 'a.c', 'a.d', 'a.e', 'f.g']
    expect(ours(paths, input)).toBe(theirs({ paths }, input))
    expect(ours(paths, input)).toBe('{"a":{"b":null,"d":"[REDACTED]"}}')
  })

  test.each<[string, unknown]>([
    ['a[""]', { a: { '': 1 } }],
    ['[""]', { '': 1 }],
    ['a["b[c"].d', { a: { 'b[c': { d: 1 } } }],
    ["a['it\\'s']", { a: { "it's": 1, its: 2 } }],
    ['a["it\'s"]', { a: { "it's": 1, its: 2 } }],
    ['a["\\x62\\u0063\\u{64}"]', { a: { bcd: 1 } }],
    ['a["\\*"]', { a: { '*': 1, b: 2 } }],
    ['a["**"]', { a: { '**': 1, b: 2 } }],
    [' a . b [ "c" ]', { a: { b: { c: 1, d: 2 } } }],
    ['a\t.b', { a: { b: 1 } }],
    ['class.if.é.$_', { class: { if: { é: { $_: 1 } } } }],
    ['a[-1]', { a: { '-1': 1 } }],
    ['a[0][1].b', { a: [[0, { b: 1 }]] }],
    ['a.b', { a: 'text' }],
    ['a[0]', { a: 'text' }],
    ['a.*', { a: 'text' }],
    ['*.*', { a: 'text', b: [1, [2]] }],
  ])('redaction of the path %s agrees with fast-redact', (one, input) => {
    expect(ours([one], input)).toBe(theirs({ paths: [one] }, input))
  })
})
