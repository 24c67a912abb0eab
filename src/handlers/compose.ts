import type { CreateHandler } from '../handler/handler.ts'

/**
 * Composes handlers for `createLogger({ handler })`: each one passes its records to the one after it, and the last one to the
 * logger.
 *
 * @throws TypeError when the logger is created, if one of them is not a function
 *
 * @example
 * ```ts
 * createLogger({ handler: compose(dedupe(), limit({ first: 100 })) })
 * ```
 */
export function compose<L extends string = never>(...handlers: readonly CreateHandler<L>[]): CreateHandler<L> {
  return (last, host) => handlers.reduceRight((next, createHandler) => createHandler(next, host), last)
}
