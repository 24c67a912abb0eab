import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { FormatName, ReadRecord, RecordOrigin } from '../record.ts'

/** The properties of a record that are read at once. */
export type RecordHead = Omit<ReadRecord, 'timeUnixNano' | 'body' | 'attributes' | 'resource'>

/** Reads the other properties of a record. */
export interface RecordParts {
  timeUnixNano(): bigint | undefined
  body(): AnyValue | undefined
  attributes(): AnyValueMap
  resource(): AnyValueMap
}

/**
 * A record of a JSON line. `timeUnixNano`, `body`, `attributes` and `resource` are getters that read the line when they are first used,
 * because many records are dropped before. Change its properties with `DerivedRecord`: the spread syntax does not copy getters.
 */
export class JsonRecord implements ReadRecord {
  readonly format: FormatName
  readonly time: number | undefined
  readonly severityNumber: number
  readonly level: string
  readonly severityText: string | undefined
  readonly message: string | undefined
  readonly eventName: string | undefined
  readonly scope: string | undefined
  readonly scopeVersion: string | undefined
  readonly traceId: string | undefined
  readonly spanId: string | undefined
  readonly traceFlags: number | undefined
  readonly origin: RecordOrigin
  readonly raw: Uint8Array
  private readonly parts: RecordParts
  private cachedAttributes: AnyValueMap | undefined
  private cachedResource: AnyValueMap | undefined

  constructor(head: RecordHead, parts: RecordParts) {
    this.format = head.format
    this.time = head.time
    this.severityNumber = head.severityNumber
    this.level = head.level
    this.severityText = head.severityText
    this.message = head.message
    this.eventName = head.eventName
    this.scope = head.scope
    this.scopeVersion = head.scopeVersion
    this.traceId = head.traceId
    this.spanId = head.spanId
    this.traceFlags = head.traceFlags
    this.origin = head.origin
    this.raw = head.raw
    this.parts = parts
    this.cachedAttributes = undefined
    this.cachedResource = undefined
  }

  get timeUnixNano(): bigint | undefined {
    return this.parts.timeUnixNano()
  }
  get body(): AnyValue | undefined {
    return this.message ?? this.parts.body()
  }
  get attributes(): AnyValueMap {
    return (this.cachedAttributes ??= this.parts.attributes())
  }
  get resource(): AnyValueMap {
    return (this.cachedResource ??= this.parts.resource())
  }
}
