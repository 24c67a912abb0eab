import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { configure } from 'safe-stable-stringify'
import { pino } from '../../../src/entries/pino.ts'
import { nestedValues } from '../../support/values/nested-values.ts'
import { Lines } from './support.ts'

/** What pino's options are to safe-stable-stringify. */
interface Limits {
  readonly depthLimit: number
  readonly edgeLimit: number
}
/** The limits of the table's rows. */
const ofRows: Limits = { depthLimit: 5, edgeLimit: 3 }

/** What safe-stable-stringify writes; undefined where it throws. */
function theirs(value: unknown, { depthLimit, edgeLimit }: Limits): string | undefined {
  try {
    return configure({ maximumDepth: depthLimit, maximumBreadth: edgeLimit })(value)
  } catch {
    return undefined
  }
}

/** What a member of a line holds. */
function ours(value: unknown, limits: Limits): string {
  const kept = new Lines()
  pino({ base: null, timestamp: false, ...limits }, kept).info({ v: value })
  return kept.lines.join('').slice('{"level":30,"v":'.length, -'}\n'.length)
}

/** An object that JSON.stringify throws at, so that both write it with care. */
function withBigInt(value: unknown): { v: unknown; zBig: bigint } {
  return { v: value, zBig: 1n }
}

interface Difference {
  readonly kind: string
  readonly value: string
  readonly theirs: string
  readonly ours: string
}

/** The rows of the table in the reference, which are all differences that are wanted. */
const page = readFileSync(new URL('../../../docs/reference/safe-stable-stringify.md', import.meta.url), 'utf8')
/** `<U+009B>` in a cell is that character itself. */
function raw(cell: string): string {
  return cell.replaceAll(/<U\+([\dA-F]{4})>/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
const differences: Difference[] = [
  ...page.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\| (?:`([^`]+)`|throws) +\| `([^`]+)` +\|/gm),
].map(([, kind, value, theirs, ours]) => ({ kind: kind!, value: value!, theirs: raw(theirs ?? 'throws'), ours: ours! }))

const bytes = fc.array(fc.nat(255), { maxLength: 6 })

/** Every kind of value there is, by name. A kind that has a row in the table is left out of the comparison. */
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
const listed = new Set(differences.map(({ kind }) => kind))
const leaf = fc.oneof(...Object.entries(kinds).flatMap(([kind, values]) => (listed.has(kind) ? [] : [values])))

/** The word for what is beyond the limit is a name like any other, and safe-stable-stringify then writes it twice. */
const ellipsis = listed.has('member called ...') ? [] : ['...']
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '10', '9', '__proto__', 'constructor', 'toString', '', ...ellipsis),
  fc.string({ maxLength: 4 }).filter((name) => name !== '...'),
)

const value = nestedValues(leaf, key)
const limits = fc.record({
  depthLimit: fc.constantFrom(1, 2, 3, 5, 50),
  edgeLimit: fc.constantFrom(1, 2, 3, 100),
})

describe('values of sluice/pino that JSON.stringify throws at, compared with safe-stable-stringify', () => {
  test('are the same texts, but for the rows of the table in the reference', () => {
    let compared = 0
    fc.assert(
      fc.property(value, limits, (value, limits) => {
        const expected = theirs(withBigInt(value), limits)
        compared++
        expect(ours(withBigInt(value), limits)).toBe(expected)
      }),
      { numRuns: 5_000 },
    )
    expect(compared).toBeGreaterThan(4_999)
  })

  test.each(differences)('$kind: $value is written as the table says', ({ value, theirs: said, ours: written }) => {
    const given = withBigInt(runInThisContext(`(${value})`))
    expect(theirs(given, ofRows) ?? 'throws').toBe(said === 'throws' ? said : `{"v":${said},"zBig":1}`)
    expect(ours(given, ofRows)).toBe(`{"v":${written},"zBig":1}`)
  })

  test('each row of the table is of a kind that is generated, and is a difference', () => {
    expect(differences.length).toBeGreaterThan(0)
    for (const { kind, theirs: said, ours: written } of differences) {
      expect([...Object.keys(kinds), 'member called ...']).toContain(kind)
      expect(written).not.toBe(said)
    }
  })
})
