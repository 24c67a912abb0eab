import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import * as fc from 'fast-check'
import { levelConfigs } from '../../../src/compat/winston/levels.ts'
import { withTextEscaped } from '../escaped-controls.ts'
import { runSluice, runWinston, type AnyLogger, type Formats, type Run } from './peers.ts'

// Both packages read the clock in their formats.
beforeEach(() => void jest.useFakeTimers({ now: 1_795_254_963_123, doNotFake: ['nextTick', 'setImmediate'] }))
afterEach(() => void jest.useRealTimers())

const names = ['a', 'b', 'ms', 'label', 'user', 'x y', '10', 'stack', 'timestamp', 'padding']
const name = fc.constantFrom(...names)
/** Values that formats receive unchanged at any depth. */
const scalar = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
)
const leaf = fc.oneof(
  scalar,
  fc.constant(undefined),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }),
)
const value = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}))
const members = fc.constantFrom(...names.filter((name) => name !== 'padding'))
const meta = fc.dictionary(members, fc.oneof(leaf, value.value), {
  maxKeys: 4,
  noNullPrototype: true,
})
/** Members that libraries add to their errors. `name` and `cause` are enumerable here, unlike in other errors. */
const ofError = fc.record(
  {
    code: fc.constant('E_NO'),
    name: fc.constant('BadRequest'),
    type: fc.constant('entity.parse.failed'),
    stacktrace: fc.constant('theirs'),
    status: fc.integer(),
    cause: fc.oneof(fc.string(), fc.record({ code: fc.integer() })),
  },
  { requiredKeys: [], noNullPrototype: true },
)

function stable(error: Error, members: object): Error {
  Object.assign(error, members)
  return Object.assign(error, { stack: `${error.name}: ${error.message}\n    at here` })
}

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('plain', '%s and %d', '100%%', '%j', '%i %f', '%O', '%s %s %s', 'a\nb', '{"a":1}'),
)
const level = fc.constantFrom('error', 'warn', 'info', 'http', 'verbose', 'debug', 'silly')

type Call = (logger: AnyLogger) => unknown
type Shape = readonly [title: string, call: Call]

const calls: fc.Arbitrary<Shape> = fc.oneof(
  fc.tuple(level, text).map(([level, text]): Shape => [`${level}(text)`, (log) => log[level]!(text)]),
  fc
    .tuple(level, text, meta)
    .map(([level, text, meta]): Shape => [
      `${level}(text, meta) ${fc.stringify([text, meta])}`,
      (log) => log[level]!(text, structuredClone(meta)),
    ]),
  fc
    .tuple(level, text, fc.array(fc.oneof(leaf, meta), { maxLength: 3 }))
    .map(([level, text, more]): Shape => [
      `${level}(text, ...) ${fc.stringify([text, more])}`,
      (log) => log[level]!(text, ...structuredClone(more)),
    ]),
  fc.tuple(level, text).map(([level, text]): Shape => [`log(level, text)`, (log) => log['log']!(level, text)]),
  fc
    .tuple(level, text, meta)
    .map(([level, message, meta]): Shape => [
      `log(info) ${fc.stringify([message, meta])}`,
      (log) => log['log']!({ ...structuredClone(meta), level, message }),
    ]),
  fc
    .tuple(level, meta)
    .map(([level, meta]): Shape => [
      `log(level, object) ${fc.stringify(meta)}`,
      (log) => log['log']!(level, structuredClone(meta)),
    ]),
  fc
    .tuple(
      level,
      text.filter((text) => text !== ''),
      meta,
    )
    .map(([level, message, meta]): Shape => [
      `${level}(object with message) ${fc.stringify([message, meta])}`,
      (log) => log[level]!({ ...structuredClone(meta), message }),
    ]),
  fc
    .tuple(
      level,
      text.filter((text) => !text.includes('%o')),
    )
    .map(([level, text]): Shape => [
      `${level}(text, error)`,
      (log) => log[level]!(text, stable(new TypeError('failed'), { code: 'E_NO' })),
    ]),
  ofError.map((members): Shape => [
    `error(error) ${fc.stringify(members)}`,
    (log) => log['error']!(stable(new TypeError('failed'), structuredClone(members))),
  ]),
  fc.constant<Shape>(['info()', (log) => log['info']!()]),
  fc
    .tuple(text, meta)
    .map(([text, meta]): Shape => [
      `write`,
      (log) => log['write']!({ level: 'info', message: text, ...structuredClone(meta) }),
    ]),
)

/** Formats that transform an info before the last format creates the line. */
const steps: readonly (readonly [string, (formats: Formats) => object])[] = [
  ['timestamp()', (formats) => formats['timestamp']!()],
  [
    'timestamp(pattern)',
    (formats) => formats['timestamp']!({ format: 'YYYY-MM-DD HH:mm:ss.SSS Do ddd Z [at] A', alias: 'when' }),
  ],
  ['splat()', (formats) => formats['splat']!()],
  ['label()', (formats) => formats['label']!({ label: 'part' })],
  ['label(message)', (formats) => formats['label']!({ label: 'part', message: true })],
  ['align()', (formats) => formats['align']!()],
  ['colorize()', (formats) => formats['colorize']!()],
  ['colorize(all)', (formats) => formats['colorize']!({ all: true })],
  ['uncolorize()', (formats) => formats['uncolorize']!()],
  ['metadata()', (formats) => formats['metadata']!()],
  ['metadata(fillExcept)', (formats) => formats['metadata']!({ key: 'm', fillExcept: ['level', 'message', 'a'] })],
  ['padLevels()', (formats) => formats['padLevels']!()],
  [
    'custom',
    (formats) =>
      (formats as unknown as (f: unknown) => () => object)((info: Record<string, unknown>) => ({ ...info, own: 1 }))(),
  ],
]
const ends: readonly (readonly [string, (formats: Formats) => object])[] = [
  ['json()', (formats) => formats['json']!()],
  ['json(space)', (formats) => formats['json']!({ space: 2 })],
  ['simple()', (formats) => formats['simple']!()],
  ['logstash()', (formats) => formats['logstash']!()],
  ['cli()', (formats) => formats['cli']!({ levels: levelConfigs.npm.levels })],
  [
    'printf()',
    (formats) =>
      formats['printf']!((info: Record<string, string>) => `${info['level']}|${info['message']}|${info['timestamp']}`),
  ],
]

const formats = fc.record({
  /** Without this format winston omits an Error that is the only argument. */
  errors: fc.option(fc.constantFrom({}, { stack: true }, { stack: true, cause: true }), { nil: undefined }),
  steps: fc.uniqueArray(fc.constantFrom(...steps), { maxLength: 4, selector: ([name]) => name }),
  end: fc.constantFrom(...ends),
})
const metas = fc.option(fc.dictionary(name, leaf, { maxKeys: 2, noNullPrototype: true }), { nil: undefined })
const children = fc.array(fc.dictionary(name, leaf, { maxKeys: 2, noNullPrototype: true }), { maxLength: 2 })

/** Returns undefined if the call throws, as winston does for `%j` of a BigInt. */
function unlessThrown<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

describe('sluice/winston compared with winston', () => {
  test('generated calls, formats, default metadata and child loggers write the same lines as winston', () => {
    fc.assert(
      fc.property(
        formats,
        fc.array(calls, { minLength: 1, maxLength: 4 }),
        metas,
        children,
        ({ errors, steps, end }, calls, defaultMeta, children) => {
          fc.pre(errors !== undefined || !calls.some(([title]) => title.startsWith('error(error)')))
          const first: typeof steps =
            errors === undefined ? [] : [['errors()', (formats) => formats['errors']!(errors)]]
          const linesOf = (run: Run) =>
            run(
              (formats) => ({
                level: 'silly',
                format: formats['combine']!(...[...first, ...steps, end].map(([, make]) => make(formats))),
                ...(defaultMeta === undefined ? {} : { defaultMeta: structuredClone(defaultMeta) }),
              }),
              (logger) => {
                let log = logger
                for (const meta of children) log = log['child']!(structuredClone(meta)) as AnyLogger
                for (const [, call] of calls) call(log)
              },
            )
          const lines = linesOf(runSluice)
          const wanted = unlessThrown(() => linesOf(runWinston))
          fc.pre(wanted !== undefined)
          expect(lines).toEqual(wanted.map((line) => withTextEscaped(String(line))))
        },
      ),
      { numRuns: 200 },
    )
  })
})
