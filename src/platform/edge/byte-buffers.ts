import { binary, bytesOf } from '../../encode/otlp/protobuf.ts'
import type { ByteBuffers, OpenBytes } from '../../pipeline/batch-buffer.ts'

const encoder = new TextEncoder()
// Keep a U+FEFF at the beginning of a text.
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
const minLength = 1_024

/**
 * Creates buffers without Node's Buffer. Each chunk is encoded into its own memory.
 *
 * @param form - `latin1`: the text represents bytes, one byte per character.
 */
export function byteBuffers(form: 'utf8' | 'latin1' = 'utf8'): ByteBuffers {
  const isBinary = form === 'latin1'
  const encode = (text: string): Uint8Array => (isBinary ? bytesOf(text) : encoder.encode(text))

  function append(open: OpenBytes | undefined, text: string): OpenBytes {
    const more = encode(text)
    if (open === undefined) return { bytes: more, length: more.length }
    const end = open.length + more.length
    if (end > open.bytes.length) {
      const larger = new Uint8Array(Math.max(minLength, end * 2))
      larger.set(open.bytes.subarray(0, open.length))
      open.bytes = larger
    }
    open.bytes.set(more, open.length)
    open.length = end
    return open
  }

  return {
    encode,
    decode: (bytes) => (isBinary ? binary(bytes) : decoder.decode(bytes)),
    append,
    finish: ({ bytes, length }) => (bytes.length === length ? bytes : bytes.slice(0, length)),
    release() {},
  }
}
