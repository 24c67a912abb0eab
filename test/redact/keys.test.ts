import { describe, expect, jest, test } from '@jest/globals'
import { applyRedaction } from '../support/redaction/redact-walker.ts'
import { compileRules, applyRules } from '../support/redaction/rules.ts'

const X = '[REDACTED]'

describe('keys', () => {
  test('key strings match names at any depth and ignore case, - and _', () => {
    const data = { api_key: 1, list: [{ apiKey: 2 }], n: { 'X-API-KEY': 3, 'API-KEY_': 4, apikeys: 5 } }
    expect(applyRules({ keys: ['api-key'] }, data)).toEqual({
      api_key: X,
      list: [{ apiKey: X }],
      n: { 'X-API-KEY': 3, 'API-KEY_': X, apikeys: 5 },
    })
  })

  test('key strings match names regardless of spaces around either of them', () => {
    expect(applyRules({ keys: [' password', 'pin'] }, { password: 1, ' Password ': 2, 'pin\t': 3, 'p in': 4 })).toEqual(
      {
        password: X,
        ' Password ': X,
        'pin\t': X,
        'p in': 4,
      },
    )
  })

  test('key expressions match the unmodified name', () => {
    expect(applyRules({ keys: [/^pass/i, /Token$/] }, { Password: 1, a: { aToken: 2, token: 3 } })).toEqual({
      Password: X,
      a: { aToken: X, token: 3 },
    })
  })

  test('key expressions with the flags g or y keep no state between keys', () => {
    const data = { ab: 1, xab: 2, abc: 3, abcd: 4 }
    expect(applyRules({ keys: [/ab/g] }, data)).toEqual({ ab: X, xab: X, abc: X, abcd: X })
    expect(applyRules({ keys: [/ab/y] }, data)).toEqual({ ab: X, xab: 2, abc: X, abcd: X })
  })

  test('later changes to a key expression have no effect on compiled rules', () => {
    const expression = /ab/g
    const redaction = compileRules({ keys: [expression] })
    expression.lastIndex = 1
    expression.compile('other')
    expect(applyRedaction(redaction, { ab: 1 })).toEqual({ ab: X })
    expect(expression.lastIndex).toBe(0)
  })

  test('key expressions match against the first 256 characters of a name, and key strings against all of it', () => {
    const long = 'x'.repeat(256)
    expect(applyRules({ keys: [/y/] }, { [`${long}y`]: 1, [`${long.slice(1)}y`]: 2 })).toEqual({
      [`${long}y`]: 1,
      [`${long.slice(1)}y`]: X,
    })
    expect(applyRules({ keys: [`${long}y`] }, { [`${long}_Y`]: 1 })).toEqual({ [`${long}_Y`]: X })
  })

  test('a value is redacted when its key expression throws in the engine', () => {
    const state = compileRules({ keys: [/never/] }).root
    const test = jest.spyOn(RegExp.prototype, 'test').mockImplementation(() => {
      throw new RangeError('Maximum call stack size exceeded')
    })
    const next = state.step('other')
    test.mockRestore()
    expect(next.censor?.replace(1, ['other'])).toBe(X)
  })

  test('array indexes are not keys', () => {
    expect(
      applyRules({ keys: [/^\d+$/, '1-0'], paths: ['a[1]'] }, { a: [1, 2, 3], 10: 4, '007': 5, '1_0': 6 }),
    ).toEqual({
      a: [1, X, 3],
      10: 4,
      '007': X,
      '1_0': X,
    })
  })
})
