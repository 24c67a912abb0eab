import { describe, expect, test } from '@jest/globals'
import type { ConfigurationProblem } from '../../src/options/configuration-error.ts'
import { compileRedaction, replacedState } from '../../src/redact/redact.ts'
import { applyRedaction } from '../support/redaction/redact-walker.ts'
import { compiled, redacted } from '../support/redaction/redacting.ts'

const X = '[REDACTED]'

describe('paths', () => {
  test('an array is a list of paths, which start at the attributes', () => {
    expect(redacted(['password', 'a.b'], { password: 1, a: { b: 2, password: 3 }, b: 4 })).toEqual({
      password: X,
      a: { b: X, password: 3 },
      b: 4,
    })
  })

  test('* stands for one member or item, no fewer and no more', () => {
    expect(redacted(['*.x'], { x: 1, a: { x: 2, b: { x: 3 } }, l: [{ x: 4 }] })).toEqual({
      x: 1,
      a: { x: X, b: { x: 3 } },
      l: [{ x: 4 }],
    })
    expect(redacted(['a.*.c'], { a: [{ c: 1 }, { d: 2 }], b: { c: 3 } })).toEqual({
      a: [{ c: X }, { d: 2 }],
      b: { c: 3 },
    })
    expect(redacted(['*.*'], { a: 1, b: [2, 3], c: { d: { e: 4 } } })).toEqual({ a: 1, b: [X, X], c: { d: X } })
  })

  test('** stands for any number of members and items, none included', () => {
    expect(redacted(['**.x'], { x: 1, a: { x: 2, b: [{ x: 3 }] } })).toEqual({ x: X, a: { x: X, b: [{ x: X }] } })
    expect(redacted(['a.**.x'], { x: 1, a: { x: 2, b: { x: 3, y: 4 } } })).toEqual({
      x: 1,
      a: { x: X, b: { x: X, y: 4 } },
    })
    expect(redacted(['**.a.b'], { a: { a: { b: 1 }, b: 2 }, b: 3 })).toEqual({ a: { a: { b: X }, b: X }, b: 3 })
  })

  test('a final ** covers everything below, and not the place itself', () => {
    expect(redacted(['a.**'], { a: { b: 1, c: [2] }, b: 3 })).toEqual({ a: { b: X, c: X }, b: 3 })
    expect(redacted(['a.**'], { a: 1 })).toEqual({ a: 1 })
  })

  test('an index names one item, and also a member of that name', () => {
    expect(redacted(['a[1].x'], { a: [{ x: 1 }, { x: 2 }, { x: 3 }] })).toEqual({ a: [{ x: 1 }, { x: X }, { x: 3 }] })
    expect(redacted(['a[1]', 'a[*].x'], { a: { 1: 1, b: { x: 2 } } })).toEqual({ a: { 1: X, b: { x: X } } })
  })

  test('null and undefined show nothing and stay; other empty values are covered', () => {
    const data = { a: null, b: undefined, c: '', d: 0, e: false, f: {}, g: [null] }
    expect(redacted(['*'], data)).toStrictEqual({ a: null, c: X, d: X, e: X, f: X, g: X })
    expect(redacted(['g[*]'], data)).toMatchObject({ g: [null] })
  })

  test('members called like those of Object.prototype are members like any other', () => {
    const data: unknown = JSON.parse('{"__proto__":{"constructor":1},"toString":{"__proto__":2,"a":3}}')
    const expected = '{"__proto__":{"constructor":"[REDACTED]"},"toString":{"__proto__":"[REDACTED]","a":3}}'
    expect(JSON.stringify(redacted(['__proto__.constructor', '*.__proto__'], data))).toBe(expected)
    expect(JSON.stringify(redacted(['a'], data))).toBe(JSON.stringify(data))
  })

  test('the same path twice, and a path below a covered one, change nothing', () => {
    expect(redacted(['a', 'a', 'a.b', '*'], { a: { b: 1 }, c: 2 })).toEqual({ a: X, c: X })
  })
})

describe('credential headers', () => {
  test('are covered below a member named headers at any depth, in any case, without options', () => {
    const headers = { Authorization: 'a', cookie: 'b', 'SET-COOKIE': ['c', 'd'], 'X-Api-Key': 'e', accept: 'f' }
    const covered = { Authorization: X, cookie: X, 'SET-COOKIE': X, 'X-Api-Key': X, accept: 'f' }
    const data = { headers, list: [{ req: { Headers: headers } }], config: { headers: { common: headers } } }
    expect(redacted(undefined, data)).toEqual({
      headers: covered,
      list: [{ req: { Headers: covered } }],
      config: { headers: { common: covered } },
    })
  })

  test('are left where they are not below headers', () => {
    const data = { cookie: 1, heading: { cookie: 2 }, headersOf: { cookie: 3 }, header: 'cookie', eader: { cookie: 4 } }
    expect(redacted(undefined, data)).toEqual(data)
  })

  test('are redacted below a member named header, as koa calls it, and in the text that Node keeps of all', () => {
    const data = { request: { header: { cookie: 1, host: 2 } }, _header: 'GET / HTTP/1.1\r\nCookie: 3\r\n' }
    expect(redacted(undefined, data)).toEqual({ request: { header: { cookie: X, host: 2 } }, _header: X })
  })

  test('are left where the option says so, but not by a child', () => {
    const data = { headers: { cookie: 1 }, a: 2 }
    expect(redacted({ credentialHeaders: false }, data)).toEqual(data)
    const open = compiled({ credentialHeaders: false })
    expect(applyRedaction(compiled({ paths: ['a'] }, open), data)).toEqual({ headers: { cookie: 1 }, a: X })
    expect(applyRedaction(compiled({ credentialHeaders: true }, open), data)).toEqual({ headers: { cookie: X }, a: 2 })
    const problems: ConfigurationProblem[] = []
    const child = compileRedaction({ credentialHeaders: false }, 'redact', problems, compiled(undefined))
    expect(problems).toEqual([
      {
        code: 'SLUICE_OPTION_CONFLICT',
        path: 'redact.credentialHeaders',
        message: expect.stringMatching(/root logger/),
      },
    ])
    expect(applyRedaction(child, data)).toEqual({ headers: { cookie: X }, a: 2 })
  })

  test('stay covered beside rules of the user, whose censor has precedence on the same value', () => {
    const data = { headers: { cookie: 'c', authorization: 'a', host: 'h' } }
    expect(redacted({ paths: ['headers.cookie', '*.host'], censor: '***' }, data)).toEqual({
      headers: { cookie: '***', authorization: X, host: '***' },
    })
    expect(redacted({ keys: ['Cookie'], remove: true }, data)).toEqual({ headers: { authorization: X, host: 'h' } })
  })
})

describe('a child', () => {
  const parent = compiled({ paths: ['a', '*.p'], censor: 'parent' })

  test('adds rules to those of its parent', () => {
    const child = compiled({ paths: ['b'], keys: ['k'], censor: 'child' }, parent)
    const data = { a: 1, b: 2, c: { p: 3, k: 4, headers: { cookie: 5 } } }
    const expected = { a: 'parent', b: 'child', c: { p: 'parent', k: 'child', headers: { cookie: X } } }
    expect(applyRedaction(child, data)).toEqual(expected)
  })

  test('leaves its parent as it was', () => {
    compiled({ paths: ['b'] }, parent)
    expect(applyRedaction(parent, { a: 1, b: 2 })).toEqual({ a: 'parent', b: 2 })
  })

  test('without rules shares its parent', () => expect(compiled(undefined, parent)).toBe(parent))

  test('never relaxes: the censor of the first wins where several match', () => {
    const child = compiled({ paths: ['a', 'c', '**.cookie'], censor: (value) => value }, parent)
    const grandchild = compiled({ paths: ['a', 'c'], remove: true }, child)
    const data = { a: 1, c: { p: 2, headers: { cookie: 3 } } }
    expect(applyRedaction(child, data, replacedState)).toEqual({
      a: 'parent',
      c: { p: 'parent', headers: { cookie: X } },
    })
    expect(applyRedaction(grandchild, data, replacedState)).toEqual(applyRedaction(child, data, replacedState))
  })

  test('never relaxes by what its function returns', () => {
    const child = compiled({ paths: ['c'], censor: (value) => ({ ...(value as object) }) }, compiled({ keys: ['p'] }))
    expect(applyRedaction(child, { c: { p: 1, q: 2 } }, replacedState)).toEqual({ c: { p: X, q: 2 } })
  })
})
