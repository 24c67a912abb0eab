import { describe, expect, jest, test } from '@jest/globals'
import * as fc from 'fast-check'
import { maxCachedStates } from '../../src/redact/automaton.ts'
import {
  compileRedaction,
  stateOfReplacement,
  mergeStates,
  type Redact,
  type RedactState,
} from '../../src/redact/redact.ts'

function rootOf(redact?: Redact): RedactState {
  return compileRedaction(redact, 'redact', []).root
}

function stateAt(root: RedactState, ...keys: readonly string[]): RedactState {
  return keys.reduce((state, key) => state.step(key), root)
}

function isRedacting(state: RedactState): boolean {
  return state.censor !== undefined
}

describe('states of the default rules', () => {
  const root = rootOf()

  test('names other than headers, and array items, stay in the root state', () => {
    expect(root.step('a')).toBe(root)
    expect(stateAt(root, 'a', 'cookie', '0', '__proto__', '')).toBe(root)
    expect(root.itemState).toBe(root)
    expect(root.censor).toBeUndefined()
  })

  test('the default rules have four states: outside headers, at headers, below headers, and at a credential', () => {
    const headers = root.step('headers')
    expect(headers).not.toBe(root)
    expect(stateAt(root, 'x', 'HEADERS', 'y', 'headers')).toBe(headers.step('headers'))
    const below = headers.step('a')
    expect(stateAt(below, 'b', 'c')).toBe(below)
    expect(below.itemState).toBe(below)
    expect(below.censor).toBeUndefined()
    expect(headers.step('cookie')).toBe(stateAt(headers, 'a', 'Authorization'))
    expect(headers.step('cookie').censor?.replace(1, [])).toBe('[REDACTED]')
  })

  test('header text is redacted at a headers member and at the items of a list there', () => {
    const headers = root.step('headers')
    for (const state of [headers, headers.itemState!]) {
      expect(state.censor?.replace('Cookie: a=1\r\nHost: x', [])).toBe('Cookie: [REDACTED]\r\nHost: x')
      expect(state.censor?.replace('Host: x', [])).toBe('Host: x')
    }
    const { censor } = stateAt(root, 'outputData', '0', 'data')
    expect(censor?.replace('GET / HTTP/1.1\r\nCookie: a=1', [])).toBe('GET / HTTP/1.1\r\nCookie: [REDACTED]')
  })
})

describe('NFA states', () => {
  test('paths to which the same rules apply share a state and its cache', () => {
    const root = rootOf(['a.x', 'b.x', '*.y'])
    expect(stateAt(root, 'a')).toBe(stateAt(root, 'b'))
    expect(stateAt(root, 'c')).toBe(stateAt(root, 'd'))
    expect(stateAt(root, 'c')).not.toBe(stateAt(root, 'a'))
    stateAt(root, 'a').walkCache = 'kept'
    expect(stateAt(root, 'b').walkCache).toBe('kept')
    expect(stateAt(root, 'c').walkCache).toBeUndefined()
  })

  test('names that occur in no rule add no states and no cached transitions', () => {
    const root = rootOf({ paths: ['**.x', '*.y'], keys: [/^k/] })
    const seen = new Set<RedactState>()
    for (let i = 0; i < 1000; i++) seen.add(root.step(`u${i}`)).add(root.step(`k${i}`))
    expect(seen.size).toBe(2)
    root.step('u').step('k') // creates the transitions of such names
    const set = jest.spyOn(Map.prototype, 'set')
    for (let i = 0; i < 10; i++) root.step(`u-${i}`).step(`k-${i}`)
    const kept = set.mock.calls.length
    set.mockRestore()
    expect(kept).toBe(0)
  })

  test('rules that never take precedence add no states', () => {
    const parent = compileRedaction(['a', 'b'], 'redact', [])
    const { root } = compileRedaction({ paths: ['a'], censor: 'child' }, 'redact', [], parent)
    expect(root.step('a')).toBe(root.step('b'))
  })

  test('a state depends on an array index only if a path names an index', () => {
    const root = rootOf(['a[1].x', 'b[*].x', '**.y'])
    expect(stateAt(root, 'a').itemState).toBeUndefined()
    expect(stateAt(root, 'a', '0')).not.toBe(stateAt(root, 'a', '1'))
    expect(stateAt(root, 'b').itemState).toBe(stateAt(root, 'b', '7'))
    expect(stateAt(root, 'b', '7', 'x').censor).toBeDefined()
    expect(rootOf(['**[0]']).itemState).toBeUndefined()
    expect(rootOf(['a["01"]']).step('a').itemState).toBeDefined()
  })

  test('states are not inert while the default rules apply', () => {
    expect(stateAt(rootOf(['a.b']), 'a', 'b', 'c').hasNoRules).toBe(false)
  })

  test('the number of retained states is limited, and redaction is correct over the limit', () => {
    // With this rule every set of the last 14 positions of `a` is a state.
    const tail = 13
    const root = rootOf([`**.a${'.*'.repeat(tail)}.end`])
    const states = new Set<RedactState>()
    const paths = Array.from({ length: 2 ** tail }, (_, i) =>
      i.toString(2).padStart(tail, '0').replaceAll('1', 'a').split(''),
    )
    for (const path of paths) {
      const state = stateAt(root, ...path)
      states.add(state)
      // The last 14 names are the path and `end`, so `a` must be the first name.
      expect(state.step('0').step('end').censor !== undefined).toBe(path[0] === 'a')
    }
    expect(states.size).toBeGreaterThan(maxCachedStates)
    const again = new Set(paths.map((path) => stateAt(root, ...path)))
    expect([...again].filter((state) => states.has(state)).length).toBeLessThanOrEqual(maxCachedStates)
  })
})

describe('union of two states', () => {
  const root = rootOf({ paths: ['err.message', 'error.code', 'error.a', 'err.b'], censor: (value) => value })

  test('the union of two states redacts what either state redacts', () => {
    const union = mergeStates(root.step('err'), root.step('error'))
    expect(['message', 'code', 'a', 'b', 'c', 'x'].map((key) => union.step(key).censor !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('the union of two states is the same object in either order and on each call', () => {
    const [a, b] = [root.step('err'), root.step('error')]
    expect(mergeStates(a, b)).toBe(mergeStates(b, a))
    expect(mergeStates(a, b)).toBe(mergeStates(a, b))
    expect(mergeStates(a, a)).toBe(a)
    expect(mergeStates(a, root.step('other'))).toBe(a)
  })

  test('the union of two states has the censor that takes precedence', () => {
    const parent = compileRedaction({ paths: ['a'], censor: 'parent' }, 'redact', [])
    const both = compileRedaction({ paths: ['b'], censor: 'child' }, 'redact', [], parent).root
    expect(mergeStates(both.step('b'), both.step('a')).censor?.replace(1, [])).toBe('parent')
  })

  test('the union of two states redacts what either state redacts, for random rules and keys', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    const segment = fc.oneof(name, fc.constantFrom('*', '**'))
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('.'))
    const keys = fc.array(name, { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(path), keys, keys, keys, (paths, left, right, below) => {
        const start = rootOf(paths)
        const [a, b] = [stateAt(start, ...left), stateAt(start, ...right)]
        const either = isRedacting(stateAt(a, ...below)) || isRedacting(stateAt(b, ...below))
        expect(isRedacting(stateAt(mergeStates(a, b), ...below))).toBe(either)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('states inside the result of a censor function', () => {
  const root = rootOf({ paths: ['a', 'a.b'], censor: () => 'asked' })

  test('the state inside a censor result has the same rules with the default censor', () => {
    const inside = stateOfReplacement(root.step('a'), {}, {})
    expect(inside.censor).toBeUndefined()
    expect(inside.step('b').censor?.replace(1, [])).toBe('[REDACTED]')
    expect(inside.step('c').censor).toBeUndefined()
  })

  test('the state inside a censor result does not change when the function returned its input', () => {
    const value = {}
    const a = root.step('a')
    expect(stateOfReplacement(a, value, value)).toBe(a)
    expect(a.step('b').censor?.replace(1, [])).toBe('asked')
  })
})
