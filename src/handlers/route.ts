import type { CreateHandler, HandledRecord, Handler } from '../handler/handler.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { ignoreRejection } from '../options/observe-promise.ts'
import { functionLike, table } from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'

const example = 'limit({ first: 10 })'

/**
 * Creates a handler that passes each record to one of several handlers. All of them pass their records on to the same next handler.
 *
 * @param by - returns the key of the handler for a record; with an unknown key or undefined, the record is passed on unchanged
 * @param handlers - the handlers by key
 *
 * @throws ConfigurationError if an argument is invalid
 *
 * @example
 * ```ts
 * route((record) => record.eventName, { 'cache.hit': limit({ first: 1 }), 'job.done': sampleByTrace(0.1) })
 * ```
 */
export function route<L extends string = never>(
  by: (record: HandledRecord<L>) => string | undefined,
  handlers: Readonly<Record<string, CreateHandler<L>>>,
): CreateHandler<L> {
  const problems: ConfigurationProblem[] = []
  functionLike('(record) => record.eventName')(by, 'route.by', problems)
  const copy = copyOptions(handlers, 'route.handlers', problems)
  table(functionLike(example), `{ key: ${example} }`)(copy, 'route.handlers', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return (next, host) => {
    const created = new Map<unknown, Handler<L>>()
    for (const [key, createHandler] of Object.entries(copy)) {
      // The check accepts undefined, as an option that is not set.
      if (createHandler !== undefined) created.set(key, createHandler(next, host))
    }
    return {
      handle(record: HandledRecord<L>): void {
        const key: unknown = by(record)
        if (typeof key === 'object') ignoreRejection(key)
        return (created.get(key) ?? next).handle(record)
      },
    }
  }
}
