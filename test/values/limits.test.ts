import { describe, expect, test } from '@jest/globals'
import type { ConfigurationProblem } from '../../src/options/configuration-error.ts'
import { defaultLimits, resolveLimits, type Limits } from '../../src/values/limits.ts'

// Requirements: LIM1
test('the default limits are those that OpenTelemetry defines', () => {
  expect(resolveLimits(undefined, 'limits', [])).toMatchObject({
    depth: 64,
    attributes: 128,
    items: 1_000,
    stringLength: Infinity,
    recordBytes: 262_144,
    stackFrames: Infinity,
  })
})

test('a limit that is not set is inherited from the parent', () => {
  const parent = resolveLimits({ depth: 3, items: 5 }, 'limits', [])
  expect(resolveLimits({ items: 7, depth: undefined }, 'limits', [], parent)).toEqual({
    ...defaultLimits,
    depth: 3,
    items: 7,
  })
})

test('Infinity is a valid limit', () => {
  const problems: ConfigurationProblem[] = []
  const all = { depth: Infinity, attributes: Infinity, items: Infinity, recordBytes: Infinity }
  expect(resolveLimits(all, 'limits', problems)).toMatchObject(all)
  expect(problems).toEqual([])
})

describe('invalid limits', () => {
  test.each<[keyof Limits, unknown, string]>([
    ['depth', 0, 'SLUICE_OPTION_RANGE'],
    ['depth', -1, 'SLUICE_OPTION_RANGE'],
    ['depth', 1.5, 'SLUICE_OPTION_RANGE'],
    ['depth', NaN, 'SLUICE_OPTION_RANGE'],
    ['depth', '64', 'SLUICE_OPTION_TYPE'],
    ['depth', null, 'SLUICE_OPTION_TYPE'],
    ['recordBytes', 100, 'SLUICE_OPTION_RANGE'],
    ['stackFrames', 0, 'SLUICE_OPTION_RANGE'],
  ])('an invalid limit is reported and its default applies: %s: %p', (name, value, code) => {
    const problems: ConfigurationProblem[] = []
    expect(resolveLimits({ [name]: value }, 'o.limits', problems)).toEqual(defaultLimits)
    expect(problems).toEqual([
      { code, path: `o.limits.${name}`, message: expect.stringMatching(/integer of \d+ or more/) },
    ])
  })

  test('a limits option that is not an object is reported', () => {
    const problems: ConfigurationProblem[] = []
    expect(resolveLimits(5 as Limits, 'limits', problems)).toBe(defaultLimits)
    expect(problems).toHaveLength(1)
  })
})
