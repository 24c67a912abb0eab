import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { formats } from '../support/values/formats.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'
import { canary, open, ruleOf, scenarios, written } from './redaction-scenarios.ts'

// Fault rows: 34
describe('redaction of values of any shape, from any source', () => {
  test.each(formats)('a value that a rule redacts is not in the output as %s', (_, encoding) => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const rule = ruleOf(scenario)
        const redacted = written(scenario, rule, capturingExporter(encoding))
        expect(redacted).not.toContain(canary)
        expect(redacted).toContain(open)
        // Without the rule the value is in the output.
        expect(written(scenario, undefined, capturingExporter(encoding))).toContain(canary)
      }),
      { numRuns: 80 },
    )
  })
})

describe('redaction rules of a child', () => {
  test('rules of a child add to those of its parent, and apply to attributes that the parent has bound', () => {
    const parent = createTestLogger({
      redact: { paths: ['a'], censor: 'parent' },
      attributes: { a: 1, b: 2, deep: { c: 3 } },
    })
    const child = parent.log.child({ d: 4 }, { redact: { paths: ['a', 'b', 'd', 'deep.c'], censor: 'child' } })
    expect(parent.captureLine(() => child.info('m', { d: 5 })).attributes).toEqual({
      a: 'parent',
      b: 'child',
      deep: { c: 'child' },
      d: 'child',
    })
    expect(parent.captureLine(() => parent.log.info('m')).attributes).toEqual({ a: 'parent', b: 2, deep: { c: 3 } })
    expect(parent.captureLine(() => child.child({}, { redact: [] }).info('m', { a: 1 })).attributes).toMatchObject({
      a: 'parent',
    })
  })
})
