import { HandlerGuard } from '../handler/handler-guard.ts'
import type { HostRuntime } from '../handler/handler-host.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import { guardedClock } from '../logger/clock.ts'
import { Levels } from '../logger/levels.ts'
import type { LoggerOptions } from '../logger/types.ts'
import type { Usages } from '../options/bare-value.ts'
import { ConfigurationError, type ConfigurationProblem, type OnDiagnostic } from '../options/configuration-error.ts'
import { withoutPrototype } from '../options/own-members.ts'
import { copyOptions } from '../options/own-options.ts'
import { checkLoggerOptions, nestedOptionNames, type ResolvedLoggerOptions } from './logger-options.ts'
import type { LoggerRuntime } from './logger-runtime.ts'

/** What a logger is created from. */
export interface LoggerSource {
  /** The options of the user, which are not checked yet. */
  readonly options: object
  readonly runtime: LoggerRuntime
  /**
   * Name of the public function that was called, for error messages.
   *
   * @defaultValue `createLogger`
   */
  readonly caller?: string
  /** Problems of other arguments, which the error includes. */
  readonly problems?: ConfigurationProblem[]
}

/** The checked options of a logger, and what they create that does not depend on its destination. */
export interface LoggerSettings {
  readonly options: LoggerOptions
  readonly runtime: LoggerRuntime
  readonly checked: ResolvedLoggerOptions
  readonly levels: Levels
  readonly clock: () => number
  readonly reportDiagnostic: OnDiagnostic
  /** The guard of the option `handler`; undefined without it. */
  readonly handlerGuard: HandlerGuard | undefined
}

/** Checks the options of a logger. Throws a ConfigurationError with every problem. */
export function checkSettings(source: LoggerSource): LoggerSettings {
  const { options: userOptions, runtime, caller, problems = [] } = withoutPrototype(source)
  const options = copyOptions(userOptions as LoggerOptions, '', problems, nestedOptionNames, loggerUsages)
  const reportDiagnostic = diagnosticReporter(options?.onDiagnostic, runtime.writeLine, runtime.platform.monotonic)
  const levels = new Levels(options?.levels ?? {})
  const environment = runtime.readEnvironment(reportDiagnostic, levels.names)
  const checked = checkLoggerOptions(options, runtime.schema, levels, environment, problems)
  const clock = typeof options?.clock === 'function' ? guardedClock(options.clock) : Date.now
  const handlerRuntime: HostRuntime = {
    clock,
    delay: (millis, callback) => runtime.platform.delay(millis, callback),
    reportDiagnostic,
  }
  const handlerGuard =
    typeof options?.handler === 'function'
      ? new HandlerGuard(options.handler, levels.severities, handlerRuntime, problems)
      : undefined
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller ?? 'createLogger')
  return { options, runtime, checked, levels, clock, reportDiagnostic, handlerGuard }
}

/** What to write in place of a value that is not options. */
const loggerUsages: Usages = {
  'a string': "createLogger({ name: 'app' })",
  'an array': 'createLogger({ exporter: [ … ] })',
  'a logger': 'logger.child({ … }) for a logger with more attributes',
  'an exporter': 'createLogger({ exporter })',
  'a stream': 'createLogger({ exporter: fdExporter({ fd: 1 }) })',
}
