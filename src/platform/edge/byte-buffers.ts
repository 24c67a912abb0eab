import { binary, bytesOf } from '../../encode/otlp/protobuf.ts'
import type { ByteBuffers, OpenBytes } from '../../pipeline/batch-buffer.ts'

const encoder = new TextEncoder()
// A text that begins with U+FEFF keeps it.
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
const least = 1_024

/**
 * Encodes chunks without Node's Buffer, each into memory of its own. `latin1`: the text is bytes already, one of them a
 * character.
 */
export function byteBuffers(form: 'utf8' | 'latin1' = 'utf8'): ByteBuffers {
  const isBinary = form === 'latin1'
  const encode = (text: string): Uint8Array => (isBinary ? bytesOf(text) : encoder.encode(text))

  function append(open: OpenBytes | undefined, text: string): OpenBytes {
    const more = encode(text)
    if (open === undefined) return { bytes: more, length: more.length }
    const end = open.length + more.length
    if (end > open.bytes.length) {
      const larger = new Uint8Array(Math.max(least, end * 2))
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
