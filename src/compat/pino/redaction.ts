import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { ownCopy } from '../../options/own-members.ts'
import type { RedactOptions, Redaction } from '../../redact/redact.ts'
import { rulesOf } from '../shared/rules.ts'

/** pino's default replacement for redacted values. */
const censor = '[Redacted]'

/**
 * Compiles an option `redact`: pino's options, and the `keys`, `patterns` and `credentialHeaders` of this package.
 *
 * @param caller - name of the function that was called, for errors
 * @param credentialHeaders - whether credential headers are redacted if the option does not set it
 */
export function pinoRedaction(redact: unknown, caller: string, credentialHeaders = true): Redaction | undefined {
  const problems: ConfigurationProblem[] = []
  if (!redact) return rulesOf({ credentialHeaders }, 'redact', problems)
  const given = ownCopy(Array.isArray(redact) ? { paths: redact as readonly string[] } : (redact as RedactOptions))
  const isEmpty =
    typeof given === 'object' &&
    given.paths === undefined &&
    !given.keys &&
    !given.patterns &&
    given.credentialHeaders === undefined
  if (isEmpty) {
    const message = 'pino – redact must contain an array of strings'
    throw new ConfigurationError([{ code: 'SLUICE_OPTION_TYPE', path: 'redact.paths', message }], undefined, caller)
  }
  const options = { credentialHeaders, ...given, censor: given.censor === undefined ? censor : given.censor }
  const redaction = rulesOf(options, 'redact', problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller)
  return redaction
}
