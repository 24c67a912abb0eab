import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { format } from '../../../src/entries/winston.ts'
import { nestedValues } from '../../support/values/nested-values.ts'
import { withTextEscaped } from '../escaped-controls.ts'
import { runSluice, runWinston, type Run } from './peers.ts'

/** Options of `format.json()` that both packages support. */
interface JsonOptions {
  readonly deterministic?: boolean
  readonly space?: string | number
  readonly replacer?: readonly (string | number)[] | ((key: string, value: unknown) => unknown)
}

/** Returns the line of a record with the value, or `throws` if the call throws. */
function written(run: Run, value: unknown, options?: JsonOptions): unknown {
  try {
    return run(
      (formats) => ({ format: formats['json']!(options) }),
      (log) => log['info']!('m', { v: value }),
    )[0]
  } catch {
    return 'throws'
  }
}

/** JSON values without integer keys, which come first with a replacer, as a row of the table of calls lists. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'v', '', '-x', '__proto__', 'Z'), tie('json'), { noNullPrototype: true }),
  ),
}))
/** All kinds of values that both write alike. test/docs/winston.test.ts checks the others, listed in the reference. */
const leaf = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u2028', 'a"b\\', '\ud800', '\u0000\u001b', 'é😀', '[Circular]'),
  fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(-0)),
  fc.bigInt(),
  fc.constantFrom(true, false, null, undefined),
  fc.date({ noInvalidDate: true }),
  json,
  fc.constant(Object.assign([], { length: 3, 1: 'x' })),
  fc.constant(Object.assign([1], { extra: 2 })),
  fc.constant(Object.defineProperty({ a: 1 }, 'hidden', { value: 2 })),
  fc.constant({ [Symbol('s')]: 1, a: 2 }),
  fc.constant(Object.assign(Object.create(null) as object, { b: 1, a: 2 })),
  fc.constant(
    new (class Point {
      y = 1
      x = 2
    })(),
  ),
  fc.constant({
    get a() {
      return 'got'
    },
  }),
  fc.constant({ toJSON: (name: string) => `at ${name}` }),
  fc.constant({ toJSON: () => ({ b: [1], a: 2 }) }),
  fc.constant({ toJSON: () => undefined }),
  fc.constant({ toJSON: 'no function' }),
)
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '10', '9', '__proto__', 'constructor', 'toString', '', '...'),
  fc.string({ maxLength: 4 }),
)
const value = nestedValues(leaf, key)
const options: fc.Arbitrary<JsonOptions | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  fc.record({ space: fc.constantFrom(0, 1, 2, 12, '', '\t', '--') }),
)

describe('format.json() compared with winston', () => {
  test('format.json() writes the same text as winston, except as the table in the reference lists', () => {
    let compared = 0
    fc.assert(
      fc.property(value, options, (value, options) => {
        compared++
        expect(written(runSluice, value, options)).toBe(withTextEscaped(written(runWinston, value, options) as string))
      }),
      { numRuns: 1_000 },
    )
    expect(compared).toBeGreaterThanOrEqual(1_000)
  })

  test('format.json() with `deterministic: false` or a replacer writes JSON values as winston does', () => {
    const options = fc.oneof(
      fc.constant({ deterministic: false }),
      fc.constant({ replacer: ['level', 'message', 'v', 'a', 'b'] }),
      fc.constant({ replacer: (_: string, value: unknown) => (typeof value === 'number' ? value + 1 : value) }),
      fc.constant({ deterministic: false, space: 2 }),
    )
    fc.assert(
      fc.property(json, options, (value, options) => {
        expect(written(runSluice, value, options)).toBe(withTextEscaped(written(runWinston, value, options) as string))
      }),
      { numRuns: 300 },
    )
  })

  test.each(['bigint', 'circularValue', 'maximumBreadth', 'maximumDepth', 'strict'])(
    'the option %s of format.json() is rejected with the reason',
    (name) => {
      expect(() => format.json({ [name]: 1 })).toThrow(/SLUICE_OPTION_UNSUPPORTED|not supported|BigInts|limits|cycle/)
    },
  )
})
