import protobuf from 'protobufjs'

/** An OTLP/JSON value. */
export type OtlpJson = Readonly<Record<string, unknown>>

// Each level of a map is three nested messages, and the default limit of protobufjs is 100.
protobuf.Reader.recursionLimit = protobuf.util.recursionLimit = 10_000

const field = (id: number, type: string, rule?: 'repeated') => ({ id, type, ...(rule === undefined ? {} : { rule }) })

/** The log messages of opentelemetry-proto 1.11, with their field numbers and types. */
const root = protobuf.Root.fromJSON({
  nested: {
    AnyValue: {
      oneofs: {
        value: {
          oneof: ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue'],
        },
      },
      fields: {
        stringValue: field(1, 'string'),
        boolValue: field(2, 'bool'),
        intValue: field(3, 'int64'),
        doubleValue: field(4, 'double'),
        arrayValue: field(5, 'ArrayValue'),
        kvlistValue: field(6, 'KeyValueList'),
        bytesValue: field(7, 'bytes'),
      },
    },
    ArrayValue: { fields: { values: field(1, 'AnyValue', 'repeated') } },
    KeyValueList: { fields: { values: field(1, 'KeyValue', 'repeated') } },
    KeyValue: { fields: { key: field(1, 'string'), value: field(2, 'AnyValue') } },
    InstrumentationScope: {
      fields: {
        name: field(1, 'string'),
        version: field(2, 'string'),
        attributes: field(3, 'KeyValue', 'repeated'),
        droppedAttributesCount: field(4, 'uint32'),
      },
    },
    Resource: { fields: { attributes: field(1, 'KeyValue', 'repeated'), droppedAttributesCount: field(2, 'uint32') } },
    LogRecord: {
      fields: {
        timeUnixNano: field(1, 'fixed64'),
        severityNumber: field(2, 'uint32'),
        severityText: field(3, 'string'),
        body: field(5, 'AnyValue'),
        attributes: field(6, 'KeyValue', 'repeated'),
        droppedAttributesCount: field(7, 'uint32'),
        flags: field(8, 'fixed32'),
        traceId: field(9, 'bytes'),
        spanId: field(10, 'bytes'),
        observedTimeUnixNano: field(11, 'fixed64'),
        eventName: field(12, 'string'),
      },
    },
    ScopeLogs: {
      fields: {
        scope: field(1, 'InstrumentationScope'),
        logRecords: field(2, 'LogRecord', 'repeated'),
        schemaUrl: field(3, 'string'),
      },
    },
    ResourceLogs: {
      fields: {
        resource: field(1, 'Resource'),
        scopeLogs: field(2, 'ScopeLogs', 'repeated'),
        schemaUrl: field(3, 'string'),
      },
    },
    ExportLogsServiceRequest: { fields: { resourceLogs: field(1, 'ResourceLogs', 'repeated') } },
  },
})

/**
 * Decodes a request with protobufjs to the form of OTLP/JSON: 64-bit integers as decimal text, bytes as base64, ids as hexadecimal.
 * Throws on an unknown field or invalid UTF-8.
 */
export function decodeRequest(bytes: Uint8Array): OtlpJson {
  const type = root.lookupType('ExportLogsServiceRequest')
  const message = type.decode(bytes)
  const request = type.toObject(message, { longs: String, bytes: String, json: true }) as OtlpJson
  if (type.encode(message).finish().length !== bytes.length)
    throw new Error('the request has fields that no message has')
  return inJsonForm(request) as OtlpJson
}

function inJsonForm(value: unknown, key = ''): unknown {
  if ((key === 'traceId' || key === 'spanId') && typeof value === 'string')
    return Buffer.from(value, 'base64').toString('hex')
  // Loops need less stack than callbacks, and values may have 1,000 levels.
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) items.push(inJsonForm(item))
    return items
  }
  if (typeof value !== 'object' || value === null) return value
  // An empty list has no `values` in the message.
  const list = key === 'arrayValue' || key === 'kvlistValue' ? { values: [], ...value } : value
  const members: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(list)) members[name] = inJsonForm(item, name)
  return members
}
