import type * as forBrowsers from '../compat/pino/browser-options.ts'
import { getCallerFiles } from '../compat/pino/caller-files.ts'
import { createInstance } from '../compat/pino/create.ts'
import type { Destination } from '../compat/shared/destination/destination.ts'
import { destination as openDestination } from '../compat/pino/destination.ts'
import type { DestinationOptions } from '../compat/shared/destination/options.ts'
import { createLevelMapping, type LevelMapping as Mapping } from '../compat/pino/levels.ts'
import { multistream as joinStreams } from '../compat/pino/multistream.ts'
import { normalizeArguments } from '../compat/pino/normalize.ts'
import type { ResolvedOptions } from '../compat/pino/options.ts'
import { createRecordSink, exportingLoggerOptions, type GivenExporters } from '../compat/pino/record-sink.ts'
import type { RecordSink } from '../compat/pino/instance.ts'
import type { SerializedError as ErrorData } from '../compat/pino/std-error.ts'
import type { SerializedRequest as RequestData, SerializedResponse as ResponseData } from '../compat/pino/std-http.ts'
import { stdSerializers as serializers, type StdSerializers } from '../compat/pino/std-serializers.ts'
import { symbols as symbolsByName } from '../compat/pino/all-symbols.ts'
import type * as levelTypes from '../compat/pino/levels.ts'
import type * as logValues from '../compat/pino/log-values.ts'
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
import { createCompatLogger } from '../create/compat-records.ts'
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

/** The members that logged objects can have. Augment this interface to declare them. */
// oxlint-disable-next-line typescript/no-empty-object-type -- it is there to be merged with
export interface LogFnFields {}

declare module '../compat/pino/types.js' {
  // Users can augment only an entry point: with `export =` the interface in the namespace, with `export` the top-level one.
  interface AnyLogFnFields extends LogFnFields, pino.LogFnFields {}
}

/** The first argument of `pino()`: options or a stream. */
type OptionsOrStream<C extends string, U extends boolean> = types.LoggerOptions<C, U> | types.DestinationStream | string

/**
 * Creates a logger with pino's interface. Its lines are identical to pino's, byte for byte, where those are valid JSON without
 * duplicate keys. Without a stream it writes to standard output at the end of each event-loop turn. The queue is limited, its
 * records are counted, and they are written when the process exits.
 *
 * @throws ConfigurationError if an option is invalid; the message describes what to do
 */
export function pino<CustomLevels extends string = never, UseOnlyCustomLevels extends boolean = boolean>(
  options?: OptionsOrStream<CustomLevels, UseOnlyCustomLevels>,
  stream?: types.DestinationStream | string,
): types.Logger<CustomLevels, UseOnlyCustomLevels> {
  // Skip the stack frames of `getCallerFiles` and `pino`.
  const normalized = normalizeArguments(options, stream, getCallerFiles(2))
  const { exporter, onDiagnostic } = normalized.options
  const openRecordSink = (resolved: ResolvedOptions, attributes: object): RecordSink | undefined => {
    if (exporter === undefined) return undefined
    const recordOptions = exportingLoggerOptions(
      resolved,
      attributes,
      exporter as GivenExporters,
      onDiagnostic as types.LoggerOptions['onDiagnostic'],
    )
    return createRecordSink(createCompatLogger(recordOptions), resolved.errorKey)
  }
  return createInstance(normalized.options, normalized.stream, openRecordSink) as unknown as types.Logger<
    CustomLevels,
    UseOnlyCustomLevels
  >
}

/** The same exports as members of the function, as in pino. */
export declare namespace pino {
  export { pino as default, pino }
  /** Opens a stream to a file descriptor, a file, or standard output. */
  export const destination: OpenDestination
  /** Creates a stream that passes its lines to transport modules in a worker thread. */
  export const transport: OpenTransport
  /** Combines several streams into one, each with its own level. */
  export const multistream: JoinStreams
  /** The standard levels. */
  export const levels: Mapping
  /** The standard serializers, to pass as options or to call. */
  export const stdSerializers: StdSerializers
  /** The standard time functions, for the option `timestamp`. */
  export const stdTimeFunctions: StdTimeFunctions
  /** The symbols under which a logger keeps its internal state. */
  export const symbols: typeof allSymbols
  /** The version of pino whose interface is implemented. */
  export const version: string

  /** A standard level. */
  export type Level = levelTypes.Level
  /** A standard level, or a custom level of the logger. */
  export type LevelOrString = levelTypes.LevelOrString
  /** A standard level, or `silent` for none. */
  export type LevelWithSilent = levelTypes.LevelWithSilent
  /** A standard level, a custom level of the logger, or `silent` for none. */
  export type LevelWithSilentOrString = levelTypes.LevelWithSilentOrString
  /** Labels by value, and values by label. */
  export type LevelMapping = Mapping
  /** A listener for level changes. */
  export type LevelChangeEventListener<
    C extends string = never,
    U extends boolean = boolean,
  > = types.LevelChangeEventListener<C, U>
  /** The attributes that a logger adds to each record. */
  export type Bindings = logValues.Bindings
  /** A function that returns the value to log instead of another. */
  export type SerializerFn = logValues.SerializerFn
  /** A parsed line. */
  export type LogDescriptor = logValues.LogDescriptor
  /** A log method. */
  export type LogFn = types.LogFn
  /** The members that logged objects can have. Augment this interface if the package is loaded with `require`. */
  // oxlint-disable-next-line typescript/no-empty-object-type -- it is there to be merged with
  export interface LogFnFields {}
  /** The arguments that the placeholders of a literal message require. */
  export type ParseLogFnArgs<T, Found extends unknown[] = []> = types.ParseLogFnArgs<T, Found>
  /** A function that returns additional members of each record. */
  export type MixinFn<C extends string = never> = types.MixinFn<C>
  /** A function that merges the members of a call with those of the mixin. */
  export type MixinMergeStrategyFn = types.MixinMergeStrategyFn
  /** A function that is called with each child. */
  export type OnChildCallback<C extends string = never> = types.OnChildCallback<C>
  /** Redaction options. */
  export type redactOptions = types.redactOptions
  /** A function that receives the output of pino's browser build. */
  export type WriteFn = forBrowsers.WriteFn
  /** The data of a call that pino's browser build transmits. */
  export type LogEvent = forBrowsers.LogEvent
  /** The members that every logger has. */
  export type BaseLogger = types.BaseLogger
  /** A logger with methods for its custom levels. */
  export type Logger<C extends string = never, U extends boolean = boolean> = types.Logger<C, U>
  /** The members of a logger other than its log methods. */
  export type LoggerExtras<C extends string = never, U extends boolean = boolean> = types.LoggerExtras<C, U>
  /** Options of `pino()`. */
  export type LoggerOptions<C extends string = never, U extends boolean = boolean> = types.LoggerOptions<C, U>
  /** Options of a child logger. */
  export type ChildLoggerOptions<C extends string = never> = types.ChildLoggerOptions<C>
  /** A destination of lines: any object with a method `write`. */
  export type DestinationStream = types.DestinationStream
  /** A destination that also receives metadata about each line. */
  export type DestinationStreamWithMetadata = types.DestinationStreamWithMetadata
  /** A stream with the lowest level that is written to it. */
  export type StreamEntry<L = levelTypes.Level> = types.StreamEntry<L>
  /** Options of `multistream()`. */
  export type MultiStreamOptions = types.MultiStreamOptions
  /** Several streams combined into one. */
  export type MultiStreamRes<L = levelTypes.Level> = types.MultiStreamRes<L>
  /** Options that all transports have. */
  export type TransportBaseOptions<O = Record<string, unknown>> = TransportBase<O>
  /** Options of one of several targets. */
  export type TransportTargetOptions<O = Record<string, unknown>> = TransportTarget<O>
  /** Options of a transport with one target. */
  export type TransportSingleOptions<O = Record<string, unknown>> = TransportSingle<O>
  /** Options of a transport with transforms and a target after them. */
  export type TransportPipelineOptions<O = Record<string, unknown>> = TransportPipeline<O>
  /** Options of a transport with several targets, each with its own level. */
  export type TransportMultiOptions<O = Record<string, unknown>> = TransportMulti<O>
  /** A serialized error. */
  export type SerializedError = ErrorData
  /** A serialized request. */
  export type SerializedRequest = RequestData
  /** A serialized response. */
  export type SerializedResponse = ResponseData
  /** A function that returns the time of a record as a JSON member with a leading comma. */
  export type TimeFn = Time
}

type OpenDestination = (dest?: number | string | DestinationOptions) => Destination
type OpenTransport = <O = Record<string, unknown>>(
  options: TransportSingle<O> | TransportMulti<O> | TransportPipeline<O>,
) => TransportThread
type JoinStreams = <TLevel = levelTypes.Level>(
  streams:
    | (types.DestinationStream | types.StreamEntry<TLevel>)[]
    | types.DestinationStream
    | types.StreamEntry<TLevel>,
  options?: types.MultiStreamOptions,
) => types.MultiStreamRes<TLevel>

/** Opens a stream to a file descriptor, a file, or standard output. */
export const destination: OpenDestination = openDestination

/** Creates a stream that passes its lines to transport modules in a worker thread. */
export const transport: OpenTransport = openTransport as OpenTransport

/** Combines several streams into one, each with its own level. */
export const multistream: JoinStreams = joinStreams as never

/** The standard levels. */
export const levels: Mapping = createLevelMapping()

/** The standard serializers, to pass as options or to call. */
export const stdSerializers: StdSerializers = serializers

/** The standard time functions, for the option `timestamp`. */
export const stdTimeFunctions: StdTimeFunctions = { ...timeFunctions }

/** The symbols under which a logger keeps its internal state. */
export const symbols: typeof allSymbols = symbolsByName

/** The version of pino whose interface is implemented. */
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
