import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { configure } from 'safe-stable-stringify'
import { pino } from '../../../src/entries/pino.ts'
import { nestedValues } from '../../support/values/nested-values.ts'
import { Lines } from './support.ts'

/** Options of pino that set those of safe-stable-stringify. */
interface Limits {
  readonly depthLimit: number
  readonly edgeLimit: number
}
/** The limits that the rows of the table use. */
const tableLimits: Limits = { depthLimit: 5, edgeLimit: 3 }

/** Returns the text of safe-stable-stringify, or undefined if it throws. */
function theirs(value: unknown, { depthLimit, edgeLimit }: Limits): string | undefined {
  try {
    return configure({ maximumDepth: depthLimit, maximumBreadth: edgeLimit })(value)
  } catch {
    return undefined
  }
}

/** Returns the text of a member of a line of sluice/pino. */
function ours(value: unknown, limits: Limits): string {
  const kept = new Lines()
  pino({ base: null, timestamp: false, ...limits }, kept).info({ v: value })
  return kept.lines.join('').slice('{"level":30,"v":'.length, -'}\n'.length)
}

/** Adds a BigInt, for which JSON.stringify throws, so that pino uses safe-stable-stringify. */
function withBigInt(value: unknown): { v: unknown; zBig: bigint } {
  return { v: value, zBig: 1n }
}

interface Difference {
  readonly kind: string
  readonly value: string
  readonly theirs: string
  readonly ours: string
}

/** The rows of the table in the reference, which lists all intended differences. */
const page = readFileSync(new URL('../../../docs/reference/safe-stable-stringify.md', import.meta.url), 'utf8')
/** `<U+009B>` in a cell is that character itself. */
function raw(cell: string): string {
  return cell.replaceAll(/<U\+([\dA-F]{4})>/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
const differences: Difference[] = [
  ...page.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\| (?:`([^`]+)`|throws) +\| `([^`]+)` +\|/gm),
].map(([, kind, value, theirs, ours]) => ({ kind: kind!, value: value!, theirs: raw(theirs ?? 'throws'), ours: ours! }))

const bytes = fc.array(fc.nat(255), { maxLength: 6 })

/** Generators of every kind of value, by name. A kind that has a row in the table is excluded from the comparison. */
const kinds: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text: fc.oneof(fc.string(), fc.constantFrom('\u2028', 'a"b\\', '\ud800', '\u0000\u001b', 'é😀', '[Circular]')),
  controls: fc.constantFrom('\u007f', '\u0080', 'a\u009b31m'),
  number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  'no number': fc.constantFrom(NaN, Infinity, -Infinity, -0),
  BigInt: fc.bigInt(),
  boolean: fc.boolean(),
  null: fc.constant(null),
  undefined: fc.constant(undefined),
  symbol: fc.constant(Symbol('s')),
  function: fc.constant(() => 1),
  date: fc.date(),
  RegExp: fc.constant(/a+/g),
  Error: fc.constant(Object.assign(new Error('no'), { code: 'E' })),
  boxed: fc.constantFrom<unknown>(new Number(1), new String('ab'), new Boolean(false), Object(Symbol('s'))),
  'boxed BigInt': fc.constant(Object(1n)),
  Map: fc.constant(new Map([['k', 1]])),
  Set: fc.constant(new Set([1])),
  'typed array': fc.oneof(
    bytes.map((items) => Uint8Array.from(items)),
    bytes.map((items) => Float64Array.from(items)),
  ),
  'typed array with members': bytes.map((items) => Object.assign(Uint8Array.from(items), { b: 1, a: 2 })),
  Buffer: bytes.map((items) => Buffer.from(items)),
  'typed array of no number': fc.constant(Float64Array.of(NaN)),
  'typed array of BigInts': fc.constant(BigInt64Array.of(1n, 2n)),
  'sparse array': fc.constant(Object.assign([], { length: 3, 1: 'x' })),
  'array with members': fc.constant(Object.assign([1], { extra: 2 })),
  'members that are not listed': fc.constant(Object.defineProperty({ a: 1 }, 'hidden', { value: 2 })),
  'symbol keys': fc.constant({ [Symbol('s')]: 1, a: 2 }),
  'instance of a class': fc.constant(
    new (class Point {
      y = 1
      x = 2
    })(),
  ),
  'no prototype': fc.constant(Object.assign(Object.create(null) as object, { b: 1, a: 2 })),
  getter: fc.constant({
    get a() {
      return 'got'
    },
  }),
  'getter that throws': fc.constant({
    get a(): never {
      throw new Error('no')
    },
  }),
  toJSON: fc.oneof(
    fc.constant({ toJSON: (name: string) => `at ${name}` }),
    fc.constant({ toJSON: () => ({ b: [1], a: 2 }) }),
    fc.constant({ toJSON: () => undefined }),
    fc.constant({ toJSON: 'no function' }),
  ),
  'toJSON that throws': fc.constant({
    toJSON(): never {
      throw new Error('no')
    },
  }),
}
const listedKinds = new Set(differences.map(({ kind }) => kind))
const leaf = fc.oneof(...Object.entries(kinds).flatMap(([kind, values]) => (listedKinds.has(kind) ? [] : [values])))

/** safe-stable-stringify writes this key twice if an object has it and also exceeds `edgeLimit`. */
const ellipsis = listedKinds.has('member called ...') ? [] : ['...']
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '10', '9', '__proto__', 'constructor', 'toString', '', ...ellipsis),
  fc.string({ maxLength: 4 }).filter((name) => name !== '...'),
)

const value = nestedValues(leaf, key)
const limits = fc.record({
  depthLimit: fc.constantFrom(1, 2, 3, 5, 50),
  edgeLimit: fc.constantFrom(1, 2, 3, 100),
})

describe('sluice/pino compared with safe-stable-stringify', () => {
  test('values that JSON.stringify rejects are written as by safe-stable-stringify, except as the reference lists', () => {
    let compared = 0
    fc.assert(
      fc.property(value, limits, (value, limits) => {
        const expected = theirs(withBigInt(value), limits)
        compared++
        expect(ours(withBigInt(value), limits)).toBe(expected)
      }),
      { numRuns: 1_500 },
    )
    expect(compared).toBeGreaterThan(1_499)
  })

  test.each(differences)(
    '$kind: $value is written as the table in the reference lists',
    ({ value, theirs: listed, ours: written }) => {
      const given = withBigInt(runInThisContext(`(${value})`))
      expect(theirs(given, tableLimits) ?? 'throws').toBe(listed === 'throws' ? listed : `{"v":${listed},"zBig":1}`)
      expect(ours(given, tableLimits)).toBe(`{"v":${written},"zBig":1}`)
    },
  )

  test('each row of the table is of a generated kind and shows a difference', () => {
    expect(differences.length).toBeGreaterThan(0)
    for (const { kind, theirs: listed, ours: written } of differences) {
      expect([...Object.keys(kinds), 'member called ...']).toContain(kind)
      expect(written).not.toBe(listed)
    }
  })
})
