import { ownCopy } from '../options/own-members.ts'
import type { Delivery } from '../pipeline/exporter.ts'
import { checkOptions, choice, integer, text, type Check, type OptionSchema } from '../options/option-checks.ts'
import { ownOptions } from '../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'

/** The delay range of a timer in ms. Node runs a timer with a longer delay at once. */
const millis = integer(0, 2_147_483_647)

/** The checks of the options that every exporter accepts. */
export const deliverySchema: Readonly<Record<keyof Delivery, Check>> = {
  level: text(/./, 'be the name of a level'),
  maxQueueSize: integer(1),
  maxQueueBytes: integer(1),
  maxExportBatchSize: integer(1),
  scheduledDelayMillis: millis,
  exportTimeoutMillis: millis,
  onFull: choice(['dropLowest', 'dropNewest', 'dropOldest', 'block']),
}

/**
 * Returns a copy of an exporter's options, and all problems found in them.
 *
 * @param owner - The name of the function that accepts the options. Paths start with it: `fileExporter.path`.
 * @param nested - The names of options that are objects with their own options.
 */
export function checkedOptions<T extends object>(
  owner: string,
  given: T,
  schema: OptionSchema,
  nested: readonly string[] = [],
): { readonly own: T; readonly problems: ConfigurationProblem[] } {
  const problems: ConfigurationProblem[] = []
  const own = ownOptions(given, owner, problems, nested)
  checkOptions(own, schema, owner, problems)
  return { own, problems }
}

/** Throws one error that lists all problems, if there are any. */
export function throwIfInvalid(problems: readonly ConfigurationProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** Returns the options that the exporter's pipeline uses. */
export function pickDeliveryOptions(options: Delivery): Delivery {
  return definedOptions(options, Object.keys(deliverySchema) as (keyof Delivery)[])
}

/** Returns the named options that have a value, without inherited ones. */
export function definedOptions<T extends object, K extends keyof T>(all: T, names: readonly K[]): Pick<T, K> {
  const options = ownCopy(all)
  const entries = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]])
  return ownCopy(Object.fromEntries(entries)) as Pick<T, K>
}
