import { define } from '../../options/define-member.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'

/** An option that is wrong, in the words that people know it by. */
export function wrong(path: string, message: string): ConfigurationError {
  const error = new ConfigurationError([{ code: 'SLUICE_OPTION_RANGE', path, message }])
  error.message = message
  // Whoever compares it compares it with pino's.
  define(error, 'name', { value: 'Error' })
  return error
}
