import type { EventEmitter } from 'node:events'
import type { RenderedBindings } from './bindings.ts'
import type { DirectiveLevel } from '../shared/directive-level.ts'
import type { HookFailureReporter } from '../shared/hook-failures.ts'
import type { LevelComparison, LevelMapping } from './levels.ts'
import type { RecordMembers } from './record-members.ts'
import type { Serializers } from './serializers.ts'
import type * as symbols from './symbols.ts'
import type { TimeFn } from './time.ts'
import type { ValueWriter } from './value-writer.ts'

/** A destination of lines. */
export interface DestinationStream {
  write(msg: string): unknown
}

/** A stream with the optional members that are used if they exist. */
export interface AnyStream extends DestinationStream {
  flush?(callback: (error?: Error) => void): void
  flushSync?(): void
  emit?(event: string, ...args: unknown[]): unknown
  readonly writableEnded?: unknown
  readonly destroyed?: unknown
  /** Writes a line with its OpenTelemetry severity number. */
  writeRecord?(line: string, severity: number): unknown
  /** Whether the metadata of each line is set on the stream (`lastLevel` and so on) before the line is written. */
  [symbols.needsMetadataGsym]?: boolean
  /** Whether it is a transport whose targets select lines by level. */
  [symbols.transportUsesMultistreamSym]?: boolean
  lastLevel?: unknown
  lastObj?: unknown
  lastMsg?: unknown
  lastTime?: unknown
  lastLogger?: unknown
}

export interface Formatters {
  level(label: string, number: number): object
  bindings(bindings: object): object
  log?: ((object: object) => object) | undefined
}

export type LogMethod = (this: Instance | undefined, ...args: unknown[]) => void

export interface Hooks {
  readonly logMethod?: ((this: Instance, args: unknown[], method: LogMethod, level: number) => void) | undefined
  readonly streamWrite?: ((line: string) => string) | undefined
}

/** The message and members of a line, from which a record for exporters is created. */
export interface RecordContent extends RecordMembers {
  message: string | undefined
}

/** Emits the calls of a logger as OpenTelemetry log records, in addition to its lines. */
export interface RecordSink {
  /**
   * Emits a record.
   *
   * @param label - the name of the level; undefined if the logger has no level with this number
   */
  emit(level: number, label: string | undefined, content: RecordContent): void
  /**
   * Creates the sink of a child logger.
   *
   * @param attributes - what the child adds to each record
   * @param redact - the option `redact` of the child, if any
   */
  child(attributes: object, redact: unknown): RecordSink
  flush(): Promise<unknown>
  flushSync(): unknown
}

/** The internal state of a logger that has no equivalent in pino. Each child has its own. */
export interface LoggerState {
  readonly valueWriter: ValueWriter
  readonly bindings: RenderedBindings
  readonly hookFailures: HookFailureReporter
  /** Names of the level and time members, which precede the bindings in a line. */
  readonly namesBeforeBindings: ReadonlySet<string>
  /** Whether `timestamp` is a function of this package, whose results need no check. */
  readonly hasStandardTime: boolean
  /** The level that level directives set, which does not change `level`. Children share it. */
  readonly directiveLevel: DirectiveLevel
  /** Exports the records; undefined without exporters. */
  readonly recordSink: RecordSink | undefined
  /** The beginning of the last line. It is used again for lines with the same level and time. */
  readonly cachedLineStart: CachedLineStart
}

/** The text of the level, time and bindings at the beginning of a line, and the level and time for which it was built. */
export interface CachedLineStart {
  level: number
  time: string
  text: string
  /** Whether the level formatter returned no members, so that a comma follows the opening brace of the line and must be removed. */
  omitsLevel: boolean
}

/** Returns a line start that is rebuilt for the first line: NaN is equal to no level. */
export function emptyLineStart(): CachedLineStart {
  return { level: NaN, time: '', text: '', omitsLevel: false }
}

export const stateSym: unique symbol = Symbol.for('sluice/v1/pino-parts')

/** The internal interface of a logger. The symbols have pino's names. */
export interface Instance extends EventEmitter {
  [stateSym]: LoggerState
  levels: LevelMapping
  onChild(child: Instance): void
  level: string
  readonly levelVal: number
  child(bindings: object, options?: object): Instance
  [method: string]: unknown
  [symbols.levelCompSym]: LevelComparison
  [symbols.levelValSym]: number
  [symbols.useOnlyCustomLevelsSym]: boolean
  /** The beginnings of lines, such as `{"level":30`, by level number. */
  [symbols.lsCacheSym]: Record<number, string>
  [symbols.streamSym]: AnyStream
  [symbols.timeSym]: TimeFn
  /** Index of the value in the text that `timeSym` returns. */
  [symbols.timeSliceIndexSym]: number
  /** The end of each line: a brace and the line terminator. */
  [symbols.endSym]: string
  [symbols.messageKeySym]: string
  [symbols.errorKeySym]: string
  /** Name of the member that contains the logged object; if it is not set, the object's members are top-level members of the line. */
  [symbols.nestedKeySym]: string | null | undefined
  [symbols.serializersSym]: Serializers
  [symbols.mixinSym]: ((object: object, level: number, logger: Instance) => object) | undefined
  [symbols.mixinMergeStrategySym]: ((object: object, mixin: object) => object) | undefined
  /** The text of the logger's bindings, including those of its parents: each as `,"name":value`. */
  [symbols.chindingsSym]: string
  [symbols.formattersSym]: Formatters
  [symbols.hooksSym]: Hooks
  [symbols.msgPrefixSym]: string | undefined
  [symbols.writeSym](object: unknown, message: unknown, level: number): void
  [symbols.asJsonSym](object: object, message: unknown, level: number, time: string): string
  [symbols.setLevelSym](level: string | number): void
  [symbols.getLevelSym](): string
}
