import { describe, expect, test } from '@jest/globals'
import { runInNewContext } from 'node:vm'
import { exceptionOf } from '../../src/values/exception.ts'
import { isError } from '../../src/values/is-error.ts'
import { thrownMarker } from '../../src/values/thrown-marker.ts'

function thrower(): never {
  throw new Error('no')
}
const revoked = Proxy.revocable({}, {})
revoked.revoke()
const hostile = new Proxy({}, { get: thrower, getPrototypeOf: thrower, has: thrower, ownKeys: thrower })

describe('detection of errors', () => {
  test.each<[string, unknown, boolean]>([
    ['an Error', new Error('x'), true],
    ['a subclass', new (class HttpError extends Error {})(), true],
    ['an AggregateError', new AggregateError([]), true],
    ['an Error of another realm', runInNewContext('new TypeError("x")'), true],
    ['a DOMException', new DOMException('x', 'AbortError'), true],
    ['an object created from Error.prototype', Object.create(Error.prototype), true],
    ['a frozen Error', Object.freeze(new Error('x')), true],
    ['a proxy of an Error', new Proxy(new Error('x'), {}), true],
    ['an object that has the members of an Error', { name: 'Error', message: 'x', stack: 'Error: x\n    at y' }, false],
    ['a string', 'Error: x', false],
    ['null', null, false],
    ['undefined', undefined, false],
    ['a function', () => new Error('x'), false],
    ['a revoked proxy', revoked.proxy, false],
    ['a proxy whose traps throw', hostile, false],
  ])('isError detects whether the value is an error: %s', (_, value, expected) => {
    expect(isError(value)).toBe(expected)
  })
})

// Requirements: EXC3
describe('exception type', () => {
  class HttpError extends Error {}
  class NotFound extends RangeError {}
  class Named extends Error {
    override readonly name = 'GivenName'
  }
  test.each<[string, object, string]>([
    ['Error', new Error('x'), 'Error'],
    ['a built-in subclass', new TypeError('x'), 'TypeError'],
    ['a class that inherits the name Error', new HttpError('x'), 'HttpError'],
    ['a class that inherits a built-in name', new NotFound('x'), 'NotFound'],
    ['a class that sets its name', new Named('x'), 'GivenName'],
    ['an error of another realm', runInNewContext('new SyntaxError("x")') as object, 'SyntaxError'],
    ['a DOMException', new DOMException('x', 'AbortError'), 'AbortError'],
    ['an error with a name and a code', Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'Error'],
    ['an empty name', withName(''), 'Error'],
    ['a name that is not a string', withName({ a: 1 }), 'Error'],
    ['no constructor', Object.assign(new Error('x'), { constructor: undefined }), 'Error'],
    ['a constructor without information', Object.assign(new Error('x'), { constructor: Object }), 'Error'],
    ['a name whose getter throws', Object.defineProperty(new HttpError('x'), 'name', { get: thrower }), 'HttpError'],
    ['a constructor that throws', Object.defineProperty(new Error('x'), 'constructor', { get: thrower }), 'Error'],
  ])('the exception type is found for %s', (_, error, type) => {
    expect(exceptionOf(error).type).toBe(type)
  })
})

// Requirements: EXC1
describe('exception message', () => {
  test.each<[unknown, string]>([
    ['text', 'text'],
    ['', ''],
    ['a\nb', 'a\nb'],
    [undefined, ''],
    [null, ''],
    [5, '5'],
    [10n, '10'],
    [Symbol('s'), 'Symbol(s)'],
    [{ password: 'secret' }, '[Object]'],
    [() => 1, '[Function]'],
  ])('the exception message of %p is %j', (message, text) => {
    expect(exceptionOf(Object.assign(new Error('x'), { message })).message).toBe(text)
  })

  test('a message that is a revoked proxy is written as an object', () => {
    expect(exceptionOf(Object.assign(new Error('x'), { message: revoked.proxy })).message).toBe('[Object]')
  })

  test('a message getter that throws is written as a marker', () => {
    const error = Object.defineProperty(new Error('x'), 'message', { get: thrower })
    expect(exceptionOf(error).message).toBe('[Threw: no]')
  })
})

// Requirements: EXC3
describe('exception stacktrace', () => {
  const frames = '\n    at one (a.js:1:1)\n    at two (b.js:2:2)'
  test('the stacktrace is the unmodified stack of the error', () => {
    const error = new TypeError('x')
    expect(exceptionOf(error).stacktrace).toBe(error.stack)
    const empty = new Error()
    expect(exceptionOf(empty).stacktrace).toBe(empty.stack)
  })

  test.each<[string, string, string, string]>([
    ['the code of an error of Node', 'no', `TypeError [ERR_X]: no${frames}`, `TypeError [ERR_X]: no${frames}`],
    ['a message of several lines', 'a\nb', `Error: a\nb${frames}`, `Error: a\nb${frames}`],
    ['a message with a line like a frame', 'a\n    at x', `Error: a\n    at x${frames}`, `Error: a\n    at x${frames}`],
    ['no name', 'no', `no${frames}`, `no${frames}`],
    ['a message set later', 'new', `Error: old${frames}`, `Error: new${frames}`],
    ['a message set later to a part of the old one', 'b', `Error: a: b${frames}`, `Error: b${frames}`],
    ['a message set later to the beginning of the old one', 'a', `Error: ab${frames}`, `Error: a${frames}`],
    ['a message set later to nothing', '', `Error: old${frames}`, `Error${frames}`],
    ['no header', 'no', frames.slice(1), `Error: no${frames}`],
    ['no frames', 'no', 'Error: no', 'Error: no'],
    ['something else', 'no', 'Traceback of another kind', 'Error: no\nTraceback of another kind'],
    ['nothing', 'no', '', 'Error: no'],
  ])('the stacktrace begins with the type and the message for %s', (_, message, stack, expected) => {
    expect(stackOf(message, stack)).toBe(expected)
  })

  test('a name that is set later appears only in a rebuilt header', () => {
    expect(stackOf('new', `Error: old${frames}`, 'Late')).toBe(`Late: new${frames}`)
    expect(stackOf('same', `Error: same${frames}`, 'Late')).toBe(`Error: same${frames}`)
  })

  test.each<[string, unknown]>([
    ['an array of call sites', []],
    ['a number', 5],
    ['undefined', undefined],
  ])('a stack that is %s is ignored', (_, stack) => {
    expect(stackOf('x', stack)).toBeUndefined()
  })

  test('a stack getter that throws is written as a marker', () => {
    const error = Object.defineProperty(new Error('x'), 'stack', { get: thrower })
    expect(exceptionOf(error).stacktrace).toBe('Error: x\n[Threw: no]')
  })
})

describe('cause and errors of an exception', () => {
  test('a cause can be any value', () => {
    const cause = { code: 5 }
    expect(exceptionOf(new Error('x', { cause })).cause).toBe(cause)
    expect(exceptionOf(new Error('x', { cause: null })).cause).toBeNull()
    expect(exceptionOf(new Error('x')).cause).toBeUndefined()
  })

  test('a cause method, as in VError, is called', () => {
    const cause = new Error('inner')
    expect(exceptionOf(Object.assign(new Error('x'), { cause: () => cause })).cause).toBe(cause)
    expect(exceptionOf(Object.assign(new Error('x'), { cause: () => 5 })).cause).toBeUndefined()
    expect(exceptionOf(Object.assign(new Error('x'), { cause: thrower })).cause).toBe('[Threw: no]')
  })

  test('an own array errors is read as the errors, and any other value is a property', () => {
    const inner = [new Error('a'), 5]
    expect(exceptionOf(new AggregateError(inner)).errors).toEqual(inner)
    expect(exceptionOf(Object.assign(new Error('x'), { errors: inner }))).toMatchObject({
      errors: inner,
      properties: [],
    })
    const byField = { name: new Error('required') }
    const validation = exceptionOf(Object.assign(new Error('x'), { errors: byField }))
    expect(validation).toMatchObject({ errors: undefined, properties: [['errors', byField]] })
    class Zod extends Error {
      get errors(): unknown[] {
        return inner
      }
    }
    expect(exceptionOf(new Zod('x')).errors).toBeUndefined()
  })
})

describe('properties of an exception', () => {
  test('properties are the own enumerable members without a field of their own', () => {
    class Failure extends Error {
      override readonly name = 'Failure'
      readonly code = 'E1'
      readonly #secret = 1
      get inherited(): number {
        return this.#secret
      }
    }
    const error = new Failure('x', { cause: 1 })
    Object.defineProperty(error, 'hidden', { value: 1, enumerable: false })
    Object.assign(error, { [Symbol('s')]: 1, details: { a: 1 } })
    expect(exceptionOf(error).properties).toEqual([
      ['code', 'E1'],
      ['details', { a: 1 }],
    ])
  })

  test('properties whose names are reserved get an underscore', () => {
    const error = Object.assign(new Error('x'), { type: 'entity.too.large', stacktrace: 'other' })
    expect(exceptionOf(error).properties).toEqual([
      ['_type', 'entity.too.large'],
      ['_stacktrace', 'other'],
    ])
  })

  test('a name that is not a string is a property', () => {
    expect(exceptionOf(Object.assign(new Error('x'), { name: 5 })).properties).toEqual([['name', 5]])
  })

  test('a property getter that throws affects only its own value', () => {
    const error = Object.assign(new Error('x'), { a: 1 })
    Object.defineProperty(error, 'b', { get: thrower, enumerable: true })
    expect(exceptionOf(error).properties).toEqual([
      ['a', 1],
      ['b', '[Threw: no]'],
    ])
  })
})

test('each member of an error is read once', () => {
  const reads: string[] = []
  const members = { name: 'Error', message: 'm', stack: 'Error: m', cause: 1, errors: {}, type: 't', code: 'c' }
  const target = Object.assign(Object.create(Error.prototype) as object, members)
  const counting = new Proxy(target, {
    get(from, key, receiver) {
      if (typeof key === 'string') reads.push(key)
      return Reflect.get(from, key, receiver) as unknown
    },
  })
  exceptionOf(counting)
  expect(reads.toSorted()).toEqual(['cause', 'code', 'constructor', 'errors', 'message', 'name', 'stack', 'type'])
})

test.each<[string, object]>([
  ['a proxy whose traps throw', hostile],
  ['a revoked proxy', revoked.proxy],
  ['an object without a prototype', Object.create(null) as object],
])('%s is read as an exception without throwing', (_, value) => {
  expect(exceptionOf(value)).toMatchObject({ type: 'Error', properties: [] })
})

describe('markers of thrown values', () => {
  test.each<[unknown, string]>([
    [new Error('x'), '[Threw: x]'],
    ['text', '[Threw: text]'],
    [5, '[Threw: 5]'],
    [Symbol('s'), '[Threw: Symbol(s)]'],
    [undefined, '[Threw]'],
    [null, '[Threw]'],
    [{}, '[Threw]'],
    [{ message: {} }, '[Threw]'],
    ['x'.repeat(1_000), `[Threw: ${'x'.repeat(1_000)}]`],
  ])('a thrown value is written as a marker: %p', (reason, text) => {
    expect(thrownMarker(reason)).toBe(text)
  })

  test('the marker of a hostile thrown value is [Threw]', () => {
    expect([thrownMarker(hostile), thrownMarker(revoked.proxy)]).toEqual(['[Threw]', '[Threw]'])
  })
})

function withName(name: unknown): Error {
  return Object.assign(new Error('x'), { name })
}

function stackOf(message: unknown, stack: unknown, name = 'Error'): string | undefined {
  return exceptionOf(Object.assign(new Error('x'), { message, stack, name })).stacktrace
}
