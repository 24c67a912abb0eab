import type { CreateHandler, HandledRecord, Handler } from '../handler/handler.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { ignoreRejection } from '../options/observe-promise.ts'
import { functionLike, list } from '../options/option-checks.ts'

/**
 * Creates a handler that passes each record to several handlers, one after the other. The record is kept if at least one of them passes
 * it on, and is passed on only once, when the first one does so.
 *
 * @throws ConfigurationError if an argument is not a function
 *
 * @example
 * ```ts
 * createLogger({ handler: tee(countByLevel, sampleByTrace(0.1)) })
 * ```
 */
export function tee<L extends string = never>(...handlers: readonly CreateHandler<L>[]): CreateHandler<L> {
  const problems: ConfigurationProblem[] = []
  list(functionLike('limit({ first: 10 })'))(handlers, 'tee.handlers', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return (next, host) => {
    /** The record that the handlers receive now; undefined once it was passed on. */
    let current: HandledRecord<L> | undefined
    let isCurrentKept = false
    const once: Handler<L> = {
      handle(record) {
        // Records that a handler emits are passed on too.
        if (record !== current) return next.handle(record)
        if (isCurrentKept) return
        isCurrentKept = true
        next.handle(record)
      },
    }
    const created = handlers.map((createHandler) => createHandler(once, host))
    return {
      handle(record: HandledRecord<L>): void {
        // A record can be logged while another one is passed on.
        const outer = current
        const isOuterKept = isCurrentKept
        let promise: Promise<unknown> | undefined
        let failure: { readonly error: unknown } | undefined
        current = record
        isCurrentKept = false
        for (const handler of created) {
          try {
            const returned: unknown = handler.handle(record)
            if (ignoreRejection(returned)) promise ??= returned
          } catch (error) {
            failure ??= { error }
          }
        }
        current = outer
        isCurrentKept = isOuterKept
        if (failure !== undefined) throw failure.error
        // The logger reports the rejection of the promise.
        return promise as unknown as void
      },
    }
  }
}
