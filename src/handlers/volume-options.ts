import { copyOptions } from '../options/own-options.ts'
import { checkOptions, choice, type Check, type OptionSchema } from '../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { levelSynonymsIn } from '../record/level-names.ts'
import { silentThreshold, standardLevels, standardSeverities, type StandardLevel } from '../record/severity.ts'

/** The option of handlers that exempts records of high levels. */
export interface KeepLevelOption {
  /**
   * Records of this level and above are always kept and are not counted against a limit. With `silent`, no record is exempt.
   *
   * @defaultValue `warn`
   */
  readonly keepLevel?: StandardLevel | 'silent'
}

const keepLevels = [...standardLevels, 'silent']

/** Checks the name of a standard level or `silent`. */
export const keepLevelCheck: Check = choice(keepLevels, levelSynonymsIn(keepLevels))

/** Returns the severity number from which records are kept. */
export function keepSeverity(keepLevel: StandardLevel | 'silent' = 'warn'): number {
  return keepLevel === 'silent' ? silentThreshold : standardSeverities[keepLevel]
}

/**
 * Returns a checked copy of the options of a handler.
 *
 * @param caller - the name of the public function
 * @param more - adds problems of other arguments, or of options that depend on each other
 * @throws ConfigurationError with every problem
 */
export function checkedOptions<T extends object>(
  caller: string,
  options: T,
  schema: OptionSchema,
  more?: (options: T, problems: ConfigurationProblem[]) => void,
): T {
  const problems: ConfigurationProblem[] = []
  const copy = copyOptions(options, caller, problems)
  checkOptions(copy, schema, caller, problems)
  if (problems.length === 0) more?.(copy, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return copy
}
