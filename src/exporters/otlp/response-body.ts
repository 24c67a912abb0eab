import { withoutPrototype } from '../../options/own-members.ts'

/** The partial success in the body of a successful response. */
export interface PartialSuccess {
  /** How many records were rejected according to the server. It is not checked, and may be negative or too high. */
  readonly rejected: number
  /** The reason, or a warning; empty if the server sent neither. */
  readonly message: string
}

/**
 * Parses an ExportLogsServiceResponse. If `partialSuccess` is missing or empty, all records were accepted. An empty body, which some
 * servers send, has the same meaning. Throws if the body is not such a message.
 */
export function partialSuccessOf(body: Uint8Array, isJson: boolean): PartialSuccess {
  if (body.length === 0) return { rejected: 0, message: '' }
  if (!isJson) {
    // In the response, `partial_success` is field 1; in that, `rejected_log_records` is field 1 and `error_message` field 2.
    const successFields = parseFields(parseFields(body).get(1))
    return {
      rejected: Number(BigInt.asIntN(64, asNumber(successFields.get(1)))),
      message: decodeText(successFields.get(2)),
    }
  }
  const { partialSuccess = {} } = jsonObject(body)
  const { rejectedLogRecords = 0, errorMessage = '' } = withoutPrototype(
    (partialSuccess ?? {}) as Record<string, unknown>,
  )
  const rejected = Number(rejectedLogRecords)
  if (!Number.isFinite(rejected)) throw new TypeError('rejectedLogRecords is not a number')
  return { rejected, message: asText(errorMessage) }
}

/** Returns the message in the body of an error response, which is a google.rpc.Status, or an empty string. Never throws. */
export function statusMessageOf(body: Uint8Array, isJson: boolean): string {
  try {
    // In google.rpc.Status, `message` is field 2.
    return isJson ? asText(jsonObject(body)['message']) : decodeText(parseFields(body).get(2))
  } catch {
    return '' // the body does not match its content type
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function jsonObject(body: Uint8Array): Record<string, unknown> {
  const value: unknown = JSON.parse(decoder.decode(body))
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object')
  return withoutPrototype(value as Record<string, unknown>)
}

/** The value of a Protobuf field: a varint, or bytes with a length; undefined if the field is missing. */
type Field = bigint | Uint8Array | undefined

function asNumber(field: Field): bigint {
  if (field instanceof Uint8Array) throw new TypeError('not a number')
  return field ?? 0n
}

function decodeText(field: Field): string {
  if (typeof field === 'bigint') throw new TypeError('not text')
  return field === undefined ? '' : decoder.decode(field)
}

const decoder = new TextDecoder()

/** Returns the fields of a Protobuf message by number. If a field occurs several times, the last value is used, as the format requires. */
function parseFields(message: Field): Map<number, Field> {
  const fieldsByNumber = new Map<number, Field>()
  if (message === undefined) return fieldsByNumber
  if (typeof message === 'bigint') throw new TypeError('not a message')
  let offset = 0
  const readVarint = (): bigint => {
    let value = 0n
    // A varint has at most 10 bytes with 7 bits each.
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[offset++]
      if (byte === undefined) break
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
    throw new TypeError('invalid varint')
  }
  const readBytes = (length: number): Uint8Array => {
    if (length > message.length - offset) throw new TypeError('truncated message')
    return message.subarray(offset, (offset += length))
  }
  while (offset < message.length) {
    const tag = Number(readVarint())
    const wireType = tag & 7
    if (tag < 8) throw new TypeError('invalid field number')
    // Wire types: 0 is a varint, 2 is bytes with a length; 1 and 5 are numbers of 8 and 4 bytes, which are skipped.
    if (wireType === 0) fieldsByNumber.set(tag >>> 3, readVarint())
    else if (wireType === 2) fieldsByNumber.set(tag >>> 3, readBytes(Number(readVarint())))
    else if (wireType === 1 || wireType === 5) readBytes(wireType === 1 ? 8 : 4)
    else throw new TypeError('unknown wire type')
  }
  return fieldsByNumber
}
