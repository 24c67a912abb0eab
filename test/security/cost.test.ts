import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { maxStepsPerUnit, patternCostProblem } from '../../src/redact/pattern-cost.ts'
import { maxTestedKeyLength } from '../../src/redact/key-test.ts'
import { countedMatches } from '../support/redaction/backtracking-matcher.ts'
import { attacks } from '../support/redaction/expressions.ts'
import { createTestLogger } from '../support/files/test-logger.ts'
import { compileRules } from '../support/redaction/rules.ts'

function problemsOf(keys: readonly RegExp[]): unknown[] {
  try {
    createTestLogger({ redact: { keys } })
    return []
  } catch (error) {
    return [...(error as { problems: readonly unknown[] }).problems]
  }
}

// Fault rows: 35
describe('cost of regular expressions for keys', () => {
  test.each([
    [/(a+)+$/, 2],
    [/(a|aa)*c/, 6],
    [/^(?:a?a?)*$/, 5],
    [/a*a*b/, 3],
    [/(\w+\s?)*:/, 3],
    [/(?:a{1,3}){20}c/, 4],
    [/\w+\d+\w+$/, 5],
    [/[\q{a|ab|b}]+y/v, 12],
  ])('the expression %s is rejected at position %i because a key can cause too many steps', (expression, position) => {
    expect(problemsOf([/fine/, expression])).toEqual([
      {
        code: 'SLUICE_PATTERN_UNBOUNDED',
        path: 'redact.keys[1]',
        position,
        message: expect.stringMatching(/steps per character|too large/),
      },
    ])
  })

  test.each([
    /(?:a|b)+x/,
    /\w+@\w+\.\w+/,
    /token$/i,
    /^pass(?:word|phrase)?/i,
    /.*token.*/,
    /^(?:api|auth|access)[-_]?key$/i,
    /(access|refresh)[-_]?token/i,
    /^x-[\w-]+-signature$/,
    /[a-z]+_key$/,
    /\p{Lu}+$/u,
    /[()*+]{2,5}\)/,
    /a{b}\{2,}/,
    /[\q{a|bc}x]+y/v,
  ])('the expression %s is accepted', (expression) => {
    expect(problemsOf([expression])).toEqual([])
  })

  test('an accepted expression takes a bounded number of steps on any name', () => {
    let accepted = 0
    fc.assert(
      fc.property(attacks, ({ source, flags, text }) => {
        const expression = new RegExp(source, flags)
        if (patternCostProblem(expression, maxTestedKeyLength) !== undefined) return
        accepted++
        const name = text.repeat(Math.ceil(maxTestedKeyLength / text.length)).slice(0, maxTestedKeyLength)
        const most = maxStepsPerUnit * (maxTestedKeyLength + 1)
        expect(countedMatches(expression, name, most + 1).steps).toBeLessThanOrEqual(most)
      }),
      { numRuns: 150 },
    )
    expect(accepted).toBeGreaterThan(75)
  })
})

// Fault rows: 35
describe('cost of path and key rules', () => {
  const redact = {
    paths: ['a.*.b', '**.c.*.*.*.d', '*["x-y"]', 'list[*].pin', '**.e'],
    keys: ['secretKey', /[a-z]+_key$/, /^(?:api|auth)[-_]?token$/i],
  }
  const attacks: Readonly<Record<string, (length: number) => object>> = {
    'a long value': (length) => ({ value: 'a'.repeat(length) }),
    'a long name': (length) => ({ ['a'.repeat(length)]: 1 }),
    'a long name of - and _': (length) => ({ inner: { ['-_'.repeat(length / 2)]: 1 } }),
    'many names of the maximum length for expressions': (length) => ({
      inner: Object.fromEntries(
        Array.from({ length: length / 256 }, (_, index) => [`${index}${'a'.repeat(250)}`, 1] as const),
      ),
    }),
    'many items': (length) => ({ list: Array.from({ length: length / 16 }, () => ({ pin: 1 })) }),
    'names that continue every path': (length) => {
      let value: object = { d: 1 }
      for (let index = 0; index < length / 4_096; index++) value = { c: value, e: 1, a: { b: 1 } }
      return value
    },
  }
  const limits = { items: Infinity, depth: Infinity, recordBytes: 8 * 1024 * 1024, attributes: Infinity }

  /** Returns the minimum CPU time of logging the value, in microseconds. */
  function cost(make: (length: number) => object, length: number): number {
    const times = Array.from({ length: 3 }, () => {
      // Each run has a new logger because the cost includes filling the cache of names.
      const { log } = createTestLogger({ redact, limits })
      const value = make(length)
      const before = process.threadCpuUsage()
      log.info('m', value)
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    })
    return Math.min(...times)
  }

  test.each(Object.keys(attacks))('the cost of path and key rules is linear in the size of the record: %s', (name) => {
    const make = attacks[name]!
    cost(make, 16 * 1024)
    const [short, long] = [cost(make, 64 * 1024), cost(make, 1024 * 1024)]
    // Linear cost is 16 times as much, quadratic cost 256 times. The factor 4 and the minimum allow for a busy machine and overhead.
    expect(long).toBeLessThan(Math.max(short, 2_000) * 16 * 4)
  })

  test('the cost of a path with `**` and wildcards does not multiply with the depth of the record', () => {
    const redaction = compileRules({ paths: ['**.a.*.*.*.*.*.*.*.*'] })
    let state = redaction.root
    const before = process.threadCpuUsage()
    for (let level = 0; level < 20_000; level++) state = state.step(level % 3 === 0 ? 'b' : 'a')
    const { user } = process.threadCpuUsage(before)
    expect(user).toBeLessThan(5_000_000)
  })
})
