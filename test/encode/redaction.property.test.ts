import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { formats } from '../support/values/formats.ts'
import { lineKeeper, workbench } from '../support/files/line-keeper.ts'
import { canary, open, ruleOf, scenarios, written } from './redaction-scenarios.ts'

describe('what a rule covers is not in the output, whatever shape it has and wherever it was said (row 34)', () => {
  test.each(formats)('as %s', (_, encoding) => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const rule = ruleOf(scenario)
        const covered = written(scenario, rule, lineKeeper(encoding))
        expect(covered).not.toContain(canary)
        expect(covered).toContain(open)
        // Without the rule it is there: the test sees what it looks for.
        expect(written(scenario, undefined, lineKeeper(encoding))).toContain(canary)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a child', () => {
  test('covers more, never less, also what its parents bound', () => {
    const parent = workbench({ redact: { paths: ['a'], censor: 'parent' }, attributes: { a: 1, b: 2, deep: { c: 3 } } })
    const child = parent.log.child({ d: 4 }, { redact: { paths: ['a', 'b', 'd', 'deep.c'], censor: 'child' } })
    expect(parent.line(() => child.info('m', { d: 5 })).attributes).toEqual({
      a: 'parent',
      b: 'child',
      deep: { c: 'child' },
      d: 'child',
    })
    expect(parent.line(() => parent.log.info('m')).attributes).toEqual({ a: 'parent', b: 2, deep: { c: 3 } })
    expect(parent.line(() => child.child({}, { redact: [] }).info('m', { a: 1 })).attributes).toMatchObject({
      a: 'parent',
    })
  })
})
