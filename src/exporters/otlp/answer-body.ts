import { ownCopy } from '../../options/own-members.ts'

/** The partial success in the body of a successful response. */
export interface PartialSuccess {
  /** How many records were rejected. */
  readonly rejected: number
  /** The reason, or a warning; empty if there is none. */
  readonly message: string
}

/**
 * Parses an ExportLogsServiceResponse. If `partialSuccess` is absent or empty, all records were accepted (OTL11). The same is
 * true of an empty body, which some servers send. Throws if the body is not such a message.
 */
export function partialSuccessOf(body: Uint8Array, isJson: boolean): PartialSuccess {
  if (body.length === 0) return { rejected: 0, message: '' }
  if (!isJson) {
    const parts = fields(fields(body).get(1))
    return { rejected: Number(BigInt.asIntN(64, asNumber(parts.get(1)))), message: decodeText(parts.get(2)) }
  }
  const { partialSuccess = {} } = jsonObject(body)
  const { rejectedLogRecords = 0, errorMessage = '' } = ownCopy((partialSuccess ?? {}) as Record<string, unknown>)
  const rejected = Number(rejectedLogRecords)
  if (!Number.isFinite(rejected)) throw new TypeError('rejectedLogRecords is not a number')
  return { rejected, message: asText(errorMessage) }
}

/** Returns the message of a google.rpc.Status, which is the body of an error response, or an empty string. Never throws. */
export function statusMessageOf(body: Uint8Array, isJson: boolean): string {
  try {
    return isJson ? asText(jsonObject(body)['message']) : decodeText(fields(body).get(2))
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
  return ownCopy(value as Record<string, unknown>)
}

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

/** Parses the fields of a message by number. For a repeated field, the last value is used, as the wire format requires. */
function fields(message: Field): Map<number, Field> {
  const found = new Map<number, Field>()
  if (message === undefined) return found
  if (typeof message === 'bigint') throw new TypeError('not a message')
  let offset = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[offset++]
      if (byte === undefined) break
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
    throw new TypeError('invalid varint')
  }
  const bytes = (length: number): Uint8Array => {
    if (length > message.length - offset) throw new TypeError('truncated message')
    return message.subarray(offset, (offset += length))
  }
  while (offset < message.length) {
    const tag = Number(varint())
    const type = tag & 7
    if (tag < 8) throw new TypeError('invalid field number')
    if (type === 0) found.set(tag >>> 3, varint())
    else if (type === 2) found.set(tag >>> 3, bytes(Number(varint())))
    else if (type === 1 || type === 5) bytes(type === 1 ? 8 : 4)
    else throw new TypeError('unknown wire type')
  }
  return found
}
