import type { CreateHandler } from '../handler/handler.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { functionLike, list } from '../options/option-checks.ts'

/**
 * Composes handlers for `createLogger({ handler })`: each one passes its records to the one after it, and the last one to the
 * logger.
 *
 * @throws ConfigurationError if an argument is not a function
 *
 * @example
 * ```ts
 * createLogger({ handler: compose(dedupe(), limit({ first: 100 })) })
 * ```
 */
export function compose<L extends string = never>(...handlers: readonly CreateHandler<L>[]): CreateHandler<L> {
  const problems: ConfigurationProblem[] = []
  list(functionLike('limit({ first: 10 })'))(handlers, 'compose.handlers', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return (last, host) => handlers.reduceRight((next, createHandler) => createHandler(next, host), last)
}
