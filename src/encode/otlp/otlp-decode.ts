import { withoutPrototype } from '../../options/own-members.ts'
import type { JsonKeyValue, JsonRecord, JsonValue } from './otlp-json-types.ts'

/** An OTLP value as a JavaScript value, in the form that OpenTelemetry SDKs use for attributes and bodies. */
export type DecodedValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly DecodedValue[]
  | { readonly [key: string]: DecodedValue }

/**
 * An OTLP LogRecord with the fields of OTLP/JSON and decoded values. A field that OTLP/JSON omits is absent, except for `attributes`,
 * `droppedAttributesCount` and `flags`, which have their default values.
 */
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
 * The consumer for which the numbers of a record are decoded. `double`: a consumer that supports every double, such as a protobuf
 * serializer; an integer is a number if a double represents it exactly. `json`: a consumer that uses `JSON.stringify`, which does not
 * support NaN and the infinities and rounds integers over 2^53. A number that the consumer does not support becomes text, such as
 * `9007199254740993`, `1e+21` or `NaN`. It never becomes a BigInt, which no OpenTelemetry serializer supports.
 */
export type NumberConsumer = 'double' | 'json'

/**
 * Decodes the records of a batch in the encoding `otlp:http/json`: objects, each followed by a comma. Maps become plain objects, in which a
 * key such as `__proto__` is an ordinary member; an empty value becomes null.
 */
export function decodeOtlpJson(items: string, consumer: NumberConsumer): DecodedRecord[] {
  const records = JSON.parse(`[${items.slice(0, -1)}]`) as JsonRecord[]
  return records.map((record) => decodedRecord(record, consumer))
}

function decodedRecord(record: JsonRecord, consumer: NumberConsumer): DecodedRecord {
  const { body, attributes = [], droppedAttributesCount = 0, flags = 0, ...fields } = withoutPrototype(record)
  return {
    ...fields,
    ...(body === undefined ? {} : { body: decoded(body, consumer) }),
    attributes: members(attributes, consumer),
    droppedAttributesCount,
    flags,
  }
}

function decoded(value: JsonValue, consumer: NumberConsumer): DecodedValue {
  if (Object.hasOwn(value, 'stringValue')) return value.stringValue!
  if (Object.hasOwn(value, 'intValue')) return integer(value.intValue!, consumer)
  if (Object.hasOwn(value, 'doubleValue')) return double(Number(value.doubleValue), consumer)
  if (Object.hasOwn(value, 'boolValue')) return value.boolValue!
  if (Object.hasOwn(value, 'arrayValue')) return value.arrayValue!.values.map((item) => decoded(item, consumer))
  if (Object.hasOwn(value, 'kvlistValue')) return members(value.kvlistValue!.values, consumer)
  if (Object.hasOwn(value, 'bytesValue')) return bytes(value.bytesValue!)
  return null
}

function members(list: readonly JsonKeyValue[], consumer: NumberConsumer): { readonly [key: string]: DecodedValue } {
  // fromEntries defines members, so `__proto__` becomes an ordinary one.
  return Object.fromEntries(list.map(({ key, value }) => [key, decoded(value, consumer)]))
}

function integer(text: string, consumer: NumberConsumer): number | string {
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  return consumer === 'double' && BigInt(number) === BigInt(text) ? number : text
}

/**
 * Decodes a double. For `json`, a large whole number becomes text: serializers treat a whole number as an integer, and the JSON digits of a
 * large double are not a valid int64.
 */
function double(number: number, consumer: NumberConsumer): number | string {
  if (consumer === 'double') return number
  return Number.isFinite(number) && !(Number.isInteger(number) && !Number.isSafeInteger(number))
    ? number
    : String(number)
}

/** Decodes standard base64 (RFC 4648 section 4). Does not use Node's Buffer, because this layer runs on any platform. */
function bytes(text: string): Uint8Array {
  const characters = atob(text)
  const all = new Uint8Array(characters.length)
  for (let i = 0; i < characters.length; i++) all[i] = characters.charCodeAt(i)
  return all
}
