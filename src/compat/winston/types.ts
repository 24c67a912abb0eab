import type { Logger } from './logger.ts'

/** A method that logs at one level. It returns the logger, never throws, and works taken off it. */
export interface LeveledLogMethod {
  /**
   * A message. An object behind it is merged into the record, unless the message has placeholders: `format.splat()` fills
   * those.
   */
  (message: string, ...meta: unknown[]): LeveledLogger
  /** A message that is no text. */
  (message: unknown): LeveledLogger
  /** An Error, or an object with a member `message`: its members are those of the record. */
  (info: object): LeveledLogger
  /** An empty message. */
  (): LeveledLogger
}

/** The names of the levels that winston comes with. */
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

/** The methods of levels, and those that ask whether they are enabled. */
export type LevelMethods<L extends string> = Readonly<Record<L, LeveledLogMethod>> &
  Readonly<Record<`is${Capitalize<L>}Enabled`, () => boolean>>

/**
 * A logger with its methods: those of all levels that winston comes with, though it has only those of its own `levels`, and of `L`.
 */
export type LeveledLogger<L extends string = never> = Logger & LevelMethods<DefaultLevel> & LevelMethods<L>
