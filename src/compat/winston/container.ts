import { ownCopy } from '../../options/own-members.ts'
import { createLogger } from './create-logger.ts'
import type { LoggerOptions } from './logger-options.ts'
import type { LeveledLogger } from './types.ts'

/** Loggers by name, each made when it is asked for first. */
export class Container {
  /** The loggers that are there, by name. */
  readonly loggers: Map<string, LeveledLogger> = new Map()
  /** Options of loggers for which nothing else is said. */
  readonly options: LoggerOptions

  /** @param options - of loggers for which nothing else is said */
  constructor(options: LoggerOptions = {}) {
    this.options = options
  }

  /** The logger of a name; made if there is none, when `options` count. */
  add(id: string, options?: LoggerOptions): LeveledLogger {
    const known = this.loggers.get(id)
    if (known !== undefined) return known
    const given = ownCopy(options ?? this.options)
    const transports = given.transports ?? ownCopy(this.options).transports
    const logger = createLogger({ ...given, ...(transports === undefined ? {} : { transports }) })
    logger.on('close', () => this.loggers.delete(id))
    this.loggers.set(id, logger)
    return logger
  }

  /** The same. */
  get(id: string, options?: LoggerOptions): LeveledLogger {
    return this.add(id, options)
  }

  /** Whether there is a logger of this name. */
  has(id: string): boolean {
    return this.loggers.has(id)
  }

  /** Closes a logger, or all. */
  close(id?: string): void {
    for (const [name, logger] of this.loggers) {
      if (id !== undefined && name !== id) continue
      logger.close()
      this.loggers.delete(name)
    }
  }
}
