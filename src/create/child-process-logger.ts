import { composeLogger } from './compose-logger.ts'
import { nodeRuntime } from './create-logger.ts'
import { processExporter, type ProcessExporterOptions } from '../exporters/process/process-exporter.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import { writeStderrLine } from '../exporters/stderr.ts'
import type { LogMethod } from '../logger/log-method.ts'
import { callUserCallback } from '../options/observe-promise.ts'
import { collectProblems, type ConfigurationProblem } from '../options/configuration-error.ts'
import { monotonic } from '../platform/node/end-of-turn.ts'
import type { FlushOptions, LoggerOptions, Stats } from '../logger/types.ts'
import { typeName } from '../options/option-checks.ts'
import { withoutPrototype } from '../options/own-members.ts'

/** A listener for the final delivery statistics, in records. If it throws or rejects, `SLUICE_CALLBACK_FAILED` is reported. */
export type DoneListener = (stats: Stats) => void

/** A minimal logger whose lines are written by a child process. */
export interface ChildProcessLogger {
  /** Logs at INFO, as `logger.info` does: a message, optionally with attributes. Never throws. */
  readonly log: LogMethod
  /** Calls the listener once when `done` has completed, or soon if `done` already has. Returns this logger. */
  readonly onDone: (listener: DoneListener) => ChildProcessLogger
  /**
   * Waits until the child has written everything, by default for at most 5,000 ms, and ends the child. Records logged later count as
   * dropped (`shutdown`). Resolves to the delivery statistics, the same for each call; never rejects.
   */
  readonly done: (options?: FlushOptions) => Promise<Stats>
  /** Returns the current delivery statistics, in records. After `done` they include records that were logged too late. */
  readonly stats: () => Stats
}

/**
 * Creates a logger whose lines are written by a separate process, as with `processExporter`. A child that dies is restarted, and
 * lines that it had not acknowledged are written by this process. Before this process exits, also by a signal, queued records are
 * written. The methods work detached.
 *
 * @param options - where and how the child writes; default: standard output
 * @param loggerOptions - redaction rules and other options, as for `createLogger`
 * @throws ConfigurationError if an option is invalid
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
  loggerOptions: Omit<LoggerOptions, 'exporter' | 'provider'> = {},
): ChildProcessLogger {
  const problems: ConfigurationProblem[] = []
  const exporterProblems: ConfigurationProblem[] = []
  const exporter = collectProblems(exporterProblems, () => processExporter(options))
  for (const problem of exporterProblems)
    problems.push({ ...problem, path: problem.path.replace(/^processExporter\.?/, '') })
  if (typeof loggerOptions !== 'object' || loggerOptions === null) {
    const message = `must be an object with options, not ${typeName(loggerOptions)}`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: 'loggerOptions', message })
  }
  const { exporter: givenExporter, ...ownLoggerOptions } = withoutPrototype(Object(loggerOptions) as LoggerOptions)
  if (givenExporter !== undefined) {
    const message = 'is set by childProcessLogger; remove it, or use createLogger'
    problems.push({ code: 'SLUICE_OPTION_UNKNOWN', path: 'exporter', message })
  }
  const logger = composeLogger({
    options: { ...ownLoggerOptions, exporter },
    runtime: nodeRuntime,
    caller: 'childProcessLogger',
    problems,
  })
  const reportDiagnostic = diagnosticReporter(withoutPrototype(loggerOptions).onDiagnostic, writeStderrLine, monotonic)
  const finalStats = Promise.withResolvers<Stats>()
  let shuttingDown: Promise<unknown> | undefined

  const child: ChildProcessLogger = {
    log: logger.info,
    onDone(listener) {
      void finalStats.promise.then((stats) =>
        callUserCallback(listener, [stats], () => reportDiagnostic(listenerFailure)),
      )
      return child
    },
    done(options) {
      shuttingDown ??= logger.shutdown(options).then(() => finalStats.resolve(logger.stats()))
      return finalStats.promise
    },
    stats: () => logger.stats(),
  }
  return child
}

const listenerFailure = { code: 'SLUICE_CALLBACK_FAILED', message: 'the listener of onDone() threw or rejected' }
