import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { compileRedaction, type Redact, type Redaction } from '../../redact/redact.ts'

/** Compiles an option `redact`. Returns undefined if its rules redact nothing. Invalid rules are added to `problems`. */
export function rulesOf(redact: unknown, where: string, problems: ConfigurationProblem[]): Redaction | undefined {
  const redaction = compileRedaction(redact as Redact | undefined, where, problems)
  return redaction.root.inert && redaction.patterns === undefined ? undefined : redaction
}
