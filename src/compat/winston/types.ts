import type { Logger } from './logger.ts'

/** A method that logs at one level. It returns the logger, never throws, and works when detached from the logger. */
export interface LeveledLogMethod {
  /**
   * Logs a message. An object that follows it is merged into the record, unless the message has placeholders, which `format.splat()`
   * replaces.
   */
  (message: string, ...meta: unknown[]): LeveledLogger
  /** Logs a message that is not a string. */
  (message: unknown): LeveledLogger
  /** Logs an Error, or an object with a member `message`. Its members become members of the record. */
  (info: object): LeveledLogger
  /** Logs an empty message. */
  (): LeveledLogger
}

/** The names of winston's predefined levels. */
export type DefaultLevel =
  | 'error'
  | 'warn'
  | 'help'
  | 'data'
  | 'info'
  | 'debug'
  | 'prompt'
  | 'http'
  | 'verbose'
  | 'input'
  | 'silly'
  | 'emerg'
  | 'alert'
  | 'crit'
  | 'warning'
  | 'notice'

/** The log methods of levels, and the methods that return whether a level is enabled. */
export type LevelMethods<L extends string> = Readonly<Record<L, LeveledLogMethod>> &
  Readonly<Record<`is${Capitalize<L>}Enabled`, () => boolean>>

/**
 * A logger with log methods. The type has methods for all predefined levels and for `L`, but a logger has only those of its own `levels`.
 */
export type LeveledLogger<L extends string = never> = Logger & LevelMethods<DefaultLevel> & LevelMethods<L>
