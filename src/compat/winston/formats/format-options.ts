import { ownOptions } from '../../../options/own-options.ts'
import { anything, checkOptions, type OptionSchema } from '../../../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../../options/configuration-error.ts'

/**
 * Checks and copies the options of a format or transport.
 *
 * @param known - the valid options with their checks
 * @param unsupported - winston options that have no effect here, with their alternatives
 * @throws ConfigurationError that lists every unknown option, every unsupported one, and every invalid value.
 */
export function optionsOf<T extends object>(
  owner: string,
  given: T | undefined,
  known: Readonly<Record<keyof T & string, OptionSchema[string]>>,
  unsupported: Readonly<Record<string, string>> = {},
): T {
  const problems: ConfigurationProblem[] = []
  const own = ownOptions(given ?? ({} as T), owner, problems)
  rejectUnsupported(own, unsupported, owner, problems)
  const rejected = Object.fromEntries(Object.keys(unsupported).map((name) => [name, anything]))
  checkOptions(own, { ...known, ...rejected }, owner, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return own
}

/** Adds winston options that have no effect here to `problems`, each with its alternative. */
export function rejectUnsupported(
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
