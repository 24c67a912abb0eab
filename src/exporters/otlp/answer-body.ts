import { ownCopy } from '../../options/own-members.ts'

/** What a body says of a request that was taken. */
export interface PartialSuccess {
  /** How many records were not taken after all. */
  readonly rejected: number
  /** Why, or a warning; '' without one. */
  readonly message: string
}

/**
 * Reads an ExportLogsServiceResponse. Without a `partialSuccess`, or with an empty one, everything was taken (OTL11); so it
 * was where a server says nothing at all, as some do. Throws when the body is none.
 */
export function partialSuccessOf(body: Uint8Array, isJson: boolean): PartialSuccess {
  if (body.length === 0) return { rejected: 0, message: '' }
  if (!isJson) {
    const parts = fields(fields(body).get(1))
    return { rejected: Number(BigInt.asIntN(64, numberIn(parts.get(1)))), message: textIn(parts.get(2)) }
  }
  const { partialSuccess = {} } = jsonObject(body)
  const { rejectedLogRecords = 0, errorMessage = '' } = ownCopy((partialSuccess ?? {}) as Record<string, unknown>)
  const rejected = Number(rejectedLogRecords)
  if (!Number.isFinite(rejected)) throw new TypeError('rejectedLogRecords is no number')
  return { rejected, message: wordsOf(errorMessage) }
}

/** The message of a google.rpc.Status, which comes with an error; '' where there is none. Never throws. */
export function statusMessageOf(body: Uint8Array, isJson: boolean): string {
  try {
    return isJson ? wordsOf(jsonObject(body)['message']) : textIn(fields(body).get(2))
  } catch {
    return '' // not what it says it is
  }
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function jsonObject(body: Uint8Array): Record<string, unknown> {
  const value: unknown = JSON.parse(decoder.decode(body))
  if (typeof value !== 'object' || value === null) throw new TypeError('no object')
  return ownCopy(value as Record<string, unknown>)
}

type Field = bigint | Uint8Array | undefined

function numberIn(field: Field): bigint {
  if (field instanceof Uint8Array) throw new TypeError('no number')
  return field ?? 0n
}

function textIn(field: Field): string {
  if (typeof field === 'bigint') throw new TypeError('no text')
  return field === undefined ? '' : decoder.decode(field)
}

const decoder = new TextDecoder()

/** The fields of a message by number; of one that is repeated the last, as the wire format says. */
function fields(message: Field): Map<number, Field> {
  const found = new Map<number, Field>()
  if (message === undefined) return found
  if (typeof message === 'bigint') throw new TypeError('no message')
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++]
      if (byte === undefined) break
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
    throw new TypeError('no varint')
  }
  const bytes = (length: number): Uint8Array => {
    if (length > message.length - at) throw new TypeError('the message ends too early')
    return message.subarray(at, (at += length))
  }
  while (at < message.length) {
    const tag = Number(varint())
    const type = tag & 7
    if (tag < 8) throw new TypeError('no field')
    if (type === 0) found.set(tag >>> 3, varint())
    else if (type === 2) found.set(tag >>> 3, bytes(Number(varint())))
    else if (type === 1 || type === 5) bytes(type === 1 ? 8 : 4)
    else throw new TypeError('no wire type')
  }
  return found
}
