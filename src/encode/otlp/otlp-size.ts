import { withoutPrototype } from '../../options/own-members.ts'
import type { JsonKeyValue, JsonRecord, JsonValue } from './otlp-json-types.ts'
import { varint64, varintLength } from './protobuf.ts'
import { utf8Length } from '../json/quote.ts'

/**
 * Returns the size in bytes that an OTLP/JSON record would have as a field of a ScopeLogs in protobuf. The limit for records in JSON
 * requests applies to this size, so that it means the same in both protocols.
 */
export function recordSize(jsonRecord: JsonRecord): number {
  const record = withoutPrototype(jsonRecord)
  const {
    severityNumber = 0,
    severityText,
    body,
    attributes = [],
    droppedAttributesCount = 0,
    flags,
    eventName,
  } = record
  // The tags of these fields have one byte each. Times and doubles have 8 bytes, flags 4, a trace id 16 and a span id 8 (after their
  // lengths).
  let size = record.timeUnixNano === undefined ? 0 : 9
  if (record.observedTimeUnixNano !== undefined) size += 9
  if (severityNumber !== 0) size += 2
  if (severityText !== undefined) size += fieldSize(utf8Length(severityText))
  if (body !== undefined) size += fieldSize(valueSize(body))
  for (const attribute of attributes) size += fieldSize(keyValueSize(attribute))
  if (droppedAttributesCount > 0) size += 1 + varintLength(droppedAttributesCount)
  if (flags !== undefined) size += 5
  if (record.traceId !== undefined) size += 18
  if (record.spanId !== undefined) size += 10
  if (eventName !== undefined) size += fieldSize(utf8Length(eventName))
  return fieldSize(size)
}

/** Returns the size of an AnyValue in bytes. */
export function valueSize(jsonValue: JsonValue): number {
  const value = withoutPrototype(jsonValue)
  if (value.stringValue !== undefined) return textSize(value.stringValue)
  if (value.boolValue !== undefined) return 2
  if (value.intValue !== undefined) return 1 + varint64(BigInt(value.intValue)).length
  if (value.doubleValue !== undefined) return 9
  if (value.bytesValue !== undefined) return fieldSize(decodedLength(value.bytesValue))
  let size = 0
  if (value.arrayValue !== undefined) {
    for (const item of value.arrayValue.values) size += fieldSize(valueSize(item))
    return fieldSize(size)
  }
  if (value.kvlistValue === undefined) return 0
  for (const member of value.kvlistValue.values) size += fieldSize(keyValueSize(member))
  return fieldSize(size)
}

/** Returns the size of an AnyValue that is a string, in bytes. */
export function textSize(text: string): number {
  return fieldSize(utf8Length(text))
}

function keyValueSize({ key, value }: JsonKeyValue): number {
  return fieldSize(utf8Length(key)) + fieldSize(valueSize(value))
}

/** Returns the size of a field with a tag of one byte and a length. */
function fieldSize(length: number): number {
  return 1 + varintLength(length) + length
}

/** Returns the number of bytes that a base64 text represents. */
function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}
