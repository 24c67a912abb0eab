import { describe, expect, test } from '@jest/globals'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { createTestLogger } from '../support/files/test-logger.ts'

const { log, captureLine } = createTestLogger()
// For calls that the compiler would reject.
const info = log.info as (...args: unknown[]) => void

const user: { readonly userId: number } = { userId: 7 }

const caught: unknown = Object.assign(new TypeError('broken'), { code: 'E_BROKEN' })
const exception = {
  'exception.type': 'TypeError',
  'exception.message': 'broken',
  'exception.stacktrace': expect.stringContaining('TypeError: broken\n    at '),
  err: { code: 'E_BROKEN' },
}

/** A call, and the message and the attributes that it writes. */
type Form = readonly [call: string, use: () => void, message: string | undefined, attributes?: object]

/** Returns the line of a call and the expected line. */
function compared([, use, message, attributes]: Form): [object, object] {
  const { timestamp: _, ...written } = captureLine(use)
  const fields = { ...(message === undefined ? {} : { message }), ...(attributes === undefined ? {} : { attributes }) }
  return [written, { level: 'info', ...fields }]
}

describe('parsing of the arguments of a call', () => {
  test.each<Form>([
    ["info('x')", () => log.info('x'), 'x'],
    ["info('x', { a: 1 })", () => log.info('x', { a: 1 }), 'x', { a: 1 }],
    ["info(anInterface, 'x')", () => log.info(user, 'x'), 'x', { userId: 7 }],
    ["info('{userId}', { userId })", () => log.info('user {userId} in', user), 'user 7 in', { userId: 7 }],
    ["info('%s %d', …)", () => log.info('%s took %d ms', 'job', 3), 'job took 3 ms'],
    ['info(lazy)', () => log.info(() => ['lazy', { a: 1 }]), 'lazy', { a: 1 }],
    ["info('/users/{id}')", () => log.info('route /users/{id} registered'), 'route /users/{id} registered'],
    ['info({ a: 1 })', () => log.info({ a: 1 }), undefined, { a: 1 }],
    ['info({})', () => log.info({}), undefined],
    ["info('')", () => log.info(''), ''],
    ["info('x', undefined)", () => log.info('x', undefined), 'x'],
    ["info('50 %d off')", () => log.info('50 %d off, 100%%'), '50 %d off, 100%%'],
    ["info('x', null)", () => info('x', null), 'x'],
    ["info(null, 'x')", () => info(null, 'x'), 'x'],
    ["info(undefined, 'x')", () => info(undefined, 'x'), 'x'],
    ["info('x', undefined, { a: 1 })", () => log.info('x', undefined, { a: 1 }), 'x', { a: 1 }],
    ["info('x', new Map)", () => info('x', new Map([['a', 1]])), 'x', { a: 1 }],
    [
      "info('x', new Class)",
      () =>
        info(
          'x',
          new (class {
            a = 1
          })(),
        ),
      'x',
      { a: 1 },
    ],
    ["info({ a: 1 }, 'x', 'y', 2)", () => info({ a: 1 }, 'x', 'y', 2), 'x', { a: 1, args: ['y', 2] }],
    ["info('x', 'y')", () => info('x', 'y'), 'x', { args: ['y'] }],
    ["info('x', [1])", () => log.info('x', [1]), 'x', { args: [[1]] }],
    ["info('x', { a: 1 }, { b: 2 })", () => log.info('x', { a: 1 }, { b: 2 }), 'x', { a: 1, args: [{ b: 2 }] }],
    ["info('x', { args: 1 }, 2)", () => log.info('x', { args: 1 }, 2), 'x', { args: 1, _args: [2] }],
    ["info(5, 'x')", () => log.info(5, 'x'), 'x', { args: [5] }],
    ['info({ a: 1 }, 5)', () => info({ a: 1 }, 5), undefined, { a: 1, args: [5] }],
  ])('%s is split into message, attributes and `args`', (...form) => {
    const [written, expected] = compared(form)
    expect(written).toEqual(expected)
  })
})

describe('messages that are not strings', () => {
  test.each<Form>([
    ['no argument', () => info(), 'undefined'],
    ['null', () => info(null), 'null'],
    ['a number', () => log.info(5.5), '5.5'],
    ['-0 and NaN', () => info([-0, NaN]), '[0,"NaN"]'],
    ['Infinity', () => log.info(Infinity), 'Infinity'],
    ['a BigInt', () => log.info(2n ** 64n), '18446744073709551616'],
    ['a symbol', () => log.info(Symbol('s')), 'Symbol(s)'],
    ['a boolean', () => log.info(false), 'false'],
    ['a Date', () => info(new Date(0)), '1970-01-01T00:00:00.000Z'],
    ['bytes', () => info(new Uint8Array([1, 2])), 'AQI='],
    ['an array', () => info(['a', { b: 1n }]), '["a",{"b":"1"}]'],
    ['a Set', () => info(new Set(['a'])), '["a"]'],
    ['a function returned by a function', () => log.info(() => () => 'never called'), '[Function]'],
    ['a promise returned by a function', () => log.info(async () => 'x'), '[Promise]'],
    ['a string returned by a function', () => log.info(() => 'x'), 'x'],
    ['an object returned by a function', () => log.info(() => ({ a: 1 })), undefined, { a: 1 }],
    ['undefined returned by a function', () => log.info(() => undefined), 'undefined'],
  ])('a message can be written from %s', (...form) => {
    const [written, expected] = compared(form)
    expect(written).toEqual(expected)
  })
})

describe('printf formatting', () => {
  test.each<Form>([
    ['%j %o %O', () => log.info('%j %o %O', { a: 1 }, [1], new Set(['x'])), '{"a":1} [1] ["x"]'],
    [
      '%s of values that are not strings',
      () => info('%s %s %s %s', 1n, Symbol('s'), null, undefined),
      '1 Symbol(s) null undefined',
    ],
    ['%c of a style', () => log.info('%cred%c %s', 'color: red', '', 'x'), 'red x'],
    ['%c of a URL and attributes', () => log.info('GET /%c3%a9', { a: 1 }), 'GET /%c3%a9', { a: 1 }],
    ['%c of a URL and a text', () => log.info('GET /%c3%a9', 'x'), 'GET /%c3%a9', { args: ['x'] }],
    ['%s of an array after the attributes', () => log.info('%s', { a: 1 }, ['x']), '["x"]', { a: 1 }],
    ['%s after attributes', () => log.info('%s took %d', { a: 1 }, 'job', 3), 'job took 3', { a: 1 }],
    [
      '%s of an Error, which is the exception as well',
      () => info('failed: %s', caught),
      'failed: TypeError: broken',
      exception,
    ],
    [
      'hostile conversions',
      () =>
        info(
          '%s %d %i %f',
          'x',
          {
            valueOf() {
              throw new Error('no')
            },
          },
          Symbol('s'),
          'x',
        ),
      'x NaN NaN NaN',
    ],
    ['surplus arguments', () => info('%s', 'a', 'b', { c: 1 }, caught), 'a', { c: 1, args: ['b'], ...exception }],
    ['fewer arguments than placeholders', () => info('%s %s', 'a'), 'a %s'],
    ['%% and no placeholder', () => log.info('100%% sure', { a: 1 }), '100%% sure', { a: 1 }],
    [
      'named placeholders next to printf placeholders, each replaced once',
      () => info('%s {a} %s', { a: '%s' }, '{a}', 'y'),
      '{a} %s y',
      { a: '%s' },
    ],
  ])('a printf message is formatted and other arguments stay attributes: %s', (...form) => {
    const [written, expected] = compared(form)
    expect(written).toEqual(expected)
  })
})

describe('message templates', () => {
  test.each<Form>([
    [
      'strings, numbers and objects',
      () => log.info('{s} {n} {o} {l}', { s: 'a b', n: 1, o: { x: 1 }, l: ['y'] }),
      'a b 1 {"x":1} ["y"]',
      { s: 'a b', n: 1, o: { x: 1 }, l: ['y'] },
    ],
    ['{name:json}', () => log.info('{s:json} {n:json}', { s: 'a "b"', n: -0 }), '"a \\"b\\"" 0', { s: 'a "b"', n: 0 }],
    [
      '{name:duration}, a number of seconds',
      () => log.info('{a:duration} {b:duration} {c:duration} {d:duration}', { a: 0.00042, b: 0.0141, c: 1.24, d: 'x' }),
      '0.4ms 14ms 1.2s x',
      { a: 0.00042, b: 0.0141, c: 1.24, d: 'x' },
    ],
    ['null, but not undefined', () => log.info('{a} {b}', { a: null, b: undefined }), 'null {b}', { a: null }],
    ['the exception', () => log.info('got {err}', { err: caught }), 'got TypeError: broken', exception],
    ['escaped braces', () => log.info('{{a}} {a}', { a: 1 }), '{a} 1', { a: 1 }],
    [
      'the value of a getter, which is read once',
      () =>
        log.info('{a} {a:json}', {
          get a() {
            return 'x'
          },
        }),
      'x "x"',
      { a: 'x' },
    ],
    [
      'text with placeholders, which are not replaced again',
      () => log.info('{a}', { a: '{b} %s', b: 1 }),
      '{b} %s',
      { a: '{b} %s', b: 1 },
    ],
  ])('a template is rendered from the attributes of the record: %s', (...form) => {
    const [written, expected] = compared(form)
    expect(written).toEqual(expected)
  })

  test('a template can name bound, context and enriched attributes, and the attributes of the call take precedence', () => {
    const bench = createTestLogger({
      attributes: { a: 'bound', b: 'bound' },
      enrich: () => ({ c: 'enriched', a: 'enriched' }),
    })
    expect(bench.captureLine(() => bench.log.info('{a} {b} {c}' as string, { a: 'call' })).message).toBe(
      'call bound enriched',
    )
  })

  test('the message prefix precedes the message, and the prefix of a child is appended to it', () => {
    const bench = createTestLogger({ messagePrefix: '{a} ' })
    const child = bench.log.child({}, { messagePrefix: '%s ' })
    expect(bench.captureLine(() => child.info('{a} {{', { a: 1 })).message).toBe('{a} %s 1 {')
    expect(bench.captureLine(() => child.error(new Error('x'))).message).toBe('{a} %s x')
    expect(bench.captureLine(() => child.info({ a: 1 })).message).toBeUndefined()
  })
})

describe('serialization of requests and responses', () => {
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method: 'GET',
    url: '/x?y',
    headers: { host: 'h', cookie: 'secret' },
  })
  const req = { method: 'GET', url: '/x?y', headers: { host: 'h', cookie: '[REDACTED]' } }

  test.each<Form>([
    ['a request as the first argument', () => info(request, 'm'), 'm', { req }],
    ['a request under the key req', () => log.info('m', { req: request }), 'm', { req }],
    [
      'a response as the first argument',
      () => info(new ServerResponse(request)),
      undefined,
      { res: { statusCode: null, headers: {} } },
    ],
    [
      'fetch Headers as an attribute',
      () => log.info('m', { any: new Headers({ authorization: 'x', a: 'b' }) }),
      'm',
      { any: { authorization: '[REDACTED]', a: 'b' } },
    ],
  ])('%s is serialized and its credentials are redacted', (...form) => {
    const [written, expected] = compared(form)
    expect(written).toEqual(expected)
  })
})

describe('serializers', () => {
  test('serializers run on top-level attributes of calls and children, before redaction', () => {
    const bench = createTestLogger({
      serializers: { user: (value) => ({ id: (value as { id: number }).id, secret: 's' }), gone: () => undefined },
      redact: ['user.secret'],
    })
    const expected = { user: { id: 1, secret: '[REDACTED]' } }
    expect(bench.captureLine(() => bench.log.info('m', { user: { id: 1, name: 'n' }, gone: 1 })).attributes).toEqual(
      expected,
    )
    const child = bench.log.child({ user: { id: 1, name: 'n' } })
    expect(bench.captureLine(() => child.info('m')).attributes).toEqual(expected)
    expect(bench.captureLine(() => bench.log.info('m', { deep: { user: { name: 'n' } } })).attributes).toEqual({
      deep: { user: { name: 'n' } },
    })
  })

  test('serializers of a child take precedence over those of its parent, and bound attributes are not serialized again', () => {
    const bench = createTestLogger({
      serializers: { user: (value) => ({ id: (value as { id: number }).id }) },
      attributes: { user: { id: 1, name: 'n' } },
    })
    const child = bench.log.child({}, { serializers: { user: () => 'child' } })
    expect(bench.captureLine(() => child.info('m')).attributes).toEqual({ user: { id: 1 } })
    expect(bench.captureLine(() => child.info('m', { user: { id: 2 } })).attributes).toEqual({ user: 'child' })
  })
})
