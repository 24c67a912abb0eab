import { expect } from '@jest/globals'
import type { ConfigurationProblem } from '../../../src/options/configuration-error.ts'
import { compileRedaction, type Redact, type Redaction } from '../../../src/redact/redact.ts'
import { applyRedaction } from './redact-walker.ts'

/** Compiles valid rules. */
export function compileRules(redact: Redact | undefined, parent?: Redaction): Redaction {
  const problems: ConfigurationProblem[] = []
  const redaction = compileRedaction(redact, 'redact', problems, parent)
  expect(problems).toEqual([])
  return redaction
}

/** Applies valid rules to data. */
export function applyRules(redact: Redact | undefined, data: unknown): unknown {
  return applyRedaction(compileRules(redact), data)
}

/** Returns the configuration problems of options of any type. */
export function problemsOf(redact: unknown): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = []
  compileRedaction(redact as Redact, 'redact', problems)
  return problems
}
