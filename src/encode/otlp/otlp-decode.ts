import { ownCopy } from '../../options/own-members.ts'
import type { JsonKeyValue, JsonRecord, JsonValue } from './otlp-json-types.ts'

/** A value of OTLP as a JavaScript value: what the SDKs of OpenTelemetry hold in attributes and bodies. */
export type DecodedValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly DecodedValue[]
  | { readonly [key: string]: DecodedValue }

/** A LogRecord of OTLP, its fields as JSON has them and its values decoded. What a field says by default is absent. */
export interface DecodedRecord {
  /** Nanoseconds since the epoch, as decimal text. */
  readonly timeUnixNano?: string
  readonly observedTimeUnixNano?: string
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: DecodedValue
  readonly attributes: { readonly [key: string]: DecodedValue }
  readonly droppedAttributesCount: number
  readonly flags: number
  readonly traceId?: string
  readonly spanId?: string
  readonly eventName?: string
}

/**
 * What the numbers of a record are decoded for. `double`: whoever can take every double, such as a protobuf serializer:
 * integers are numbers as long as a double is exactly that integer. `json`: whoever writes them with `JSON.stringify`, which
 * has no word for NaN and the infinities, and rounds what is past 2^53. What does not fit is text: the decimal digits,
 * `NaN`, `Infinity`, `-Infinity`. It is never a BigInt, which no serializer of OpenTelemetry can carry.
 */
export type DecodedNumbers = 'double' | 'json'

/**
 * Decodes the records of a batch in the encoding `otlp:http/json`: objects, each of which ends in a comma. Maps become plain
 * objects, in which a key such as `__proto__` is a member like any other; an empty value becomes null.
 */
export function decodeOtlpJson(items: string, numbers: DecodedNumbers): DecodedRecord[] {
  const records = JSON.parse(`[${items.slice(0, -1)}]`) as JsonRecord[]
  return records.map((record) => decodedRecord(record, numbers))
}

function decodedRecord(record: JsonRecord, numbers: DecodedNumbers): DecodedRecord {
  const { body, attributes = [], droppedAttributesCount = 0, flags = 0, ...fields } = ownCopy(record)
  return {
    ...fields,
    ...(body === undefined ? {} : { body: decoded(body, numbers) }),
    attributes: members(attributes, numbers),
    droppedAttributesCount,
    flags,
  }
}

function decoded(value: JsonValue, numbers: DecodedNumbers): DecodedValue {
  if (Object.hasOwn(value, 'stringValue')) return value.stringValue!
  if (Object.hasOwn(value, 'intValue')) return integer(value.intValue!, numbers)
  if (Object.hasOwn(value, 'doubleValue')) return double(Number(value.doubleValue), numbers)
  if (Object.hasOwn(value, 'boolValue')) return value.boolValue!
  if (Object.hasOwn(value, 'arrayValue')) return value.arrayValue!.values.map((item) => decoded(item, numbers))
  if (Object.hasOwn(value, 'kvlistValue')) return members(value.kvlistValue!.values, numbers)
  if (Object.hasOwn(value, 'bytesValue')) return bytes(value.bytesValue!)
  return null
}

function members(list: readonly JsonKeyValue[], numbers: DecodedNumbers): { readonly [key: string]: DecodedValue } {
  // fromEntries defines members: `__proto__` is one like any other.
  return Object.fromEntries(list.map(({ key, value }) => [key, decoded(value, numbers)]))
}

function integer(text: string, numbers: DecodedNumbers): number | string {
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  return numbers === 'double' && BigInt(number) === BigInt(text) ? number : text
}

/** Serializers take a double that is a whole number for an integer, and JSON's digits of a large one are none of int64. */
function double(number: number, numbers: DecodedNumbers): number | string {
  if (numbers === 'double') return number
  return Number.isFinite(number) && !(Number.isInteger(number) && !Number.isSafeInteger(number))
    ? number
    : String(number)
}

/** Standard base64 (RFC 4648 section 4), without Node's Buffer: this floor runs anywhere. */
function bytes(text: string): Uint8Array {
  const characters = atob(text)
  const all = new Uint8Array(characters.length)
  for (let i = 0; i < characters.length; i++) all[i] = characters.charCodeAt(i)
  return all
}
