import { createLogger } from './create-logger.ts'
import type { Logger } from './logger.ts'
import type { LeveledLogger, LeveledLogMethod } from './types.ts'

const logger: LeveledLogger = createLogger()

// A logger of the module itself, which has no transports until it is given some. Its methods work taken off it.
export const error: LeveledLogMethod = logger.error
export const warn: LeveledLogMethod = logger.warn
export const info: LeveledLogMethod = logger.info
export const http: LeveledLogMethod = logger.http
export const verbose: LeveledLogMethod = logger.verbose
export const debug: LeveledLogMethod = logger.debug
export const silly: LeveledLogMethod = logger.silly
export const log: Logger['log'] = logger.log.bind(logger)
export const add: Logger['add'] = logger.add.bind(logger)
export const remove: Logger['remove'] = logger.remove.bind(logger)
export const clear: Logger['clear'] = logger.clear.bind(logger)
export const configure: Logger['configure'] = logger.configure.bind(logger)
export const child: Logger['child'] = logger.child.bind(logger)
export const profile: Logger['profile'] = logger.profile.bind(logger)
export const startTimer: Logger['startTimer'] = logger.startTimer.bind(logger)
