import { describe, expect, test } from '@jest/globals'
import { createTestLogger } from '../support/files/test-logger.ts'

const { log, captureLine } = createTestLogger()

function failure(message: string, members: object = {}): Error {
  return Object.assign(new Error(message), members)
}

function named(name: string): Error {
  return Object.assign(new Error('x'), { name })
}

/** The attributes of an exception with this message and type. */
function exceptionOf(message: string, type = 'Error'): object {
  return {
    'exception.type': type,
    'exception.message': message,
    'exception.stacktrace': expect.stringContaining(`${type}: ${message}\n    at `),
  }
}

// Requirements: EXC1
describe('one exception per record: an Error argument, then `err`, then `error`', () => {
  const one = failure('one')
  const two = failure('two')
  const other = { type: 'Error', message: 'two', stacktrace: expect.any(String) }
  test.each<[string, () => void, string | undefined, object]>([
    ["error('m', e)", () => log.error('m', one), 'm', exceptionOf('one')],
    ["error(e, 'm')", () => log.error(one, 'm'), 'm', exceptionOf('one')],
    ['error(e)', () => log.error(one), 'one', exceptionOf('one')],
    ["error('m', { a: 1 }, e)", () => log.error('m', { a: 1 }, one), 'm', { a: 1, ...exceptionOf('one') }],
    ["error('m', e, { a: 1 })", () => log.error('m', one, { a: 1 }), 'm', { a: 1, ...exceptionOf('one') }],
    [
      "error(e, { a: 1 }, 'x')",
      () => log.error(one as unknown, { a: 1 } as never, 'x'),
      'one',
      { a: 1, args: ['x'], ...exceptionOf('one') },
    ],
    ["error('m', { err: e })", () => log.error('m', { err: one }), 'm', exceptionOf('one')],
    ["error('m', { error: e })", () => log.error('m', { error: one }), 'm', exceptionOf('one')],
    ["error({ err: e }, 'm')", () => log.error({ err: one }, 'm'), 'm', exceptionOf('one')],
    ['error({ err: e })', () => log.error({ err: one }), 'one', exceptionOf('one')],
    ['error({ error: e })', () => log.error({ error: one }), 'one', exceptionOf('one')],
    ['err and error', () => log.error('m', { error: two, err: one }), 'm', { error: other, ...exceptionOf('one') }],
    ['err and an argument', () => log.error('m', { err: two }, one), 'm', { err: other, ...exceptionOf('one') }],
    ['two arguments', () => log.error('m', one, two), 'm', { args: [other], ...exceptionOf('one') }],
    ['another key', () => log.error('m', { cause: two }), 'm', { cause: other }],
    ['a string under err', () => log.error('m', { err: 'text' }), 'm', { err: 'text' }],
    ['undefined under err', () => log.error('m', { err: undefined, error: one }), 'm', exceptionOf('one')],
    ['an Error in a nested object', () => log.error('m', { deep: { err: two } }), 'm', { deep: { err: other } }],
    ['an argument of type unknown', () => log.error('m', one as unknown), 'm', exceptionOf('one')],
    ['a lazy array', () => log.error(() => ['m', { a: 1 }, one]), 'm', { a: 1, ...exceptionOf('one') }],
    ['a lazy Error', () => log.error(() => one), 'one', exceptionOf('one')],
  ])('a record has at most one exception: %s', (...[, use, message, attributes]) => {
    const written = captureLine(use)
    expect({ message: written.message, attributes: written.attributes }).toEqual({ message, attributes })
  })

  // Requirements: EXC2
  test('exception attributes set by the call take precedence over those derived from the Error', () => {
    expect(captureLine(() => log.error('m', { 'exception.type': 'mine' }, failure('x'))).attributes).toMatchObject({
      'exception.type': 'mine',
      'exception.message': 'x',
    })
  })
})

describe('content of an exception', () => {
  test('own properties of an Error, nested and cyclic ones included, are written under its key', () => {
    const error = failure('x', { code: 'E', list: [1], type: 'mine', deep: new Map([['k', 1n]]) }) as Error & {
      self?: unknown
    }
    error.self = error
    const own = { code: 'E', list: [1], _type: 'mine', deep: { k: '1' }, self: '[Circular]' }
    expect(captureLine(() => log.error('m', error)).attributes).toEqual({ ...exceptionOf('x'), err: own })
    expect(captureLine(() => log.error('m', { error })).attributes).toEqual({ ...exceptionOf('x'), error: own })
  })

  test('own properties of an Error that are also attributes are written in both places', () => {
    const user = { id: 1 }
    expect(captureLine(() => log.error('m', { user }, failure('x', { user }))).attributes).toEqual({
      user,
      ...exceptionOf('x'),
      err: { user },
    })
    expect(captureLine(() => log.error('m', { err: 'text' }, failure('x', { code: 1 }))).attributes).toEqual({
      err: 'text',
      ...exceptionOf('x'),
      error: { code: 1 },
    })
  })

  // Requirements: EXC3, D7
  test('the stacktrace includes the causes and the errors of an AggregateError', () => {
    class Shop extends Error {}
    const error = new Shop('outer', {
      cause: new AggregateError([new RangeError('first'), 'second'], 'middle', { cause: { not: 'an Error' } }),
    })
    const { attributes } = captureLine(() => log.error('m', error))
    expect(attributes).toMatchObject({ 'exception.type': 'Shop', 'exception.message': 'outer' })
    const stack = attributes!['exception.stacktrace'] as string
    for (const part of [
      'Error: outer\n    at ',
      '\nCaused by: AggregateError: middle\n    at ',
      '\nCaused by: [Object]',
      '\n    Error 1 of 2: RangeError: first\n        at ',
      '\n    Error 2 of 2: second',
    ]) {
      expect(stack).toContain(part)
    }
  })

  test('an Error that is an attribute has its cause and errors as members', () => {
    const error = new AggregateError([new Error('a')], 'x', { cause: new TypeError('y') })
    expect(captureLine(() => log.info('m', { failed: error })).attributes).toEqual({
      failed: {
        type: 'AggregateError',
        message: 'x',
        stacktrace: expect.stringMatching(/^AggregateError: x\n {4}at (?!.*Caused)/),
        cause: { type: 'TypeError', message: 'y', stacktrace: expect.any(String) },
        errors: [{ type: 'Error', message: 'a', stacktrace: expect.any(String) }],
      },
    })
  })

  test('a user serializer for err determines the exception', () => {
    const bench = createTestLogger({
      serializers: { err: (any) => ({ name: 'Mine', message: `<${(any as Error).message}>`, stack: 'short' }) },
    })
    expect(bench.captureLine(() => bench.log.error('m', { err: new Error('x') })).attributes).toMatchObject({
      'exception.type': 'Mine',
      'exception.message': '<x>',
      'exception.stacktrace': 'Mine: <x>\nshort',
    })
    const text = createTestLogger({ serializers: { err: () => 'gone' } })
    expect(text.captureLine(() => text.log.error('m', { err: new Error('x') })).attributes).toMatchObject({
      'exception.message': 'gone',
    })
  })

  test('an Error that is bound to a child is an attribute and not the exception', () => {
    const child = log.child({ err: failure('bound', { code: 'E' }) })
    expect(captureLine(() => child.info('m')).attributes).toEqual({
      err: { type: 'Error', message: 'bound', stacktrace: expect.any(String), code: 'E' },
    })
    expect(captureLine(() => child.error('m', { err: failure('x') })).attributes).toEqual(exceptionOf('x'))
  })

  test('a stacktrace has at most `stackFrames` frames', () => {
    const bench = createTestLogger({ limits: { stackFrames: 2 } })
    const { attributes } = bench.captureLine(() => bench.log.error('m', { other: new Error('o') }, new Error('x')))
    const counted = /^Error: .\n( {4}at .*\n){2} {4}\.\.\. \d+ more frames$/
    expect(attributes!['exception.stacktrace']).toMatch(counted)
    expect((attributes!['other'] as { stacktrace: string }).stacktrace).toMatch(counted)
  })
})

describe('members of causes that the stacktrace omits', () => {
  test.each<[string, unknown, object]>([
    ['members of an Error', failure('why', { code: 'E1' }), { code: 'E1' }],
    ['members of its cause', failure('why', { cause: failure('deep', { code: 'E2' }) }), { cause: { code: 'E2' } }],
    ['members of an object that is not an Error', { code: 'E3' }, { code: 'E3' }],
  ])('%s of a cause are written under err.cause', (_name, cause, kept) => {
    const { attributes } = captureLine(() => log.error('m', new Error('outer', { cause })))
    expect(attributes).toMatchObject({ 'exception.message': 'outer', err: { cause: kept } })
  })

  test('a cause whose stacktrace text is complete adds no attribute', () => {
    expect(
      captureLine(() => log.error('m', new Error('outer', { cause: new Error('why') }))).attributes,
    ).not.toHaveProperty('err')
  })

  test('redaction paths match members of a cause by the path in the logged Error', () => {
    const bench = createTestLogger({ redact: ['err.cause.token'] })
    const cause = failure('why', { token: 'canary', code: 1 })
    const { attributes } = bench.captureLine(() => bench.log.error('m', new Error('outer', { cause })))
    expect(attributes).toMatchObject({ err: { cause: { token: '[REDACTED]', code: 1 } } })
  })
})

describe('redaction of exceptions', () => {
  test.each([['err.name'], ['err.type'], ['error.name'], ['*.name']])(
    'redacting %s also redacts the type at the start of the stacktrace',
    (path) => {
      const bench = createTestLogger({ redact: [path] })
      const { attributes } = bench.captureLine(() => bench.log.error('m', named('Canary')))
      expect(attributes).toMatchObject({ 'exception.type': '[REDACTED]' })
      expect(JSON.stringify(attributes)).not.toContain('Canary')
    },
  )

  test('redacting the name of an Error that is an attribute also redacts its type', () => {
    const bench = createTestLogger({ redact: ['why.name'] })
    expect(JSON.stringify(bench.captureLine(() => bench.log.info('m', { why: named('Canary') })))).not.toContain(
      'Canary',
    )
  })

  test('the redaction path error applies to an Error that is an argument', () => {
    const bench = createTestLogger({ redact: ['error'] })
    expect(JSON.stringify(bench.captureLine(() => bench.log.error('m', new Error('canary'))))).not.toContain('canary')
  })

  test('a redacted short exception message is removed from the message as a whole word only', () => {
    const bench = createTestLogger({ redact: ['err.message'] })
    const { message } = bench.captureLine(() => bench.log.error(new Error('e'), 'the letter e, here'))
    expect(message).toBe('the letter [REDACTED], here')
  })
})
