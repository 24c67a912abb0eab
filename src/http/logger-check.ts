import { isOwnLogger } from '../logger/log-call.ts'
import type { Logger } from '../logger/types.ts'
import { checkOptions, type Check } from '../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'

/**
 * Checks that a value is a logger created by createLogger of any copy of this package. Checking for methods is not enough: pino and
 * similar loggers have the same methods, and drop attributes after a message.
 */
export const loggerCheck: Check = (value, where, problems) => {
  if (isOwnLogger(value)) return
  const accepted = "must be `logger` of 'sluice', a logger that createLogger returned, or its child"
  const message =
    value === undefined || value === globalThis.console
      ? accepted
      : `${accepted}; createLogger({ exporter: fdExporter({ layout: 'pino' }) }) writes the lines of pino`
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
}

/** Throws the ConfigurationError of `nestLogger` unless the value is a logger created by createLogger. */
export function checkNestLogger(logger: Logger): void {
  const problems: ConfigurationProblem[] = []
  // `checkOptions` skips an undefined option.
  if (logger === undefined) loggerCheck(logger, 'logger', problems)
  checkOptions({ logger }, { logger: loggerCheck }, '', problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'nestLogger')
}
