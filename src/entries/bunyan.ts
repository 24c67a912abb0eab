import { createRepetitionReplacer, type Replacer } from '../compat/shared/cycles.ts'
import * as levels from '../compat/bunyan/levels.ts'
import { Logger as BaseLogger } from '../compat/bunyan/logger.ts'
import { RingBuffer as BaseRingBuffer } from '../compat/bunyan/ring-buffer.ts'
import { RotatingFileStream as BaseRotatingFileStream } from '../compat/bunyan/rotating-file.ts'
import { stdSerializers as serializers } from '../compat/bunyan/std-serializers.ts'
import type { LoggerOptions } from '../compat/bunyan/types.ts'
import type { ClosableRecordEmitter } from '../compat/shared/log-records.ts'
import { createCompatRecordEmitter } from '../create/compat-records.ts'
import { withoutPrototype } from '../options/own-members.ts'
import { addMembers } from '../options/define-member.ts'

export type { ChildOptions, LoggerOptions, Stream, WritableLike } from '../compat/bunyan/types.ts'
export type { LogLevel, LogLevelString } from '../compat/bunyan/levels.ts'
export type { Serializer, Serializers } from '../compat/bunyan/std-serializers.ts'
export type { LogMethod } from '../compat/bunyan/log-method.ts'

/**
 * A logger with bunyan's interface. Its lines are identical to bunyan's, byte for byte, where those are valid JSON. Without a
 * stream it writes to standard output at the end of each event-loop turn. The queue is limited, its records are counted, and they
 * are written when the process exits.
 */
export class Logger extends BaseLogger {
  /** The standard serializers, to pass as options or to call. */
  static readonly stdSerializers: typeof serializers = serializers

  /** Creates the emitter that passes records to the exporters; returns undefined without exporters. */
  protected override openRecords(options: LoggerOptions): ClosableRecordEmitter | undefined {
    const { name, exporter, redact, onDiagnostic } = withoutPrototype(options)
    return createCompatRecordEmitter({ name, exporter, redact, onDiagnostic })
  }
}

/**
 * Creates a logger.
 *
 * @throws ConfigurationError if an option is invalid; the message describes what to do
 */
export function createLogger(options: LoggerOptions): Logger {
  return new Logger(options)
}

/** The standard serializers, to pass as options or to call. */
export const stdSerializers: typeof serializers = serializers

/** A stream of type `raw` that keeps the last records in memory. */
export const RingBuffer: typeof BaseRingBuffer = BaseRingBuffer

/** A stream that writes lines to a file and rotates it. */
export const RotatingFileStream: typeof BaseRotatingFileStream = BaseRotatingFileStream

/** Returns the number of a level. */
export const resolveLevel: typeof levels.resolveLevel = levels.resolveLevel

/** The numbers of the levels by name. */
export const levelFromName: typeof levels.levelFromName = levels.levelFromName

/** The names of the levels by number. */
export const nameFromLevel: Readonly<Record<number, string>> = levels.nameFromLevel

/** Returns a replacer for `JSON.stringify` that marks objects that it has already visited. */
export const safeCycles: () => Replacer = createRepetitionReplacer

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

/** The version of the line format: the field `v`. */
export const LOG_VERSION = 0

/** The version of bunyan whose interface is implemented. */
export const VERSION = '1.8.15'

/**
 * The members of the default export in addition to those of the logger class: all other exports, and a call signature without
 * `new`.
 */
export interface Bunyan {
  /** Creates a logger, as `new` does. */
  (options: LoggerOptions): Logger
  /** Creates a logger. */
  readonly createLogger: typeof createLogger
  /** A stream of type `raw` that keeps the last records in memory. */
  readonly RingBuffer: typeof BaseRingBuffer
  /** A stream that writes lines to a file and rotates it. */
  readonly RotatingFileStream: typeof BaseRotatingFileStream
  /** Returns the number of a level. */
  readonly resolveLevel: typeof levels.resolveLevel
  /** The numbers of the levels by name. */
  readonly levelFromName: typeof levels.levelFromName
  /** The names of the levels by number. */
  readonly nameFromLevel: Readonly<Record<number, string>>
  /** Returns a replacer for `JSON.stringify` that marks objects that it has already visited. */
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
  /** The version of the line format: the field `v`. */
  readonly LOG_VERSION: 0
  /** The version of bunyan whose interface is implemented. */
  readonly VERSION: string
}

const otherExports = {
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

/** Makes the class callable without `new`. Without a prototype, so that members of a polluted Object.prototype are not used as traps. */
const callableClassTraps: ProxyHandler<typeof Logger> = withoutPrototype({
  apply: (target, _, [options]: [LoggerOptions]) => new target(options),
} satisfies ProxyHandler<typeof Logger>)

/** The logger class with all other exports as its members, as `require('bunyan')` returns it. It can be called without `new`. */
const bunyan: typeof Logger & Bunyan = new Proxy(addMembers(Logger, otherExports), callableClassTraps) as never

export default bunyan
