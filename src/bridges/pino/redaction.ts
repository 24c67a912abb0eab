import { ConfigurationError, type ConfigurationProblem } from '../../record/problems.ts'
import { compileRulesAlone, type RedactOptions, type Redaction } from '../../rules/redact.ts'

/** pino's word for what was covered. */
const censor = '[Redacted]'

/** The rules of an option `redact`: pino's, and the `keys` and `patterns` that pino has not. */
export function pinoRedaction(redact: unknown): Redaction | undefined {
  if (!redact) return undefined
  const problems: ConfigurationProblem[] = []
  const given = Array.isArray(redact) ? { paths: redact as readonly string[] } : (redact as RedactOptions)
  const isEmpty = typeof given === 'object' && given.paths === undefined && !given.keys && !given.patterns
  if (isEmpty) {
    const message = 'pino – redact must contain an array of strings'
    throw new ConfigurationError([{ code: 'SLUICE_OPTION_TYPE', path: 'redact.paths', message }])
  }
  const options = { ...given, censor: given.censor === undefined ? censor : given.censor }
  const redaction = compileRulesAlone(options, 'redact', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return redaction
}
