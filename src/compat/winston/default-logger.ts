import { createLogger } from './create-logger.ts'
import type { Logger } from './logger.ts'
import type { LeveledLogger, LeveledLogMethod } from './types.ts'

const logger: LeveledLogger = createLogger()

// A logger of the module itself, which has no transports until it is given some. Its methods work taken off it.
/** Logs at the level `error` of the module's own logger, which has no transports until it is given some. */
export const error: LeveledLogMethod = logger.error
/** Logs at the level `warn` of the module's own logger. */
export const warn: LeveledLogMethod = logger.warn
/** Logs at the level `info` of the module's own logger. */
export const info: LeveledLogMethod = logger.info
/** Logs at the level `http` of the module's own logger. */
export const http: LeveledLogMethod = logger.http
/** Logs at the level `verbose` of the module's own logger. */
export const verbose: LeveledLogMethod = logger.verbose
/** Logs at the level `debug` of the module's own logger. */
export const debug: LeveledLogMethod = logger.debug
/** Logs at the level `silly` of the module's own logger. */
export const silly: LeveledLogMethod = logger.silly
/** Logs by the module's own logger, at the level that is given. */
export const log: Logger['log'] = logger.log.bind(logger)
/** Adds a transport to the module's own logger. */
export const add: Logger['add'] = logger.add.bind(logger)
/** Lets a transport of the module's own logger go: it writes what it has, and closes. */
export const remove: Logger['remove'] = logger.remove.bind(logger)
/** Lets all transports of the module's own logger go. */
export const clear: Logger['clear'] = logger.clear.bind(logger)
/** Sets all options of the module's own logger anew. Throws a ConfigurationError with everything that is wrong. */
export const configure: Logger['configure'] = logger.configure.bind(logger)
/** A logger that says more with each record, and is the module's own otherwise. */
export const child: Logger['child'] = logger.child.bind(logger)
/** Has the module's own logger write exceptions that nobody caught: `exceptions.handle(transport)`. */
export const exceptions: Logger['exceptions'] = logger.exceptions
/** Has the module's own logger write rejections that nobody handled. */
export const rejections: Logger['rejections'] = logger.rejections
/** Begins to measure a time under a name, or logs the one that was begun, as `durationMs`. */
export const profile: Logger['profile'] = logger.profile.bind(logger)
/** Begins to measure a time; `done()` of what it returns logs it as `durationMs`. */
export const startTimer: Logger['startTimer'] = logger.startTimer.bind(logger)
