import type * as forBrowsers from '../compat/pino/browser-options.ts'
import { callers } from '../compat/pino/callers.ts'
import { createInstance } from '../compat/pino/create.ts'
import type { Destination } from '../compat/shared/destination/destination.ts'
import { destination as openDestination } from '../compat/pino/destination.ts'
import type { DestinationOptions } from '../compat/shared/destination/options.ts'
import { mappings, type LevelMapping as Mapping } from '../compat/pino/levels.ts'
import { multistream as joinStreams } from '../compat/pino/multistream.ts'
import { normalized } from '../compat/pino/normalize.ts'
import type { ResolvedOptions } from '../compat/pino/options.ts'
import { recordSink, sinkOptions, type GivenExporters } from '../compat/pino/record-sink.ts'
import type { RecordSink } from '../compat/pino/instance.ts'
import type { SerializedError as ErrorData } from '../compat/pino/std-error.ts'
import type { SerializedRequest as RequestData, SerializedResponse as ResponseData } from '../compat/pino/std-http.ts'
import { stdSerializers as serializers, type StdSerializers } from '../compat/pino/std-serializers.ts'
import { symbols as symbolsByName } from '../compat/pino/all-symbols.ts'
import type * as allSymbols from '../compat/pino/symbols.ts'
import { stdTimeFunctions as timeFunctions, type StdTimeFunctions, type TimeFn as Time } from '../compat/pino/time.ts'
import { transport as openTransport } from '../compat/pino/transport.ts'
import type {
  TransportBaseOptions as TransportBase,
  TransportMultiOptions as TransportMulti,
  TransportPipelineOptions as TransportPipeline,
  TransportSingleOptions as TransportSingle,
  TransportTargetOptions as TransportTarget,
} from '../compat/pino/transport-options.ts'
import type { TransportThread } from '../compat/pino/transport-thread.ts'
import type * as types from '../compat/pino/types.ts'
import { version as pinoVersion } from '../compat/pino/version.ts'
import { createLogger } from '../create/create-logger.ts'
import { addMembers } from '../options/define-member.ts'

export type * from '../compat/pino/types.ts'
export type * from '../compat/pino/browser-options.ts'
export type * from '../compat/pino/transport-options.ts'
export type { DestinationOptions } from '../compat/shared/destination/options.ts'
export type { Destination } from '../compat/shared/destination/destination.ts'
export type { LevelMapping } from '../compat/pino/levels.ts'
export type { SerializedError } from '../compat/pino/std-error.ts'
export type { SerializedRequest, SerializedResponse } from '../compat/pino/std-http.ts'
export type { StdSerializers } from '../compat/pino/std-serializers.ts'
export type { StdTimeFunctions, TimeFn } from '../compat/pino/time.ts'
export type { TransportThread } from '../compat/pino/transport-thread.ts'

/** Augment it to say which members logged objects may have. */
// oxlint-disable-next-line typescript/no-empty-object-type -- it is there to be merged with
export interface LogFnFields {}

declare module '../compat/pino/types.js' {
  // An entry is what users can augment: `export =` has it in the namespace, `export` beside it.
  interface AnyLogFnFields extends LogFnFields, pino.LogFnFields {}
}

/** What `pino()` takes first. */
type First<C extends string, U extends boolean> = types.LoggerOptions<C, U> | types.DestinationStream | string

/**
 * A logger with pino's interface, whose lines are pino's byte for byte, where those are valid JSON that says each name once.
 * Without a stream it writes to the standard output at the end of each turn; what waits is bounded, counted, and written when
 * the process ends.
 *
 * @throws ConfigurationError for options that cannot be, with a word on what to do.
 */
export function pino<CustomLevels extends string = never, UseOnlyCustomLevels extends boolean = boolean>(
  options?: First<CustomLevels, UseOnlyCustomLevels>,
  stream?: types.DestinationStream | string,
): types.Logger<CustomLevels, UseOnlyCustomLevels> {
  const given = normalized(options, stream, callers(2))
  const { exporter, onDiagnostic } = given.options
  const records = (resolved: ResolvedOptions, attributes: object): RecordSink | undefined => {
    if (exporter === undefined) return undefined
    const made = sinkOptions(
      resolved,
      attributes,
      exporter as GivenExporters,
      onDiagnostic as types.LoggerOptions['onDiagnostic'],
    )
    return recordSink(createLogger(made), resolved.errorKey)
  }
  return createInstance(given.options, given.stream, records) as unknown as types.Logger<
    CustomLevels,
    UseOnlyCustomLevels
  >
}

/** The same names as members of the function, as pino has them. */
export declare namespace pino {
  export { pino as default, pino }
  /** A stream to a descriptor, a file, or the standard output. */
  export const destination: Destinations
  /** A stream whose lines a worker thread hands to modules made for it. */
  export const transport: Transports
  /** Several streams as one, each with its level. */
  export const multistream: Multistreams
  /** The standard levels. */
  export const levels: Mapping
  /** Serializers to give as options, or to call. */
  export const stdSerializers: StdSerializers
  /** Times to give as the option `timestamp`. */
  export const stdTimeFunctions: StdTimeFunctions
  /** Under which a logger keeps what it is made of. */
  export const symbols: typeof allSymbols
  /** The version of pino whose interface this is. */
  export const version: string

  /** A standard level. */
  export type Level = types.Level
  /** A standard level, or one of a logger's own. */
  export type LevelOrString = types.LevelOrString
  /** A standard level, or `silent` for none. */
  export type LevelWithSilent = types.LevelWithSilent
  /** The same with levels of a logger's own. */
  export type LevelWithSilentOrString = types.LevelWithSilentOrString
  /** Labels by value, and values by label. */
  export type LevelMapping = Mapping
  /** Hears of a change of level. */
  export type LevelChangeEventListener<
    C extends string = never,
    U extends boolean = boolean,
  > = types.LevelChangeEventListener<C, U>
  /** What a logger says with each record. */
  export type Bindings = types.Bindings
  /** Returns what is logged in place of a value. */
  export type SerializerFn = types.SerializerFn
  /** What a line says, once it is parsed. */
  export type LogDescriptor = types.LogDescriptor
  /** A log method. */
  export type LogFn = types.LogFn
  /** Augment it to say which members logged objects may have, where the package is required. */
  // oxlint-disable-next-line typescript/no-empty-object-type -- it is there to be merged with
  export interface LogFnFields {}
  /** The arguments that the placeholders of a literal message ask for. */
  export type ParseLogFnArgs<T, Found extends unknown[] = []> = types.ParseLogFnArgs<T, Found>
  /** Returns what each record says besides. */
  export type MixinFn<C extends string = never> = types.MixinFn<C>
  /** Joins what a call says with what the mixin says. */
  export type MixinMergeStrategyFn = types.MixinMergeStrategyFn
  /** Called with each child. */
  export type OnChildCallback<C extends string = never> = types.OnChildCallback<C>
  /** Rules of redaction. */
  export type redactOptions = types.redactOptions
  /** Takes what pino's build for browsers logs. */
  export type WriteFn = forBrowsers.WriteFn
  /** What pino's build for browsers transmits of a call. */
  export type LogEvent = forBrowsers.LogEvent
  /** What every logger has. */
  export type BaseLogger = types.BaseLogger
  /** A logger with methods for its own levels. */
  export type Logger<C extends string = never, U extends boolean = boolean> = types.Logger<C, U>
  /** What a logger has besides its log methods. */
  export type LoggerExtras<C extends string = never, U extends boolean = boolean> = types.LoggerExtras<C, U>
  /** Options of `pino()`. */
  export type LoggerOptions<C extends string = never, U extends boolean = boolean> = types.LoggerOptions<C, U>
  /** What a child may have of its own. */
  export type ChildLoggerOptions<C extends string = never> = types.ChildLoggerOptions<C>
  /** Where lines go: anything with a method `write`. */
  export type DestinationStream = types.DestinationStream
  /** The same where it asks what each line was made of. */
  export type DestinationStreamWithMetadata = types.DestinationStreamWithMetadata
  /** A stream with the least level that goes to it. */
  export type StreamEntry<L = types.Level> = types.StreamEntry<L>
  /** Options of `multistream()`. */
  export type MultiStreamOptions = types.MultiStreamOptions
  /** Several streams as one. */
  export type MultiStreamRes<L = types.Level> = types.MultiStreamRes<L>
  /** What transports have in common. */
  export type TransportBaseOptions<O = Record<string, unknown>> = TransportBase<O>
  /** One of several targets. */
  export type TransportTargetOptions<O = Record<string, unknown>> = TransportTarget<O>
  /** A transport of one target. */
  export type TransportSingleOptions<O = Record<string, unknown>> = TransportSingle<O>
  /** Transforms, and a target at their end. */
  export type TransportPipelineOptions<O = Record<string, unknown>> = TransportPipeline<O>
  /** Several targets, each with its level. */
  export type TransportMultiOptions<O = Record<string, unknown>> = TransportMulti<O>
  /** An error as a record shows it. */
  export type SerializedError = ErrorData
  /** A request as a record shows it. */
  export type SerializedRequest = RequestData
  /** A response as a record shows it. */
  export type SerializedResponse = ResponseData
  /** Writes a record's time as a member with its comma. */
  export type TimeFn = Time
}

type Destinations = (dest?: number | string | DestinationOptions) => Destination
type Transports = <O = Record<string, unknown>>(
  options: TransportSingle<O> | TransportMulti<O> | TransportPipeline<O>,
) => TransportThread
type Multistreams = <TLevel = types.Level>(
  streams:
    | (types.DestinationStream | types.StreamEntry<TLevel>)[]
    | types.DestinationStream
    | types.StreamEntry<TLevel>,
  options?: types.MultiStreamOptions,
) => types.MultiStreamRes<TLevel>

/** A stream to a descriptor, a file, or the standard output. */
export const destination: Destinations = openDestination

/** A stream whose lines a worker thread hands to modules made for it. */
export const transport: Transports = openTransport as Transports

/** Several streams as one, each with its level. */
export const multistream: Multistreams = joinStreams as never

/** The standard levels. */
export const levels: Mapping = mappings()

/** Serializers to give as options, or to call. */
export const stdSerializers: StdSerializers = serializers

/** Times to give as the option `timestamp`. */
export const stdTimeFunctions: StdTimeFunctions = { ...timeFunctions }

/** Under which a logger keeps what it is made of. */
export const symbols: typeof allSymbols = symbolsByName

/** The version of pino whose interface this is. */
export const version: string = pinoVersion

addMembers(pino, {
  destination,
  transport,
  multistream,
  levels,
  stdSerializers,
  stdTimeFunctions,
  symbols,
  version,
  default: pino,
  pino,
})

/** @alias */
export default pino
