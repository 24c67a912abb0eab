import type { CreateHandler, HandledRecord, Handler } from '../handler/handler.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { ignoreRejection } from '../options/observe-promise.ts'
import { functionLike, table } from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'
import { attributeKeyFunction, isAttributeKey, type AttributeKey } from './record-key.ts'

const example = 'limit({ first: 10 })'

/**
 * Creates a handler that passes each record to one of several handlers. All of them pass their records on to the same next handler.
 *
 * @param by - an attribute, or a function that returns the key of the handler for a record; with an unknown key or undefined, the record
 *   is kept and passed on unchanged. There is no default handler
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
  by: AttributeKey | ((record: HandledRecord<L>) => string | undefined),
  handlers: Readonly<Record<string, CreateHandler<L>>>,
): CreateHandler<L> {
  const problems: ConfigurationProblem[] = []
  if (!isAttributeKey(by)) functionLike('(record) => record.eventName')(by, 'route.by', problems)
  const copy = copyOptions(handlers, 'route.handlers', problems)
  table(functionLike(example), `{ key: ${example} }`)(copy, 'route.handlers', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const keyOf = isAttributeKey(by) ? attributeKeyFunction<L>(by) : by
  return (next, host) => {
    const created = new Map<unknown, Handler<L>>()
    for (const [key, createHandler] of Object.entries(copy)) {
      // The check accepts undefined, as an option that is not set.
      if (createHandler !== undefined) created.set(key, createHandler(next, host))
    }
    return {
      handle(record: HandledRecord<L>): void {
        const key: unknown = keyOf(record)
        if (typeof key === 'object') ignoreRejection(key)
        return (created.get(key) ?? next).handle(record)
      },
    }
  }
}
