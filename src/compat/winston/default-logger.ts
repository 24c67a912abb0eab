import { createLogger } from './create-logger.ts'
import type { Logger } from './logger.ts'
import type { LeveledLogger, LeveledLogMethod } from './types.ts'

// The default logger of the module, which has no transports until some are added. The exports are its methods, which need no `this`.
const logger: LeveledLogger = createLogger()

/** Logs at the level `error` with the module's default logger, which has no transports until some are added. */
export const error: LeveledLogMethod = logger.error
/** Logs at the level `warn` with the module's default logger. */
export const warn: LeveledLogMethod = logger.warn
/** Logs at the level `info` with the module's default logger. */
export const info: LeveledLogMethod = logger.info
/** Logs at the level `http` with the module's default logger. */
export const http: LeveledLogMethod = logger.http
/** Logs at the level `verbose` with the module's default logger. */
export const verbose: LeveledLogMethod = logger.verbose
/** Logs at the level `debug` with the module's default logger. */
export const debug: LeveledLogMethod = logger.debug
/** Logs at the level `silly` with the module's default logger. */
export const silly: LeveledLogMethod = logger.silly
/** Logs with the module's default logger at the given level. */
export const log: Logger['log'] = logger.log.bind(logger)
/** Adds a transport to the module's default logger. */
export const add: Logger['add'] = logger.add.bind(logger)
/** Removes a transport of the module's default logger. A transport of this package still writes everything that is queued. */
export const remove: Logger['remove'] = logger.remove.bind(logger)
/** Removes all transports of the module's default logger. */
export const clear: Logger['clear'] = logger.clear.bind(logger)
/**
 * Sets the options of the module's default logger again. Existing transports are removed.
 *
 * @throws ConfigurationError with everything that is invalid.
 */
export const configure: Logger['configure'] = logger.configure.bind(logger)
/** Creates a child of the module's default logger, which adds members to each record. */
export const child: Logger['child'] = logger.child.bind(logger)
/** Handles uncaught exceptions with the module's default logger: `exceptions.handle(transport)`. */
export const exceptions: Logger['exceptions'] = logger.exceptions
/** Handles unhandled rejections with the module's default logger. */
export const rejections: Logger['rejections'] = logger.rejections
/** Starts a timer under a name, or logs the elapsed time of the one that was started, as `durationMs`. */
export const profile: Logger['profile'] = logger.profile.bind(logger)
/** Starts a timer. Its method `done()` logs the elapsed time as `durationMs`. */
export const startTimer: Logger['startTimer'] = logger.startTimer.bind(logger)
