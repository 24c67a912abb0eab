import { define } from '../../options/define-member.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'

/** Creates the error for one invalid option. Unlike that of other errors of this class, its message is only `message`. */
export function optionError(path: string, message: string): ConfigurationError {
  const error = new ConfigurationError([{ code: 'SLUICE_OPTION_RANGE', path, message }])
  error.message = message
  // Same name as pino's error, for code that compares it.
  define(error, 'name', { value: 'Error' })
  return error
}
