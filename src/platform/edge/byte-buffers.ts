import { binaryText, bytesOf } from '../../encode/otlp/protobuf.ts'
import type { ByteBuffers, OpenBytes } from '../../pipeline/batch-buffer.ts'

const encoder = new TextEncoder()
// Keep a U+FEFF at the beginning of a text.
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
/** The minimum length of a buffer that replaces a full one, in bytes. */
const minGrownLength = 1_024

/**
 * Creates buffers without Node's Buffer. Released memory is not reused.
 *
 * @param form - `latin1`: the text represents bytes, one byte per character.
 */
export function byteBuffers(form: 'utf8' | 'latin1' = 'utf8'): ByteBuffers {
  const isBinary = form === 'latin1'
  const encode = (text: string): Uint8Array => (isBinary ? bytesOf(text) : encoder.encode(text))

  function append(open: OpenBytes | undefined, text: string): OpenBytes {
    const added = encode(text)
    if (open === undefined) return { bytes: added, length: added.length }
    const end = open.length + added.length
    if (end > open.bytes.length) {
      const largerBuffer = new Uint8Array(Math.max(minGrownLength, end * 2))
      largerBuffer.set(open.bytes.subarray(0, open.length))
      open.bytes = largerBuffer
    }
    open.bytes.set(added, open.length)
    open.length = end
    return open
  }

  return {
    encode,
    decode: (bytes) => (isBinary ? binaryText(bytes) : decoder.decode(bytes)),
    append,
    finish: ({ bytes, length }) => (bytes.length === length ? bytes : bytes.slice(0, length)),
    release() {},
  }
}
