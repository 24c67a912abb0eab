import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { readPinoPath } from '../../redact/path-forms.ts'
import type { RedactOptions, Redaction } from '../../redact/redact.ts'
import { compileRedactOption } from '../shared/rules.ts'

/** pino's default replacement of redacted values. */
const defaultCensor = '[Redacted]'

/**
 * Compiles an option `redact`: pino's options, and the `keys`, `patterns` and `credentialHeaders` of this package.
 *
 * @param caller - name of the function that was called, for errors
 * @param credentialHeaders - whether credential headers are redacted if `redact` has no member `credentialHeaders`
 */
export function compilePinoRedaction(redact: unknown, caller: string, credentialHeaders = true): Redaction | undefined {
  const problems: ConfigurationProblem[] = []
  if (!redact) return compileRedactOption({ credentialHeaders }, 'redact', problems)
  const redactOptions = withoutPrototype(
    Array.isArray(redact) ? { paths: redact as readonly string[] } : (redact as RedactOptions),
  )
  const hasNoRules =
    typeof redactOptions === 'object' &&
    redactOptions.paths === undefined &&
    !redactOptions.keys &&
    !redactOptions.patterns &&
    redactOptions.credentialHeaders === undefined
  if (hasNoRules) {
    const message = 'pino – redact must contain an array of strings'
    throw new ConfigurationError([{ code: 'SLUICE_OPTION_TYPE', path: 'redact.paths', message }], undefined, caller)
  }
  const options = {
    credentialHeaders,
    ...redactOptions,
    censor: redactOptions.censor === undefined ? defaultCensor : redactOptions.censor,
  }
  const redaction = compileRedactOption(options, 'redact', problems, readPinoPath)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller)
  return redaction
}
