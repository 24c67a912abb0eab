/** A record of a line of OTLP/JSON, with plain values. */
export interface OtlpRecord {
  readonly timeUnixNano?: string
  readonly body?: unknown
  readonly [field: string]: unknown
}

/** The records of one scope of a line. */
export interface OtlpRecords {
  readonly resource: Readonly<Record<string, unknown>>
  readonly scope: string
  readonly records: readonly OtlpRecord[]
}

interface Value {
  readonly arrayValue?: { readonly values: readonly Value[] }
  readonly kvlistValue?: { readonly values: readonly KeyValue[] }
  readonly [type: string]: unknown
}
interface KeyValue {
  readonly key: string
  readonly value: Value
}
interface Request {
  readonly resourceLogs: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] }
    readonly scopeLogs: readonly {
      readonly scope?: { readonly name?: string; readonly version?: string }
      readonly logRecords: readonly Readonly<Record<string, unknown>>[]
    }[]
  }[]
}

/** Returns the records of a line of OTLP/JSON, with the values of their AnyValues. Written by the specification, not by the encoder. */
export function fromOtlpJson(line: string): OtlpRecords[] {
  const request = JSON.parse(line) as Request
  return request.resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.map(({ scope, logRecords }) => ({
      resource: membersOf(resource?.attributes ?? []),
      scope: scope?.name === undefined ? '' : `${scope.name}@${scope.version ?? ''}`,
      records: logRecords.map((record) => {
        const { observedTimeUnixNano: _observed, ...fields } = record
        return {
          ...fields,
          ...(record['body'] === undefined ? {} : { body: plain(record['body'] as Value) }),
          ...(record['attributes'] === undefined ? {} : { attributes: membersOf(record['attributes'] as KeyValue[]) }),
        }
      }),
    })),
  )
}

function membersOf(list: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, plain(value)]))
}

function plain(value: Value): unknown {
  if (value.arrayValue !== undefined) return value.arrayValue.values.map(plain)
  if (value.kvlistValue !== undefined) return membersOf(value.kvlistValue.values)
  return Object.values(value)[0] ?? null
}
