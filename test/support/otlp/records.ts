/** An OTLP/JSON AnyValue with all defaults: 64-bit integers are text, bytes are base64, and a missing value is `{}`. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number | 'NaN' | 'Infinity' | '-Infinity' }
  | { readonly bytesValue: string }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } }
  | { readonly kvlistValue: { readonly values: readonly OtlpMember[] } }
  | Readonly<Record<string, never>>

export interface OtlpMember {
  readonly key: string
  readonly value: OtlpValue
}

/** A log record with its resource and scope. Fields that a request omits have their default. */
export interface OtlpRecord {
  readonly resource: OtlpAttributes & { readonly schemaUrl: string }
  readonly scope: OtlpAttributes & { readonly name: string; readonly version: string; readonly schemaUrl: string }
  readonly timeUnixNano: string
  readonly observedTimeUnixNano: string
  readonly severityNumber: number
  readonly severityText: string
  /** undefined: the record has no body. */
  readonly body: OtlpValue | undefined
  readonly attributes: readonly OtlpMember[]
  readonly droppedAttributesCount: number
  readonly flags: number
  readonly traceId: string
  readonly spanId: string
  readonly eventName: string
}

interface OtlpAttributes {
  readonly attributes: readonly OtlpMember[]
  readonly droppedAttributesCount: number
}

/** An AnyValue of a request. The JSON of protobuf omits empty lists. */
interface SentValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string | number
  readonly doubleValue?: number | 'NaN' | 'Infinity' | '-Infinity'
  readonly bytesValue?: string
  readonly arrayValue?: { readonly values?: readonly SentValue[] }
  readonly kvlistValue?: { readonly values?: readonly SentMember[] }
}

interface SentMember {
  readonly key: string
  readonly value?: SentValue
}

interface SentAttributes {
  readonly attributes?: readonly SentMember[]
  readonly droppedAttributesCount?: number
}

/** A parsed ExportLogsServiceRequest. */
export interface OtlpRequest {
  readonly resourceLogs?: readonly {
    readonly resource?: SentAttributes
    readonly schemaUrl?: string
    readonly scopeLogs?: readonly {
      readonly scope?: SentAttributes & { readonly name?: string; readonly version?: string }
      readonly schemaUrl?: string
      readonly logRecords?: readonly (SentAttributes &
        Partial<Omit<OtlpRecord, keyof OtlpAttributes | 'body' | 'resource' | 'scope'>> & {
          readonly body?: SentValue
        })[]
    }[]
  }[]
}

/** Returns the records of a request, in order. */
export function recordsOf(request: OtlpRequest): OtlpRecord[] {
  const { resourceLogs = [] } = request
  return resourceLogs.flatMap(({ resource = {}, schemaUrl = '', scopeLogs = [] }) =>
    scopeLogs.flatMap(({ scope = {}, schemaUrl: scopeSchemaUrl = '', logRecords = [] }) =>
      logRecords.map((record) => ({
        resource: { ...attributesOf(resource), schemaUrl },
        scope: {
          name: scope.name ?? '',
          version: scope.version ?? '',
          ...attributesOf(scope),
          schemaUrl: scopeSchemaUrl,
        },
        timeUnixNano: record.timeUnixNano ?? '0',
        observedTimeUnixNano: record.observedTimeUnixNano ?? '0',
        severityNumber: record.severityNumber ?? 0,
        severityText: record.severityText ?? '',
        body: record.body && valueOf(record.body),
        ...attributesOf(record),
        flags: record.flags ?? 0,
        traceId: record.traceId ?? '',
        spanId: record.spanId ?? '',
        eventName: record.eventName ?? '',
      })),
    ),
  )
}

function attributesOf({ attributes = [], droppedAttributesCount = 0 }: SentAttributes): OtlpAttributes {
  return { attributes: attributes.map(memberOf), droppedAttributesCount }
}

function memberOf({ key, value = {} }: SentMember): OtlpMember {
  return { key, value: valueOf(value) }
}

function valueOf(value: SentValue): OtlpValue {
  if (value.arrayValue) return { arrayValue: { values: (value.arrayValue.values ?? []).map(valueOf) } }
  if (value.kvlistValue) return { kvlistValue: { values: (value.kvlistValue.values ?? []).map(memberOf) } }
  if (value.intValue !== undefined) return { intValue: String(value.intValue) }
  return value as OtlpValue
}
