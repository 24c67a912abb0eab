/** An OTLP/JSON LogRecord that this package has written. */
export interface JsonRecord {
  readonly timeUnixNano?: string
  readonly observedTimeUnixNano?: string
  readonly severityNumber?: number
  readonly severityText?: string
  body?: JsonValue
  attributes?: JsonKeyValue[]
  droppedAttributesCount?: number
  readonly flags?: number
  readonly traceId?: string
  readonly spanId?: string
  readonly eventName?: string
}

/** An attribute, or a member of a map. */
export interface JsonKeyValue {
  readonly key: string
  value: JsonValue
}

/** An AnyValue, with at most one of its members. */
export interface JsonValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string
  readonly doubleValue?: number | string
  readonly bytesValue?: string
  readonly arrayValue?: { readonly values: readonly JsonValue[] }
  readonly kvlistValue?: { readonly values: readonly JsonKeyValue[] }
}
