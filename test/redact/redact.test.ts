import { describe, expect, test } from '@jest/globals'
import type { ConfigurationProblem } from '../../src/options/configuration-error.ts'
import { compileRedaction, stateOfReplacement } from '../../src/redact/redact.ts'
import { applyRedaction } from '../support/redaction/redact-walker.ts'
import { compileRules, applyRules } from '../support/redaction/rules.ts'

// cspell:ignore eader

const X = '[REDACTED]'

describe('redaction paths', () => {
  test('an array is a list of paths that start at the attributes', () => {
    expect(applyRules(['password', 'a.b'], { password: 1, a: { b: 2, password: 3 }, b: 4 })).toEqual({
      password: X,
      a: { b: X, password: 3 },
      b: 4,
    })
  })

  test('a * in a path matches exactly one member or item', () => {
    expect(applyRules(['*.x'], { x: 1, a: { x: 2, b: { x: 3 } }, l: [{ x: 4 }] })).toEqual({
      x: 1,
      a: { x: X, b: { x: 3 } },
      l: [{ x: 4 }],
    })
    expect(applyRules(['a.*.c'], { a: [{ c: 1 }, { d: 2 }], b: { c: 3 } })).toEqual({
      a: [{ c: X }, { d: 2 }],
      b: { c: 3 },
    })
    expect(applyRules(['*.*'], { a: 1, b: [2, 3], c: { d: { e: 4 } } })).toEqual({ a: 1, b: [X, X], c: { d: X } })
  })

  test('a ** in a path matches any number of members and items, including zero', () => {
    expect(applyRules(['**.x'], { x: 1, a: { x: 2, b: [{ x: 3 }] } })).toEqual({ x: X, a: { x: X, b: [{ x: X }] } })
    expect(applyRules(['a.**.x'], { x: 1, a: { x: 2, b: { x: 3, y: 4 } } })).toEqual({
      x: 1,
      a: { x: X, b: { x: X, y: 4 } },
    })
    expect(applyRules(['**.a.b'], { a: { a: { b: 1 }, b: 2 }, b: 3 })).toEqual({ a: { a: { b: X }, b: X }, b: 3 })
  })

  test('a final ** in a path redacts everything below the path, but not the path itself', () => {
    expect(applyRules(['a.**'], { a: { b: 1, c: [2] }, b: 3 })).toEqual({ a: { b: X, c: X }, b: 3 })
    expect(applyRules(['a.**'], { a: 1 })).toEqual({ a: 1 })
  })

  test('an index in a path matches an item and also a member with that name', () => {
    expect(applyRules(['a[1].x'], { a: [{ x: 1 }, { x: 2 }, { x: 3 }] })).toEqual({ a: [{ x: 1 }, { x: X }, { x: 3 }] })
    expect(applyRules(['a[1]', 'a[*].x'], { a: { 1: 1, b: { x: 2 } } })).toEqual({ a: { 1: X, b: { x: X } } })
  })

  test('null and undefined are not redacted, while other empty values are', () => {
    const data = { a: null, b: undefined, c: '', d: 0, e: false, f: {}, g: [null] }
    expect(applyRules(['*'], data)).toStrictEqual({ a: null, c: X, d: X, e: X, f: X, g: X })
    expect(applyRules(['g[*]'], data)).toMatchObject({ g: [null] })
  })

  test('members with names of Object.prototype members are redacted like any other', () => {
    const data: unknown = JSON.parse('{"__proto__":{"constructor":1},"toString":{"__proto__":2,"a":3}}')
    const expected = '{"__proto__":{"constructor":"[REDACTED]"},"toString":{"__proto__":"[REDACTED]","a":3}}'
    expect(JSON.stringify(applyRules(['__proto__.constructor', '*.__proto__'], data))).toBe(expected)
    expect(JSON.stringify(applyRules(['a'], data))).toBe(JSON.stringify(data))
  })

  test('a repeated path and a path below a redacted one have no effect', () => {
    expect(applyRules(['a', 'a', 'a.b', '*'], { a: { b: 1 }, c: 2 })).toEqual({ a: X, c: X })
  })
})

describe('redaction of credential headers', () => {
  test('credential headers are redacted by default below a member named headers, at any depth and in any case', () => {
    const headers = { Authorization: 'a', cookie: 'b', 'SET-COOKIE': ['c', 'd'], 'X-Api-Key': 'e', accept: 'f' }
    const redactedHeaders = { Authorization: X, cookie: X, 'SET-COOKIE': X, 'X-Api-Key': X, accept: 'f' }
    const data = { headers, list: [{ req: { Headers: headers } }], config: { headers: { common: headers } } }
    expect(applyRules(undefined, data)).toEqual({
      headers: redactedHeaders,
      list: [{ req: { Headers: redactedHeaders } }],
      config: { headers: { common: redactedHeaders } },
    })
  })

  test('names of credential headers are not redacted outside headers', () => {
    const data = { cookie: 1, heading: { cookie: 2 }, headersOf: { cookie: 3 }, header: 'cookie', eader: { cookie: 4 } }
    expect(applyRules(undefined, data)).toEqual(data)
  })

  test('credential headers are redacted below a member named header, as in koa, and in the header text of Node', () => {
    const data = { request: { header: { cookie: 1, host: 2 } }, _header: 'GET / HTTP/1.1\r\nCookie: 3\r\n' }
    expect(applyRules(undefined, data)).toEqual({ request: { header: { cookie: X, host: 2 } }, _header: X })
  })

  test('credentialHeaders: false of a root logger disables the redaction, and a child cannot disable it', () => {
    const data = { headers: { cookie: 1 }, a: 2 }
    expect(applyRules({ credentialHeaders: false }, data)).toEqual(data)
    const open = compileRules({ credentialHeaders: false })
    expect(applyRedaction(compileRules({ paths: ['a'] }, open), data)).toEqual({ headers: { cookie: 1 }, a: X })
    expect(applyRedaction(compileRules({ credentialHeaders: true }, open), data)).toEqual({
      headers: { cookie: X },
      a: 2,
    })
    const problems: ConfigurationProblem[] = []
    const child = compileRedaction({ credentialHeaders: false }, 'redact', problems, compileRules(undefined))
    expect(problems).toEqual([
      {
        code: 'SLUICE_OPTION_CONFLICT',
        path: 'redact.credentialHeaders',
        message: expect.stringMatching(/root logger/),
      },
    ])
    expect(applyRedaction(child, data)).toEqual({ headers: { cookie: X }, a: 2 })
  })

  test('credential headers stay redacted next to user rules, whose censor takes precedence on the same value', () => {
    const data = { headers: { cookie: 'c', authorization: 'a', host: 'h' } }
    expect(applyRules({ paths: ['headers.cookie', '*.host'], censor: '***' }, data)).toEqual({
      headers: { cookie: '***', authorization: X, host: '***' },
    })
    expect(applyRules({ keys: ['Cookie'], remove: true }, data)).toEqual({ headers: { authorization: X, host: 'h' } })
  })
})

describe('redaction rules of child loggers', () => {
  const parent = compileRules({ paths: ['a', '*.p'], censor: 'parent' })

  test('a child adds rules to those of its parent', () => {
    const child = compileRules({ paths: ['b'], keys: ['k'], censor: 'child' }, parent)
    const data = { a: 1, b: 2, c: { p: 3, k: 4, headers: { cookie: 5 } } }
    const expected = { a: 'parent', b: 'child', c: { p: 'parent', k: 'child', headers: { cookie: X } } }
    expect(applyRedaction(child, data)).toEqual(expected)
  })

  test('rules of a child do not change its parent', () => {
    compileRules({ paths: ['b'] }, parent)
    expect(applyRedaction(parent, { a: 1, b: 2 })).toEqual({ a: 'parent', b: 2 })
  })

  test('a child without rules has the rules object of its parent', () =>
    expect(compileRules(undefined, parent)).toBe(parent))

  test('a child cannot relax a rule: when several rules match, the censor of the first applies', () => {
    const child = compileRules({ paths: ['a', 'c', '**.cookie'], censor: (value) => value }, parent)
    const grandchild = compileRules({ paths: ['a', 'c'], remove: true }, child)
    const data = { a: 1, c: { p: 2, headers: { cookie: 3 } } }
    expect(applyRedaction(child, data, stateOfReplacement)).toEqual({
      a: 'parent',
      c: { p: 'parent', headers: { cookie: X } },
    })
    expect(applyRedaction(grandchild, data, stateOfReplacement)).toEqual(
      applyRedaction(child, data, stateOfReplacement),
    )
  })

  test('a child cannot relax a rule through the result of its censor function', () => {
    const child = compileRules(
      { paths: ['c'], censor: (value) => ({ ...(value as object) }) },
      compileRules({ keys: ['p'] }),
    )
    expect(applyRedaction(child, { c: { p: 1, q: 2 } }, stateOfReplacement)).toEqual({ c: { p: X, q: 2 } })
  })
})
