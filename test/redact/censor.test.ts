import { describe, expect, jest, test } from '@jest/globals'
import { stateOfReplacement, type Redact } from '../../src/redact/redact.ts'
import { applyRedaction } from '../support/redaction/redact-walker.ts'
import { compileRules, applyRules } from '../support/redaction/rules.ts'

const X = '[REDACTED]'

describe('the censor', () => {
  test.each(['***', '', 0, false, null])('the censor %j replaces redacted values', (censor) => {
    expect(applyRules({ paths: ['a', 'l[*]'], censor }, { a: 1, l: [2] })).toEqual({ a: censor, l: [censor] })
  })

  test('an undefined censor is treated as a missing one', () => {
    expect(applyRules({ paths: ['a'], censor: undefined }, { a: 1 })).toEqual({ a: X })
  })

  test('a censor function receives the value and its path, for path and key rules', () => {
    const redact: Redact = {
      paths: ['a.*[0]'],
      keys: ['k'],
      censor: (value, path) => `${typeof value} ${path.join('/')}`,
    }
    expect(applyRules(redact, { a: { b: [1], c: ['x'] }, d: [{ k: {} }] })).toEqual({
      a: { b: ['number a/b/0'], c: ['string a/c/0'] },
      d: [{ k: 'object d/0/k' }],
    })
  })

  test('a censor function may keep and change the path array that it receives', () => {
    const paths: string[][] = []
    const state = compileRules({ paths: ['a'], censor: (_value, path) => paths.push(path) }).root.step('a')
    const path = ['a']
    state.censor?.replace(1, path)
    state.censor?.replace(1, path)
    expect(paths).toEqual([['a'], ['a']])
    expect(paths[0]).not.toBe(paths[1])
    expect(paths[0]).not.toBe(path)
  })

  test('the default censor replaces the value when a censor function throws', () => {
    const redact: Redact = {
      paths: ['a'],
      censor: () => {
        throw new Error('secret')
      },
    }
    expect(applyRules(redact, { a: 1 })).toEqual({ a: X })
  })

  test('remove omits redacted members and replaces redacted items by null, and ignores the censor', () => {
    const censor = jest.fn(() => 'no')
    expect(
      applyRules({ paths: ['a', 'l[0]', '*.b'], remove: true, censor }, { a: 1, l: [2, 3], c: { b: 4 } }),
    ).toStrictEqual({
      l: [null, 3],
      c: {},
    })
    expect(censor).not.toHaveBeenCalled()
  })

  test('redaction applies to what a censor function returns, with the default censor', () => {
    const censor = jest.fn((value: unknown) => ({ was: value, again: { secret: 1 } }))
    const redaction = compileRules({ keys: ['secret'], paths: ['secret.*.token'], censor })
    const data = { secret: { token: 1, headers: { cookie: 2 } } }
    expect(applyRedaction(redaction, data, stateOfReplacement)).toEqual({
      secret: { was: { token: X, headers: { cookie: X } }, again: { secret: X } },
    })
    expect(censor).toHaveBeenCalledTimes(1)
  })

  test('a censor function that returns its value is also called for redacted values inside it', () => {
    const redaction = compileRules({
      keys: ['user', 'password'],
      censor: (value) => (typeof value === 'string' ? `${value.length} characters` : value),
    })
    const data = { user: { name: 'ann', password: 'hunter2', user: { password: 'x' } } }
    expect(applyRedaction(redaction, data, stateOfReplacement)).toEqual({
      user: { name: 'ann', password: '7 characters', user: { password: '1 characters' } },
    })
  })
})
