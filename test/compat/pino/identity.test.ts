import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import realPino from 'pino'
import { pino } from '../../../src/entries/pino.ts'
import { valuesOf } from '../arbitraries.ts'
import { withControlsEscaped } from '../escaped-controls.ts'
import { isPlainLine, Lines } from './support.ts'

/** Without lone surrogates, which pino writes unescaped although UTF-8 cannot represent them. */
const text = fc.string({ unit: 'binary', maxLength: 120 }).map((value) => value.toWellFormed())
const key = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'msg',
    'err',
    'req',
    'user',
    'password',
    '__proto__',
    'constructor',
    'level',
    'time',
    'x-y',
  ),
  fc.string({ maxLength: 8 }).map((value) => value.toWellFormed()),
)

const value = valuesOf(text, key)

const circular = fc.dictionary(key, value, { maxKeys: 4 }).map((object) => {
  object['self'] = object
  return object
})
const deep = fc.integer({ min: 1, max: 40 }).map((depth) => {
  let object: object = { big: 1n }
  for (let i = 0; i < depth; i++) object = i % 2 === 0 ? { b: object, a: [object] } : [object]
  return object
})
const wide = fc.integer({ min: 95, max: 105 }).map((length) => ({
  big: 1n,
  list: Array.from({ length }, (_, index) => index),
  object: Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, index])),
}))
const errors = fc.tuple(text, text, fc.boolean()).map(([message, cause, grouped]) => {
  const inner = Object.assign(new TypeError(cause), { code: 'E_CODE' })
  const error = grouped ? new AggregateError([inner], message) : new Error(message, { cause: inner })
  return Object.assign(error, { stack: `Error: ${message}\n    at x` })
})

const object = fc.oneof(fc.dictionary(key, fc.oneof(value, errors), { maxKeys: 6 }), circular, deep, wide, errors)
const message = fc.oneof(text, fc.constantFrom('%s took %d ms', '%j %o %O', '%%', '100%', '%i%f', '%s %s %x %s', '%'))
const call = fc.oneof(
  fc.tuple(object),
  fc.tuple(object, message),
  fc.tuple(object, message, value, value),
  fc.tuple(message),
  fc.tuple(message, value),
  fc.tuple(message, value, value, value),
  fc.tuple(fc.constantFrom(null, undefined), message),
  fc.tuple(fc.constantFrom(null, undefined, 1, true)),
  fc.tuple(value, value),
)

const options = fc.record(
  {
    messageKey: fc.constantFrom('message', 'a'),
    errorKey: fc.constantFrom('error', 'a'),
    nestedKey: fc.constantFrom('nested', 'p'),
    name: text,
    // pino loses a member named __proto__ when it copies the base.
    base: fc.oneof(
      fc.constant(null),
      fc.dictionary(
        key.filter((name) => name !== '__proto__'),
        value,
        { maxKeys: 3 },
      ),
    ),
    msgPrefix: fc.constantFrom('[x] ', '%s '),
    crlf: fc.boolean(),
    depthLimit: fc.integer({ min: 1, max: 8 }),
    edgeLimit: fc.integer({ min: 1, max: 110 }),
    serializers: fc.constantFrom(
      { user: (user: unknown) => ({ of: typeof user }) },
      { msg: (value: unknown) => `<${typeof value}>` },
      { msg: (value: unknown) => value },
      { err: () => 'an error' },
    ),
    formatters: fc.constantFrom(
      { level: (label: string) => ({ severity: label }) },
      { log: (object: object) => ({ ...object, more: 1 }) },
      { bindings: () => ({ bound: true }) },
    ),
    mixin: fc.constantFrom(() => ({ mixed: 1, a: 'mixin' })),
    customLevels: fc.constantFrom({ notice: 35 }),
  },
  { requiredKeys: [] },
)

/** Returns the line of a call, or the empty string if it writes none. */
function lineOf(make: typeof pino, given: object, bindings: object[], args: unknown[]): string {
  const kept = new Lines()
  let log = make({ timestamp: () => ',"time":1', ...given }, kept) as ReturnType<typeof pino>
  for (const each of bindings) log = log.child(each)
  Reflect.apply(log.info, log, args)
  return kept.lines.join('')
}

function pinoLine(given: object, bindings: object[], args: unknown[]): string | undefined {
  try {
    return lineOf(realPino as unknown as typeof pino, given, bindings, args)
  } catch {
    return undefined // pino itself throws for some arguments
  }
}

const bindings = fc.array(fc.dictionary(key, value, { maxKeys: 3 }), { maxLength: 2 })

const functions = [
  [() => 1, 0],
  [null, () => 1],
  [{ a: 1 }, () => 1],
]
const withMembers = [{ msg: 'a member', b: 1 }, () => 1]

test.each([
  ['its serializer returns a string', { msg: (value: unknown) => `<${typeof value}>` }, functions],
  ['its serializer returns it', { msg: (value: unknown) => value }, [...functions, withMembers]],
  ['it has no serializer', {}, [...functions, withMembers]],
])("a call with a function as its message writes pino's line when %s", (_, serializers, calls) => {
  expect(calls.map((args) => lineOf(pino, { serializers }, [], args))).toEqual(
    calls.map((args) => lineOf(realPino as unknown as typeof pino, { serializers }, [], args)),
  )
})

test.each([[{}], [{ redact: ['a.b'] }], [{ messageKey: 'text' }], [{ depthLimit: 2 }]])(
  'the `toJSON` of a message receives the same key as from pino with the options %j',
  (given) => {
    const args: Parameters<typeof lineOf>[3] = [{}, { toJSON: (name: string) => `named ${name}` }]
    expect(lineOf(pino, given, [], args)).toBe(lineOf(realPino as unknown as typeof pino, given, [], args))
  },
)

test("a line equals pino's line when that is valid JSON with unique keys and no lost values", () => {
  let compared = 0
  fc.assert(
    fc.property(options, bindings, call, (given, bound, args) => {
      const theirs = pinoLine(given, bound, args)
      const ours = lineOf(pino, given, bound, args)
      expect(isPlainLine(ours)).toBe(true)
      if (theirs === undefined || !isPlainLine(theirs) || theirs.includes('[unable to serialize')) return
      // pino also loses a member named __proto__ when it copies the object of a call into that of a mixin.
      if (given.mixin !== undefined && Object.hasOwn(Object(args[0]) as object, '__proto__')) return
      compared++
      expect(ours).toBe(withControlsEscaped(theirs))
    }),
    { numRuns: 2_000 },
  )
  expect(compared).toBeGreaterThan(1_000)
})

const redacted = fc.record({
  paths: fc.uniqueArray(
    fc.constantFrom(
      'a',
      'b.a',
      '*.password',
      'user.password',
      'a.b[*]',
      'b[0]',
      'user.*',
      'msg',
      'err.code',
      '["x-y"]',
    ),
    { minLength: 1, maxLength: 3 },
  ),
  censor: fc.constantFrom<unknown>(
    'X',
    '[Redacted]',
    (value: unknown, path: string[]) => `${typeof value} ${path.join('/')}`,
  ),
})
const plain = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    text,
    fc.integer(),
    fc.constantFrom(null, true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'user', 'password', 'x-y', 'code'), tie('value'), { maxKeys: 4 }),
  ),
})).value

test('redacted data is written exactly as by pino', () => {
  expect.hasAssertions()
  fc.assert(
    fc.property(
      redacted,
      fc.dictionary(fc.constantFrom('a', 'b', 'user', 'x-y'), plain, { maxKeys: 4 }),
      text,
      ({ paths, censor }, fields, message) => {
        // If two paths match one value, pino calls a censor function again with the result of its first call.
        const redact = { paths: typeof censor === 'function' ? paths.slice(0, 1) : paths, censor }
        const theirs = pinoLine({ redact }, [], [fields, message])
        // pino calls a censor function for missing values without a path, where this one throws.
        const ours = lineOf(pino, { redact }, [], [fields, message])
        expect(ours).toBe(theirs === undefined ? ours : withControlsEscaped(theirs))
      },
    ),
    { numRuns: 1_000 },
  )
})
