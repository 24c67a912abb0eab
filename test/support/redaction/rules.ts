import { expect } from '@jest/globals'
import type { ConfigurationProblem } from '../../../src/options/configuration-error.ts'
import { compileRedaction, type Redact, type Redaction } from '../../../src/redact/redact.ts'
import { applyRedaction } from './redact-walker.ts'

/** Compiles rules in which nothing is wrong. */
export function compiled(redact: Redact | undefined, parent?: Redaction): Redaction {
  const problems: ConfigurationProblem[] = []
  const redaction = compileRedaction(redact, 'redact', problems, parent)
  expect(problems).toEqual([])
  return redaction
}

/** Data as rules in which nothing is wrong leave it. */
export function redacted(redact: Redact | undefined, data: unknown): unknown {
  return applyRedaction(compiled(redact), data)
}

/** What is wrong with options, which may be of any type. */
export function problemsOf(redact: unknown): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = []
  compileRedaction(redact as Redact, 'redact', problems)
  return problems
}
