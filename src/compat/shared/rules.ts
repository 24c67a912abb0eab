import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { compileRedaction, type Redact, type Redaction } from '../../redact/redact.ts'

/** The rules of an option `redact`; undefined where nothing can be redacted. What is wrong is added to `problems`. */
export function rulesOf(redact: unknown, where: string, problems: ConfigurationProblem[]): Redaction | undefined {
  const redaction = compileRedaction(redact as Redact | undefined, where, problems)
  return redaction.root.inert && redaction.patterns === undefined ? undefined : redaction
}
