import { withoutPrototype } from '../../../options/own-members.ts'
import { checkOptions, type OptionSchema } from '../../../options/option-checks.ts'
import { copyOptions } from '../../../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../../options/configuration-error.ts'
import { rejectUnsupported } from '../formats/format-options.ts'

/** Options of winston 2 transports, which winston 3 ignores: lines would look different from what the user expects. */
const winston2Options = {
  align: 'use format.align()',
  colorize: 'use format.colorize(), with winston.format.combine',
  humanReadableUnhandledException: 'use format.errors({ stack: true })',
  json: 'use format.json(), which is the default',
  label: 'use format.label({ label })',
  logstash: 'use format.logstash()',
  prettyPrint: 'use format.prettyPrint()',
  showLevel: 'use format.printf()',
  stringify: 'use format.printf()',
  timestamp: 'use format.timestamp()',
}

/**
 * Checks and copies the options of a transport. Options that are null are ignored, as in winston.
 *
 * @param unsupported - winston options that are not supported, with their alternatives
 * @param checkMore - additional checks
 * @throws ConfigurationError with everything that is invalid.
 */
export function checkedTransportOptions<T extends object>(
  name: string,
  given: T,
  schema: OptionSchema,
  unsupported: Readonly<Record<string, string>>,
  checkMore: (options: T, problems: ConfigurationProblem[]) => void = () => {},
): T {
  const owner = `transports.${name}`
  const problems: ConfigurationProblem[] = []
  const options = withoutNull(copyOptions(given, owner, problems))
  const rejected = { ...winston2Options, ...unsupported }
  if (typeof options === 'object' && options !== null) rejectUnsupported(options, rejected, owner, problems)
  // Rejected options were already reported. Falsy ones have no effect, so they are accepted.
  const alreadyReported = Object.fromEntries(Object.keys(rejected).map((option) => [option, () => {}]))
  checkOptions(options, { ...schema, ...alreadyReported }, owner, problems)
  if (problems.length === 0) checkMore(options, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return options
}

function withoutNull<T>(options: T): T {
  if (typeof options !== 'object' || options === null) return options
  return withoutPrototype(Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null))) as T
}
