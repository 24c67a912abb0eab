import type { EventEmitter } from 'node:events'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnProblem } from '../../record/problems.ts'
import type { RedactOptions } from '../../rules/redact.ts'
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

/** Augment it to say which members logged objects may have. */
// oxlint-disable-next-line typescript/no-empty-object-type -- it is there to be merged with
export interface LogFnFields {}

/** A log method: a message with its arguments, or an object, then a message. */
export interface LogFn {
  <M extends string = string>(message: M, ...args: ParseLogFnArgs<M>): void
  <T, M extends string = string>(
    object: [T] extends [object] ? T & LogFnFields : T,
    message?: T extends string ? never : M,
    ...args: ParseLogFnArgs<M> | []
  ): void
  <T, M extends string = string>(
    object: [T] extends [object] ? T & LogFnFields : T,
    message?: T extends string ? never : M,
    ...args: ParseLogFnArgs<M> extends [unknown, ...unknown[]] ? ParseLogFnArgs<M> : unknown[]
  ): void
}

/** What every logger has. */
export interface BaseLogger {
  /** The least severe level that is logged. Setting it changes this logger, and children that have none of their own. */
  level: LevelWithSilentOrString
  fatal: LogFn
  error: LogFn
  warn: LogFn
  info: LogFn
  debug: LogFn
  trace: LogFn
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
  readonly version: string
  levels: LevelMapping
  /** It stands in pino's type, and so a logger is one of pino's to the compiler. No logger of pino 10 has it, nor has this one. */
  useLevelLabels: boolean
  /** The number of the level. */
  readonly levelVal: number
  child<ChildCustomLevels extends string = never>(
    bindings: Bindings,
    options?: ChildLoggerOptions<ChildCustomLevels>,
  ): Logger<CustomLevels | ChildCustomLevels>
  onChild: OnChildCallback<CustomLevels>
  on(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  addListener(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  once(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  prependListener(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  prependOnceListener(
    event: 'level-change',
    listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>,
  ): this
  removeListener(event: 'level-change', listener: LevelChangeEventListener<CustomLevels, UseOnlyCustomLevels>): this
  isLevelEnabled(level: LevelWithSilentOrString): boolean
  bindings(): Bindings
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
  write(msg: string): void
}

/** The same where it asks, by `[Symbol.for('pino.metadata')]: true`, what each line was made of. */
export type DestinationStreamWithMetadata = DestinationStream &
  (
    | { [needsMetadataGsym]?: false }
    | {
        [needsMetadataGsym]: true
        lastLevel: number
        lastTime: string
        lastMsg: string
        lastObj: object
        lastLogger: Logger
      }
  )

/** Rules of redaction: paths as pino has them, `**` for any depth, and the `keys` and `patterns` of this package. */
export type redactOptions = Omit<RedactOptions, 'paths'> & { paths?: readonly string[] }

/** Functions that shape a line. */
export interface FormatterOptions {
  level?: (label: string, number: number) => object
  bindings?: (bindings: Bindings) => object
  log?: (object: object) => object
}

/** Options of `pino()`: pino's, and what takes records besides the lines. */
export interface LoggerOptions<CustomLevels extends string = never, UseOnlyCustomLevels extends boolean = boolean> {
  transport?: TransportSingleOptions | TransportMultiOptions | TransportPipelineOptions
  name?: string
  serializers?: { [key: string | symbol]: SerializerFn }
  timestamp?: TimeFn | boolean
  level?: LevelWithSilentOrString
  customLevels?: { [level in CustomLevels]: number }
  useOnlyCustomLevels?: UseOnlyCustomLevels
  levelComparison?: 'ASC' | 'DESC' | ((current: number, expected: number) => boolean)
  mixin?: MixinFn<CustomLevels>
  mixinMergeStrategy?: MixinMergeStrategyFn
  redact?: readonly string[] | redactOptions
  messageKey?: string
  errorKey?: string
  nestedKey?: string
  enabled?: boolean
  /** For builds for browsers, where it means something; nothing in Node. */
  browser?: object
  base?: { [key: string]: unknown } | null
  formatters?: FormatterOptions
  msgPrefix?: string
  hooks?: {
    logMethod?: (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void
    streamWrite?: (s: string) => string
  }
  depthLimit?: number
  edgeLimit?: number
  onChild?: OnChildCallback<CustomLevels>
  crlf?: boolean
  /**
   * Takes each record as an OpenTelemetry log record, beside the line that goes to the stream: `otlpExporter()`, for example.
   * Severity, attributes, exception and trace context are those of `createLogger`. Default: none.
   */
  exporter?: Exporter | readonly Exporter[]
  /** Takes this package's own trouble, and that of hooks. Default: one line on stderr for each code and minute. */
  onProblem?: OnProblem
}

/** What a child may have of its own. */
export interface ChildLoggerOptions<CustomLevels extends string = never> {
  level?: LevelOrString
  serializers?: { [key: string | symbol]: SerializerFn }
  customLevels?: { [level in CustomLevels]: number }
  formatters?: FormatterOptions
  redact?: readonly string[] | redactOptions
  msgPrefix?: string
}

/** A stream with the least level that goes to it. */
export interface StreamEntry<TLevel = Level> {
  stream: DestinationStream
  level?: TLevel
}

/** Options of `multistream()`. */
export interface MultiStreamOptions {
  levels?: Record<string, number>
  dedupe?: boolean
}

/** Several streams as one. */
export interface MultiStreamRes<TOriginLevel = Level> {
  write(data: string): void
  add<TLevel = Level>(dest: StreamEntry<TLevel> | DestinationStream): MultiStreamRes<TOriginLevel & TLevel>
  remove(id: number): MultiStreamRes<TOriginLevel>
  flushSync(): void
  end(): void
  minLevel: number
  lastId: number
  streams: StreamEntry<TOriginLevel>[]
  clone<const TLevel = Level>(level: TLevel): MultiStreamRes<TLevel>
}
