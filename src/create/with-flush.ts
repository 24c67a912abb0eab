import { foreignWithFlushOptionNames } from '../options/foreign-logger-names.ts'
import { drainPipelines, flushPipelines } from '../lifecycle/open-pipelines.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import { writeStderrLine } from '../exporters/stderr.ts'
import { copyAndCheckOptions, throwIfInvalid } from '../exporters/exporter-options.ts'
import { isThenable } from '../pipeline/guarded-exporter.ts'
import { callback, integer, list, maxTimerMillis, type Check, type OptionSchema } from '../options/option-checks.ts'
import { callUserCallback, ignoreRejection } from '../options/observe-promise.ts'
import { define } from '../options/define-member.ts'
import { delay, monotonic } from '../platform/node/end-of-turn.ts'
import { member, membersOf } from '../options/own-members.ts'

/** A logger that `withFlush` flushes: a logger of this package, or a child of one. */
export interface FlushedLogger {
  /** Waits until all records logged so far are written, at most `timeoutMillis` (in ms). */
  flush(options?: { readonly timeoutMillis?: number }): Promise<unknown>
  /** Writes all records logged so far without the event loop, for at most `timeoutMillis` (in ms). */
  flushSync(timeoutMillis?: number): unknown
}

/** Options of `withFlush`. */
export interface WithFlushOptions {
  /**
   * How long the response may be delayed, in ms. It is never delayed for longer than the remaining time of the invocation
   * according to `context.getRemainingTimeInMillis()`, minus 100 ms for the response itself.
   *
   * @defaultValue 500
   */
  readonly timeoutMillis?: number
  /**
   * The loggers to flush. Loggers with a LoggerProvider must be listed here, because they have no pipeline.
   *
   * @defaultValue all pipelines of this package in the process, of loggers, providers and processors
   */
  readonly loggers?: readonly FlushedLogger[]
}

const reportDiagnostic = diagnosticReporter(undefined, writeStderrLine, monotonic)
const callbackFailure = {
  code: 'SLUICE_CALLBACK_FAILED',
  message: 'withFlush: the callback of the AWS Lambda handler threw or returned a promise that rejected',
}

const defaultTimeoutMillis = 500
/** The part of the remaining time that is reserved for the response, in ms. */
const responseMillis = 100

const checkFlushedLogger: Check = (value, where, problems) => {
  const { flush, flushSync } = membersOf(Object(value) as Partial<FlushedLogger>, ['flush', 'flushSync'])
  if (typeof flush === 'function' && typeof flushSync === 'function') return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a logger, with flush() and flushSync()' })
}

const schema: OptionSchema = { timeoutMillis: integer(0, maxTimerMillis), loggers: list(checkFlushedLogger) }

/**
 * Wraps an AWS Lambda handler and flushes before the handler responds, because the process is then frozen until the next
 * invocation, or forever. It supports handlers that return a promise, that call a callback, and that stream their response, and
 * does not change their parameters, response or errors. Records that could not be sent in time stay queued for the next
 * invocation and are counted as queued; the flush itself never throws.
 *
 * A handler that throws or returns a value instead of a promise is flushed without the event loop. A handler that returns nothing
 * and never calls its callback is not flushed, because its end cannot be detected.
 *
 * @throws ConfigurationError if an option is invalid, or `handler` is not a function
 *
 * @example
 * ```ts
 * export const handler = withFlush(async (event: { orderId: number }) => {
 *   log.info('order {orderId} placed', event)
 * })
 * ```
 */
export function withFlush<F extends (...args: never[]) => unknown>(handler: F, options: WithFlushOptions = {}): F {
  const { checkedOptions, problems } = copyAndCheckOptions(
    'withFlush',
    options,
    schema,
    [],
    foreignWithFlushOptionNames,
    {
      'a number': 'withFlush(handler, { timeoutMillis: 500 })',
      'a logger': 'withFlush(handler, { loggers: [logger] })',
      'an array': 'withFlush(handler, { loggers: [ … ] })',
    },
  )
  callback(handler, 'withFlush.handler', problems)
  throwIfInvalid(problems)
  const { timeoutMillis = defaultTimeoutMillis, loggers } = checkedOptions

  const untypedHandler = handler as unknown as (...args: readonly unknown[]) => unknown

  function wrapper(this: unknown, ...args: unknown[]): unknown {
    const flushFirst = (): Promise<void> => flush(loggers, maxDelay(args, timeoutMillis))
    try {
      const returned = Reflect.apply(untypedHandler, this, withFlushingCallback(args, flushFirst))
      if (isThenable(returned)) return respondAfterFlush(returned, flushFirst)
      // A handler that returns undefined responds with its callback, which flushes first, or not at all.
      if (returned !== undefined) flushSynchronously(loggers, maxDelay(args, timeoutMillis))
      return returned
    } catch (error) {
      flushSynchronously(loggers, maxDelay(args, timeoutMillis))
      throw error
    }
  }

  return copyProperties(wrapper, handler)
}

/**
 * Returns the arguments of an invocation, with a callback that flushes first. The callback is the third argument, if that
 * is a function.
 */
function withFlushingCallback(args: readonly unknown[], flushFirst: () => Promise<void>): unknown[] {
  const [event, context, respond, ...others] = args
  if (typeof respond !== 'function') return [...args]
  const untypedRespond = respond as (...results: unknown[]) => unknown
  return [
    event,
    context,
    (...results: unknown[]) =>
      void flushFirst().then(() => callUserCallback(untypedRespond, results, reportCallbackFailure)),
    ...others,
  ]
}

async function respondAfterFlush(returned: PromiseLike<unknown>, flushFirst: () => Promise<void>): Promise<unknown> {
  try {
    return await returned
  } finally {
    await flushFirst()
  }
}

function reportCallbackFailure(): void {
  reportDiagnostic(callbackFailure)
}

/**
 * Returns how long the response may be delayed, in ms. The Lambda context is the second argument of a handler, or the third after
 * a response stream.
 */
function maxDelay(args: readonly unknown[], maxMillis: number): number {
  for (const argument of args.slice(1, 3)) {
    const remainingMillis = remainingTime(argument)
    if (remainingMillis !== undefined) return Math.max(0, Math.min(maxMillis, remainingMillis - responseMillis))
  }
  return maxMillis
}

/** Returns the remaining time of the invocation, in ms; undefined if the argument is not a Lambda context. */
function remainingTime(context: unknown): number | undefined {
  try {
    const timed = Object(context) as { getRemainingTimeInMillis?(): unknown }
    const millis = member(timed, 'getRemainingTimeInMillis')?.call(context)
    return typeof millis === 'number' && !Number.isNaN(millis) ? millis : undefined
  } catch {
    return undefined // A custom context, as in a test.
  }
}

/** Flushes the loggers, or all pipelines of the process, for at most `timeoutMillis`. Never rejects. */
async function flush(loggers: WithFlushOptions['loggers'], timeoutMillis: number): Promise<void> {
  if (loggers === undefined) await flushPipelines(timeoutMillis)
  else {
    const { promise: timeout, resolve } = Promise.withResolvers<void>()
    const timer = delay(timeoutMillis, resolve)
    timer.keepAlive(true)
    // A custom logger may never settle.
    await Promise.race([timeout, Promise.allSettled(loggers.map(async (logger) => logger.flush({ timeoutMillis })))])
    timer.cancel()
  }
}

/** Flushes the loggers, or all pipelines of the process, without the event loop. Never throws. */
function flushSynchronously(loggers: WithFlushOptions['loggers'], timeoutMillis: number): void {
  const start = monotonic()
  const deadline = start + timeoutMillis
  if (loggers === undefined) return drainPipelines({ now: start, deadline })
  for (const logger of loggers) {
    try {
      ignoreRejection(logger.flushSync(Math.max(0, deadline - monotonic())))
    } catch {
      // `flushSync` of a logger of this package does not throw, but another object can have passed the check.
    }
  }
}

/**
 * Copies the properties of a function to its wrapper: Lambda detects the kind of a handler by its number of parameters and by
 * symbols.
 */
function copyProperties<F extends object>(target: object, source: F): F {
  for (const key of Reflect.ownKeys(source)) {
    if (key !== 'prototype') define(target, key, Object.getOwnPropertyDescriptor(source, key)!)
  }
  return target as F
}
