import { describe, expect, test } from '@jest/globals'
import { runInNewContext } from 'node:vm'
import { parse } from 'node:querystring'
import type { OnDiagnostic } from '../../../src/options/configuration-error.ts'
import { pino, type Logger, type LoggerOptions } from '../../../src/entries/pino.ts'
import { circular, endless, nested, revoked, thrower, traps } from '../../support/values/hostile.ts'
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
    'a getter that throws at the top',
    () => Object.defineProperty({ b: 1 }, 'a', { get: thrower, enumerable: true }),
    { a: '[Threw: no]', b: 1 },
  ],
  [
    'a getter that throws below',
    () => ({ in: Object.defineProperty({ b: 1 }, 'a', { get: thrower, enumerable: true }) }),
    { in: { a: '[Threw: no]', b: 1 } },
  ],
  ['a proxy of which each trap throws', () => new Proxy({}, traps), {}],
  ['such a proxy below', () => ({ a: new Proxy({}, traps), b: 1 }), { b: 1 }],
  ['a revoked proxy', () => revoked(), {}],
  ['a revoked proxy below', () => ({ a: revoked(), b: 1 }), { b: 1 }],
  ['a proxy without an end', () => ({ a: endless(['x']), b: 1 }), { b: 1 }],
  ['20,000 levels', () => ({ a: nested(20_000), b: 1 }), { b: 1 }],
  ['a Map and a Set', () => ({ a: new Map([[1, 2]]), s: new Set([1]) }), { a: {}, s: {} }],
  ['a symbol and a function', () => ({ a: Symbol('x'), f: thrower, b: 1 }), { b: 1 }],
  ['a lone surrogate', () => ({ a: '\ud800' }), { a: '\ud800' }],
  ['a level', () => ({ level: 'evil' }), { level: 30, attributes: { level: 'evil' } }],
  ['a frozen Error', () => Object.freeze(new Error('frozen')), { err: { type: 'Error', message: 'frozen' } }],
  [
    'an Error of another realm',
    () => runInNewContext('new TypeError("elsewhere")') as object,
    { err: { type: 'TypeError', message: 'elsewhere' }, msg: 'm' },
  ],
  ['an instance with a getter that throws', () => new Throwing(), {}],
  ['null bytes and quotes in names', () => ({ 'a"\0': 1 }), { 'a"\0': 1 }],
]

describe('a log call keeps its line, and throws nothing, whatever it is given', () => {
  test.each(hostile)('%s', (_, make, kept) => {
    const { log, kept: stream } = logged({ onDiagnostic: () => {} })
    log.info(make(), 'm')
    expect(stream.lines).toHaveLength(1)
    expect(isPlainLine(stream.lines[0]!)).toBe(true)
    expect(stream.last).toMatchObject({ ...kept, msg: 'm' })
  })

  test.each(hostile)('%s, redacted', (_, make) => {
    const { log, kept: stream } = logged({ onDiagnostic: () => {}, redact: { paths: ['**.secret'], keys: ['pin'] } })
    log.info(make(), 'm')
    expect(isPlainLine(stream.lines[0]!)).toBe(true)
  })

  test.each(hostile)('%s, bound', (_, make) => {
    const { log, kept: stream } = logged({ onDiagnostic: () => {} })
    log.child(make()).info('m')
    expect(isPlainLine(stream.lines[0]!)).toBe(true)
  })
})

describe('what pino throws at, or writes that is no JSON', () => {
  test('a symbol is a message', () => {
    const { log, kept } = logged()
    log.info(Symbol('x'))
    expect(kept.last).toEqual({ level: 30, msg: 'Symbol(x)' })
  })

  test('a key of the message may hold a quote', () => {
    const { log, kept } = logged({ messageKey: 'm"' })
    log.info('said')
    expect(kept.last).toEqual({ level: 30, 'm"': 'said' })
  })

  test('bindings need no prototype, and may be called hasOwnProperty', () => {
    const { log, kept } = logged()
    log.child(parse('a=1')).child({ hasOwnProperty: 1 }).info('x')
    expect(kept.last).toEqual({ level: 30, a: '1', hasOwnProperty: 1, msg: 'x' })
  })

  test('a name that is bound and said is said once', () => {
    const { log, kept } = logged()
    log.child({ a: 1, b: 2 }).child({ a: 3 }).info({ b: 4, msg: 5 }, 'x')
    expect(kept.lines).toEqual(['{"level":30,"a":3,"b":4,"msg":"x"}\n'])
  })

  test('what one logger calls its level is nothing to another', () => {
    const one = logged({ formatters: { level: () => ({ severity: 'x' }) } })
    const other = logged()
    one.log.info({ level: 1 })
    other.log.info({ level: 1 })
    expect(one.kept.lines).toEqual(['{"severity":"x","level":1}\n'])
    expect(other.kept.lines).toEqual(['{"level":30,"attributes":{"level":1}}\n'])
  })

  test('what a mixin returns does not grow', () => {
    const shared = { m: 1 }
    const { log, kept } = logged({ mixin: () => shared })
    log.info({ a: 1 })
    log.info({ b: 1 })
    expect(kept.last).toEqual({ level: 30, m: 1, b: 1 })
    expect(shared).toEqual({ m: 1 })
  })

  test('a call keeps its members beside a mixin, whatever they are called, and whichever throws', () => {
    const problems: string[] = []
    const { log, kept } = logged({ mixin: () => ({ m: 1 }), onDiagnostic: ({ message }) => problems.push(message) })
    log.info(JSON.parse('{"__proto__":{"a":1},"b":2}') as object)
    expect(kept.lines).toEqual(['{"level":30,"m":1,"__proto__":{"a":1},"b":2}\n'])
    log.info(Object.defineProperty({ b: 2 }, 'bad', { get: thrower, enumerable: true }))
    expect(kept.last).toEqual({ level: 30, m: 1, b: 2, bad: '[Threw: no]' })
    expect(problems).toEqual(['the getter of "bad" threw: the record was logged without it'])
  })

  test('a method works detached', () => {
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

describe('code of users that throws costs what it would have said', () => {
  test.each(hooks)('%s', (_, options) => {
    const { log, kept } = logged({ ...options, onDiagnostic: () => {} })
    log.info({ a: 'secret' }, 'm')
    expect(kept.lines).toHaveLength(1)
    expect(isPlainLine(kept.lines[0]!)).toBe(true)
  })

  test('a time function that throws, or says what is no JSON, is replaced', () => {
    let answer = ',"time":1'
    const problems: string[] = []
    const { log, kept } = logged({ timestamp: () => answer, onDiagnostic: ({ code }) => problems.push(code) })
    answer = ',"time":broken'
    log.info('x')
    expect(kept.last).toMatchObject({ time: expect.any(Number), msg: 'x' })
    expect(problems).toEqual(['SLUICE_PINO_HOOK_THREW'])
  })

  test('what keeps secrets back and throws keeps them back', () => {
    for (const options of [{ formatters: { log: thrower } }, { hooks: { streamWrite: thrower } }]) {
      const { log, kept } = logged({ ...options, onDiagnostic: () => {} })
      log.info({ a: 'secret' })
      expect(kept.lines.join('')).not.toContain('secret')
    }
  })

  test('a stream that throws is told, and the call returns', () => {
    const problems: string[] = []
    const tell: OnDiagnostic = ({ code, message }) => problems.push(`${code}: ${message}`)
    const log = pino({ onDiagnostic: tell }, { write: thrower })
    log.info('x')
    expect(problems).toEqual(['SLUICE_PINO_HOOK_THREW: stream.write threw: the line was not taken'])
  })

  test('a logger inside a serializer keeps its line', () => {
    const kept = new Lines()
    const log: Logger = pino({ base: null, timestamp: false, serializers: { a: () => log.info('inner') } }, kept)
    log.info({ a: 1 }, 'outer')
    expect(kept.lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['inner', 'outer'])
  })
})

function throwCard(): string {
  throw new Error('card 4111 1111 1111 1111')
}

test('a pattern finds a secret in what `hooks.streamWrite` throws', () => {
  let text = ''
  const options = { redact: { patterns: ['card'] }, hooks: { streamWrite: throwCard }, onDiagnostic() {} } as const
  pino(options, { write: (line: string) => void (text += line) }).info('kept')
  expect(text).toContain('[Threw: card [Redacted]]')
})
