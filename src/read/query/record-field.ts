import type { AnyValue } from '../../record/any-value.ts'
import type { ReadRecord } from '../record.ts'
import type { QueryPath } from './query.ts'

/** A part of a record that a query can name. */
export type RecordField =
  | 'level'
  | 'severityNumber'
  | 'severityText'
  | 'time'
  | 'message'
  | 'body'
  | 'eventName'
  | 'traceId'
  | 'spanId'
  | 'scope'
  | 'service'
  | 'format'
  | 'file'
  | 'container'
  | 'stream'

/** The names of the parts of a record in queries. */
export const fieldNames: ReadonlyMap<string, RecordField> = new Map([
  ['level', 'level'],
  ['severity_number', 'severityNumber'],
  ['severityNumber', 'severityNumber'],
  ['severity_text', 'severityText'],
  ['severityText', 'severityText'],
  ['time', 'time'],
  ['timestamp', 'time'],
  ['message', 'message'],
  ['msg', 'message'],
  ['body', 'body'],
  ['event_name', 'eventName'],
  ['eventName', 'eventName'],
  ['trace_id', 'traceId'],
  ['traceId', 'traceId'],
  ['span_id', 'spanId'],
  ['spanId', 'spanId'],
  ['scope', 'scope'],
  ['logger', 'scope'],
  ['service', 'service'],
  ['format', 'format'],
  ['file', 'file'],
  ['container', 'container'],
  ['stream', 'stream'],
] as const)

/** Returns the part of a record that a key names; undefined for a key of attributes. */
export function fieldOf(path: QueryPath): RecordField | undefined {
  const [name] = path
  return path.length === 1 && typeof name === 'string' ? fieldNames.get(name) : undefined
}

/** Functions that return the value of a part of a record; undefined if the record does not have it. */
export const fieldGetters: Readonly<Record<RecordField, (record: ReadRecord) => AnyValue | undefined>> = {
  level: (record) => (record.level === '' ? undefined : record.level),
  severityNumber: (record) => (record.severityNumber === 0 ? undefined : record.severityNumber),
  severityText: (record) => record.severityText,
  time: (record) => record.time,
  message: (record) => record.message,
  body: (record) => record.body,
  eventName: (record) => record.eventName,
  traceId: (record) => record.traceId,
  spanId: (record) => record.spanId,
  scope: (record) => record.scope,
  service: (record) => record.resource.get('service.name'),
  format: (record) => record.format,
  file: (record) => record.origin.file,
  container: (record) => record.origin.container,
  stream: (record) => record.origin.stream,
}

const textFields: ReadonlySet<RecordField | undefined> = new Set<RecordField>([
  'severityText',
  'eventName',
  'traceId',
  'spanId',
  'scope',
  'service',
  'format',
  'file',
  'container',
  'stream',
])

/** Returns whether a key is a part of a record that is always a text. The value in `span_id = 1234567890123456` is then a text too. */
export function isTextField(path: QueryPath): boolean {
  return textFields.has(fieldOf(path))
}
