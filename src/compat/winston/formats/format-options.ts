import { copyOptions } from '../../../options/own-options.ts'
import { anything, checkOptions, type OptionSchema } from '../../../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../../options/configuration-error.ts'

/**
 * Checks and copies the options of a format or transport.
 *
 * @param owner - name of the format or transport, with which the paths of problems begin
 * @param schema - the valid options with their checks
 * @param unsupported - winston options that are not supported, with their alternatives
 * @throws ConfigurationError that lists every unknown option, every unsupported one, and every invalid value.
 */
export function checkedOptions<T extends object>(
  owner: string,
  given: T | undefined,
  schema: Readonly<Record<keyof T & string, OptionSchema[string]>>,
  unsupported: Readonly<Record<string, string>> = {},
): T {
  const problems: ConfigurationProblem[] = []
  const options = copyOptions(given ?? ({} as T), owner, problems)
  rejectUnsupported(options, unsupported, owner, problems)
  // Unsupported options were already reported. Falsy ones have no effect, so they are accepted.
  const alreadyReported = Object.fromEntries(Object.keys(unsupported).map((name) => [name, anything]))
  checkOptions(options, { ...schema, ...alreadyReported }, owner, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return options
}

/** Adds winston options that are set but not supported to `problems`, each with its alternative. Falsy values are accepted. */
export function rejectUnsupported(
  options: object,
  unsupported: Readonly<Record<string, string>>,
  owner: string,
  problems: ConfigurationProblem[],
): void {
  for (const [name, alternative] of Object.entries(unsupported)) {
    if (!Object.hasOwn(options, name) || !(options as Record<string, unknown>)[name]) continue
    const message = `is an option of winston that is not supported: ${alternative}`
    const path = owner === '' ? name : `${owner}.${name}`
    problems.push({ code: 'SLUICE_OPTION_UNSUPPORTED', path, message })
  }
}
