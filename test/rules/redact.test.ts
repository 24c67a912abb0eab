import { describe, expect, jest, test } from '@jest/globals'
import type { ConfigurationProblem } from '../../src/record/problems.ts'
import { compileRedaction, replacedState, type Redact, type Redaction } from '../../src/rules/redact.ts'
import { applyRedaction } from '../support/redact-walker.ts'

const X = '[REDACTED]'

function compiled(redact: Redact | undefined, parent?: Redaction): Redaction {
  const problems: ConfigurationProblem[] = []
  const redaction = compileRedaction(redact, 'redact', problems, parent)
  expect(problems).toEqual([])
  return redaction
}

function redacted(redact: Redact | undefined, data: unknown): unknown {
  return applyRedaction(compiled(redact), data)
}

/** What is wrong with options, which may be of any type. */
function problemsOf(redact: unknown): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = []
  compileRedaction(redact as Redact, 'redact', problems)
  return problems
}

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
    expect(redacted(['a.*.c'], { a: [{ c: 1 }, { d: 2 }], b: { c: 3 } })).toEqual({ a: [{ c: X }, { d: 2 }], b: { c: 3 } })
    expect(redacted(['*.*'], { a: 1, b: [2, 3], c: { d: { e: 4 } } })).toEqual({ a: 1, b: [X, X], c: { d: X } })
  })

  test('** stands for any number of members and items, none included', () => {
    expect(redacted(['**.x'], { x: 1, a: { x: 2, b: [{ x: 3 }] } })).toEqual({ x: X, a: { x: X, b: [{ x: X }] } })
    expect(redacted(['a.**.x'], { x: 1, a: { x: 2, b: { x: 3, y: 4 } } })).toEqual({ x: 1, a: { x: X, b: { x: X, y: 4 } } })
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

describe('keys', () => {
  test('strings match names at any depth, with case, - and _ ignored', () => {
    const data = { api_key: 1, list: [{ apiKey: 2 }], n: { 'X-API-KEY': 3, 'API-KEY_': 4, apikeys: 5 } }
    expect(redacted({ keys: ['api-key'] }, data)).toEqual({
      api_key: X,
      list: [{ apiKey: X }],
      n: { 'X-API-KEY': 3, 'API-KEY_': X, apikeys: 5 },
    })
  })

  test('expressions match the name as it is', () => {
    expect(redacted({ keys: [/^pass/i, /Token$/] }, { Password: 1, a: { aToken: 2, token: 3 } })).toEqual({
      Password: X,
      a: { aToken: X, token: 3 },
    })
  })

  test('the flags g and y of an expression carry nothing from one key to the next', () => {
    const data = { ab: 1, xab: 2, abc: 3, abcd: 4 }
    expect(redacted({ keys: [/ab/g] }, data)).toEqual({ ab: X, xab: X, abc: X, abcd: X })
    expect(redacted({ keys: [/ab/y] }, data)).toEqual({ ab: X, xab: 2, abc: X, abcd: X })
  })

  test('an expression is taken as it is when the rules are compiled', () => {
    const expression = /ab/g
    const redaction = compiled({ keys: [expression] })
    expression.lastIndex = 1
    expression.compile('other')
    expect(applyRedaction(redaction, { ab: 1 })).toEqual({ ab: X })
    expect(expression.lastIndex).toBe(0)
  })

  test('expressions see the first 256 characters of a name, strings all of it', () => {
    const long = 'x'.repeat(256)
    expect(redacted({ keys: [/y/] }, { [`${long}y`]: 1, [`${long.slice(1)}y`]: 2 })).toEqual({
      [`${long}y`]: 1,
      [`${long.slice(1)}y`]: X,
    })
    expect(redacted({ keys: [`${long}y`] }, { [`${long}_Y`]: 1 })).toEqual({ [`${long}_Y`]: X })
  })

  test('an expression that fails in the engine covers', () => {
    const test = jest.spyOn(RegExp.prototype, 'test').mockImplementation(() => {
      throw new RangeError('Maximum call stack size exceeded')
    })
    const state = compiled({ keys: [/never/] }).root
    const next = state.step('other')
    test.mockRestore()
    expect(next.censor?.replace(1, ['other'])).toBe(X)
  })

  test('positions in an array are not names', () => {
    expect(redacted({ keys: [/^\d+$/, '1-0'], paths: ['a[1]'] }, { a: [1, 2, 3], 10: 4, '007': 5, '1_0': 6 })).toEqual({
      a: [1, X, 3],
      10: 4,
      '007': X,
      '1_0': X,
    })
  })
})

describe('the censor', () => {
  test.each(['***', '', 0, false, null])('%j stands in place of a covered value', (censor) => {
    expect(redacted({ paths: ['a', 'l[*]'], censor }, { a: 1, l: [2] })).toEqual({ a: censor, l: [censor] })
  })

  test('an undefined censor is an absent one', () => {
    expect(redacted({ paths: ['a'], censor: undefined }, { a: 1 })).toEqual({ a: X })
  })

  test('a function gets the value and the keys that lead to it, by whatever rule', () => {
    const censor = (value: unknown, path: readonly string[]): string => `${typeof value} ${path.join('/')}`
    expect(redacted({ paths: ['a.*[0]'], keys: ['k'], censor }, { a: { b: [1], c: ['x'] }, d: [{ k: {} }] })).toEqual({
      a: { b: ['number a/b/0'], c: ['string a/c/0'] },
      d: [{ k: 'object d/0/k' }],
    })
  })

  test('a function that throws shows nothing', () => {
    const censor = (): never => {
      throw new Error('secret')
    }
    expect(redacted({ paths: ['a'], censor }, { a: 1 })).toEqual({ a: X })
  })

  test('remove leaves members out and makes items null, whatever the censor is', () => {
    const censor = jest.fn(() => 'no')
    expect(redacted({ paths: ['a', 'l[0]', '*.b'], remove: true, censor }, { a: 1, l: [2, 3], c: { b: 4 } })).toStrictEqual({
      l: [null, 3],
      c: {},
    })
    expect(censor).not.toHaveBeenCalled()
  })

  test('rules hold inside of what a function returned, and the function is not asked again', () => {
    const censor = jest.fn((value: unknown) => ({ was: value, again: { secret: 1 } }))
    const redaction = compiled({ keys: ['secret'], paths: ['secret.*.token'], censor })
    const data = { secret: { token: 1, headers: { cookie: 2 } } }
    expect(applyRedaction(redaction, data, replacedState)).toEqual({
      secret: { was: { token: X, headers: { cookie: X } }, again: { secret: X } },
    })
    expect(censor).toHaveBeenCalledTimes(1)
  })

  test('a function that returns the value itself is asked about covered values below', () => {
    const censor = (value: unknown): unknown => (typeof value === 'string' ? `${value.length} characters` : value)
    const redaction = compiled({ keys: ['user', 'password'], censor })
    const data = { user: { name: 'ann', password: 'hunter2', user: { password: 'x' } } }
    expect(applyRedaction(redaction, data, replacedState)).toEqual({
      user: { name: 'ann', password: '7 characters', user: { password: '1 characters' } },
    })
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
    const data = { cookie: 1, header: { cookie: 2 }, myheaders: { cookie: 3 } }
    expect(redacted(undefined, data)).toEqual(data)
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
    expect(applyRedaction(child, data, replacedState)).toEqual({ a: 'parent', c: { p: 'parent', headers: { cookie: X } } })
    expect(applyRedaction(grandchild, data, replacedState)).toEqual(applyRedaction(child, data, replacedState))
  })

  test('never relaxes by what its function returns', () => {
    const child = compiled({ paths: ['c'], censor: (value) => ({ ...(value as object) }) }, compiled({ keys: ['p'] }))
    expect(applyRedaction(child, { c: { p: 1, q: 2 } }, replacedState)).toEqual({ c: { p: X, q: 2 } })
  })
})

describe('wrong options', () => {
  test('are told all at once, each with its place', () => {
    const redact = {
      paths: ['ok', 'a..b', 7, '', /x/],
      keys: ['-_', 'ok', 5, '0', null],
      censor: {},
      remove: 'yes',
      serialize: false,
      strict: true,
      patterns: ['jwt'],
    }
    expect(problemsOf(redact).map(({ code, path, position }) => ({ code, path, position }))).toEqual([
      { code: 'SLUICE_OPTION_UNKNOWN', path: 'redact.serialize' },
      { code: 'SLUICE_OPTION_UNKNOWN', path: 'redact.strict' },
      { code: 'SLUICE_OPTION_UNKNOWN', path: 'redact.patterns' },
      { code: 'SLUICE_PATH_SYNTAX', path: 'redact.paths[1]', position: 2 },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.paths[2]' },
      { code: 'SLUICE_PATH_NEVER_MATCHES', path: 'redact.paths[3]', position: 0 },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.paths[4]' },
      { code: 'SLUICE_KEY_NEVER_MATCHES', path: 'redact.keys[0]' },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.keys[2]' },
      { code: 'SLUICE_KEY_NEVER_MATCHES', path: 'redact.keys[3]' },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.keys[4]' },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.remove' },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.censor' },
    ])
  })

  test('the place in an array of paths is that of the entry, also behind a repeated one', () => {
    expect(problemsOf(['a', 'a', '.'])).toMatchObject([{ code: 'SLUICE_PATH_SYNTAX', path: 'redact[2]' }])
  })

  test.each([null, 'a.b', 5, () => ['a']])('rules are an array or an object: %p is refused', (redact) => {
    expect(problemsOf(redact)).toMatchObject([{ code: 'SLUICE_OPTION_TYPE', path: 'redact' }])
  })

  test.each([
    [{ paths: 'a' }, 'redact.paths'],
    [{ paths: null }, 'redact.paths'],
    [{ keys: /a/ }, 'redact.keys'],
    [{ censor: Symbol('x') }, 'redact.censor'],
    [{ censor: 1n }, 'redact.censor'],
  ])('%p is refused', (redact, path) => {
    expect(problemsOf(redact)).toMatchObject([{ code: 'SLUICE_OPTION_TYPE', path }])
  })

  test.each([
    [{ serialize: false }, 'leave it out'],
    [{ strict: false }, 'leave it out'],
    [{ path: ['a'] }, 'did you mean "paths"?'],
    [[/a/], 'give regular expressions as keys'],
    [{ keys: ['__'] }, '**.["__"]'],
    [{ keys: ['12'] }, '**[12]'],
  ])('the message for %p says what to do', (redact, remedy) => {
    expect(problemsOf(redact)).toMatchObject([{ message: expect.stringContaining(remedy) }])
  })

  test('do not keep the right rules from being compiled', () => {
    const redaction = compileRedaction({ paths: ['a', 'b..c'], keys: ['', 'k'] }, 'redact', [])
    expect(applyRedaction(redaction, { a: 1, k: 2, c: 3 })).toEqual({ a: X, k: X, c: 3 })
  })

  test.each([[[]], [{}], [{ paths: [], keys: [] }], [{ paths: undefined, keys: undefined, remove: undefined }]])(
    'no rules are no mistake: %j',
    (redact) => expect(problemsOf(redact)).toEqual([]),
  )
})
