import type { JsonText } from '../shared/json-text.ts'
import type { LogRecords } from '../shared/log-records.ts'
import type { HookFailures } from '../shared/hook-failures.ts'
import type { OpenStream } from './open-stream.ts'
import type { Serializers } from './std-serializers.ts'

/** State that a logger shares with its children. */
export interface Parts {
  readonly json: JsonText
  readonly hookFailures: HookFailures
  readonly records: LogRecords | undefined
}

/** The internal interface of a logger. */
export interface Instance {
  readonly parts: Parts
  _level: number
  streams: OpenStream[]
  serializers: Serializers | null
  src: boolean
  fields: Record<string, unknown>
  /** Writes a record to the streams that accept `level`, unless `noemit` is set, and returns the line. */
  _emit(record: BunyanRecord, noemit?: boolean, level?: number): string | undefined
  /** Returns the fields that exporters receive with each record. */
  attributes(): Record<string, unknown>
}

/** A record with bunyan's fields, as raw streams receive it. */
export interface BunyanRecord extends Record<string, unknown> {
  level: unknown
  msg: string
  time: unknown
  v: number
}
