import { withoutPrototype } from '../../options/own-members.ts'
import { createLogger } from './create-logger.ts'
import type { LoggerOptions } from './logger-options.ts'
import type { LeveledLogger } from './types.ts'

/** Loggers by name, each created when it is first requested. */
export class Container {
  /** The existing loggers by name. */
  readonly loggers: Map<string, LeveledLogger> = new Map()
  /** Default options of loggers. */
  readonly options: LoggerOptions

  /** @param options - default options of loggers */
  constructor(options: LoggerOptions = {}) {
    this.options = options
  }

  /** Returns the logger with a name. It is created if it does not exist; only then are `options` used. */
  add(id: string, options?: LoggerOptions): LeveledLogger {
    const existing = this.loggers.get(id)
    if (existing !== undefined) return existing
    const loggerOptions = withoutPrototype(options ?? this.options)
    const transports = loggerOptions.transports ?? withoutPrototype(this.options).transports
    const logger = createLogger({ ...loggerOptions, ...(transports === undefined ? {} : { transports }) })
    logger.on('close', () => this.loggers.delete(id))
    this.loggers.set(id, logger)
    return logger
  }

  /** Same as `add()`. */
  get(id: string, options?: LoggerOptions): LeveledLogger {
    return this.add(id, options)
  }

  /** Returns whether a logger with this name exists. */
  has(id: string): boolean {
    return this.loggers.has(id)
  }

  /** Closes one logger, or all. */
  close(id?: string): void {
    for (const [name, logger] of this.loggers) {
      if (id !== undefined && name !== id) continue
      logger.close()
      this.loggers.delete(name)
    }
  }
}
