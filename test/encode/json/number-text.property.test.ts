import { describe, expect, test } from '@jest/globals'
import { assert, constantFrom, double, integer, maxSafeInteger, property, tuple } from 'fast-check'
import { numberText } from '../../../src/encode/json/number-text.ts'

/** Expects the text of ECMAScript and JSON. Three calls, because results may be cached. */
function expectItsText(value: number): void {
  const text = JSON.stringify(value)
  expect([numberText(value), numberText(value), numberText(value)]).toEqual([text, text, text])
}

describe('text of numbers', () => {
  test('the text of any finite number is that of JSON.stringify', () => {
    assert(property(double({ noNaN: true, noDefaultInfinity: true }), expectItsText), { numRuns: 2_000 })
  })

  test('the text of decimals of up to six places and of their neighbors is that of JSON.stringify', () => {
    const decimal = tuple(maxSafeInteger(), integer({ min: 0, max: 6 }), constantFrom(-1, 0, 1))
    const near = decimal.map(([digits, places, step]) => {
      const value = digits / 10 ** places
      return value * (1 + step * Number.EPSILON)
    })
    assert(property(near, expectItsText), { numRuns: 2_000 })
  })

  test.each([
    0,
    -0,
    1,
    999,
    1_000,
    2 ** 31,
    -(2 ** 31),
    Number.MAX_SAFE_INTEGER,
    2 ** 53,
    1e21,
    1e-6,
    1.5e-6,
    9.99e-7,
    1e-7,
    0.1,
    0.25,
    0.100001,
    1.001,
    0.1 + 0.2,
    -0.5,
    999_999_999.999999,
    1_000_000_000.5,
    Number.MIN_VALUE,
    Number.MAX_VALUE,
  ])('the text of %d is that of JSON.stringify', expectItsText)
})
