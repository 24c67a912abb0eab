import * as fc from 'fast-check'

/**
 * A text with `//` may look like a URL with a password in an inspected object, as in `{ '//': undefined, '@': 1 }`. Only this package
 * redacts that.
 */
const hasNoUrl = (value: string): boolean => !value.includes('//')

/** Well-formed strings, some with characters that JSON escapes. */
export const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('', 'a"b', 'x\\y', '\n\u0000\u007f', '\u2028', 'é😀'),
  )
  .map((value) => value.toWellFormed())
  .filter(hasNoUrl)

/** Keys of members. `__proto__` is excluded because bunyan and bole lose it when they copy fields. */
export const key = fc
  .oneof(
    fc.constantFrom('a', 'b', 'msg', 'message', 'err', 'req', 'user', 'constructor', 'level', 'time', 'v', 'pid', '1'),
    fc.string({ maxLength: 8 }).map((value) => value.toWellFormed()),
  )
  .filter((name) => name !== '__proto__' && hasNoUrl(name))

class Point {
  x = 1
  get y(): number {
    return 2
  }
}

const special = fc.constantFrom<unknown>(
  undefined,
  null,
  NaN,
  -0,
  Infinity,
  12n,
  Symbol('s'),
  () => 1,
  new Date(0),
  new Date(NaN),
  /x/,
  new Map([[1, 2]]),
  new Set([1]),
  Buffer.from('ab'),
  new Uint8Array(2),
  Object(1),
  Object('s'),
  new Point(),
  { toJSON: () => ({ value: 1 }) },
  { toJSON: (name: string) => `named ${name}` },
  [undefined, () => 1, Symbol('t')],
  new URL('https://host/path'),
  Object.assign([1], { extra: 2 }),
)

/** Values that can be logged and do not throw, built from the given strings and keys. */
export function valuesOf(text: fc.Arbitrary<string>, key: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      text,
      fc.double(),
      fc.integer(),
      fc.boolean(),
      special,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    ),
  })).value
}

export const value = valuesOf(text, key)

const circular = fc.dictionary(key, value, { maxKeys: 4 }).map((object) => {
  const inner = { back: object, again: [object] }
  return Object.assign(object, { self: object, inner, twice: inner })
})
const throwing = fc.dictionary(key, value, { maxKeys: 3 }).map((object) => {
  const bad = Object.defineProperty({ before: 1, after: 2 }, 'bad', {
    get: () => {
      throw new Error('no')
    },
    enumerable: true,
  })
  // fast-check prints counterexamples, and must not call the getter.
  Object.defineProperty(bad, fc.toStringMethod, { value: () => '{ throws }' })
  return Object.assign(object, { in: bad })
})

/** Errors whose stacks are the same in every run. */
export const errors = fc
  .tuple(text, text, fc.constantFrom('none', 'member', 'function'))
  .map(([message, cause, kind]) => {
    const inner = Object.assign(new TypeError(cause), { code: 'E_CODE', stack: `TypeError: ${cause}\n    at y` })
    const error = new Error(message, kind === 'member' ? { cause: inner } : {})
    if (kind === 'function') Object.assign(error, { cause: () => inner })
    return Object.assign(error, { stack: `Error: ${message}\n    at x`, code: 'E', extra: 1 })
  })

/** Objects with fields. */
export const object = fc.oneof(fc.dictionary(key, fc.oneof(value, errors), { maxKeys: 6 }), circular, throwing)

const message = fc.oneof(text, fc.constantFrom('%s took %d ms', '%j %o %O', '%%', '100%', '%i%f', '%s %s %x %s', '%'))

/** Arguments of a log call. */
export const call = fc.oneof(
  fc.tuple(object),
  fc.tuple(object, message),
  fc.tuple(object, message, value, value),
  fc.tuple(errors),
  fc.tuple(errors, message, value),
  fc.tuple(errors, object, message),
  fc.tuple(message),
  fc.tuple(message, value),
  fc.tuple(message, value, value, value),
  fc.tuple(fc.constantFrom(null, undefined), message),
  fc.tuple(fc.constantFrom(null, undefined, 1, true)),
  fc.tuple(value, value),
)
