import { ownCopy } from '../options/own-members.ts'
import type { Delivery } from '../pipeline/exporter.ts'
import { checkOptions, choice, integer, text, type Check, type OptionSchema } from '../options/option-checks.ts'
import { ownOptions } from '../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'

/** Milliseconds that a timer can wait; Node runs longer ones at once. */
const millis = integer(0, 2_147_483_647)

/** The checks of the options that every exporter takes. */
export const deliverySchema: Readonly<Record<keyof Delivery, Check>> = {
  level: text(/./, 'name a level'),
  maxQueueSize: integer(1),
  maxQueueBytes: integer(1),
  maxExportBatchSize: integer(1),
  scheduledDelayMillis: millis,
  exportTimeoutMillis: millis,
  onFull: choice(['dropLowest', 'dropNewest', 'dropOldest', 'block']),
}

/**
 * An exporter's options as they stand now, and everything that is wrong in them.
 *
 * @param owner - the function whose options they are: paths read `fileExporter.path`
 * @param nested - the options that are objects with options themselves
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
export function refuse(problems: readonly ConfigurationProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** The part of an exporter's options that belongs to its pipeline. */
export function deliveryOf(options: Delivery): Delivery {
  return given(options, Object.keys(deliverySchema) as (keyof Delivery)[])
}

/** The named options that have a value, and nothing that is inherited. */
export function given<T extends object, K extends keyof T>(all: T, names: readonly K[]): Pick<T, K> {
  const options = ownCopy(all)
  const entries = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]])
  return ownCopy(Object.fromEntries(entries)) as Pick<T, K>
}
