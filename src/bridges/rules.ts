import type { ConfigurationProblem } from '../record/problems.ts'
import { compileRulesAlone, type Redact, type Redaction } from '../rules/redact.ts'

/** The rules of an option `redact`; undefined where there is none. What is wrong is added to `problems`. */
export function rulesOf(redact: unknown, where: string, problems: ConfigurationProblem[]): Redaction | undefined {
  return redact === undefined ? undefined : compileRulesAlone(redact as Redact, where, problems)
}
