import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { ReadRecord } from '../record.ts'
import { isMembers, memberOf, type JsonMembers } from './json-members.ts'
import { JsonRecord, type RecordParts } from './json-record.ts'
import { emptyMap, maxDepth, ValueConverter } from './json-values.ts'
import { levelOf, noLevel, withSeverityNumber } from './levels.ts'
import type { LineContext } from './line-context.ts'
import { millisOfNanos } from './times.ts'
import { spanIdOf, traceFlagsOf, traceIdOf } from './trace-ids.ts'

/** The members of lines of the File Exporter with other signals than logs. */
export const otherSignals = ['resourceSpans', 'resourceMetrics', 'resourceProfiles'] as const

/** Returns whether an object is a request of OTLP with logs, or a line of the OpenTelemetry File Exporter with them. */
export function isOtlpRequest(members: JsonMembers): boolean {
  return Array.isArray(eitherOf(members, 'resourceLogs', 'resource_logs'))
}

/**
 * Returns the records of an OTLP/JSON request in their order. A value that OTLP does not allow is omitted, so a record that is damaged in
 * part is read.
 */
export function readOtlpRecords(request: JsonMembers, context: LineContext): readonly ReadRecord[] | undefined {
  if (!isOtlpRequest(request)) return undefined
  const records: ReadRecord[] = []
  for (const resourceLogs of itemsOf(request, 'resourceLogs', 'resource_logs')) {
    const resource = keyValuesOf(memberIn(resourceLogs, 'resource'), 'attributes')
    for (const scopeLogs of itemsOf(resourceLogs, 'scopeLogs', 'scope_logs')) {
      const scope = memberIn(scopeLogs, 'scope')
      const source = { resource, scope: textOf(scope, 'name'), scopeVersion: textOf(scope, 'version') }
      for (const record of itemsOf(scopeLogs, 'logRecords', 'log_records'))
        records.push(recordOf(record, source, context))
    }
  }
  return records
}

interface RecordSource {
  readonly resource: AnyValueMap
  readonly scope: string | undefined
  readonly scopeVersion: string | undefined
}

function recordOf(record: JsonMembers, source: RecordSource, { origin, raw }: LineContext): JsonRecord {
  const nanos =
    nanosIn(record, 'timeUnixNano', 'time_unix_nano') ??
    nanosIn(record, 'observedTimeUnixNano', 'observed_time_unix_nano')
  const text = textOf(record, 'severityText', 'severity_text')
  const number = severityNumberOf(eitherOf(record, 'severityNumber', 'severity_number'))
  let level = text === undefined ? noLevel : levelOf(text, 'names')
  if (number > 0) level = withSeverityNumber(level, number)
  const body = memberIn(record, 'body')
  const bodyText = body === undefined ? undefined : eitherOf(body, 'stringValue', 'string_value')
  return new JsonRecord(
    {
      format: 'otlp',
      time: nanos === undefined ? undefined : millisOfNanos(nanos),
      severityNumber: level.severityNumber,
      level: level.name,
      severityText: level.text,
      message: typeof bodyText === 'string' ? bodyText : undefined,
      eventName: textOf(record, 'eventName', 'event_name'),
      scope: source.scope,
      scopeVersion: source.scopeVersion,
      traceId: traceIdOf(eitherOf(record, 'traceId', 'trace_id')),
      spanId: spanIdOf(eitherOf(record, 'spanId', 'span_id')),
      traceFlags: traceFlagsOf(memberOf(record, 'flags')),
      origin,
      raw,
    },
    new OtlpParts(record, nanos, source.resource),
  )
}

class OtlpParts implements RecordParts {
  private readonly record: JsonMembers
  private readonly nanos: bigint | undefined
  private readonly source: AnyValueMap

  constructor(record: JsonMembers, nanos: bigint | undefined, source: AnyValueMap) {
    this.record = record
    this.nanos = nanos
    this.source = source
  }
  timeUnixNano(): bigint | undefined {
    return this.nanos
  }
  body(): AnyValue | undefined {
    const body = memberIn(this.record, 'body')
    return body === undefined ? undefined : valueOf(body, 1)
  }
  attributes(): AnyValueMap {
    const attributes = keyValuesOf(this.record, 'attributes')
    const dropped = eitherOf(this.record, 'droppedAttributesCount', 'dropped_attributes_count')
    if (typeof dropped !== 'number' || dropped <= 0) return attributes
    return new Map([...attributes, ['otel.dropped_attributes_count', dropped]])
  }
  resource(): AnyValueMap {
    return this.source
  }
}

/** Returns a member by its name in JSON or in protobuf, which parsers of protobuf's JSON form accept as well. */
function eitherOf(members: JsonMembers, name: string, protobufName: string): unknown {
  return memberOf(members, name) ?? memberOf(members, protobufName) ?? undefined
}

function memberIn(members: JsonMembers | undefined, name: string): JsonMembers | undefined {
  const member = members === undefined ? undefined : memberOf(members, name)
  return isMembers(member) ? member : undefined
}

function itemsOf(members: JsonMembers, name: string, protobufName: string): readonly JsonMembers[] {
  const items = eitherOf(members, name, protobufName)
  return Array.isArray(items) ? items.filter(isMembers) : []
}

function textOf(members: JsonMembers | undefined, name: string, protobufName = name): string | undefined {
  const text = members === undefined ? undefined : eitherOf(members, name, protobufName)
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Returns a time; undefined if it is missing or 0, which means unknown. */
function nanosIn(record: JsonMembers, name: string, protobufName: string): bigint | undefined {
  const value = eitherOf(record, name, protobufName)
  const nanos = integerOf(value)
  return nanos === undefined || nanos <= 0n || nanos > maxDateNanos ? undefined : nanos
}

const maxDateNanos = 8_640_000_000_000_000_000_000n

function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined
}

/** Returns a severity number, which can be the name of a value of the enumeration, such as `SEVERITY_NUMBER_WARN2`; 0 without one. */
function severityNumberOf(value: unknown): number {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value <= 24 ? value : 0
  if (typeof value !== 'string') return 0
  return levelOf(value.replace('SEVERITY_NUMBER_', ''), 'names').severityNumber
}

function keyValuesOf(members: JsonMembers | undefined, name: string, depth = 1): AnyValueMap {
  const items = members === undefined ? [] : itemsOf(members, name, name)
  if (items.length === 0) return emptyMap
  const map = new Map<string, AnyValue>()
  for (const item of items) {
    const key = memberOf(item, 'key')
    const value = memberOf(item, 'value')
    if (typeof key === 'string') map.set(key, isMembers(value) ? valueOf(value, depth) : null)
  }
  return map
}

/** Returns an AnyValue of OTLP. */
function valueOf(value: JsonMembers, depth: number): AnyValue {
  for (const kind of Object.keys(value)) {
    const content = value[kind]
    if (content === null || content === undefined) continue
    const read = Object.hasOwn(valueReaders, kind) ? valueReaders[kind] : undefined
    if (read !== undefined) return depth > maxDepth ? '[Object: nested too deeply]' : read(content, depth)
  }
  return null
}

const readText = (text: unknown): AnyValue => new ValueConverter().value(text)
const readFlag = (flag: unknown): AnyValue => (typeof flag === 'boolean' ? flag : null)
const readArray = (array: unknown, depth: number): AnyValue =>
  isMembers(array) ? itemsOf(array, 'values', 'values').map((item) => valueOf(item, depth + 1)) : []
const readMap = (list: unknown, depth: number): AnyValue =>
  isMembers(list) ? keyValuesOf(list, 'values', depth + 1) : emptyMap

const valueReaders: Readonly<Record<string, (content: unknown, depth: number) => AnyValue>> = {
  stringValue: readText,
  string_value: readText,
  boolValue: readFlag,
  bool_value: readFlag,
  intValue: readInteger,
  int_value: readInteger,
  doubleValue: readDouble,
  double_value: readDouble,
  bytesValue: readBytes,
  bytes_value: readBytes,
  arrayValue: readArray,
  array_value: readArray,
  kvlistValue: readMap,
  kvlist_value: readMap,
}

function readInteger(value: unknown): AnyValue {
  const integer = integerOf(value)
  if (integer === undefined) return readText(value)
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : integer
}

function readDouble(value: unknown): AnyValue {
  if (typeof value === 'number') return value
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : readText(value)
}

function readBytes(value: unknown): AnyValue {
  return typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : readText(value)
}
