import { describe, expect, jest, test } from '@jest/globals'
import * as fc from 'fast-check'
import { retainedStates } from '../../src/redact/automaton.ts'
import { compileRedaction, replacedState, unionState, type Redact, type RedactState } from '../../src/redact/redact.ts'

function rootOf(redact?: Redact): RedactState {
  return compileRedaction(redact, 'redact', []).root
}

function reached(root: RedactState, ...keys: readonly string[]): RedactState {
  return keys.reduce((state, key) => state.step(key), root)
}

function covers(state: RedactState): boolean {
  return state.censor !== undefined
}

describe('with the default rules alone', () => {
  const root = rootOf()

  test('a name that is not headers stays in the root state, as do array items', () => {
    expect(root.step('a')).toBe(root)
    expect(reached(root, 'a', 'cookie', '0', '__proto__', '')).toBe(root)
    expect(root.item).toBe(root)
    expect(root.censor).toBeUndefined()
  })

  test('there are four states: outside of headers, at a member that holds them, below it, and a credential', () => {
    const headers = root.step('headers')
    expect(headers).not.toBe(root)
    expect(reached(root, 'x', 'HEADERS', 'y', 'headers')).toBe(headers.step('headers'))
    const below = headers.step('a')
    expect(reached(below, 'b', 'c')).toBe(below)
    expect(below.item).toBe(below)
    expect(below.censor).toBeUndefined()
    expect(headers.step('cookie')).toBe(reached(headers, 'a', 'Authorization'))
    expect(headers.step('cookie').censor?.replace(1, [])).toBe('[REDACTED]')
  })

  test('text of header fields is redacted at a member that holds them, and at the items of a list there', () => {
    const headers = root.step('headers')
    for (const state of [headers, headers.item!]) {
      expect(state.censor?.replace('Cookie: a=1\r\nHost: x', [])).toBe('Cookie: [REDACTED]\r\nHost: x')
      expect(state.censor?.replace('Host: x', [])).toBe('Host: x')
    }
    const { censor } = reached(root, 'outputData', '0', 'data')
    expect(censor?.replace('GET / HTTP/1.1\r\nCookie: a=1', [])).toBe('GET / HTTP/1.1\r\nCookie: [REDACTED]')
  })
})

describe('states', () => {
  test('are shared by places where the same rules hold, so that what is kept in them is shared, too', () => {
    const root = rootOf(['a.x', 'b.x', '*.y'])
    expect(reached(root, 'a')).toBe(reached(root, 'b'))
    expect(reached(root, 'c')).toBe(reached(root, 'd'))
    expect(reached(root, 'c')).not.toBe(reached(root, 'a'))
    reached(root, 'a').cache = 'kept'
    expect(reached(root, 'b').cache).toBe('kept')
    expect(reached(root, 'c').cache).toBeUndefined()
  })

  test('are not kept by names of users', () => {
    const root = rootOf({ paths: ['**.x', '*.y'], keys: [/^k/] })
    const seen = new Set<RedactState>()
    for (let i = 0; i < 1000; i++) seen.add(root.step(`u${i}`)).add(root.step(`k${i}`))
    expect(seen.size).toBe(2)
    root.step('u').step('k') // the transitions of such names are made once
    const set = jest.spyOn(Map.prototype, 'set')
    for (let i = 0; i < 10; i++) root.step(`u-${i}`).step(`k-${i}`)
    const kept = set.mock.calls.length
    set.mockRestore()
    expect(kept).toBe(0)
  })

  test('are the same where only rules without precedence are added', () => {
    const parent = compileRedaction(['a', 'b'], 'redact', [])
    const { root } = compileRedaction({ paths: ['a'], censor: 'child' }, 'redact', [], parent)
    expect(root.step('a')).toBe(root.step('b'))
  })

  test('depend on the index of an item only where a path names an index', () => {
    const root = rootOf(['a[1].x', 'b[*].x', '**.y'])
    expect(reached(root, 'a').item).toBeUndefined()
    expect(reached(root, 'a', '0')).not.toBe(reached(root, 'a', '1'))
    expect(reached(root, 'b').item).toBe(reached(root, 'b', '7'))
    expect(reached(root, 'b', '7', 'x').censor).toBeDefined()
    expect(rootOf(['**[0]']).item).toBeUndefined()
    expect(rootOf(['a["01"]']).step('a').item).toBeDefined()
  })

  test('are not inert while the default rules hold', () => {
    expect(reached(rootOf(['a.b']), 'a', 'b', 'c').inert).toBe(false)
  })

  test('are bounded in number, and right beyond the bound', () => {
    // Of these rules every set of the last 14 positions of `a` is a state.
    const tail = 13
    const root = rootOf([`**.a${'.*'.repeat(tail)}.end`])
    const states = new Set<RedactState>()
    const paths = Array.from({ length: 2 ** tail }, (_, i) =>
      i.toString(2).padStart(tail, '0').replaceAll('1', 'a').split(''),
    )
    for (const path of paths) {
      const state = reached(root, ...path)
      states.add(state)
      // The last 14 names are the path and `end`: `a` must have come first.
      expect(state.step('0').step('end').censor !== undefined).toBe(path[0] === 'a')
    }
    expect(states.size).toBeGreaterThan(retainedStates)
    const again = new Set(paths.map((path) => reached(root, ...path)))
    expect([...again].filter((state) => states.has(state)).length).toBeLessThanOrEqual(retainedStates)
  })
})

describe('the union of two states', () => {
  const root = rootOf({ paths: ['err.message', 'error.code', 'error.a', 'err.b'], censor: (value) => value })

  test('covers what either covers', () => {
    const union = unionState(root.step('err'), root.step('error'))
    expect(['message', 'code', 'a', 'b', 'c', 'x'].map((key) => union.step(key).censor !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('is the same state in either order and each time', () => {
    const [a, b] = [root.step('err'), root.step('error')]
    expect(unionState(a, b)).toBe(unionState(b, a))
    expect(unionState(a, b)).toBe(unionState(a, b))
    expect(unionState(a, a)).toBe(a)
    expect(unionState(a, root.step('other'))).toBe(a)
  })

  test('has the censor of precedence', () => {
    const parent = compileRedaction({ paths: ['a'], censor: 'parent' }, 'redact', [])
    const both = compileRedaction({ paths: ['b'], censor: 'child' }, 'redact', [], parent).root
    expect(unionState(both.step('b'), both.step('a')).censor?.replace(1, [])).toBe('parent')
  })

  test('covers what either covers, for any rules and any keys', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    const segment = fc.oneof(name, fc.constantFrom('*', '**'))
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('.'))
    const keys = fc.array(name, { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(path), keys, keys, keys, (paths, left, right, below) => {
        const start = rootOf(paths)
        const [a, b] = [reached(start, ...left), reached(start, ...right)]
        const either = covers(reached(a, ...below)) || covers(reached(b, ...below))
        expect(covers(reached(unionState(a, b), ...below))).toBe(either)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the state inside of what a censor returned', () => {
  const root = rootOf({ paths: ['a', 'a.b'], censor: () => 'asked' })

  test('has the same rules with the default censor', () => {
    const inside = replacedState(root.step('a'), {}, {})
    expect(inside.censor).toBeUndefined()
    expect(inside.step('b').censor?.replace(1, [])).toBe('[REDACTED]')
    expect(inside.step('c').censor).toBeUndefined()
  })

  test('is the state itself where the function returned the value itself', () => {
    const value = {}
    const a = root.step('a')
    expect(replacedState(a, value, value)).toBe(a)
    expect(a.step('b').censor?.replace(1, [])).toBe('asked')
  })
})
