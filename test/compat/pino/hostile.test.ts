import { describe, expect, test } from '@jest/globals'
import { runInNewContext } from 'node:vm'
import { parse } from 'node:querystring'
import type { OnDiagnostic } from '../../../src/options/configuration-error.ts'
import { pino, type Logger, type LoggerOptions } from '../../../src/entries/pino.ts'
import { circular, endlessProxy, nested, revoked, thrower, traps } from '../../support/values/hostile.ts'
import { isPlainLine, Lines, logged } from './support.ts'

class Throwing {
  get bad(): never {
    return thrower()
  }
}

const hostile: readonly (readonly [name: string, make: () => object, kept: object])[] = [
  ['a BigInt', () => ({ a: 2n ** 70n, b: 1 }), { b: 1 }],
  ['a cycle', circular, { self: expect.anything() }],
  ['a toJSON that throws', () => ({ a: { toJSON: thrower, b: 1 }, c: 2 }), { c: 2 }],
  [
    'a top-level getter that throws',
    () => Object.defineProperty({ b: 1 }, 'a', { get: thrower, enumerable: true }),
    { a: '[Threw: no]', b: 1 },
  ],
  [
    'a nested getter that throws',
    () => ({ in: Object.defineProperty({ b: 1 }, 'a', { get: thrower, enumerable: true }) }),
    { in: { a: '[Threw: no]', b: 1 } },
  ],
  ['a proxy whose traps all throw', () => new Proxy({}, traps), {}],
  ['a nested proxy whose traps all throw', () => ({ a: new Proxy({}, traps), b: 1 }), { b: 1 }],
  ['a revoked proxy', () => revoked(), {}],
  ['a revoked array', () => revoked([]), {}],
  ['an array whose length throws', () => new Proxy([], traps), {}],
  ['a nested revoked proxy', () => ({ a: revoked(), b: 1 }), { b: 1 }],
  ['an endlessly nested proxy', () => ({ a: endlessProxy(['x']), b: 1 }), { b: 1 }],
  ['objects nested 20,000 levels deep', () => ({ a: nested(20_000), b: 1 }), { b: 1 }],
  ['a Map and a Set', () => ({ a: new Map([[1, 2]]), s: new Set([1]) }), { a: {}, s: {} }],
  ['a symbol and a function', () => ({ a: Symbol('x'), f: thrower, b: 1 }), { b: 1 }],
  ['a lone surrogate', () => ({ a: '\ud800' }), { a: '\ud800' }],
  ['a member named level', () => ({ level: 'evil' }), { level: 30, attributes: { level: 'evil' } }],
  ['a frozen Error', () => Object.freeze(new Error('frozen')), { err: { type: 'Error', message: 'frozen' } }],
  [
    'an Error from another realm',
    () => runInNewContext('new TypeError("elsewhere")') as object,
    { err: { type: 'TypeError', message: 'elsewhere' }, msg: 'm' },
  ],
  ['an instance with a getter that throws', () => new Throwing(), {}],
  ['null bytes and quotes in keys', () => ({ 'a"\0': 1 }), { 'a"\0': 1 }],
]

describe('hostile values in pino log calls', () => {
  test.each(hostile)('a log call writes one valid line for %s', (_, make, kept) => {
    const { log, kept: stream } = logged({ onDiagnostic: () => {} })
    log.info(make(), 'm')
    expect(stream.lines).toHaveLength(1)
    expect(isPlainLine(stream.lines[0]!)).toBe(true)
    expect(stream.last).toMatchObject({ ...kept, msg: 'm' })
  })

  test.each(hostile)('a log call with redaction writes one valid line for %s', (_, make) => {
    const { log, kept: stream } = logged({ onDiagnostic: () => {}, redact: { paths: ['**.secret'], keys: ['pin'] } })
    log.info(make(), 'm')
    expect(isPlainLine(stream.lines[0]!)).toBe(true)
  })

  test.each(hostile)('a log call with patterns writes one valid line for %s', (_, make, kept) => {
    const { log, kept: stream } = logged({ onDiagnostic: () => {}, redact: { patterns: ['jwt'] } })
    log.info(make(), 'm')
    expect(isPlainLine(stream.lines[0]!)).toBe(true)
    expect(stream.last).toMatchObject({ ...kept, msg: 'm' })
  })

  test.each(hostile)('a child logger with patterns writes one valid line when its bindings are %s', (_, make) => {
    const { log, kept: stream } = logged({ onDiagnostic: () => {}, redact: { patterns: ['jwt'] } })
    log.child(make()).info('m')
    expect(isPlainLine(stream.lines[0]!)).toBe(true)
  })

  test.each(hostile)('a child logger writes one valid line when its bindings are %s', (_, make) => {
    const { log, kept: stream } = logged({ onDiagnostic: () => {} })
    log.child(make()).info('m')
    expect(isPlainLine(stream.lines[0]!)).toBe(true)
  })
})

describe('calls for which pino throws or writes invalid JSON', () => {
  test('a symbol can be logged as a message', () => {
    const { log, kept } = logged()
    log.info(Symbol('x'))
    expect(kept.last).toEqual({ level: 30, msg: 'Symbol(x)' })
  })

  test('`messageKey` may contain a quote', () => {
    const { log, kept } = logged({ messageKey: 'm"' })
    log.info('text')
    expect(kept.last).toEqual({ level: 30, 'm"': 'text' })
  })

  test('bindings may have no prototype and may have a key hasOwnProperty', () => {
    const { log, kept } = logged()
    log.child(parse('a=1')).child({ hasOwnProperty: 1 }).info('x')
    expect(kept.last).toEqual({ level: 30, a: '1', hasOwnProperty: 1, msg: 'x' })
  })

  test('a key that is in the bindings and in the call is written once', () => {
    const { log, kept } = logged()
    log.child({ a: 1, b: 2 }).child({ a: 3 }).info({ b: 4, msg: 5 }, 'x')
    expect(kept.lines).toEqual(['{"level":30,"a":3,"b":4,"msg":"x"}\n'])
  })

  test('the level key of one logger is not reserved in another logger', () => {
    const one = logged({ formatters: { level: () => ({ severity: 'x' }) } })
    const other = logged()
    one.log.info({ level: 1 })
    other.log.info({ level: 1 })
    expect(one.kept.lines).toEqual(['{"severity":"x","level":1}\n'])
    expect(other.kept.lines).toEqual(['{"level":30,"attributes":{"level":1}}\n'])
  })

  test.each<[string, object[], object, object]>([
    ['a binding `attributes`', [{ attributes: 1, time: 2 }], {}, { attributes: 1, _attributes: { time: 2 } }],
    [
      'a binding `attributes` of a parent',
      [{ attributes: 1 }, { time: 2 }],
      {},
      { attributes: 1, _attributes: { time: 2 } },
    ],
    [
      'a binding `attributes` of a child',
      [{ time: 2 }, { attributes: 1 }],
      {},
      { attributes: 1, _attributes: { time: 2 } },
    ],
    [
      'a member `attributes` of the call',
      [{ time: 2 }],
      { attributes: 1 },
      { attributes: 1, _attributes: { time: 2 } },
    ],
    [
      'a reserved member of the call',
      [{ time: 2 }],
      { time: 3 },
      { attributes: { time: 2 }, _attributes: { time: 3 } },
    ],
    [
      'another reserved binding of a child',
      [{ time: 2 }, { date: 3 }],
      {},
      { attributes: { time: 2 }, _attributes: { date: 3 } },
    ],
    ['the same reserved binding of a child', [{ time: 2 }, { time: 3 }], {}, { attributes: { time: 3 } }],
  ])('a reserved binding stays in the line with %s', (_, bindings, members, expected) => {
    const { log, kept } = logged({ timestamp: () => ',"time":0,"date":0' })
    bindings.reduce<Logger>((parent, each) => parent.child(each), log).info(members, 'm')
    expect(isPlainLine(kept.lines[0]!)).toBe(true)
    expect(kept.last).toEqual({ level: 30, time: 0, date: 0, ...expected, msg: 'm' })
  })

  test.each<LoggerOptions>([{ messageKey: 'attributes' }, { nestedKey: 'attributes' }])(
    'reserved members stay in a line with %j',
    (options) => {
      const { log, kept } = logged({ ...options, timestamp: true })
      log.child({ time: 1 }).info({ a: 1 }, 'm')
      expect(kept.last).toMatchObject({ level: 30, _attributes: { time: 1 } })
      log.info({ level: 2 }, 'm')
      expect(kept.last).toMatchObject(options.nestedKey ? { attributes: { level: 2 } } : { _attributes: { level: 2 } })
      for (const line of kept.lines) expect(isPlainLine(line)).toBe(true)
    },
  )

  test('a member `attributes` that `formatters.log` adds and reserved members are both in the line', () => {
    const { log, kept } = logged({ formatters: { log: (object) => ({ ...object, attributes: 1 }) } })
    log.info({ level: 2 })
    expect(kept.lines).toEqual(['{"level":30,"attributes":1,"_attributes":{"level":2}}\n'])
  })

  test('the object that a mixin returns is not modified', () => {
    const shared = { m: 1 }
    const { log, kept } = logged({ mixin: () => shared })
    log.info({ a: 1 })
    log.info({ b: 1 })
    expect(kept.last).toEqual({ level: 30, m: 1, b: 1 })
    expect(shared).toEqual({ m: 1 })
  })

  test('a mixin does not remove members of the call with a key __proto__ or a getter that throws', () => {
    const diagnostics: string[] = []
    const { log, kept } = logged({ mixin: () => ({ m: 1 }), onDiagnostic: ({ message }) => diagnostics.push(message) })
    log.info(JSON.parse('{"__proto__":{"a":1},"b":2}') as object)
    expect(kept.lines).toEqual(['{"level":30,"m":1,"__proto__":{"a":1},"b":2}\n'])
    log.info(Object.defineProperty({ b: 2 }, 'bad', { get: thrower, enumerable: true }))
    expect(kept.last).toEqual({ level: 30, m: 1, b: 2, bad: '[Threw: no]' })
    expect(diagnostics).toEqual(['the getter of "bad" threw: the record was logged without its result'])
  })

  test('a log method works when it is called without its logger', () => {
    const { log, kept } = logged()
    const { info } = log
    info('alone')
    expect(kept.last).toEqual({ level: 30, msg: 'alone' })
  })
})

const hooks: readonly (readonly [name: string, options: LoggerOptions])[] = [
  ['mixin', { mixin: thrower }],
  ['mixinMergeStrategy', { mixin: () => ({}), mixinMergeStrategy: thrower }],
  ['a serializer', { serializers: { a: thrower } }],
  ['formatters.log', { formatters: { log: thrower } }],
  ['hooks.logMethod', { hooks: { logMethod: thrower } }],
  ['hooks.streamWrite', { hooks: { streamWrite: thrower } }],
  ['a censor', { redact: { paths: ['a'], censor: thrower } }],
]

describe('user code that throws in a pino logger', () => {
  test.each(hooks)('%s that throws does not prevent the log call from writing one valid line', (_, options) => {
    const { log, kept } = logged({ ...options, onDiagnostic: () => {} })
    log.info({ a: 'secret' }, 'm')
    expect(kept.lines).toHaveLength(1)
    expect(isPlainLine(kept.lines[0]!)).toBe(true)
  })

  test('the timestamp is replaced and a diagnostic reported when `timestamp` returns invalid JSON', () => {
    let answer = ',"time":1'
    const diagnostics: string[] = []
    const { log, kept } = logged({ timestamp: () => answer, onDiagnostic: ({ code }) => diagnostics.push(code) })
    answer = ',"time":broken'
    log.info('x')
    expect(kept.last).toMatchObject({ time: expect.any(Number), msg: 'x' })
    expect(diagnostics).toEqual(['SLUICE_PINO_HOOK_THREW'])
  })

  test('a value that `formatters.log` or `hooks.streamWrite` could remove is not written when it throws', () => {
    for (const options of [{ formatters: { log: thrower } }, { hooks: { streamWrite: thrower } }]) {
      const { log, kept } = logged({ ...options, onDiagnostic: () => {} })
      log.info({ a: 'secret' })
      expect(kept.lines.join('')).not.toContain('secret')
    }
  })

  test('a stream whose promise rejects is reported as rejected', async () => {
    const diagnostics: string[] = []
    const onDiagnostic: OnDiagnostic = ({ code, message }) => diagnostics.push(`${code}: ${message}`)
    pino({ onDiagnostic }, { write: () => Promise.reject(new Error('no')) }).info('x')
    await new Promise((resolve) => setImmediate(resolve))
    expect(diagnostics).toEqual(['SLUICE_PINO_HOOK_THREW: stream.write rejected: the line was not written'])
  })

  test('a stream that throws is reported, and the log call does not throw', () => {
    const diagnostics: string[] = []
    const onDiagnostic: OnDiagnostic = ({ code, message }) => diagnostics.push(`${code}: ${message}`)
    const log = pino({ onDiagnostic }, { write: thrower })
    log.info('x')
    expect(diagnostics).toEqual(['SLUICE_PINO_HOOK_THREW: stream.write threw: the line was not written'])
  })

  test('a log call inside a serializer writes its own line', () => {
    const kept = new Lines()
    const log: Logger = pino({ base: null, timestamp: false, serializers: { a: () => log.info('inner') } }, kept)
    log.info({ a: 1 }, 'outer')
    expect(kept.lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['inner', 'outer'])
  })
})

function throwCard(): string {
  throw new Error('card 4111 1111 1111 1111')
}

test('patterns redact secrets in the error that `hooks.streamWrite` throws', () => {
  let text = ''
  const options = { redact: { patterns: ['card'] }, hooks: { streamWrite: throwCard }, onDiagnostic() {} } as const
  pino(options, { write: (line: string) => void (text += line) }).info('kept')
  expect(text).toContain('[Threw: card [Redacted]]')
})
