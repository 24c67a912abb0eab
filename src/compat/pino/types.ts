import type { Bindings, SerializerFn } from './log-values.ts'
import type { EventEmitter } from 'node:events'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { RedactOptions } from '../../redact/redact.ts'
import type { BrowserOptions } from './browser-options.ts'
import type { LevelMapping, Level, LevelOrString, LevelWithSilentOrString } from './levels.ts'
import type { TimeFn } from './time.ts'
import type { TransportMultiOptions, TransportPipelineOptions, TransportSingleOptions } from './transport-options.ts'
import type { needsMetadataGsym } from './symbols.ts'
/** Returns members that are added to each record. `mergeObject` is the logged object. */
export type MixinFn<CustomLevels extends string = never> = (
  mergeObject: object,
  level: number,
  logger: Logger<CustomLevels>,
) => object
/** Merges the logged object, `mergeObject`, with the object that the mixin returned. */
export type MixinMergeStrategyFn = (mergeObject: object, mixinObject: object) => object
/** Called with each child logger that is created. */
export type OnChildCallback<CustomLevels extends string = never> = (child: Logger<CustomLevels>) => void

/** The placeholders that require an argument of a type. As in pino's types, they do not include `%i` and `%f`. */
type Placeholder = 'd' | 's' | 'j' | 'o' | 'O'
type PlaceholderArgument<P extends Placeholder> = P extends 'd' ? number : P extends 's' ? unknown : {} | null

/** Types of the arguments for the placeholders of a literal message. */
export type ParseLogFnArgs<T, Found extends unknown[] = []> = T extends `${string}%${infer P}${infer Rest}`
  ? P extends Placeholder
    ? ParseLogFnArgs<Rest, [...Found, PlaceholderArgument<P>]>
    : ParseLogFnArgs<Rest, Found>
  : Found

/** Allowed members of logged objects: those of `LogFnFields`, which users can augment. */
// Empty here: `entries/pino.ts` declares it again, with `extends LogFnFields`.
// oxlint-disable-next-line typescript/no-empty-object-type -- exists to be merged with
export interface AnyLogFnFields {}

/** A log method. It accepts a message and its arguments, or an object followed by a message. */
export interface LogFn {
  /** Logs a message with arguments for its placeholders: `%s %d %i %f %j %o %O`, and `%%` for a percent sign. */
  <M extends string = string>(message: M, ...args: ParseLogFnArgs<M>): void
  /** Logs an object of fields or an Error, which is logged under `errorKey`, optionally followed by a message. */
  <T, M extends string = string>(
    object: [T] extends [object] ? T & AnyLogFnFields : T,
    message?: T extends string ? never : M,
    ...args: ParseLogFnArgs<M> | []
  ): void
  /** Logs an object of fields or an Error, followed by a message with arguments for its placeholders. */
  <T, M extends string = string>(
    object: [T] extends [object] ? T & AnyLogFnFields : T,
    message?: T extends string ? never : M,
    ...args: ParseLogFnArgs<M> extends [unknown, ...unknown[]] ? ParseLogFnArgs<M> : unknown[]
  ): void
}

/** Members that every logger has. */
export interface BaseLogger {
  /**
   * The minimum level that is logged. Setting it changes this logger, and the children that inherit it.
   *
   * @throws Error if it is set to an unknown level.
   */
  level: LevelWithSilentOrString
  /** Logs at level 60, and flushes the stream and the exporters synchronously before it returns. It does not end the process. */
  fatal: LogFn
  /** Logs at level 50. */
  error: LogFn
  /** Logs at level 40. */
  warn: LogFn
  /** Logs at level 30. */
  info: LogFn
  /** Logs at level 20. */
  debug: LogFn
  /** Logs at level 10. */
  trace: LogFn
  /** Logs nothing. */
  silent: LogFn
  /** The prefix of each message. */
  get msgPrefix(): string | undefined
}

/** Called when a level is set. */
export type LevelChangeEventListener<
  CustomLevels extends string = never,
  UseOnlyCustomLevels extends boolean = boolean,
> = (
  label: LevelWithSilentOrString,
  value: number,
  previousLabel: LevelWithSilentOrString,
  previousValue: number,
  logger: Logger<CustomLevels, UseOnlyCustomLevels>,
) => void

/** Members of a logger other than its log methods. */
export interface LoggerExtras<
  CustomLevels extends string = never,
  UseOnlyCustomLevels extends boolean = boolean,
> extends EventEmitter {
  /** The version of pino whose interface is implemented. */
  readonly version: string
  /** The levels of this logger, by name and by number. */
  levels: LevelMapping
  /** Exists only for compatibility with pino's type. Neither loggers of pino 10 nor this logger have it. */
  useLevelLabels: boolean
  /** The number of `level`. */
  readonly levelVal: number
  /**
   * Creates a logger that adds `bindings` to each record. Settings that it does not override are inherited from this logger.
   *
   * @throws Error without bindings, or for an unknown level; ConfigurationError for custom levels that conflict with existing ones, or
   * invalid redaction rules.
   */
  child<ChildCustomLevels extends string = never>(
    bindings: Bindings,
    options?: ChildLoggerOptions<ChildCustomLevels>,
  ): Logger<CustomLevels | ChildCustomLevels>
  /** Called with each child logger that is created. If it throws, the failure is reported and the child is returned anyway. */
  onChild: OnChildCallback<CustomLevels>
  /** Calls the listener each time a level is set. */
  on(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  /** Same as `on`. */
  addListener(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  /** Calls the listener the next time a level is set. */
  once(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  /** Same as `on`, but before existing listeners. */
  prependListener(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  /** Same as `once`, but before existing listeners. */
  prependOnceListener(
    event: 'level-change',
    listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>,
  ): this
  /** Removes a listener. */
  removeListener(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  /** Returns whether records of this level are logged; false for an unknown level. */
  isLevelEnabled(level: LevelWithSilentOrString): boolean
  /** Returns the members that the logger adds to each record, as they appear in lines, without `pid` and `hostname`. */
  bindings(): Bindings
  /** Adds members to each record of this logger, and of children created later. */
  setBindings(bindings: Bindings): void
  /** Flushes the stream and the exporters. */
  flush(callback?: (error?: Error) => void): void
}

// The first two members exist only in pino's type, like `useLevelLabels`. TypeScript infers the custom levels of a logger from them.
type CustomLevelLogger<CustomLevels extends string, UseOnlyCustomLevels extends boolean> = {
  customLevels: { [level in CustomLevels]: number }
  useOnlyCustomLevels: UseOnlyCustomLevels
} & {
  [K in Exclude<Level, CustomLevels>]: UseOnlyCustomLevels extends true ? never : LogFn
} & { [K in CustomLevels]: LogFn }

/** A logger with methods for its custom levels. */
export type Logger<CustomLevels extends string = never, UseOnlyCustomLevels extends boolean = boolean> = BaseLogger &
  LoggerExtras<CustomLevels> &
  CustomLevelLogger<CustomLevels, UseOnlyCustomLevels>

/** A destination of lines: any object with a `write` method. */
export interface DestinationStream {
  /** Writes a line, including its line terminator. */
  write(msg: string): void
}

/** A destination that requests metadata of each line with `[Symbol.for('pino.metadata')]: true`. */
export type DestinationStreamWithMetadata = DestinationStream &
  (
    | { [needsMetadataGsym]?: false }
    | {
        [needsMetadataGsym]: true
        /** Level number of the line. */
        lastLevel: number
        /** Time of the line, as it is written in the line. */
        lastTime: string
        /** Message of the line, before redaction. */
        lastMsg: string
        /** The logged object, before serializers and redaction. */
        lastObj: object
        /** The logger that was called. */
        lastLogger: Logger
      }
  )

/** Redaction rules: paths in pino's syntax, `**` for any depth, and the `keys` and `patterns` of this package. */
export type redactOptions = Omit<RedactOptions, 'paths'> & { paths?: readonly string[] }

/** Functions that format parts of a line. */
export interface FormatterOptions {
  /**
   * Returns the members that represent a level. Called for each level when the logger is created, and when a child with `customLevels` is
   * created.
   *
   * @defaultValue the number, as `level`
   */
  level?: (label: string, number: number) => object
  /**
   * Returns the members that represent bindings. A logger that `pino()` creates calls it with `base` and `name`. A child calls it with its
   * own bindings if it is an option of the child.
   *
   * @defaultValue the bindings unchanged
   */
  bindings?: (bindings: Bindings) => object
  /**
   * Returns the members that represent a logged object. If it throws, the failure is reported and none of the object's members are logged.
   *
   * @defaultValue the object unchanged
   */
  log?: (object: object) => object
}

/** Options of `pino()`: those of pino, and exporters and diagnostics in addition. */
export interface LoggerOptions<CustomLevels extends string = never, UseOnlyCustomLevels extends boolean = boolean> {
  /**
   * Modules that receive the lines in a worker thread. Cannot be combined with a stream.
   *
   * @defaultValue none
   */
  transport?: TransportSingleOptions | TransportMultiOptions | TransportPipelineOptions
  /**
   * Value of the member `name` of each line, unless `base` is null.
   *
   * @defaultValue none
   */
  name?: string
  /**
   * Functions that return what is logged for a top-level member, by name.
   *
   * @defaultValue `err`: `stdSerializers.err`
   */
  serializers?: { [key: string | symbol]: SerializerFn }
  /**
   * Function that returns the time of each line, as a member; `false` for no time.
   *
   * @defaultValue `stdTimeFunctions.epochTime`, in milliseconds since the Unix epoch
   */
  timestamp?: TimeFn | boolean
  /**
   * Minimum level that is logged.
   *
   * @defaultValue `info`
   */
  level?: LevelWithSilentOrString
  /**
   * Level numbers by name, in addition to the standard levels. A log method is created for each.
   *
   * @defaultValue none
   */
  customLevels?: { [level in CustomLevels]: number }
  /**
   * Whether the standard levels are omitted. Requires `customLevels`.
   *
   * @defaultValue false
   */
  useOnlyCustomLevels?: UseOnlyCustomLevels
  /**
   * Which records are logged: those with a number of at least the logger's level (`ASC`), of at most the logger's level (`DESC`), or those
   * for which a function returns true.
   *
   * @defaultValue `ASC`
   */
  levelComparison?: 'ASC' | 'DESC' | ((recordLevel: number, loggerLevel: number) => boolean)
  /**
   * Returns members that are added to each record. If it throws, the failure is reported and the record is logged without them.
   *
   * @defaultValue none
   */
  mixin?: MixinFn<CustomLevels>
  /**
   * Merges the logged object with the object that `mixin` returned.
   *
   * @defaultValue all members of both; for the same name, the logged value
   */
  mixinMergeStrategy?: MixinMergeStrategyFn
  /**
   * Paths or rules of redaction, which apply to lines and to exported records.
   *
   * @defaultValue only the values of credential headers and passwords in URLs are redacted
   */
  redact?: readonly string[] | redactOptions
  /**
   * Name of the message in lines.
   *
   * @defaultValue `msg`
   */
  messageKey?: string
  /**
   * Name of a logged Error in lines.
   *
   * @defaultValue `err`
   */
  errorKey?: string
  /**
   * Name of the logged object in lines.
   *
   * @defaultValue none: the object's members are top-level members of the line
   */
  nestedKey?: string
  /**
   * `false` sets the level to `silent`.
   *
   * @defaultValue true
   */
  enabled?: boolean
  /**
   * Options for browser builds. They have no effect in Node.
   *
   * @defaultValue none
   */
  browser?: BrowserOptions
  /**
   * Exists only for compatibility with pino's type. It has no effect: values are always serialized safely.
   *
   * @defaultValue true
   */
  safe?: boolean
  /**
   * Members of each line; null for none.
   *
   * @defaultValue `{ pid, hostname }`
   */
  base?: { [key: string]: unknown } | null
  /**
   * Functions that format parts of a line.
   *
   * @defaultValue none
   */
  formatters?: FormatterOptions
  /**
   * Prefix of each message.
   *
   * @defaultValue none
   */
  msgPrefix?: string
  /**
   * Functions that intercept log calls and lines.
   *
   * @defaultValue none
   */
  hooks?: {
    /** Called instead of a log method, which it calls itself. If it throws before that, the original call is logged. */
    logMethod?: (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void
    /** Returns the text that is written instead of a line. If it throws, only the level, the time and a marker of the error are written. */
    streamWrite?: (s: string) => string
  }
  /**
   * Maximum nesting depth of values that `JSON.stringify` cannot serialize, because they contain a cycle or a BigInt.
   *
   * @defaultValue 5
   */
  depthLimit?: number
  /**
   * Maximum number of members or items per container in values that `JSON.stringify` cannot serialize.
   *
   * @defaultValue 100
   */
  edgeLimit?: number
  /**
   * Called with each child logger that is created.
   *
   * @defaultValue none
   */
  onChild?: OnChildCallback<CustomLevels>
  /**
   * Whether lines end with `\r\n` instead of `\n`.
   *
   * @defaultValue false
   */
  crlf?: boolean
  /**
   * Exports each record as an OpenTelemetry log record in addition to its line, for example with `otlpExporter()`. Severity, attributes,
   * exception and trace context are those of `createLogger`.
   *
   * @defaultValue none
   */
  exporter?: Exporter | readonly Exporter[]
  /**
   * Callback for the diagnostics of this package, including failures of hooks.
   *
   * @defaultValue one line on stderr per code and minute
   */
  onDiagnostic?: OnDiagnostic
}

/** Options that a child logger can override. */
export interface ChildLoggerOptions<CustomLevels extends string = never> {
  /**
   * Minimum level that the child logs.
   *
   * @defaultValue the level of the parent, including later changes unless `customLevels` is set. The parent's current level has the same
   * effect.
   */
  level?: LevelOrString
  /**
   * Serializers in addition to those of the parent. For the same name, the child's serializer is used.
   *
   * @defaultValue those of the parent
   */
  serializers?: { [key: string | symbol]: SerializerFn }
  /**
   * Level numbers by name, instead of the parent's custom levels. They must not reuse names or numbers of the parent's levels.
   *
   * @defaultValue those of the parent
   */
  customLevels?: { [level in CustomLevels]: number }
  /**
   * Formatters instead of those of the parent. `level` applies only together with `customLevels`.
   *
   * @defaultValue those of the parent, except `bindings`
   */
  formatters?: FormatterOptions
  /**
   * Redaction rules instead of those of the parent. In exported records, they apply in addition to those of the parent. Bindings of the
   * parent were already redacted with the parent's rules.
   *
   * @defaultValue those of the parent
   */
  redact?: readonly string[] | redactOptions
  /**
   * Message prefix that follows the prefix of the parent.
   *
   * @defaultValue none
   */
  msgPrefix?: string
}

/** A stream with its minimum level. */
export interface StreamEntry<TLevel = Level> {
  /** Stream that receives the lines. */
  stream: DestinationStream
  /**
   * Minimum level of lines that are written to the stream: a name or a number.
   *
   * @defaultValue `info`
   */
  level?: TLevel
}

/** Options of `multistream()`. */
export interface MultiStreamOptions {
  /**
   * Numbers of custom levels, by name.
   *
   * @defaultValue none
   */
  levels?: Record<string, number>
  /**
   * Whether a line is written only to those streams, among all that accept it, that have the highest minimum level.
   *
   * @defaultValue false
   */
  dedupe?: boolean
}

/** Several streams combined into one. */
export interface MultiStreamRes<TOriginLevel = Level> {
  /**
   * Writes a line to each stream that accepts its level. The logger sets the level on the multistream before the call.
   *
   * @throws the error of a stream, after the line was written to all others.
   */
  write(data: string): void
  /**
   * Adds a stream, which accepts lines from level `info` unless it specifies another.
   *
   * @throws ConfigurationError for a value that is not a stream, or an unknown level name.
   */
  add<TLevel = Level>(dest: StreamEntry<TLevel> | DestinationStream): MultiStreamRes<TOriginLevel & TLevel>
  /** Removes a stream. An unknown id has no effect. */
  remove(id: number): MultiStreamRes<TOriginLevel>
  /** Flushes the streams that support it synchronously. */
  flushSync(): void
  /** Flushes and ends the streams. */
  end(): void
  /** The lowest level number that any stream accepts; -1 after the last stream was removed. */
  minLevel: number
  /** The id of the stream that was added last, for `remove`. */
  lastId: number
  /** The streams, ordered by level. */
  streams: StreamEntry<TOriginLevel>[]
  /** Returns a multistream of the same streams, all with the given level number. */
  clone<const TLevel = Level>(level: TLevel): MultiStreamRes<TLevel>
}
