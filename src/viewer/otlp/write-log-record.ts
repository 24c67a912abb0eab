import { bytesField, encodeUtf8, fixed32, fixed64, hexBytes, varint } from '../../encode/otlp/protobuf.ts'
import { protobufMember, protobufValue } from '../../encode/otlp/otlp-protobuf-walk.ts'
import { wellFormedMembers } from '../../encode/well-formed-members.ts'
import type { ReadRecord } from '../../read/record.ts'

const maxUint64 = 2n ** 64n - 1n

/** Returns a record as the bytes of a `LogRecord` of OTLP. A tag is written as a character: the number of the field times 8, plus its wire type. */
export function writeLogRecord(record: ReadRecord): Buffer {
  const { timeUnixNano, severityNumber, severityText, level, body, eventName, traceId, spanId, traceFlags } = record
  const name = severityText ?? level
  let text = ''
  // A time of 0 means an unknown time.
  if (timeUnixNano !== undefined && timeUnixNano > 0n && timeUnixNano <= maxUint64)
    text += `\x09${fixed64(String(timeUnixNano))}`
  if (severityNumber > 0) text += `\x10${varint(severityNumber)}`
  if (name !== '') text += bytesField('\x1a', encodeUtf8(name))
  if (body !== undefined) text += bytesField('\x2a', protobufValue(body))
  for (const [key, value] of wellFormedMembers(record.attributes)) text += protobufMember(key, value)
  if (traceFlags !== undefined) text += `\x45${fixed32(traceFlags)}`
  if (traceId !== undefined) text += bytesField('\x4a', hexBytes(traceId))
  if (spanId !== undefined) text += bytesField('\x52', hexBytes(spanId))
  if (eventName !== undefined) text += bytesField('\x62', encodeUtf8(eventName))
  return Buffer.from(text, 'latin1')
}
