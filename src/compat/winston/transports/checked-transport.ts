import { ownCopy } from '../../../options/own-members.ts'
import { checkOptions, type OptionSchema } from '../../../options/option-checks.ts'
import { ownOptions } from '../../../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../../options/configuration-error.ts'
import { refuseUnsupported } from '../formats/format-options.ts'

/** What transports of winston 2 took, and winston 3 passes over: lines would look otherwise than their owner believes. */
const leftOver = {
  align: 'use format.align()',
  colorize: 'use format.colorize(), with winston.format.combine',
  humanReadableUnhandledException: 'use format.errors({ stack: true })',
  json: 'use format.json(), as which lines are written by default',
  label: 'use format.label({ label })',
  logstash: 'use format.logstash()',
  prettyPrint: 'use format.prettyPrint()',
  showLevel: 'use format.printf()',
  stringify: 'use format.printf()',
  timestamp: 'use format.timestamp()',
}

/**
 * The own options of a transport, without those that are null, as winston has it.
 *
 * @param unsupported - options of winston's that are not supported, and what to do in their place
 * @param more - finds what else is wrong
 * @throws ConfigurationError with everything that is wrong.
 */
export function checkedTransport<T extends object>(
  name: string,
  given: T,
  schema: OptionSchema,
  unsupported: Readonly<Record<string, string>>,
  more: (own: T, problems: ConfigurationProblem[]) => void = () => {},
): T {
  const owner = `transports.${name}`
  const problems: ConfigurationProblem[] = []
  const own = withoutNull(ownOptions(given, owner, problems))
  const refused = { ...leftOver, ...unsupported }
  if (typeof own === 'object' && own !== null) refuseUnsupported(own, refused, owner, problems)
  // What is refused has been told; false and the like are what happens anyway.
  const known = Object.fromEntries(Object.keys(refused).map((option) => [option, () => {}]))
  checkOptions(own, { ...schema, ...known }, owner, problems)
  if (problems.length === 0) more(own, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return own
}

function withoutNull<T>(options: T): T {
  if (typeof options !== 'object' || options === null) return options
  return ownCopy(Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null))) as T
}
