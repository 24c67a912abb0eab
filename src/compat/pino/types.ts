import type { EventEmitter } from 'node:events'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { RedactOptions } from '../../redact/redact.ts'
import type { BrowserOptions } from './browser-options.ts'
import type { LevelMapping, StandardLevel } from './levels.ts'
import type { TimeFn } from './time.ts'
import type { TransportMultiOptions, TransportPipelineOptions, TransportSingleOptions } from './transport-options.ts'
import type { needsMetadataGsym } from './symbols.ts'

/** A standard level. */
export type Level = StandardLevel
/** A standard level, or one of a logger's own. */
export type LevelOrString = Level | (string & {})
/** A level, or `silent` for none. */
export type LevelWithSilent = Level | 'silent'
/** The same with levels of a logger's own. */
export type LevelWithSilentOrString = LevelWithSilent | (string & {})

/** What a logger says with each record. */
// oxlint-disable-next-line typescript/no-explicit-any -- whoever reads one back knows what it is
export type Bindings = Record<string, any>
/** Returns what is logged in place of a value. */
// oxlint-disable-next-line typescript/no-explicit-any -- it takes what one key holds
export type SerializerFn = (value: any) => unknown
/** What a line says, once it is parsed. */
// oxlint-disable-next-line typescript/no-explicit-any -- of anybody
export type LogDescriptor = Record<string, any>
/** Returns what each record says besides. */
export type MixinFn<CustomLevels extends string = never> = (
  mergeObject: object,
  level: number,
  logger: Logger<CustomLevels>,
) => object
/** Joins what a call says with what the mixin says. */
export type MixinMergeStrategyFn = (mergeObject: object, mixinObject: object) => object
/** Called with each child. */
export type OnChildCallback<CustomLevels extends string = never> = (child: Logger<CustomLevels>) => void

type Placeholder = 'd' | 's' | 'j' | 'o' | 'O'
type Inserted<P extends Placeholder> = P extends 'd' ? number : P extends 's' ? unknown : {} | null

/** The arguments that the placeholders of a literal message ask for. */
export type ParseLogFnArgs<T, Found extends unknown[] = []> = T extends `${string}%${infer P}${infer Rest}`
  ? P extends Placeholder
    ? ParseLogFnArgs<Rest, [...Found, Inserted<P>]>
    : ParseLogFnArgs<Rest, Found>
  : Found

/** Which members logged objects may have: what users augment in the entry is merged into it there. */
// oxlint-disable-next-line typescript/no-empty-object-type -- it is there to be merged with
export interface AnyLogFnFields {}

/** A log method: a message with its arguments, or an object, then a message. */
export interface LogFn {
  /** A message, and what fills its placeholders: `%s %d %i %f %j %o %O`, and `%%` for a percent sign. */
  <M extends string = string>(message: M, ...args: ParseLogFnArgs<M>): void
  /** An object of fields, or an Error, which stands under `errorKey`; then a message, if there is one. */
  <T, M extends string = string>(
    object: [T] extends [object] ? T & AnyLogFnFields : T,
    message?: T extends string ? never : M,
    ...args: ParseLogFnArgs<M> | []
  ): void
  /** An object of fields, or an Error; then a message, and what fills its placeholders. */
  <T, M extends string = string>(
    object: [T] extends [object] ? T & AnyLogFnFields : T,
    message?: T extends string ? never : M,
    ...args: ParseLogFnArgs<M> extends [unknown, ...unknown[]] ? ParseLogFnArgs<M> : unknown[]
  ): void
}

/** What every logger has. */
export interface BaseLogger {
  /**
   * The least severe level that is logged. Setting it changes this logger, and children that have none of their own. Throws an
   * Error for an unknown one.
   */
  level: LevelWithSilentOrString
  /** Logs at level 60, and has the stream write what waits before it returns. It does not end the process. */
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
  /** What stands in front of each message. */
  get msgPrefix(): string | undefined
}

/** Hears of a change of level. */
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

/** What a logger has besides its methods. */
export interface LoggerExtras<
  CustomLevels extends string = never,
  UseOnlyCustomLevels extends boolean = boolean,
> extends EventEmitter {
  /** The version of pino whose interface this is. */
  readonly version: string
  /** The levels of this logger, by name and by number. */
  levels: LevelMapping
  /** It stands in pino's type, and so a logger is one of pino's to the compiler. No logger of pino 10 has it, nor has this one. */
  useLevelLabels: boolean
  /** The number of the level. */
  readonly levelVal: number
  /**
   * Makes a logger that says `bindings` with each record. What it has not of its own it has of this one. Throws an Error
   * without bindings, and a ConfigurationError for levels that clash.
   */
  child<ChildCustomLevels extends string = never>(
    bindings: Bindings,
    options?: ChildLoggerOptions<ChildCustomLevels>,
  ): Logger<CustomLevels | ChildCustomLevels>
  /** Called with each child that is made. What it throws is told, and the child is there all the same. */
  onChild: OnChildCallback<CustomLevels>
  /** Calls the listener each time that a level is set. */
  on(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  /** The same as `on`. */
  addListener(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  /** Calls the listener when a level is set next, and no more. */
  once(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  /** The same as `on`, in front of the listeners that are there. */
  prependListener(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  /** The same as `once`, in front of the listeners that are there. */
  prependOnceListener(
    event: 'level-change',
    listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>,
  ): this
  /** Has a listener called no more. */
  removeListener(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  /** Whether a record of this level is logged. False for a level that is unknown. */
  isLevelEnabled(level: LevelWithSilentOrString): boolean
  /** What the logger says with each record, as its lines show it; without `pid` and `hostname`. */
  bindings(): Bindings
  /** Says more with each record of this logger, and of the children that it makes from now on. */
  setBindings(bindings: Bindings): void
  /** Has the stream, and the exporters, write what waits. */
  flush(callback?: (error?: Error) => void): void
}

// The first two stand in pino's type alone, as `useLevelLabels` does: by them a compiler finds out which levels a logger has.
type CustomLevelLogger<CustomLevels extends string, UseOnlyCustomLevels extends boolean> = {
  customLevels: { [level in CustomLevels]: number }
  useOnlyCustomLevels: UseOnlyCustomLevels
} & {
  [K in Exclude<Level, CustomLevels>]: UseOnlyCustomLevels extends true ? never : LogFn
} & { [K in CustomLevels]: LogFn }

/** A logger with methods for its own levels. */
export type Logger<CustomLevels extends string = never, UseOnlyCustomLevels extends boolean = boolean> = BaseLogger &
  LoggerExtras<CustomLevels> &
  CustomLevelLogger<CustomLevels, UseOnlyCustomLevels>

/** Where lines go: anything with a method `write`. */
export interface DestinationStream {
  /** Takes a line, with its end of line. */
  write(msg: string): void
}

/** The same where it asks, by `[Symbol.for('pino.metadata')]: true`, what each line was made of. */
export type DestinationStreamWithMetadata = DestinationStream &
  (
    | { [needsMetadataGsym]?: false }
    | {
        [needsMetadataGsym]: true
        /** The number of the line's level. */
        lastLevel: number
        /** Its time, as the line says it. */
        lastTime: string
        /** Its message, before redaction. */
        lastMsg: string
        /** The object that was logged, before serializers and redaction. */
        lastObj: object
        /** The logger that was called. */
        lastLogger: Logger
      }
  )

/** Rules of redaction: paths as pino has them, `**` for any depth, and the `keys` and `patterns` of this package. */
export type redactOptions = Omit<RedactOptions, 'paths'> & { paths?: readonly string[] }

/** Functions that shape a line. */
export interface FormatterOptions {
  /**
   * Returns what a line says of its level. It is called for each level when the logger is made. Default: the number, as
   * `level`.
   */
  level?: (label: string, number: number) => object
  /**
   * Returns what is said of bindings. A logger calls it with `base` and `name`; a child that is given one, with its own
   * bindings. Default: the bindings as they are.
   */
  bindings?: (bindings: Bindings) => object
  /**
   * Returns what is said of each logged object. What it throws is told, and nothing of the object is said. Default: the object
   * as it is.
   */
  log?: (object: object) => object
}

/** Options of `pino()`: pino's, and what takes records besides the lines. */
export interface LoggerOptions<CustomLevels extends string = never, UseOnlyCustomLevels extends boolean = boolean> {
  /** What a worker thread does with the lines; it stands in place of a stream. Default: none. */
  transport?: TransportSingleOptions | TransportMultiOptions | TransportPipelineOptions
  /** Stands in each line as `name`, unless `base` is null. Default: none. */
  name?: string
  /** What is said in place of a value, by its name at the top level. Default: `err`, as `stdSerializers.err` has it. */
  serializers?: { [key: string | symbol]: SerializerFn }
  /** Writes the time of each line; false: no time. Default: `stdTimeFunctions.epochTime`, in ms since the Unix epoch. */
  timestamp?: TimeFn | boolean
  /** The least severe level that is logged. Default `info`. */
  level?: LevelWithSilentOrString
  /** Levels by name, beside the standard ones: each is a method. Default: none. */
  customLevels?: { [level in CustomLevels]: number }
  /** Whether the standard levels are left out. It needs `customLevels`. Default false. */
  useOnlyCustomLevels?: UseOnlyCustomLevels
  /**
   * What is logged: records whose number is at least that of the logger's level (`ASC`), at most that (`DESC`), or as a
   * function says. Default `ASC`.
   */
  levelComparison?: 'ASC' | 'DESC' | ((current: number, expected: number) => boolean)
  /** Returns what each record says besides. What it throws is told, and the record is written without it. Default: none. */
  mixin?: MixinFn<CustomLevels>
  /** Joins the logged object with what `mixin` returned. Default: both, and of one name the logged one. */
  mixinMergeStrategy?: MixinMergeStrategyFn
  /** What must not leave: paths, or rules. It holds in lines, and for exporters. Default: nothing. */
  redact?: readonly string[] | redactOptions
  /** The name under which a line says its message. Default `msg`. */
  messageKey?: string
  /** The name under which a logged Error stands. Default `err`. */
  errorKey?: string
  /** The name under which the logged object stands. Default: none, its members stand in the line itself. */
  nestedKey?: string
  /** False: the level is `silent`. Default true. */
  enabled?: boolean
  /** For builds for browsers, where it means something; nothing in Node. */
  browser?: BrowserOptions
  /** It stands in pino's type and means nothing: objects are always written with care. */
  safe?: boolean
  /** Stands in each line; null: nothing does. Default `{ pid, hostname }`. */
  base?: { [key: string]: unknown } | null
  /** Functions that shape a line. Default: none. */
  formatters?: FormatterOptions
  /** Stands in front of each message. Default: nothing. */
  msgPrefix?: string
  /** Functions around each log call, and each line. Default: none. */
  hooks?: {
    /** Called in place of a log method, which it calls itself. If it throws before it has, the record is logged as it was. */
    logMethod?: (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void
    /** Returns what is written in place of a line. If it throws, nothing of the line is written but its level and time. */
    streamWrite?: (s: string) => string
  }
  /** How many containers deep values are read that JSON cannot say as they are, for a cycle or a BigInt in them. Default 5. */
  depthLimit?: number
  /** How many members, or items, of each container are read of such values. Default 100. */
  edgeLimit?: number
  /** Called with each child that is made. Default: nothing. */
  onChild?: OnChildCallback<CustomLevels>
  /** Whether lines end with `\r\n`, and not with `\n`. Default false. */
  crlf?: boolean
  /**
   * Takes each record as an OpenTelemetry log record, beside the line that goes to the stream: `otlpExporter()`, for example.
   * Severity, attributes, exception and trace context are those of `createLogger`. Default: none.
   */
  exporter?: Exporter | readonly Exporter[]
  /** Takes this package's own trouble, and that of hooks. Default: one line on stderr for each code and minute. */
  onDiagnostic?: OnDiagnostic
}

/** What a child may have of its own. */
export interface ChildLoggerOptions<CustomLevels extends string = never> {
  /** The least severe level that the child logs. Default: that of its parent, now and later. */
  level?: LevelOrString
  /** Serializers beside those of the parent; of one name the child's. Default: the parent's. */
  serializers?: { [key: string | symbol]: SerializerFn }
  /** Levels by name, in place of the parent's own; neither names nor numbers may be among its levels. Default: the parent's. */
  customLevels?: { [level in CustomLevels]: number }
  /** Formatters in place of the parent's: `level` counts with `customLevels`. Default: the parent's, without `bindings`. */
  formatters?: FormatterOptions
  /** Rules in place of the parent's. What the parent has bound is in its lines already. Default: the parent's. */
  redact?: readonly string[] | redactOptions
  /** Stands behind the parent's prefix, in front of each message. Default: nothing. */
  msgPrefix?: string
}

/** A stream with the least level that goes to it. */
export interface StreamEntry<TLevel = Level> {
  /** Where the lines go. */
  stream: DestinationStream
  /** The least level that goes there: a name, or a number. Default `info`. */
  level?: TLevel
}

/** Options of `multistream()`. */
export interface MultiStreamOptions {
  /** Numbers of levels that are not standard, by name. Default: none. */
  levels?: Record<string, number>
  /** Whether a line goes only to the streams of the highest level that takes it. Default false: to all that take it. */
  dedupe?: boolean
}

/** Several streams as one. */
export interface MultiStreamRes<TOriginLevel = Level> {
  /**
   * Hands a line to each stream that takes its level, which loggers say beforehand. Throws what a stream throws, once all have
   * it.
   */
  write(data: string): void
  /**
   * Adds a stream, which takes lines from `info` unless it says a level. Throws a ConfigurationError for what is no stream, and for
   * the name of a level that there is not.
   */
  add<TLevel = Level>(dest: StreamEntry<TLevel> | DestinationStream): MultiStreamRes<TOriginLevel & TLevel>
  /** Takes a stream out. An id that is unknown changes nothing. */
  remove(id: number): MultiStreamRes<TOriginLevel>
  /** Has the streams that can do so write what waits. */
  flushSync(): void
  /** Has the streams write what waits, and ends them. */
  end(): void
  /** The least number of a level that any stream takes; -1 where the last one was taken out. */
  minLevel: number
  /** The id of the stream that was added last, for `remove`. */
  lastId: number
  /** The streams, in the order of their levels. */
  streams: StreamEntry<TOriginLevel>[]
  /** The same streams, all of them from one level: its number. */
  clone<const TLevel = Level>(level: TLevel): MultiStreamRes<TLevel>
}
