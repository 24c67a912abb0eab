import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { isStackExhausted } from '../../src/values/thrown-marker.ts'

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('detection of an exhausted stack', () => {
  test('a stack exhausted by infinite recursion is detected', () => {
    const endless = (): unknown => [endless()]
    expect(isStackExhausted(thrownBy(endless))).toBe(true)
  })

  test('an exhausted stack in another realm is detected', () => {
    expect(isStackExhausted(thrownBy(() => runInNewContext('const a = () => [a()]; a()')))).toBe(true)
  })

  test.each([
    new RangeError('Maximum call stack size exceeded.'),
    new SyntaxError('Invalid regular expression: /[\n]+/gu: Stack overflow'),
  ])('an exhausted stack is detected by the message of an engine: %p', (error) => {
    expect(isStackExhausted(error)).toBe(true)
  })
})

test.each([
  new RangeError('Invalid array length'),
  new Error('the stack: Maximum call stack size exceeded, as it seems'),
  new SyntaxError('Invalid regular expression: /(/: Unterminated group'),
  { message: 1 },
  'Maximum call stack size exceeded',
  null,
  undefined,
])('a value that is thrown for another reason is not an exhausted stack: %p', (reason) => {
  expect(isStackExhausted(reason)).toBe(false)
})

test('an error whose message cannot be read is treated as an exhausted stack', () => {
  const hostile = {
    get message(): string {
      throw new Error('no')
    },
  }
  expect(isStackExhausted(hostile)).toBe(true)
})
