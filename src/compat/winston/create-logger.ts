import { member } from '../../options/own-members.ts'
import { infoOfMethodCall } from './call-info.ts'
import { Logger } from './logger.ts'
import type { LoggerOptions } from './logger-options.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'
import type { LeveledLogger } from './types.ts'
import { addMembers } from '../../options/define-member.ts'
import { objectPrototypeNames } from '../../record/object-prototype-names.ts'

/**
 * Creates a logger with winston's API. It has a log method for each level, and a method that returns whether the level is enabled, such
 * as `logger.info()` and `logger.isInfoEnabled()`.
 *
 * @throws ConfigurationError with all problems of the options. For winston options that are not supported, it names the alternative.
 */
export function createLogger<L extends string = never>(options: LoggerOptions<L> = {}): LeveledLogger<L> {
  // A class for this logger only, because its prototype gets the methods of the logger's levels.
  class OwnLogger extends Logger {}
  const logger = new OwnLogger(options)
  const names = Object.keys(logger.levels)
  const takenNames = names.filter(
    (name) => objectPrototypeNames.has(name) || member(Logger.prototype, name as never) !== undefined,
  )
  if (takenNames.length > 0) {
    logger.clear()
    throw new ConfigurationError(
      takenNames.map((name) => ({
        code: 'SLUICE_LEVEL_NAME',
        path: `levels.${name}`,
        message: `${JSON.stringify(name)} cannot be the name of a level: a logger has another member of this name`,
      })),
      undefined,
      'createLogger',
    )
  }
  for (const name of names) {
    addMembers(OwnLogger.prototype, {
      // `this` can be a child logger, which inherits the method. A detached method logs with the logger that is created here.
      [name](this: unknown, ...args: unknown[]) {
        return logAt(this instanceof Logger ? this : logger, name, args)
      },
      [`is${name.charAt(0).toUpperCase()}${name.slice(1)}Enabled`](this: unknown) {
        return (this instanceof Logger ? this : logger).isLevelEnabled(name)
      },
    })
  }
  return logger as unknown as LeveledLogger<L>
}

function logAt(logger: Logger, level: string, args: readonly unknown[]): Logger {
  try {
    if (logger.wants(level)) logger.pass(infoOfMethodCall(level, args, logger))
  } catch (error) {
    logger.lost(error)
  }
  return logger
}
