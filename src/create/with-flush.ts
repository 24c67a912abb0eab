import { drainPipelines, flushPipelines } from '../lifecycle/open-pipelines.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import { stderrLine } from '../exporters/stderr.ts'
import { checkedOptions, refuse } from '../exporters/exporter-options.ts'
import { isThenable } from '../pipeline/guarded-exporter.ts'
import { callback, integer, list, type Check, type OptionSchema } from '../options/option-checks.ts'
import { callBack, disownPromise } from '../options/observe-promise.ts'
import { define } from '../options/define-member.ts'
import { delay, monotonic } from '../platform/node/end-of-turn.ts'
import { member, membersOf } from '../options/own-members.ts'

/** What `withFlush` flushes: a logger of this package, or a child of one. */
export interface FlushedLogger {
  /** Waits until what was logged so far is written, at most so long in ms. */
  flush(options?: { readonly timeoutMillis?: number }): Promise<unknown>
  /** The same without the event loop, at most so long in ms. */
  flushSync(deadlineMillis?: number): unknown
}

/** Options of `withFlush`. */
export interface WithFlushOptions {
  /**
   * How long the answer may be held up, in ms. It is never held up for longer than the call still has by
   * `context.getRemainingTimeInMillis()`, less 100 ms for the answer itself. Default 500.
   */
  readonly timeoutMillis?: number
  /**
   * The loggers to flush. Default: every pipeline of this package that the process has, of loggers, of providers and of
   * processors. Name the loggers that stand in front of somebody's LoggerProvider: they have no pipeline.
   */
  readonly loggers?: readonly FlushedLogger[]
}

const reportDiagnostic = diagnosticReporter(undefined, stderrLine, monotonic)
const callbackFailed = {
  code: 'SLUICE_CALLBACK_FAILED',
  message: 'the callback of an AWS Lambda call threw or rejected',
}

const defaultTimeoutMillis = 500
/** What is kept of the time that a call has, for the answer to be given. */
const marginMillis = 100

const flushedLogger: Check = (value, where, problems) => {
  const { flush, flushSync } = membersOf(Object(value) as Partial<FlushedLogger>, ['flush', 'flushSync'])
  if (typeof flush === 'function' && typeof flushSync === 'function') return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a logger' })
}

const schema: OptionSchema = { timeoutMillis: integer(0, 2_147_483_647), loggers: list(flushedLogger) }

/**
 * A handler of AWS Lambda that has what it logged sent before its answer is given: from then on the process stands still, until
 * the next call or for ever. It takes handlers that return a promise, that call back, and that stream their response, and is
 * as they are otherwise: the same parameters, answer and error. What could not be sent in time stays in its queue for the next call,
 * and the ledger says so; the flush itself never throws.
 *
 * A handler that throws, or answers, in place of returning a promise is flushed without the event loop. One that returns nothing and
 * never calls back is not flushed: nobody knows when it is done.
 *
 * @throws ConfigurationError when the options are wrong, or `handler` is no function.
 *
 * @example
 * ```ts
 * export const handler = withFlush(async (event: { orderId: number }) => {
 *   log.info('order {orderId} placed', event)
 * })
 * ```
 */
export function withFlush<F extends (...args: never[]) => unknown>(handler: F, options: WithFlushOptions = {}): F {
  const { own, problems } = checkedOptions('withFlush', options, schema)
  callback(handler, 'withFlush.handler', problems)
  refuse(problems)
  const { timeoutMillis = defaultTimeoutMillis, loggers } = own

  const call = handler as unknown as (...args: readonly unknown[]) => unknown

  function flushing(this: unknown, ...args: unknown[]): unknown {
    const flushed = (): Promise<void> => flush(loggers, timeFor(args, timeoutMillis))
    try {
      const answer = Reflect.apply(call, this, callingBack(args, flushed))
      if (isThenable(answer)) return answeringLater(answer, flushed)
      // Without an answer it calls back, or goes on by itself.
      if (answer !== undefined) flushNow(loggers, timeFor(args, timeoutMillis))
      return answer
    } catch (error) {
      flushNow(loggers, timeFor(args, timeoutMillis))
      throw error
    }
  }

  return alike(flushing, handler)
}

/** The arguments of a call, with a callback that waits. It is the third one where there is any. */
function callingBack(args: readonly unknown[], flushed: () => Promise<void>): unknown[] {
  const [event, context, answer, ...others] = args
  if (typeof answer !== 'function') return [...args]
  const call = answer as (...said: unknown[]) => unknown
  return [
    event,
    context,
    (...said: unknown[]) => void flushed().then(() => callBack(call, said, reportFailedCallback)),
    ...others,
  ]
}

async function answeringLater(answer: PromiseLike<unknown>, flushed: () => Promise<void>): Promise<unknown> {
  try {
    return await answer
  } finally {
    await flushed()
  }
}

function reportFailedCallback(): void {
  reportDiagnostic(callbackFailed)
}

/** How long the answer may be held up, in ms. The context is the second parameter, behind the stream of a response the third. */
function timeFor(args: readonly unknown[], most: number): number {
  for (const argument of args.slice(1, 3)) {
    const left = remainingTime(argument)
    if (left !== undefined) return Math.max(0, Math.min(most, left - marginMillis))
  }
  return most
}

function remainingTime(context: unknown): number | undefined {
  try {
    const timed = Object(context) as { getRemainingTimeInMillis?(): unknown }
    const left = member(timed, 'getRemainingTimeInMillis')?.call(context)
    return typeof left === 'number' && !Number.isNaN(left) ? left : undefined
  } catch {
    return undefined // somebody's own context, in a test
  }
}

/** Never rejects. */
async function flush(loggers: WithFlushOptions['loggers'], timeoutMillis: number): Promise<void> {
  if (loggers === undefined) await flushPipelines(timeoutMillis)
  else {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const timer = delay(timeoutMillis, resolve)
    timer.keepAlive(true)
    // A logger of the caller may never answer.
    await Promise.race([over, Promise.allSettled(loggers.map(async (logger) => logger.flush({ timeoutMillis })))])
    timer.cancel()
  }
}

/** Never throws. */
function flushNow(loggers: WithFlushOptions['loggers'], timeoutMillis: number): void {
  const start = monotonic()
  const deadline = start + timeoutMillis
  if (loggers === undefined) return drainPipelines(start, deadline)
  for (const logger of loggers) {
    try {
      disownPromise(logger.flushSync(Math.max(0, deadline - monotonic())))
    } catch {
      // no logger of this package
    }
  }
}

/** Has a function look like another one: by the number of its parameters, and by symbols, Lambda tells kinds of handlers. */
function alike<F extends object>(made: object, given: F): F {
  for (const key of Reflect.ownKeys(given)) {
    if (key !== 'prototype') define(made, key, Object.getOwnPropertyDescriptor(given, key)!)
  }
  return made as F
}
