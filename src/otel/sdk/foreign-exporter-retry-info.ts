/**
 * Returns the delay of a `google.rpc.RetryInfo` in the details of a gRPC status, in ms; undefined when it is missing or unreadable
 * (OTL12). `details` is the value of `grpc-status-details-bin`: a `google.rpc.Status` in protobuf, whose field 3 contains `Any`
 * messages. Never throws.
 */
export function retryDelayMillis(details: Uint8Array): number | undefined {
  for (const detail of messagesIn(details, 3)) {
    const [url] = messagesIn(detail, 1)
    if (url === undefined || !typeName.test(decoder.decode(url))) continue
    const [retryInfo] = messagesIn(detail, 2)
    const [duration] = messagesIn(retryInfo ?? emptyMessage, 1)
    // A missing duration is a delay of 0: the server accepts a retry immediately.
    const { seconds, nanos } = durationOf(duration ?? emptyMessage)
    return Math.max(0, seconds * 1_000 + nanos / 1_000_000)
  }
  return undefined
}

const typeName = /\/google\.rpc\.RetryInfo$/
const decoder = new TextDecoder()
const emptyMessage = new Uint8Array()

interface Field {
  readonly number: number
  /** The value of a varint as an unsigned number; over 2^53 it is approximate. */
  readonly value: number
  /** The content of a length-delimited field. */
  readonly content: Uint8Array | undefined
}

function messagesIn(message: Uint8Array, number: number): Uint8Array[] {
  return fieldsIn(message).flatMap((field) =>
    field.number === number && field.content !== undefined ? [field.content] : [],
  )
}

function durationOf(message: Uint8Array): { readonly seconds: number; readonly nanos: number } {
  let seconds = 0
  let nanos = 0
  for (const { number, value } of fieldsIn(message)) {
    // Negative values are over 2^63 as a varint; ignore them.
    if (value > 2 ** 53) continue
    if (number === 1) seconds = value
    if (number === 2) nanos = value
  }
  return { seconds, nanos }
}

/** Returns the fields of a message from the network, up to the first that cannot be read. */
function fieldsIn(message: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  while (at < message.length) {
    const tag = varint()
    let value = 0
    let content: Uint8Array | undefined
    switch (tag % 8) {
      case 0:
        value = varint()
        break
      case 1:
        at += 8
        break
      case 2: {
        const length = varint()
        content = message.subarray(at, at + length)
        at += length
        break
      }
      case 5:
        at += 4
        break
      default:
        return fields
    }
    if (!(at <= message.length)) return fields
    fields.push({ number: Math.floor(tag / 8), value, content })
  }
  return fields

  function varint(): number {
    let value = 0
    for (let scale = 1; at < message.length; scale *= 128) {
      const byte = message[at++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
    at = Infinity
    return value
  }
}
