import { checkOptions, type OptionSchema } from '../../../record/option-checks.ts'
import { ownOptions } from '../../../record/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../../record/problems.ts'
import { refuseUnsupported } from '../formats/format-options.ts'

/**
 * The own options of a transport.
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
  const own = ownOptions(given, owner, problems)
  if (typeof own === 'object' && own !== null) refuseUnsupported(own, unsupported, owner, problems)
  // What is refused has been told; false and the like are what happens anyway.
  const known = Object.fromEntries(Object.keys(unsupported).map((option) => [option, () => {}]))
  checkOptions(own, { ...schema, ...known }, owner, problems)
  if (problems.length === 0) more(own, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return own
}
