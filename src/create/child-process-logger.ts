import { createLogger } from './create-logger.ts'
import { processExporter, type ProcessExporterOptions } from '../exporters/process/process-exporter.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import { stderrLine } from '../exporters/stderr.ts'
import type { LogMethod } from '../logger/log-method.ts'
import { callBack } from '../options/observe-promise.ts'
import { ConfigurationError } from '../options/configuration-error.ts'
import { monotonic } from '../platform/node/end-of-turn.ts'
import type { FlushOptions, LoggerOptions, Stats } from '../logger/types.ts'
import { ownCopy } from '../options/own-members.ts'

/** Receives what became of the messages, in records. What it throws or rejects with is reported (`SLUICE_CALLBACK_FAILED`). */
export type DoneListener = (stats: Stats) => void

/** A logger of few words, whose lines a child process writes. */
export interface ChildProcessLogger {
  /** Logs at INFO, as `logger.info` does: a message, then perhaps attributes. Never throws. */
  readonly log: LogMethod
  /** Calls the listener once, when all is done, and soon if it is already. Returns this logger. */
  readonly onDone: (listener: DoneListener) => ChildProcessLogger
  /**
   * Waits until the child has written everything, for 5,000 ms unless told otherwise, and has it end. What is logged later counts
   * as dropped (`shutdown`). Resolves with what became of the messages, the same each time; never rejects.
   */
  readonly done: (options?: FlushOptions) => Promise<Stats>
  /** What has become of the messages so far, in records; after `done` also of those that came too late. */
  readonly stats: () => Stats
}

/**
 * Makes a logger whose lines are written by a process of its own, as `processExporter` has them written: a child that dies is
 * started again, and what it had not acknowledged is written here; at the end of this process, by a signal too, what waits is
 * written first. The methods work detached.
 *
 * @param options - where the child writes, and how; default: the standard output
 * @param logger - rules and the rest, as for `createLogger`
 *
 * @throws ConfigurationError when options are wrong.
 *
 * @example
 * ```ts
 * const child = childProcessLogger({ path: 'app.log' })
 * child.log('order {orderId} placed', { orderId: 42 })
 * await child.done()
 * ```
 */
export function childProcessLogger(
  options: ProcessExporterOptions = {},
  logger: Omit<LoggerOptions, 'exporter' | 'provider'> = {},
): ChildProcessLogger {
  if (Object.hasOwn(Object(logger) as object, 'exporter')) {
    const message = 'is not for childProcessLogger: its child writes'
    throw new ConfigurationError([{ code: 'SLUICE_OPTION_UNKNOWN', path: 'exporter', message }])
  }
  const log = createLogger({ ...logger, exporter: processExporter(options) })
  const reportDiagnostic = diagnosticReporter(ownCopy(logger).onDiagnostic, stderrLine, monotonic)
  const ended = Promise.withResolvers<Stats>()
  let ending: Promise<unknown> | undefined

  const child: ChildProcessLogger = {
    log: log.info,
    onDone(listener) {
      void ended.promise.then((stats) => callBack(listener, [stats], () => reportDiagnostic(listenerFailed)))
      return child
    },
    done(options) {
      ending ??= log.shutdown(options).then(() => ended.resolve(log.stats()))
      return ended.promise
    },
    stats: () => log.stats(),
  }
  return child
}

const listenerFailed = { code: 'SLUICE_CALLBACK_FAILED', message: 'the listener of onDone() threw or rejected' }
