import * as fc from 'fast-check'
import { leafNames, type Description, type ObjectKind, type Seed } from '../build.ts'

/** Text with characters that are special in JSON or a terminal: quotes, control characters, lone surrogates, line separators. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 8 }) },
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\r', '\u0000', '\u007f', '\u009b', '\u2028', '\ud800', '\udc00', 'é', '😀'),
    maxLength: 30,
  }),
  // Long texts use another code path, which depends on a single character.
  fc
    .constantFrom('\ud800', '\udfff', '😀', 'é', '\u2028', '\u0001', '"')
    .map((character) => `a text of more than twenty characters ${character}`),
)

/** Property names, including those that are special in JavaScript. */
export const keys: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('a', 'b', 'c', 'user', 'items', 'password', 'message', 'level', 'next', 'on', 'then'),
  },
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'length',
    '0',
    '1',
    '10',
    '-1',
    '',
    'type',
    'name',
  ),
  nastyText,
)

const seeds: fc.Arbitrary<Seed> = fc.record({
  text: nastyText,
  number: fc.oneof(fc.double(), fc.integer(), fc.constantFrom(NaN, Infinity, -Infinity, -0, 5e-324, 1e21)),
  bytes: fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 6 }),
})

const { any } = fc.letrec<{ any: Description; leaf: Description }>((tie) => {
  const some = fc.array(tie('any'), { maxLength: 4 })
  const members = fc.uniqueArray(fc.tuple(keys, tie('any')), { maxLength: 5, selector: ([key]) => key })
  const errorKeys = fc.constantFrom('code', 'type', 'stacktrace', '_type', 'self', 'then', '__proto__', '7')
  return {
    leaf: fc.record({ is: fc.constant('leaf' as const), make: fc.constantFrom(...leafNames), seed: seeds }),
    any: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      { weight: 6, arbitrary: tie('leaf') },
      {
        weight: 2,
        arbitrary: fc.record({
          is: fc.constant('array' as const),
          items: some,
          hole: fc.boolean(),
          proxy: fc.boolean(),
        }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          is: fc.constant('object' as const),
          as: fc.constantFrom<ObjectKind[]>('plain', 'plain', 'bare', 'class', 'getters', 'proxy', 'throwing'),
          members,
        }),
      },
      fc.record({
        is: fc.constant('map' as const),
        entries: fc.array(fc.tuple(fc.oneof({ weight: 5, arbitrary: keys }, tie('leaf')), tie('any')), {
          maxLength: 4,
        }),
      }),
      fc.record({ is: fc.constant('set' as const), items: some }),
      fc.record({
        is: fc.constant('error' as const),
        type: fc.constantFrom('Error', 'RangeError', 'CustomError', 'AggregateError'),
        message: nastyText,
        members: fc.uniqueArray(fc.tuple(errorKeys, tie('any')), { maxLength: 3, selector: ([key]) => key }),
        cause: fc.option(tie('any'), { nil: undefined }),
      }),
      fc.record({ is: fc.constant('toJSON' as const), answer: tie('any'), own: fc.boolean() }),
      { weight: 2, arbitrary: fc.record({ is: fc.constant('up' as const), levels: fc.nat(5) }) },
      fc.record({ is: fc.constant('again' as const), which: fc.nat(9) }),
    ),
  }
})

/** Descriptions of any value. */
export const descriptions: fc.Arbitrary<Description> = any

/** Descriptions of the members of an object. */
export const memberDescriptions: fc.Arbitrary<readonly (readonly [string, Description])[]> = fc.uniqueArray(
  fc.tuple(keys, any),
  { maxLength: 6, selector: ([key]) => key },
)
