import { withoutPrototype } from '../options/own-members.ts'
import type { Delivery } from '../pipeline/exporter.ts'
import type { Usages } from '../options/bare-value.ts'
import type { ForeignNames } from '../options/foreign-names.ts'
import { foreignOnFullWords } from '../options/foreign-values.ts'
import { levelName } from '../record/level-names.ts'
import { checkOptions, choice, integer, text, type Check, type OptionSchema } from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'

/** Checks the delay of a timer in ms. Node runs a timer with a longer delay at once. */
const timerDelay = integer(0, 2_147_483_647)

/** Checks the level of an exporter. The logger checks whether it has the level. */
const exporterLevel: Check = (value, where, problems) => {
  levelName(value, where, problems)
  if (value === '') text(/./, 'be the name of a level')(value, where, problems)
}

/** The checks of the options that every exporter accepts. */
export const deliverySchema: Readonly<Record<keyof Delivery, Check>> = {
  level: exporterLevel,
  maxQueueSize: integer(1),
  maxQueueBytes: integer(1),
  maxExportBatchSize: integer(1),
  scheduledDelayMillis: timerDelay,
  exportTimeoutMillis: timerDelay,
  onFull: choice(['dropLowest', 'dropNewest', 'dropOldest', 'block'], foreignOnFullWords),
}

/**
 * Returns a copy of an exporter's options, which may be invalid, and all problems found in them.
 *
 * @param functionName - The name of the function that accepts the options. Paths start with it: `fileExporter.path`.
 * @param nested - The names of options, at any depth, whose values are objects that are copied too.
 * @param names - What to write in place of foreign names of options.
 * @param usages - What to write in place of a value that is not options.
 */
export function copyAndCheckOptions<T extends object>(
  functionName: string,
  options: T,
  schema: OptionSchema,
  nested: readonly string[] = [],
  names?: ForeignNames,
  usages?: Usages,
): { readonly checkedOptions: T; readonly problems: ConfigurationProblem[] } {
  const problems: ConfigurationProblem[] = []
  const checkedOptions = copyOptions(options, functionName, problems, nested, usages)
  checkOptions(checkedOptions, schema, functionName, problems, names)
  return { checkedOptions, problems }
}

/**
 * Returns whether a function received an options object, given the problems found. The problem of any other value has the name of the
 * function as its path; problems of options have longer paths.
 */
export function receivedOptionsObject(functionName: string, problems: readonly ConfigurationProblem[]): boolean {
  return problems.every(({ path }) => path !== functionName)
}

/**
 * Adds the problem of a required option that is missing, unless a problem of another option names it already or the function received no
 * options object.
 */
export function reportMissing(
  functionName: string,
  name: string,
  example: string,
  problems: ConfigurationProblem[],
): void {
  const isNamed = problems.some(({ message }) => new RegExp(`(?:write |did you mean ")${name}\\b`).test(message))
  if (isNamed || !receivedOptionsObject(functionName, problems)) return
  problems.push({
    code: 'SLUICE_OPTION_TYPE',
    path: `${functionName}.${name}`,
    message: `is required; write ${example}`,
  })
}

/** Throws one error that lists all problems, if there are any. */
export function throwIfInvalid(problems: readonly ConfigurationProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** Returns the options that the exporter's pipeline uses. */
export function pickDeliveryOptions(options: Delivery): Delivery {
  return definedOptions(options, Object.keys(deliverySchema) as (keyof Delivery)[])
}

/** Returns the options with these names that have a value. Inherited options are not included. */
export function definedOptions<T extends object, K extends keyof T>(options: T, names: readonly K[]): Pick<T, K> {
  const copy = withoutPrototype(options)
  const entries = names.filter((name) => copy[name] !== undefined).map((name) => [name, copy[name]])
  return withoutPrototype(Object.fromEntries(entries)) as Pick<T, K>
}
