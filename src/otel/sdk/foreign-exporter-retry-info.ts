/**
 * Returns the delay of a `google.rpc.RetryInfo` in the details of a gRPC status, in ms; undefined if it is missing or unreadable. Never
 * throws.
 *
 * @param details - the value of `grpc-status-details-bin`: a `google.rpc.Status` in protobuf, whose field 3 contains `Any` messages
 */
export function retryDelayMillis(details: Uint8Array): number | undefined {
  for (const detail of contentsOf(details, 3)) {
    const [typeUrl] = contentsOf(detail, 1)
    if (typeUrl === undefined || !retryInfoUrl.test(decoder.decode(typeUrl))) continue
    const [retryInfo] = contentsOf(detail, 2)
    const [duration] = contentsOf(retryInfo ?? emptyMessage, 1)
    // A missing duration is a delay of 0: the server accepts a retry immediately.
    const { seconds, nanos } = durationOf(duration ?? emptyMessage)
    return Math.max(0, seconds * 1_000 + nanos / 1_000_000)
  }
  return undefined
}

const retryInfoUrl = /\/google\.rpc\.RetryInfo$/
const decoder = new TextDecoder()
const emptyMessage = new Uint8Array()

/** A field of a protobuf message. */
interface Field {
  readonly number: number
  /** The value of a varint as an unsigned number, which over 2^53 is approximate; 0 for other fields. */
  readonly value: number
  /** The content of a length-delimited field; undefined for other fields. */
  readonly content: Uint8Array | undefined
}

/** Returns the contents of the length-delimited fields of a message that have this number. */
function contentsOf(message: Uint8Array, fieldNumber: number): Uint8Array[] {
  return fieldsIn(message).flatMap((field) =>
    field.number === fieldNumber && field.content !== undefined ? [field.content] : [],
  )
}

function durationOf(message: Uint8Array): { readonly seconds: number; readonly nanos: number } {
  let seconds = 0
  let nanos = 0
  for (const { number, value } of fieldsIn(message)) {
    // Ignore negative values: as a varint they are over 2^63.
    if (value > 2 ** 53) continue
    if (number === 1) seconds = value
    if (number === 2) nanos = value
  }
  return { seconds, nanos }
}

/** Returns the fields of a message that comes from the network, up to the first one that cannot be read. */
function fieldsIn(message: Uint8Array): Field[] {
  const fields: Field[] = []
  let offset = 0
  while (offset < message.length) {
    const tag = varint()
    let value = 0
    let content: Uint8Array | undefined
    // The wire type: 0 is a varint, 1 has 64 bits, 2 is length-delimited, 5 has 32 bits.
    switch (tag % 8) {
      case 0:
        value = varint()
        break
      case 1:
        offset += 8
        break
      case 2: {
        const length = varint()
        content = message.subarray(offset, offset + length)
        offset += length
        break
      }
      case 5:
        offset += 4
        break
      default:
        return fields
    }
    if (!(offset <= message.length)) return fields
    fields.push({ number: Math.floor(tag / 8), value, content })
  }
  return fields

  function varint(): number {
    let value = 0
    for (let scale = 1; offset < message.length; scale *= 128) {
      const byte = message[offset++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
    // The message ends in the varint, so its fields end here.
    offset = Infinity
    return value
  }
}
