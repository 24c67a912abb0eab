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
}
