import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { FormatName, ReadRecord, RecordOrigin } from '../record.ts'

/** The properties of a record that its envelope or the lines after it change. */
export type DerivedValues = Partial<
  Pick<
    ReadRecord,
    | 'time'
    | 'timeUnixNano'
    | 'severityNumber'
    | 'level'
    | 'severityText'
    | 'body'
    | 'message'
    | 'attributes'
    | 'resource'
    | 'origin'
    | 'raw'
  >
>

/** A copy of a record with other values of some properties. Getters of the original record are called only when their values are used. */
export class DerivedRecord implements ReadRecord {
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
  private readonly base: ReadRecord
  private readonly changes: DerivedValues

  constructor(base: ReadRecord, changes: DerivedValues) {
    this.format = base.format
    this.time = changes.time ?? base.time
    this.severityNumber = changes.severityNumber ?? base.severityNumber
    this.level = changes.level ?? base.level
    this.severityText = changes.severityText ?? base.severityText
    this.message = changes.message ?? base.message
    this.eventName = base.eventName
    this.scope = base.scope
    this.scopeVersion = base.scopeVersion
    this.traceId = base.traceId
    this.spanId = base.spanId
    this.traceFlags = base.traceFlags
    this.origin = changes.origin ?? base.origin
    this.raw = changes.raw ?? base.raw
    this.base = base
    this.changes = changes
  }

  get timeUnixNano(): bigint | undefined {
    return this.changes.timeUnixNano ?? this.base.timeUnixNano
  }
  get body(): AnyValue | undefined {
    return this.changes.body ?? this.changes.message ?? this.base.body
  }
  get attributes(): AnyValueMap {
    return this.changes.attributes ?? this.base.attributes
  }
  get resource(): AnyValueMap {
    return this.changes.resource ?? this.base.resource
  }
}
