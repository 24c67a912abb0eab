import type { EventEmitter } from 'node:events'
import type { Bindings } from './bindings.ts'
import type { HookFailures } from '../shared/hook-failures.ts'
import type { LevelComparison, LevelMapping } from './levels.ts'
import type { RecordMembers } from './record-members.ts'
import type { Serializers } from './serialized.ts'
import type * as symbols from './symbols.ts'
import type { TimeFn } from './time.ts'
import type { Values } from './values.ts'

/** A destination of lines. */
export interface DestinationStream {
  write(msg: string): unknown
}

/** A stream with the optional members that are used if they exist. */
export interface AnyStream extends DestinationStream {
  flush?(callback: (error?: Error) => void): void
  flushSync?(): void
  emit?(event: string, ...args: unknown[]): unknown
  /** Writes a line with its OpenTelemetry severity number. */
  writeRecord?(line: string, severity: number): unknown
  [symbols.needsMetadataGsym]?: boolean
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

/** The content of a line, from which a record for exporters is created. */
export interface LogCall extends RecordMembers {
  message: string | undefined
}

/** Emits the calls of a logger as OpenTelemetry log records, in addition to its lines. */
export interface RecordSink {
  emit(level: number, label: string | undefined, call: LogCall): void
  /** @param redact - rules that the child overrides */
  child(attributes: object, redact: unknown): RecordSink
  flush(): Promise<unknown>
  flushSync(): unknown
}

/** Internal state of a logger that has no equivalent in pino. Children inherit it by prototype. */
export interface Parts {
  readonly values: Values
  readonly bindings: Bindings
  readonly hookFailures: HookFailures
  /** Names of the fields that precede the bindings. */
  readonly core: ReadonlySet<string>
  readonly onlyStandardTime: boolean
  readonly records: RecordSink | undefined
  readonly limits: { readonly depth: number; readonly breadth: number }
  /** Cached beginning of the last line. It stays valid for lines of the same level within the same millisecond. */
  readonly lead: CachedPrefix
}

/** The level, time and bindings at the beginning of a line. */
export interface CachedPrefix {
  level: number
  time: string
  text: string
  /** Whether a formatter writes nothing for the level. */
  isBare: boolean
}

export function emptyPrefix(): CachedPrefix {
  return { level: NaN, time: '', text: '', isBare: false }
}

export const partsSym: unique symbol = Symbol.for('sluice/v1/pino-parts')

/** The internal interface of a logger. */
export interface Instance extends EventEmitter {
  [partsSym]: Parts
  levels: LevelMapping
  onChild(child: Instance): void
  level: string
  readonly levelVal: number
  child(bindings: object, options?: object): Instance
  [method: string]: unknown
  [symbols.levelCompSym]: LevelComparison
  [symbols.levelValSym]: number
  [symbols.useOnlyCustomLevelsSym]: boolean
  [symbols.lsCacheSym]: Record<number, string>
  [symbols.streamSym]: AnyStream
  [symbols.timeSym]: TimeFn
  [symbols.timeSliceIndexSym]: number
  [symbols.endSym]: string
  [symbols.messageKeySym]: string
  [symbols.errorKeySym]: string
  [symbols.nestedKeySym]: string | null | undefined
  [symbols.serializersSym]: Serializers
  [symbols.mixinSym]: ((object: object, level: number, logger: Instance) => object) | undefined
  [symbols.mixinMergeStrategySym]: ((object: object, mixin: object) => object) | undefined
  [symbols.chindingsSym]: string
  [symbols.formattersSym]: Formatters
  [symbols.hooksSym]: Hooks
  [symbols.msgPrefixSym]: string | undefined
  [symbols.writeSym](object: unknown, message: unknown, level: number): void
  [symbols.asJsonSym](object: object, message: unknown, level: number, time: string): string
  [symbols.setLevelSym](level: string | number): void
  [symbols.getLevelSym](): string
}
