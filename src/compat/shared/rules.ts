import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import type { ReadPath } from '../../redact/path-forms.ts'
import { compileRedaction, type Redact, type Redaction } from '../../redact/redact.ts'

/**
 * Compiles an option `redact`. Returns undefined if its rules redact nothing. Invalid rules are added to `problems`.
 *
 * @param where - the path of the option in problems
 * @param readPath - parses a path of the option; default: in the syntax of this package
 */
export function compileRedactOption(
  redact: unknown,
  where: string,
  problems: ConfigurationProblem[],
  readPath?: ReadPath,
): Redaction | undefined {
  const redaction = compileRedaction(redact as Redact | undefined, where, problems, undefined, readPath)
  return redaction.root.hasNoRules && redaction.patterns === undefined ? undefined : redaction
}
