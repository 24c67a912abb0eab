/// <reference lib="esnext.disposable" preserve="true" />
import type { CreateHandler } from '../handler/handler.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { DeliveryStats } from '../pipeline/counters.ts'
import type { MeterProvider } from '../pipeline/meter.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'
import type { SeverityNumber, StandardLevel } from '../record/severity.ts'
import type { Limits } from '../values/limits.ts'
import type { Redact } from '../redact/redact.ts'
import type { RecorderOptions } from '../recorder/options.ts'
import type { LogMethod } from './log-method.ts'

/** A value of `level`: a standard level, one of the logger's own, or `silent`, which logs nothing. */
export type LevelName<L extends string = never> = L | StandardLevel | 'silent'

/**
 * A function that replaces the value of a top-level key before it is logged. Annotate the parameter with the type of that value;
 * without an annotation it is `unknown`.
 */
export type ValueSerializer = { bivarianceHack(value: unknown): unknown }['bivarianceHack']

/**
 * A level name. Text that is known only at run time, such as configuration, is checked at run time; a literal is checked by the
 * compiler.
 */
export type CheckedLevel<S extends string, L extends string> = string extends S ? S : LevelName<L>

/**
 * A level name or level directives, such as `info,db.*=debug`. A literal that is a level name is checked by the compiler; directives are
 * checked at run time.
 */
export type CheckedLevelOption<S extends string, L extends string> = S extends `${string}${'=' | ',' | '['}${string}`
  ? S
  : CheckedLevel<S, L>

/** A LoggerProvider of OpenTelemetry, from either generation of its packages. */
export interface AnyLoggerProvider {
  /** Returns the logger of an instrumentation scope. Its records follow the API's LogRecord. */
  getLogger(name: string, version?: string): { emit(record: object): void }
}

/** The settings that a child logger changes. All others are its parent's. `N` is the type of level names. */
export interface ChildOptions<N extends string = LevelName> {
  /**
   * The name of the instrumentation scope of the child's records, which level directives can select: `'db.pool'`.
   *
   * @defaultValue that of the parent
   */
  readonly name?: string
  /**
   * The least severe level that is logged. A child without this option follows its parent: setting the parent's `level` later
   * changes the child's too. A child with it does not follow. Its own children follow it, and setting `child.level` has the
   * same effect. An unknown name throws.
   *
   * @defaultValue the parent's level, including later changes
   */
  readonly level?: N
  /**
   * Text before each message, after the parent's own prefix.
   *
   * @defaultValue none
   */
  readonly messagePrefix?: string
  /**
   * Redaction rules in addition to the parent's. A child can redact more, never less.
   *
   * @defaultValue the rules of the parent
   */
  readonly redact?: Redact
  /**
   * Serializers by top-level key. They override the parent's.
   *
   * @defaultValue those of the parent
   */
  readonly serializers?: Readonly<Record<string, ValueSerializer>>
  /**
   * Limits. They override the parent's.
   *
   * @defaultValue those of the parent
   */
  readonly limits?: Limits
  /**
   * The OpenTelemetry `Context` of the child's records, instead of the active one: for work that is logged outside the call chain
   * that it belongs to. Its span is read once, when the child is created.
   *
   * @defaultValue the parent's, otherwise the active context
   */
  readonly context?: object
}

/**
 * Options of `createLogger`. Invalid options throw one `ConfigurationError` that lists all problems. `A` are the attributes that calls can
 * have, `L` the names of additional levels, `N` is the type of level names, and `C` that of `attributes`.
 */
export interface LoggerOptions<
  A extends object = object,
  L extends string = never,
  N extends string = LevelName<NoInfer<L>> | (string & {}),
  C extends object = object,
> {
  /**
   * The name of the instrumentation scope: the part of the program that logs.
   *
   * @defaultValue none
   */
  readonly name?: string
  /**
   * The version of the instrumentation scope.
   *
   * @defaultValue none
   */
  readonly version?: string
  /**
   * The least severe level that is logged. Setting `log.level` changes it later. Children without a level of their own follow
   * both. An unknown name throws.
   *
   * Directives, such as `info,db.*=debug,[tenant=acme]=trace`, also set the levels of children by name and of records by attribute.
   *
   * @defaultValue `SLUICE_LEVEL`, otherwise `LOG_LEVEL`, otherwise `AWS_LAMBDA_LOG_LEVEL` in the profile `lambda`, otherwise
   * `info`
   */
  readonly level?: N
  /**
   * Additional levels with their severity numbers: `{ notice: 10 }` adds `log.notice()`.
   *
   * @defaultValue none
   */
  readonly levels?: Readonly<Record<L, Exclude<SeverityNumber, 0>>>
  /**
   * The type of the attributes that calls can have, used only by the compiler: `types: {} as { attributes: Order }`.
   *
   * @defaultValue attributes of any type
   */
  readonly types?: { readonly attributes?: A }
  /**
   * Attributes of every record. They are read once, when the logger is created.
   *
   * @defaultValue none
   */
  readonly attributes?: C
  /**
   * A function that returns additional attributes. All others except those of `baggage` override them. Called for each logged
   * record.
   *
   * @defaultValue none
   */
  readonly enrich?: () => object | undefined
  /**
   * Wraps the handler of records to filter, sample or change them before they are encoded. The function is called once, when the
   * logger is created; children share the handler that it returns, whatever their rules. The handler is called after the level
   * and `traceBased` are tested, and before `enrich` and redaction. Compose several handlers with `compose` of `sluice/handlers`.
   *
   * @defaultValue none
   */
  readonly handler?: CreateHandler<NoInfer<L>>
  /**
   * Text before each message.
   *
   * @defaultValue none
   */
  readonly messagePrefix?: string
  /**
   * Serializers by top-level key, in addition to the standard `err`, `req` and `res`. They run before redaction.
   *
   * @defaultValue the standard ones
   */
  readonly serializers?: Readonly<Record<string, ValueSerializer>>
  /**
   * Redaction rules. An array is shorthand for `{ paths: [...] }`.
   *
   * @defaultValue redaction of credentials in members named `headers`
   */
  readonly redact?: Redact
  /**
   * Limits on the size of logged values and records.
   *
   * @defaultValue the defaults of `Limits`
   */
  readonly limits?: Limits
  /**
   * Resource attributes. They override `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`.
   *
   * @defaultValue the attributes of the environment
   */
  readonly resource?: Readonly<Record<string, string | number | boolean>>
  /**
   * Entries of OpenTelemetry's baggage that are copied to attributes: names, or beginnings of names that end with `*`, such as
   * `user.*`. They come from the record's context, and have the lowest precedence, because other services choose them.
   *
   * @defaultValue none
   */
  readonly baggage?: readonly string[]
  /**
   * The flight recorder: it holds records below the logger's level in memory, and writes those of a request, trace or other key when a
   * record of the same key has the level `trigger`. All options have defaults: `recorder: {}` records debug messages by trace. Cannot be
   * combined with `provider`.
   *
   * @defaultValue none
   */
  readonly recorder?: RecorderOptions<NoInfer<L>>
  /**
   * Whether records contain the IDs of the active span.
   *
   * @defaultValue true
   */
  readonly traceContext?: boolean
  /**
   * Whether records of spans that are not sampled are dropped and counted as filtered.
   *
   * @defaultValue false
   */
  readonly traceBased?: boolean
  /**
   * A LoggerProvider of OpenTelemetry, from `@opentelemetry/api` 1.10 or the older `@opentelemetry/api-logs`. Records are
   * redacted and emitted to it instead of to exporters. `'global'` is the provider that is registered when a record is logged. The
   * provider is flushed by `flush()` and never shut down. Cannot be combined with `exporter` or `profile`.
   *
   * @defaultValue none
   */
  readonly provider?: AnyLoggerProvider | 'global'
  /**
   * The destination or destinations of records. Each exporter has its own level, layout and delivery statistics. Exporters of the
   * same file or descriptor share a queue.
   *
   * @defaultValue `fdExporter()`; in the profile `cli`, `fdExporter({ fd: 2 })`
   */
  readonly exporter?: Exporter | readonly Exporter[]
  /**
   * The kind of program. It sets the defaults of these options and those of the exporters: when lines are written, the queue
   * limits and overflow policy, and the behavior at exit.
   *
   * - `service`: writes at the end of the event-loop turn, or up to 1 ms later if many turns log.
   * - `lambda`: writes before an `await` returns, because the process is frozen between two calls; see `withFlush` of
   *   `sluice/lambda`.
   * - `cli`: writes to standard error, in the log call.
   *
   * @defaultValue `SLUICE_PROFILE`; otherwise `lambda` if `AWS_LAMBDA_FUNCTION_NAME` is set; otherwise `service`
   */
  readonly profile?: 'service' | 'lambda' | 'cli'
  /**
   * Whether queued records are written when the process exits.
   *
   * @defaultValue true
   */
  readonly handleExit?: boolean
  /**
   * Whether queued records are written on SIGTERM, SIGINT and SIGHUP.
   *
   * @defaultValue true; false in the profile `lambda`
   */
  readonly handleSignals?: boolean
  /**
   * How long the exit of the process may be delayed, in ms, however it exits. An exporter that needs the event loop has this time
   * when the process exits because the event loop is empty; records that it has not exported by then are dropped and counted.
   *
   * @defaultValue 2,000; 200 in the profile `lambda`
   */
  readonly exitTimeoutMillis?: number
  /**
   * Returns the time in ms since the Unix epoch.
   *
   * @defaultValue `Date.now`
   */
  readonly clock?: () => number
  /**
   * Called with each diagnostic of this package.
   *
   * @defaultValue one line on stderr per code and minute
   */
  readonly onDiagnostic?: OnDiagnostic
  /**
   * The MeterProvider that receives metrics of this logger's own pipelines, following the semantic conventions for OpenTelemetry
   * SDKs (`otel.sdk.*`). They have the values of `stats()`.
   *
   * @defaultValue none
   */
  readonly meterProvider?: MeterProvider
}

/**
 * A logger. The level methods work detached (`promise.catch(log.error)`). A logger that declares attributes or has additional
 * levels can be passed to code that accepts a plain `Logger`. `A` are the attributes that calls can have, `L` the names of additional
 * levels, and `B` the names of the attributes that the logger adds to each record.
 */
export type Logger<A extends object = object, L extends string = never, B extends string = never> = LoggerCore<
  A,
  L,
  B
> &
  LevelMethods<A, L, B>

/** A logger that owns its pipelines, as `createLogger` returns it. */
export type RootLogger<A extends object = object, L extends string = never, B extends string = never> = Logger<
  A,
  L,
  B
> &
  LoggerLifecycle

/** One method for each additional level of the logger. */
export type LevelMethods<A extends object, L extends string, B extends string = never> = {
  readonly [K in L]: LogMethod<A, B>
}

/** The attributes `A`, of which those with a name of `N` are optional. */
export type WithOptional<A extends object, N extends string> = [keyof A & N] extends [never]
  ? A
  : Omit<A, N> & Partial<Pick<A, keyof A & N>>

/** The names of the attributes that every value of type `C` has. */
export type BoundNames<C> = keyof { [K in keyof C as {} extends Pick<C, K> ? never : K]: 1 } & string

/** The members that every logger has, whatever its levels. */
export interface LoggerCore<A extends object = object, L extends string = never, B extends string = never> {
  /** Logs at TRACE (severity number 1). */
  readonly trace: LogMethod<A, B>
  /** Logs at DEBUG (5). */
  readonly debug: LogMethod<A, B>
  /** Logs at INFO (9). */
  readonly info: LogMethod<A, B>
  /** Logs at WARN (13). */
  readonly warn: LogMethod<A, B>
  /** Logs at ERROR (17). */
  readonly error: LogMethod<A, B>
  /**
   * Logs at FATAL (21), and before it returns, writes all queued records that exporters can write without the event loop, for at most
   * `exitTimeoutMillis`.
   */
  readonly fatal: LogMethod<A, B>
  /** Logs nothing. For code that selects a method by the name of a level. */
  readonly silent: LogMethod<A, B>
  /**
   * The least severe level that is logged. Setting it takes effect immediately, for this logger and for existing and later
   * children without a level of their own, at any depth. It never changes the parent's level or other children. A child whose
   * level was set no longer follows its parent. An unknown name throws.
   */
  get level(): string
  set level(level: LevelName<L>)
  /** Returns whether a record of this level would be logged. */
  isLevelEnabled<S extends string = string>(level: CheckedLevel<S, L>): boolean
  /**
   * Creates a logger that adds `attributes` to each of its records. They are read, serialized and redacted once, before this
   * returns.
   *
   * Methods of a child can be destructured, replaced by assignment, and spied on with `jest.spyOn` and `vi.spyOn`. They are
   * accessors that the child inherits: `{ ...child }` does not copy them, and `sinon.stub(child, 'info')` needs `.value(fake)`.
   * The methods of a logger that `createLogger` returned are its own properties.
   *
   * @throws ConfigurationError if an option is invalid
   */
  child<C extends object, S extends string = string>(
    attributes: C,
    options?: ChildOptions<CheckedLevel<S, L>>,
  ): Logger<WithOptional<A, BoundNames<C>>, L, B | BoundNames<C>>
  /** Waits until all records logged so far have reached their destinations. Never rejects. */
  flush(options?: FlushOptions): Promise<FlushResult>
  /**
   * Writes the records logged so far that exporters can write without the event loop.
   *
   * @param timeoutMillis - maximum duration in ms; default: `exitTimeoutMillis`
   */
  flushSync(timeoutMillis?: number): FlushResult
  /** Returns the delivery statistics of the root logger and all its children. */
  stats(): Stats
}

/** The members of a logger that owns its pipelines. */
export interface LoggerLifecycle {
  /** Flushes, then closes the exporters. Records logged later count as dropped (`shutdown`). Never rejects. */
  shutdown(options?: FlushOptions): Promise<FlushResult>
  /** Calls `shutdown()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Options of a flush or shutdown. */
export interface FlushOptions {
  /**
   * The maximum time to wait, in ms.
   *
   * @defaultValue 5,000
   */
  readonly timeoutMillis?: number
}

/** The result of a flush. */
export interface FlushResult {
  /** Whether all records logged before have reached their destination. */
  readonly ok: boolean
  /** The number of records still queued. */
  readonly pending: number
  /** The number of records that were lost during this flush. */
  readonly dropped: number
}

/** The delivery statistics of a root logger and all its children. The values are sums over its exporters, except `emitted`. */
export interface Stats extends DeliveryStats {
  /** The number of records that passed the level test, each counted once. */
  readonly emitted: number
  /**
   * The number of records that the option `handler` filtered, by the reason that the handler gave, or `handler` without one. Each
   * record is counted once; `filtered` of each exporter includes it.
   */
  readonly filteredByReason: Readonly<Record<string, number>>
  /** The delivery statistics of each exporter. */
  readonly exporters: readonly ExporterStats[]
}

/** The delivery statistics of one exporter: `emitted = accepted + filtered + recorded`. Counts are in records. */
export interface ExporterStats extends DeliveryStats {
  /** The exporter's name, for example `fd:1`. */
  readonly name: string
  /** Records that passed the level test, and drop reports. */
  readonly emitted: number
  /** Records that were queued, or dropped before they were queued. */
  readonly accepted: number
  /** Records that were dropped by the exporter's own level, by a filter, or by the flight recorder. */
  readonly filtered: number
  /** Records that the flight recorder holds now. Later, each of them counts in `accepted` or `filtered` instead. */
  readonly recorded: number
  /** Held records that the flight recorder has released. They count in `accepted`. */
  readonly released: number
  /** Held records that the flight recorder has discarded: the key ended, or a limit was reached. They count in `filtered`. */
  readonly expired: number
  /** Records that may have arrived twice. */
  readonly maybeDuplicated: number
  /** Queued records that have been handed to the exporter and have no result yet. */
  readonly inFlight: number
  /** The number of records that the queue can hold; Infinity if only its bytes are limited. */
  readonly capacity: number
  /** The number of completed exports. */
  readonly exports: number
  /** The total duration of these exports in ms, including retries. */
  readonly exportMillis: number
  /** The last diagnostic that the exporter reported. */
  readonly lastProblem?: string
}
