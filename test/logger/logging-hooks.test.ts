import { describe, expect, test } from '@jest/globals'
import type { LoggerOptions } from '../../src/entries/index.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { thrower } from '../support/values/hostile.ts'
import { createTestLogger } from '../support/files/test-logger.ts'

describe('user code that logs while a record is written', () => {
  test('a toJSON method that logs its own object terminates, and both records are written', () => {
    const { log, captureLines } = createTestLogger()
    const value = { a: 1, toJSON: () => (log.info('inner', { value }), 'seen') }
    expect(
      captureLines(() => log.info('outer', { value })).map(({ message, attributes }) => [message, attributes]),
    ).toEqual([
      ['inner', { value: '[Circular]' }],
      ['outer', { value: 'seen' }],
    ])
  })

  test('a toJSON method that logs new objects of its class stops at the recursion limit, and each record is written', () => {
    const { log, captureLines } = createTestLogger()
    class Chatty {
      readonly level: number
      constructor(level: number) {
        this.level = level
      }
      toJSON(): string {
        log.info('inner {level}', { level: this.level, value: new Chatty(this.level + 1) })
        return `seen ${this.level}`
      }
    }
    const lines = captureLines(() => log.info('outer', { value: new Chatty(0) }))
    expect(lines.at(-1)).toMatchObject({ message: 'outer', attributes: { value: 'seen 0' } })
    expect(lines.at(-2)).toMatchObject({ message: 'inner 0', attributes: { value: 'seen 1' } })
    expect(lines[0]!.attributes).toMatchObject({ value: '[Circular]' })
    expect(lines).toHaveLength(17)
    // The recursion depth is reset: the next call has the same limit as the first.
    expect(captureLines(() => log.info('again', { value: new Chatty(0) }))).toHaveLength(17)
  })

  test('a toJSON method that returns its object or another object with toJSON terminates', () => {
    const { log, captureLine } = createTestLogger()
    const self = { a: 1, toJSON: (): unknown => self }
    expect(captureLine(() => log.info('m', { self })).attributes).toEqual({
      self: { a: 1, toJSON: '[Function: toJSON]' },
    })
    expect(captureLine(() => log.info('m', self)).attributes).toEqual({ a: 1, toJSON: '[Function: toJSON]' })
    const more = (): object => ({ toJSON: () => ({ more: more() }) })
    expect(JSON.stringify(captureLine(() => log.info('m', { more: more() })).attributes)).toHaveLength(
      64 * '{"more":}'.length + '{"more":"[Object: 1 keys]"}'.length,
    )
  })

  test.each([
    ['a Map', () => new Map([['a', 1]]), { a: 1 }],
    [
      'a class',
      () =>
        new (class {
          a = 1
        })(),
      { a: 1 },
    ],
    ['an array', () => [1], { value: [1] }],
    ['a string', () => 'text', { value: 'text' }],
    ['undefined', () => undefined, undefined],
    ['an error, which it throws', thrower, { attributes: '[Threw: no]' }],
  ])('the attributes are written when their toJSON method returns %s', (_, toJSON, expected) => {
    const { log, captureLine } = createTestLogger()
    expect(captureLine(() => log.info('m', { toJSON })).attributes).toEqual(expected)
  })

  test('a serializer that logs the same and other values terminates, and each record is written', () => {
    let calls = 0
    const { log, captureLines } = createTestLogger({
      serializers: {
        user: (value): string => (
          calls++,
          log.info('inner', { user: value }),
          log.info('new', { user: { calls } }),
          'done'
        ),
      },
    })
    const lines = captureLines(() => log.info('outer', { user: { id: 1 } }))
    expect(lines.at(-1)).toMatchObject({ message: 'outer', attributes: { user: 'done' } })
    expect(lines.filter(({ message }) => message === 'inner')).toHaveLength(calls)
    expect(calls).toBeLessThanOrEqual(16)
  })

  test('a censor function that logs members, the exception and nested errors terminates without a secret in any record', () => {
    let calls = 0
    const secret = { id: 1 }
    const error = Object.assign(new Error('secret'), { token: 't' })
    const { log, captureLines } = createTestLogger({
      redact: {
        paths: ['secret', 'err.message', 'err.token', 'deep.message'],
        censor: (): string => (calls++, log.info('inner', { secret, err: error, deep: error }), '***'),
      },
    })
    const lines = captureLines(() => log.error('outer', { secret, deep: error }, error))
    expect(lines.at(-1)).toMatchObject({
      message: 'outer',
      attributes: { secret: '***', 'exception.message': '***', err: { token: '***' } },
    })
    expect(lines).toHaveLength(calls + 1)
    expect(JSON.stringify(lines)).not.toContain('"secret"}')
    for (const { attributes } of lines.slice(0, -1))
      expect(attributes).toMatchObject({ secret: '[REDACTED]', 'exception.message': '[REDACTED]' })
  })

  test('enrich, getters, lazy functions and toJSON of child attributes can log, and each record is written', () => {
    const { log, captureLines } = createTestLogger({
      enrich: (): object => (log.debug('from enrich'), { enriched: true }),
    })
    const lazy = (): unknown[] => (log.info(lazy), ['lazy'])
    const lines = captureLines(() => {
      log.info('m')
      log.info('g', {
        get own() {
          log.info('from getter')
          return 1
        },
      })
      log.info(lazy)
      log.child({ toJSON: () => (log.info('from child'), { bound: 1 }) }).info('c')
    })
    const logged = lines.map(({ message, attributes }) => [message, attributes?.['enriched'] ?? false])
    expect(logged).toEqual([
      ['from enrich', false],
      ['m', true],
      ['from enrich', false],
      ['from enrich', false],
      ['from getter', true],
      ['g', true],
      ['from enrich', false],
      ['[Circular]', true],
      ['from enrich', false],
      ['lazy', true],
      ['from enrich', false],
      ['from child', true],
      ['from enrich', false],
      ['c', true],
    ])
  })

  test('a clock and the toJSON method of a context can log, and each record is written', () => {
    let calls = 0
    const { log, captureLines } = createTestLogger({
      clock: (): number => (calls++ < 1_000 ? (log.info('from clock'), 0) : 0),
    })
    expect(captureLines(() => log.info('m')).map(({ message }) => message)).toEqual(['from clock', 'm'])
    expect(
      captureLines(() => withContext({ toJSON: () => (log.info('from context'), { c: 1 }) }, () => log.info('m'))).at(
        -1,
      )!.attributes,
    ).toEqual({ c: 1 })
  })

  test('a serializer that logs new objects under its own key terminates after one nested record', () => {
    const { log, captureLines } = createTestLogger({
      serializers: { u: (value): unknown => (log.info('inner', { u: { b: 1 } }), value) },
    })
    expect(
      captureLines(() => log.info('m', { u: { a: 1 } })).map(({ message, attributes }) => [message, attributes]),
    ).toEqual([
      ['inner', { u: '[Circular]' }],
      ['m', { u: { a: 1 } }],
    ])
  })

  // An unhandled rejection ends the process, and fails the test.
  const rejected = (async () => Promise.reject(new Error('later'))) as () => any

  test.each<[string, LoggerOptions, unknown, object]>([
    ['an enrich', { enrich: rejected }, {}, { enrich: '[Promise]' }],
    ['a serializer', { serializers: { user: rejected } }, { user: 1 }, { user: '[Promise]' }],
    ['a censor', { redact: { paths: ['user'], censor: rejected } }, { user: 1 }, { user: '[Promise]' }],
    ['a toJSON', {}, { user: { toJSON: rejected } }, { user: '[Promise]' }],
    ['a clock', { clock: rejected }, { user: 1 }, { user: 1 }],
    ['a function in place of the arguments', {}, rejected, {}],
  ])('%s that returns a rejected promise causes no unhandled rejection', async (_, options, logged, attributes) => {
    const { log, captureLines } = createTestLogger(options)
    expect(captureLines(() => log.info(logged as object))[0]!.attributes ?? {}).toEqual(attributes)
    await new Promise(setImmediate)
  })
})
