/// <reference lib="esnext.disposable" preserve="true" />
import type { Handler } from '../handler/handler.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { DeliveryStats } from '../pipeline/counters.ts'
import type { MeterProvider } from '../pipeline/meter.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'
import type { SeverityNumber, StandardLevel } from '../record/severity.ts'
import type { Limits } from '../values/limits.ts'
import type { Redact } from '../redact/redact.ts'
import type { LogMethod } from './log-method.ts'

/** What `level` may be set to: a standard level, one of the logger's own, or `silent`, which lets nothing through. */
export type LevelName<L extends string = never> = L | StandardLevel | 'silent'

/**
 * Turns what stands under a top-level key into what is logged there. Annotate the parameter with the type that stands
 * under that key; without an annotation it is `unknown`.
 */
export type ValueSerializer = { bivarianceHack(value: unknown): unknown }['bivarianceHack']

/** Text that is only known at run time (from configuration) is checked then; a literal is checked by the compiler. */
export type CheckedLevel<S extends string, L extends string> = string extends S ? S : LevelName<L>

/** A LoggerProvider of OpenTelemetry, of either line of its packages. */
export interface AnyLoggerProvider {
  /** The logger of an instrumentation scope. Its records are as the API's LogRecord. */
  getLogger(name: string, version?: string): { emit(record: object): void }
}

/** What a child logger changes. Everything else is its parent's. `N` are the levels' names. */
export interface ChildOptions<N extends string = LevelName> {
  /** The least severe level that is logged. Default: the parent's level at this moment. An unknown name throws. */
  readonly level?: N
  /** Text in front of each message, behind the parent's own. */
  readonly messagePrefix?: string
  /** Rules in addition to the parent's: a child can cover more, never less. */
  readonly redact?: Redact
  /** Serializers by top-level key, over the parent's. */
  readonly serializers?: Readonly<Record<string, ValueSerializer>>
  /** Limits over the parent's. */
  readonly limits?: Limits
  /**
   * The OpenTelemetry `Context` that the child's records belong to, in place of the active one (SDK12): for work that is
   * logged outside of the call chain it belongs to. Its span is read once, now. Default: the parent's, else the active one.
   */
  readonly context?: object
}

/** What `createLogger` takes. Wrong options throw one `ConfigurationError` that lists all problems. */
export interface LoggerOptions<A extends object = object, L extends string = never> {
  /** The instrumentation scope's name: which part of the program speaks. Default: none. */
  readonly name?: string
  /** The instrumentation scope's version. Default: none. */
  readonly version?: string
  /**
   * The least severe level that is logged. Default: `SLUICE_LEVEL`, else `LOG_LEVEL`, else `AWS_LAMBDA_LOG_LEVEL` in the
   * profile `lambda`, else `info`.
   */
  readonly level?: LevelName<NoInfer<L>>
  /** Levels beside the standard ones, with their severity numbers: `{ notice: 10 }` adds `log.notice()`. */
  readonly levels?: Readonly<Record<L, Exclude<SeverityNumber, 0>>>
  /** For the compiler only: the attributes that calls may have. `types: {} as { attributes: Order }`. */
  readonly types?: { readonly attributes?: A }
  /** Attributes of every record, read once, now. */
  readonly attributes?: object
  /** Called for each record that is logged: more attributes, of the lowest precedence. */
  readonly enrich?: () => object | undefined
  /**
   * Puts a handler of one's own in front of the text of each record: it filters, samples or changes records. Called once, now;
   * children share what it returns, whatever their rules. It comes behind the level and `traceBased`, and before `enrich` and
   * redaction. Several are composed: `(next) => a(b(next))`. Default: none.
   */
  readonly handler?: (next: Handler<NoInfer<L>>) => Handler<NoInfer<L>>
  /** Text in front of each message. Default: none. */
  readonly messagePrefix?: string
  /** Serializers by top-level key, beside the standard `err`, `req` and `res`. They run before redaction. */
  readonly serializers?: Readonly<Record<string, ValueSerializer>>
  /** What must not be shown. An array means paths. Default: credentials in members named `headers`, nothing else. */
  readonly redact?: Redact
  /** How much is kept of what is large. */
  readonly limits?: Limits
  /** Resource attributes, over `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` (RES1). */
  readonly resource?: Readonly<Record<string, string | number | boolean>>
  /** Whether records carry the ids of the active span. Default true. */
  readonly traceContext?: boolean
  /** Whether records of spans that are not sampled are left out, and counted as filtered. Default false. */
  readonly traceBased?: boolean
  /**
   * A LoggerProvider of OpenTelemetry, of `@opentelemetry/api` 1.10 or of the older `@opentelemetry/api-logs`: records go
   * there, redacted, instead of to exporters. `'global'` means the one that is registered when a record needs it. The
   * provider is flushed by `flush()`, and never shut down. Excludes `exporter` and `profile`.
   */
  readonly provider?: AnyLoggerProvider | 'global'
  /**
   * Where records go; each exporter has its own queue, level, layout and ledger. Default: `fdExporter()`, in the profile `cli`
   * `fdExporter({ fd: 2 })`.
   */
  readonly exporter?: Exporter | readonly Exporter[]
  /**
   * What kind of program logs. It decides what these options and those of the exporters leave open: when lines are written, what
   * may wait and what happens then, and the exit. `service`: at the end of the turn of the event loop, or up to 1 ms
   * later if many turns log. `lambda`: before the `await` comes back, since the process stands still between two calls; see `withFlush` of `sluice/lambda`. `cli`: to the
   * standard error, in the log call. Default: `SLUICE_PROFILE`; `lambda` where AWS_LAMBDA_FUNCTION_NAME is set; else `service`.
   */
  readonly profile?: 'service' | 'lambda' | 'cli'
  /** Whether what waits is written when the process exits. Default true. */
  readonly handleExit?: boolean
  /** Whether what waits is written on SIGTERM, SIGINT and SIGHUP. Default true; in the profile `lambda` false. */
  readonly handleSignals?: boolean
  /**
   * How long the process may be kept from exiting, in ms, however it exits. An exporter that needs the event loop gets this time at
   * a natural end; what it has not exported then is dropped and counted. Default 2,000; in the profile `lambda` 200.
   */
  readonly exitTimeoutMillis?: number
  /** The time, in ms since the Unix epoch. Default `Date.now`. */
  readonly clock?: () => number
  /** Takes this package's own trouble. Default: one line on stderr for each code and minute. */
  readonly onDiagnostic?: OnDiagnostic
  /**
   * Takes metrics of this logger's own pipelines, by the semantic conventions for OpenTelemetry SDKs (`otel.sdk.*`): the
   * figures of `stats()`. Default: none.
   */
  readonly meterProvider?: MeterProvider
}

/**
 * Logs. The level methods work detached (`promise.catch(log.error)`). A logger that declares attributes or has levels of
 * its own may be handed to code that takes a plain `Logger`.
 */
export type Logger<A extends object = object, L extends string = never> = LoggerCore<A, L> & LevelMethods<A, L>

/** A logger that owns its pipelines: what `createLogger` returns. */
export type RootLogger<A extends object = object, L extends string = never> = Logger<A, L> & LoggerLifecycle

/** One method for each level of the logger's own. */
export type LevelMethods<A extends object, L extends string> = { readonly [K in L]: LogMethod<A> }

/** What every logger has, whatever its levels. */
export interface LoggerCore<A extends object = object, L extends string = never> {
  /** Logs at TRACE (severity number 1). */
  readonly trace: LogMethod<A>
  /** Logs at DEBUG (5). */
  readonly debug: LogMethod<A>
  /** Logs at INFO (9). */
  readonly info: LogMethod<A>
  /** Logs at WARN (13). */
  readonly warn: LogMethod<A>
  /** Logs at ERROR (17). */
  readonly error: LogMethod<A>
  /** Logs at FATAL (21), and writes everything that waits before it returns. */
  readonly fatal: LogMethod<A>
  /** Logs nothing: for code that picks a method by the name of a level. */
  readonly silent: LogMethod<A>
  /** The least severe level that is logged. Setting it changes this logger alone; an unknown name throws. */
  get level(): string
  set level(level: LevelName<L>)
  /** Whether a record of this level would be logged. */
  isLevelEnabled(level: LevelName<L>): boolean
  /**
   * Creates a logger that adds `attributes` to each of its records. They are read, serialized and redacted once, before this returns.
   *
   * Methods of a child can be destructured, replaced by assignment, and spied on with `jest.spyOn` and `vi.spyOn`. They are accessors that
   * the child inherits: `{ ...child }` does not copy them, and `sinon.stub(child, 'info')` needs `.value(fake)`. Those of a logger of
   * `createLogger` are its own properties.
   *
   * @throws ConfigurationError when an option is invalid
   */
  child<S extends string = LevelName<L>>(attributes: object, options?: ChildOptions<CheckedLevel<S, L>>): Logger<A, L>
  /** Waits until what was logged so far has reached its destinations. Never rejects. */
  flush(options?: FlushOptions): Promise<FlushResult>
  /** Writes what was logged so far without the event loop, for at most `deadlineMillis` (default: `exitTimeoutMillis`). */
  flushSync(deadlineMillis?: number): FlushResult
  /** What became of the records, of this logger's whole family. */
  stats(): Stats
}

/** What the owner of pipelines can do beside logging. */
export interface LoggerLifecycle {
  /** Flushes, then closes the exporters. Later records count as dropped (`shutdown`). Never rejects. */
  shutdown(options?: FlushOptions): Promise<FlushResult>
  /** `shutdown()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** How long to wait. */
export interface FlushOptions {
  /** In ms. Default 5,000. */
  readonly timeoutMillis?: number
}

/** How a flush ended. */
export interface FlushResult {
  /** Whether everything logged before has reached its destination. */
  readonly ok: boolean
  /** How many records still wait. */
  readonly pending: number
  /** How many records were lost during this flush. */
  readonly dropped: number
}

/** The ledger of a logger family; the figures are the sums over its exporters, `emitted` excepted. */
export interface Stats extends DeliveryStats {
  /** How many records passed the level test, each counted once. */
  readonly emitted: number
  /** The ledger of each exporter. */
  readonly exporters: readonly ExporterStats[]
}

/** The ledger of one exporter: `emitted = accepted + filtered`. All counts in records. */
export interface ExporterStats extends DeliveryStats {
  /** The exporter's name, for example `fd:1`. */
  readonly name: string
  /** Records that passed the level test, and notices of losses. */
  readonly emitted: number
  /** Taken into its queue, or lost on the way there. */
  readonly accepted: number
  /** Left out by its own level, or by a filter. */
  readonly filtered: number
  /** May have arrived twice. */
  readonly maybeDuplicated: number
  /** Of those queued, the ones that the exporter has and has not answered for. */
  readonly inFlight: number
  /** How many records its queue can hold; Infinity where only bytes are bounded. */
  readonly capacity: number
  /** How many exports have ended. */
  readonly exports: number
  /** How long these took together, in ms, their retries included. */
  readonly exportMillis: number
  /** The last trouble it told. */
  readonly lastProblem?: string
}
