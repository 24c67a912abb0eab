import { describe, expect, test } from '@jest/globals'
import { thrower } from '../support/values/hostile.ts'
import { createTestLogger } from '../support/files/test-logger.ts'

// Requirements: ERR1, ERR4
// Fault rows: 32
describe('user code that throws', () => {
  test('a serializer, censor, enrich or lazy function that throws affects only its own member', () => {
    const { log, captureLine } = createTestLogger({
      serializers: { user: thrower },
      redact: { paths: ['secret'], censor: thrower },
      enrich: thrower,
    })
    expect(captureLine(() => log.info('m', { user: 1, secret: 'x', a: 1 })).attributes).toEqual({
      user: '[Threw: no]',
      secret: '[REDACTED]',
      a: 1,
      enrich: '[Threw: no]',
    })
    expect(captureLine(() => log.info(thrower)).message).toBe('[Threw: no]')
  })

  test.each<[string, () => unknown, string]>([
    [
      'undefined',
      () => {
        throw undefined
      },
      '[Threw]',
    ],
    [
      'a string',
      () => {
        throw 'text'
      },
      '[Threw: text]',
    ],
    [
      'a symbol',
      () => {
        throw Symbol('s')
      },
      '[Threw: Symbol(s)]',
    ],
    [
      'an object whose message getter throws',
      () => {
        throw {
          get message() {
            return thrower()
          },
        }
      },
      '[Threw]',
    ],
    [
      'a function',
      () => {
        throw thrower
      },
      '[Threw]',
    ],
  ])('a getter that throws %s has its member replaced by a marker', (_, get, expected) => {
    const { log, captureLine } = createTestLogger()
    expect(
      captureLine(() => log.info('m', Object.defineProperty({}, 'a', { get, enumerable: true }))).attributes,
    ).toEqual({
      a: expected,
    })
  })

  test.each([
    ['throws', thrower],
    ['returns NaN', () => NaN],
    ['returns a string', () => '5'],
    ['returns a BigInt', () => 5n],
    ['returns a time outside the range of Date', () => 1e18],
  ])('the system time is used when the clock %s', (_, clock) => {
    const { log, captureLine } = createTestLogger({ clock: clock as () => number })
    const before = Date.now()
    expect(Date.parse(captureLine(() => log.info('m'))['timestamp'] as string)).toBeGreaterThanOrEqual(before)
  })

  test.each([[5], ['text'], [null], [() => 1], [[1, 2]], [new Error('x')]])('enrich may return %p', (value) => {
    const { log, captureLine } = createTestLogger({ enrich: () => value as object })
    expect(captureLine(() => log.info('m', { a: 1 })).attributes).toMatchObject({ a: 1 })
  })

  test('a proxy that throws during enumeration causes no duplicate key', () => {
    const { log, exporter } = createTestLogger({ attributes: { a: 'bound', b: 'bound' } })
    const proxy = new Proxy(
      { a: 1, b: 2 },
      {
        getOwnPropertyDescriptor: (target, key) =>
          key === 'b' ? thrower() : Reflect.getOwnPropertyDescriptor(target, key),
      },
    )
    log.info('m', proxy)
    expect(exporter.lines()[0]).toContain('"attributes":{"b":"bound","a":1,"attributes":"[Threw: no]"}')
  })
})

test('a child can be created from any value', () => {
  const { log, captureLine } = createTestLogger()
  const cases: [unknown, unknown][] = [
    [undefined, undefined],
    [null, undefined],
    ['text', { value: 'text' }],
    [5, { value: 5 }],
    [Symbol('s'), { value: 'Symbol(s)' }],
    [[1, 2], { value: [1, 2] }],
    [() => 1, { value: '[Function]' }],
    [new Set([1]), { value: [1] }],
    [new Uint8Array([1]), { value: 'AQ==' }],
    [new Date(0), { value: '1970-01-01T00:00:00.000Z' }],
    [new Map([['a', 1]]), { a: 1 }],
    [new Map([[1, 2]]), { value: [[1, 2]] }],
    [new SharedArrayBuffer(1), { value: 'AA==' }],
    [Promise.resolve(), { value: '[Promise]' }],
  ]
  for (const [bound, expected] of cases)
    expect(captureLine(() => log.child(bound as object).info('m')).attributes).toEqual(expected)
  expect(captureLine(() => log.child(new Error('bound')).info('m')).attributes).toMatchObject({
    type: 'Error',
    message: 'bound',
  })
})
