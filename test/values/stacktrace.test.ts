import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { exceptionOf } from '../../src/values/exception.ts'
import {
  replaceRedactedTexts,
  redactedStack,
  stacktraceWithCauses,
  unlimitedStacktraceOptions,
  type StacktraceOptions,
} from '../../src/values/stacktrace.ts'

// cspell:ignore cret

/** An error with a stack of two frames that is the same on every machine. */
function failure(message: string, options?: ErrorOptions, type = 'Error'): Error {
  const error = new Error(message, options)
  const stack = `${message === '' ? type : `${type}: ${message}`}\n    at ${type}.one (a.js:1:1)\n    at two (b.js:2:2)`
  return Object.assign(error, { stack, ...(type === 'Error' ? {} : { name: type }) })
}

function textOf(error: object, options?: Partial<StacktraceOptions>): string | undefined {
  return stacktraceWithCauses(error, exceptionOf(error), { ...unlimitedStacktraceOptions, ...options }).text
}

/** Options that redact these paths, such as `cause.message`. */
function redacting(...paths: string[]): StacktraceOptions {
  return {
    ...unlimitedStacktraceOptions,
    redact: (path) => (paths.includes(path.join('.')) ? '[REDACTED]' : undefined),
  }
}

// Requirements: EXC3
describe('causes in the stacktrace', () => {
  test('the stacktrace of an error without causes is its stack', () => {
    const error = new Error('x')
    expect(textOf(error)).toBe(error.stack)
  })

  test('the chain of causes follows the stack', () => {
    const error = failure('a', { cause: failure('b', { cause: failure('c') }, 'TypeError') })
    expect(textOf(error)).toBe(
      [
        'Error: a',
        '    at Error.one (a.js:1:1)',
        '    at two (b.js:2:2)',
        'Caused by: TypeError: b',
        '    at TypeError.one (a.js:1:1)',
        '    at two (b.js:2:2)',
        'Caused by: Error: c',
        '    at Error.one (a.js:1:1)',
        '    at two (b.js:2:2)',
      ].join('\n'),
    )
  })

  test('the errors of an AggregateError follow with an indent and their own causes', () => {
    const errors = [failure('a', { cause: 'reason' }), 5]
    const error = Object.assign(new AggregateError(errors, 'both', { cause: 'outer' }), {
      stack: 'AggregateError: both',
    })
    expect(textOf(error)).toBe(
      [
        'AggregateError: both',
        'Caused by: outer',
        '    Error 1 of 2: Error: a',
        '        at Error.one (a.js:1:1)',
        '        at two (b.js:2:2)',
        '    Caused by: reason',
        '    Error 2 of 2: 5',
      ].join('\n'),
    )
  })

  test.each<[unknown, string]>([
    ['text', 'text'],
    [5, '5'],
    [10n, '10'],
    [false, 'false'],
    [Symbol('s'), 'Symbol(s)'],
    [{ password: 'secret' }, '[Object]'],
  ])('a cause that is not an Error is written as text: %p', (cause, text) => {
    expect(textOf(Object.assign(failure('a', { cause }), { stack: 'Error: a' }))).toBe(`Error: a\nCaused by: ${text}`)
  })

  test('a null cause is not written', () => {
    expect(textOf(failure('a', { cause: null }))).toBe(failure('a').stack)
  })

  test('an error without a stack has a stacktrace if it has a cause', () => {
    const bare = Object.assign(new TypeError('a'), { stack: undefined })
    expect(textOf(bare)).toBeUndefined()
    expect(textOf(bare, redacting('message'))).toBeUndefined()
    expect(textOf(Object.assign(bare, { cause: 'b' }))).toBe('TypeError: a\nCaused by: b')
  })
})

describe('limits of the stacktrace', () => {
  test('a cycle of causes is replaced by a marker', () => {
    const error = Object.assign(failure('a'), { stack: 'Error: a' })
    error.cause = error
    expect(textOf(error)).toBe('Error: a\nCaused by: [Circular]')
    const other = Object.assign(failure('b', { cause: error }), { stack: 'Error: b' })
    error.cause = other
    expect(textOf(error)).toBe('Error: a\nCaused by: Error: b\nCaused by: [Circular]')
  })

  test('an error that occurs twice without a cycle is written twice', () => {
    const shared = Object.assign(failure('s'), { stack: 'Error: s' })
    const error = Object.assign(new AggregateError([shared, shared], 'x', { cause: shared }), {
      stack: 'AggregateError: x',
    })
    expect(textOf(error)).not.toContain('[Circular]')
  })

  test('a chain of causes is truncated at a depth of 16', () => {
    let error = failure('0')
    for (let i = 1; i < 20_000; i++) error = failure(String(i), { cause: error })
    const text = textOf(error)!
    expect(text.match(/Caused by: /g)).toHaveLength(16)
    expect(text).toMatch(/\nCaused by: \[More causes\]$/)
  })

  test('a stacktrace has at most 32 errors, and the others are counted', () => {
    const many = Array.from({ length: 100 }, (_, i) => failure(String(i)))
    expect(textOf(new AggregateError(many, 'many'))).toMatch(/Error 31 of 100: [^]*\n {4}\.\.\. 69 more errors$/)
  })

  test('a tree of errors is written within the limit on the number of errors', () => {
    let error: Error = failure('leaf')
    for (let i = 0; i < 14; i++)
      error = new AggregateError(
        Array.from({ length: 40 }, () => error),
        String(i),
      )
    expect(textOf(error)!.match(/Error \d+ of 40/g)!.length).toBeLessThan(33)
  })

  test('frames over the limit are counted', () => {
    const error = failure('a\n    at nowhere', { cause: failure('b') })
    expect(textOf(error, { maxFrames: 1 })).toBe(
      [
        'Error: a',
        '    at nowhere',
        '    at Error.one (a.js:1:1)',
        '    ... 1 more frames',
        'Caused by: Error: b',
        '    at Error.one (a.js:1:1)',
        '    ... 1 more frames',
      ].join('\n'),
    )
    expect(textOf(error, { maxFrames: 2 })).toBe(textOf(error))
    expect(textOf(Object.assign(failure('c'), { stack: 'no frames' }), { maxFrames: 1 })).toBe('Error: c\nno frames')
  })
})

describe('redaction of the stacktrace', () => {
  test('a redacted message is removed from the stacktrace', () => {
    const error = Object.assign(failure('s3cret'), {
      stack: 'TypeError [E]: s3cret\n    at s3cret (/s3cret.js)\n    at b',
    })
    const { text, redactedTexts } = stacktraceWithCauses(error, exceptionOf(error), redacting('message'))
    expect(text).toBe('TypeError [E]: [REDACTED]\n    at [REDACTED] (/[REDACTED].js)\n    at b')
    expect(replaceRedactedTexts('failed: s3cret', redactedTexts)).toBe('failed: [REDACTED]')
  })

  test('the redacted message of a cause is also removed from the message that includes it', () => {
    const cause = failure('s3cret')
    const error = failure(`outer: ${cause.message}`, { cause })
    expect(textOf(error, redacting('cause.message'))).not.toContain('s3cret')
    expect(textOf(error, redacting('cause.message'))).toContain('Error: outer: [REDACTED]\n')
  })

  test('a redacted message is also removed from a cause that repeats it', () => {
    const error = failure('s3cret', { cause: failure('inner: s3cret') })
    expect(textOf(error, redacting('message'))).not.toContain('s3cret')
    expect(textOf(error, redacting('message'))).toContain('Caused by: Error: inner: [REDACTED]\n')
  })

  test('the redacted message of one of several errors is removed everywhere', () => {
    const error = new AggregateError([failure('open'), failure('s3cret')], 's3cret and open')
    expect(textOf(error, redacting('errors.1.message'))).toContain('AggregateError: [REDACTED] and open\n')
    expect(textOf(error, redacting('errors.1.message'))).not.toContain('s3cret')
  })

  test('a redacted message of several lines is also removed from an indented part', () => {
    const error = new AggregateError([failure('s3cret\nkey')], 'x: s3cret\nkey', { cause: 's3cret\nkey' })
    expect(textOf(error, redacting('errors.0.message'))).not.toMatch(/s3cret|key/)
  })

  test('a redacted message that contains a line like a frame is removed', () => {
    expect(textOf(failure('a\n    at s3cret'), redacting('message'))).toBe(failure('[REDACTED]').stack)
  })

  test('a previous message that is still in the stack is removed', () => {
    const error = Object.assign(new Error('s3cret'), { message: 'new' })
    expect(textOf(error, redacting('message'))).toMatch(/^Error: \[REDACTED\]\n {4}at /)
    expect(textOf(error, redacting('message'))).not.toContain('s3cret')
  })

  test.each<[string, string]>([
    ['stack', '[REDACTED]\nCaused by: b'],
    ['stacktrace', '[REDACTED]\nCaused by: b'],
    ['cause', 'Error: a\nCaused by: [REDACTED]'],
  ])('redacting %s replaces that part of the stacktrace', (path, text) => {
    expect(textOf(Object.assign(failure('a', { cause: 'b' }), { stack: 'Error: a' }), redacting(path))).toBe(text)
  })

  test('redacting errors replaces one or all of them in the stacktrace', () => {
    const error = Object.assign(new AggregateError([1, 2], 'x'), { stack: 'AggregateError: x' })
    expect(textOf(error, redacting('errors'))).toBe('AggregateError: x\nErrors: [REDACTED]')
    expect(textOf(error, redacting('errors.0'))).toContain('Error 1 of 2: [REDACTED]\n    Error 2 of 2: 2')
  })

  test('a removed cause leaves no text in the stacktrace', () => {
    const error = Object.assign(failure('a', { cause: 'b' }), { stack: 'Error: a' })
    expect(textOf(error, { redact: (path) => (path[0] === 'cause' ? '' : undefined) })).toBe('Error: a')
  })

  test('any redacted message is removed from any part of the stacktrace', () => {
    const message = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', '\n', ' ', 't', '    at x', ':') }))
    fc.assert(
      fc.property(message, fc.string(), (middle, around) => {
        const secret = `§${middle}§`
        const error = new AggregateError([failure(around + secret)], secret, { cause: failure(secret + around) })
        expect(textOf(error, redacting('message'))).not.toContain(secret)
        expect(redactedStack(error.stack!, secret, '*')).not.toContain(secret)
      }),
    )
  })
})

describe('redactedStack', () => {
  test.each<[string, string, string]>([
    ['Error: a\n    at x', 'a', 'Error: [R]\n    at x'],
    ['Error: b\n    at x', 'b', 'Error: [R]\n    at x'],
    ['Error\n    at x', '', 'Error: [R]\n    at x'],
    ['Error: old secret\n    at x', 'new', '[R]\n    at x'],
    ['Error: a\nleft over\n    at x', 'a', 'Error: [R]\n    at x'],
    ['no frames at all', 'secret', '[R]'],
    ['', '', '[R]'],
  ])('redactedStack redacts %j with the message %j', (stack, message, text) => {
    expect(redactedStack(stack, message, '[R]')).toBe(text)
  })
})

describe('replaceRedactedTexts', () => {
  test('replaceRedactedTexts replaces the longest text first and does not replace inside replacements', () => {
    const parts = ['E', 'RED', '[', 'secret', 'secret key'].map((text) => ({ text, replacement: '[REDACTED]' }))
    expect(replaceRedactedTexts('a secret key, a secret', parts)).toBe('a [REDACTED], a [REDACTED]')
  })
  test('replaceRedactedTexts ignores an empty text', () => {
    expect(replaceRedactedTexts('abc', [{ text: '', replacement: 'x' }])).toBe('abc')
  })
})

test('each error of the chain is read once with the given reader', () => {
  const inner = failure('b')
  const error = failure('a', { cause: inner })
  const read: object[] = []
  textOf(error, {
    read(one) {
      read.push(one)
      return exceptionOf(one)
    },
  })
  expect(read).toEqual([inner])
})

test('an array of errors that throws when it is read is omitted', () => {
  const errors = new Proxy([1, 2], {
    get() {
      throw new Error('no')
    },
  })
  expect(textOf(Object.assign(new Error('x'), { stack: 'Error: x', errors }))).toBe('Error: x')
})
