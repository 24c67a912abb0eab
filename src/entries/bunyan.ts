import { markSeen, type Replacer } from '../compat/shared/cycles.ts'
import * as levels from '../compat/bunyan/levels.ts'
import { Logger as BaseLogger } from '../compat/bunyan/logger.ts'
import { RingBuffer as Ring } from '../compat/bunyan/ring-buffer.ts'
import { RotatingFileStream as Rotating } from '../compat/bunyan/rotating-file.ts'
import { stdSerializers as serializers } from '../compat/bunyan/std-serializers.ts'
import type { LoggerOptions } from '../compat/bunyan/types.ts'
import type { LogRecords } from '../compat/shared/log-records.ts'
import { compatRecords } from '../create/compat-records.ts'
import { ownCopy } from '../options/own-members.ts'
import { addMembers } from '../options/define-member.ts'

export type { ChildOptions, LoggerOptions, Stream, WritableLike } from '../compat/bunyan/types.ts'
export type { LogLevel, LogLevelString } from '../compat/bunyan/levels.ts'
export type { Serializer, Serializers } from '../compat/bunyan/std-serializers.ts'
export type { LogMethod } from '../compat/bunyan/log-method.ts'

/**
 * A logger with bunyan's interface, whose lines are bunyan's byte for byte, where those are valid JSON. Without a stream it
 * writes to the standard output at the end of each turn; what waits is bounded, counted, and written when the process ends.
 */
export class Logger extends BaseLogger {
  /** Serializers to give as options, or to call. */
  static readonly stdSerializers: typeof serializers = serializers

  /** Makes what takes records for exporters. */
  protected override openRecords(options: LoggerOptions): LogRecords | undefined {
    const { name, exporter, redact, onDiagnostic } = ownCopy(options)
    return compatRecords({ name, exporter, redact, onDiagnostic })
  }
}

/**
 * Makes a logger.
 *
 * @throws ConfigurationError for options that cannot be, with a word on what to do.
 */
export function createLogger(options: LoggerOptions): Logger {
  return new Logger(options)
}

/** Serializers to give as options, or to call. */
export const stdSerializers: typeof serializers = serializers

/** Keeps the last records in memory: a stream of type `raw`. */
export const RingBuffer: typeof Ring = Ring

/** Writes lines to a file and puts it aside at times. */
export const RotatingFileStream: typeof Rotating = Rotating

/** The number of a level. */
export const resolveLevel: typeof levels.resolveLevel = levels.resolveLevel

/** The levels by name. */
export const levelFromName: typeof levels.levelFromName = levels.levelFromName

/** The names of the levels by number. */
export const nameFromLevel: Readonly<Record<number, string>> = levels.nameFromLevel

/** A second argument for `JSON.stringify` that marks what it has met before. */
export const safeCycles: () => Replacer = markSeen

/** The number of the level `trace`. */
export const TRACE = 10
/** The number of the level `debug`. */
export const DEBUG = 20
/** The number of the level `info`. */
export const INFO = 30
/** The number of the level `warn`. */
export const WARN = 40
/** The number of the level `error`. */
export const ERROR = 50
/** The number of the level `fatal`. */
export const FATAL = 60

/** The version of the lines: their field `v`. */
export const LOG_VERSION = 0

/** The version of bunyan whose interface this is. */
export const VERSION = '1.8.15'

/** What the class of loggers is besides: everything else as its members, and what makes a logger without `new`. */
export interface Bunyan {
  /** Makes a logger, as `new` does. */
  (options: LoggerOptions): Logger
  /** Makes a logger. */
  readonly createLogger: typeof createLogger
  /** Keeps the last records in memory: a stream of type `raw`. */
  readonly RingBuffer: typeof Ring
  /** Writes lines to a file and puts it aside at times. */
  readonly RotatingFileStream: typeof Rotating
  /** The number of a level. */
  readonly resolveLevel: typeof levels.resolveLevel
  /** The levels by name. */
  readonly levelFromName: typeof levels.levelFromName
  /** The names of the levels by number. */
  readonly nameFromLevel: Readonly<Record<number, string>>
  /** A second argument for `JSON.stringify` that marks what it has met before. */
  readonly safeCycles: () => Replacer
  /** The number of the level `trace`. */
  readonly TRACE: 10
  /** The number of the level `debug`. */
  readonly DEBUG: 20
  /** The number of the level `info`. */
  readonly INFO: 30
  /** The number of the level `warn`. */
  readonly WARN: 40
  /** The number of the level `error`. */
  readonly ERROR: 50
  /** The number of the level `fatal`. */
  readonly FATAL: 60
  /** The version of the lines: their field `v`. */
  readonly LOG_VERSION: 0
  /** The version of bunyan whose interface this is. */
  readonly VERSION: string
}

const members = {
  createLogger,
  RingBuffer,
  RotatingFileStream,
  resolveLevel,
  levelFromName,
  nameFromLevel,
  safeCycles,
  TRACE,
  DEBUG,
  INFO,
  WARN,
  ERROR,
  FATAL,
  LOG_VERSION,
  VERSION,
}

// Without a prototype: what is put on Object.prototype is not a trap of this.
const traps: ProxyHandler<typeof Logger> = ownCopy({
  apply: (target, _, [options]: [LoggerOptions]) => new target(options),
} satisfies ProxyHandler<typeof Logger>)

/** The class of loggers with everything else as its members, as `require('bunyan')` is. It may be called without `new`. */
const bunyan: typeof Logger & Bunyan = new Proxy(addMembers(Logger, members), traps) as never

export default bunyan
