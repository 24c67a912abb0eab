import type { JsonWriter } from '../shared/json-text.ts'
import type { ClosableRecordEmitter } from '../shared/log-records.ts'
import type { HookFailureReporter } from '../shared/hook-failures.ts'
import type { OpenStream } from './open-stream.ts'
import type { Serializers } from './std-serializers.ts'

/** State that a logger shares with its children. */
export interface SharedState {
  /** Redacts values by the rules of the logger, and converts them to JSON. */
  readonly json: JsonWriter
  readonly hookFailures: HookFailureReporter
  /** Passes records to the exporters; undefined without exporters. */
  readonly recordEmitter: ClosableRecordEmitter | undefined
}

/** The internal interface of a logger. */
export interface Instance {
  readonly parts: SharedState
  _level: number
  streams: OpenStream[]
  serializers: Serializers | null
  src: boolean
  fields: Record<string, unknown>
  /**
   * Writes a record to the streams that accept `level` or the record's own level, unless `noemit` is set. Returns the line; undefined if
   * it was not needed.
   */
  _emit(record: BunyanRecord, noemit?: boolean, level?: number): string | undefined
  /** Returns the fields that exporters receive with each record. */
  attributes(): Record<string, unknown>
}

/** A record with bunyan's fields, as raw streams receive it. */
export interface BunyanRecord extends Record<string, unknown> {
  /** A level number, unless a field of the call replaces it. */
  level: unknown
  msg: string
  /** A Date, unless a field replaces it. */
  time: unknown
  /** Version of bunyan's format. */
  v: number
}
