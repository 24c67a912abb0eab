import { ownOptions } from '../../../options/own-options.ts'
import { anything, checkOptions, type OptionSchema } from '../../../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../../options/configuration-error.ts'

/**
 * The own options of a format or transport.
 *
 * @param known - the names that there are, each with its check
 * @param unsupported - options of winston that have no meaning here, and what to do in their place
 * @throws ConfigurationError that lists every name that is neither, each that is not supported, and each wrong value.
 */
export function optionsOf<T extends object>(
  owner: string,
  given: T | undefined,
  known: Readonly<Record<keyof T & string, OptionSchema[string]>>,
  unsupported: Readonly<Record<string, string>> = {},
): T {
  const problems: ConfigurationProblem[] = []
  const own = ownOptions(given ?? ({} as T), owner, problems)
  refuseUnsupported(own, unsupported, owner, problems)
  const told = Object.fromEntries(Object.keys(unsupported).map((name) => [name, anything]))
  checkOptions(own, { ...known, ...told }, owner, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return own
}

/** Tells options of winston that have no meaning here, each with what to do in its place. */
export function refuseUnsupported(
  options: object,
  unsupported: Readonly<Record<string, string>>,
  owner: string,
  problems: ConfigurationProblem[],
): void {
  for (const [name, instead] of Object.entries(unsupported)) {
    if (!Object.hasOwn(options, name) || !(options as Record<string, unknown>)[name]) continue
    const message = `is an option of winston that is not supported: ${instead}`
    const path = owner === '' ? name : `${owner}.${name}`
    problems.push({ code: 'SLUICE_OPTION_UNSUPPORTED', path, message })
  }
}
