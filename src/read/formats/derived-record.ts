import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { FormatName, ReadRecord, RecordOrigin } from '../record.ts'

/** The properties of a record that its envelope or the lines after it can change. */
type ChangedName =
  | 'time'
  | 'timeUnixNano'
  | 'severityNumber'
  | 'level'
  | 'body'
  | 'message'
  | 'attributes'
  | 'resource'
  | 'raw'

/** New values of properties; undefined for those that do not change. Of the resource, the values for attributes that it does not have. */
export type DerivedValues = { readonly [Name in ChangedName]: ReadRecord[Name] | undefined }

/** Changes no property. Spread it into other changes: then they have all members, and none is read from `Object.prototype`. */
export const noChanges: DerivedValues = {
  time: undefined,
  timeUnixNano: undefined,
  severityNumber: undefined,
  level: undefined,
  body: undefined,
  message: undefined,
  attributes: undefined,
  resource: undefined,
  raw: undefined,
}

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
    this.severityText = base.severityText
    this.message = changes.message ?? base.message
    this.eventName = base.eventName
    this.scope = base.scope
    this.scopeVersion = base.scopeVersion
    this.traceId = base.traceId
    this.spanId = base.spanId
    this.traceFlags = base.traceFlags
    this.origin = base.origin
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
    const { resource } = this.changes
    return resource === undefined ? this.base.resource : new Map([...resource, ...this.base.resource])
  }
}
