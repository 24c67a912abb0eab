import * as buffer from 'node:buffer'
import type { ByteBuffers, OpenBytes } from '../../pipeline/batch-buffer.ts'
import { builtinModule } from './builtin-module.ts'

/** Chunks are cut at 68 KiB at most, so nearly all fit; longer records get a buffer of their own. */
export const pooledLength: number = 72 * 1024
/** A text of this length is worth a pooled buffer, however many are in use. */
const worthLength = 48 * 1024
const maxPooled = 16
/** Longer chunks are those of exporters that want them: a few buffers go round among them. */
const maxSpares = 4
const longestSpare = 1024 * 1024

/** A program that logs a few lines does not need `node:v8`, which takes 1 ms to load. */
const textsWithoutV8 = 16
const longestWithoutV8 = 4096
let textsEncoded = 0

/** Whether to encode a text without `isOneByte`. */
function isEarly(text: string): boolean {
  return textsEncoded < textsWithoutV8 && text.length <= longestWithoutV8
}

let isOneByte = (text: string): boolean => {
  // Other runtimes may lack it; then every text is encoded by the general method.
  isOneByte = builtinModule('node:v8')?.isStringOneByteRepresentation ?? (() => false)
  return isOneByte(text)
}
const transcode: typeof buffer.transcode | undefined = buffer.transcode

// A text that begins with U+FEFF keeps it.
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/**
 * Encodes chunks into pooled buffers: a steady stream of ASCII allocates nothing. Short texts use a few of them; where
 * more wait, each gets a buffer of its own length, so that a queue of many short chunks takes no more memory than it counts.
 *
 * Measured for chunks of 230-byte records, a record: ASCII by `latin1Write` 22 ns, by `byteLength` and a write 44; text that
 * V8 keeps in two bytes a character by way of UTF-16 70, by `byteLength` and a write 370.
 *
 * `latin1`: the text is bytes already, one of them a character.
 */
export function byteBuffers(form: 'utf8' | 'latin1' = 'utf8'): ByteBuffers {
  const isBinary = form === 'latin1'
  const pool: Buffer[] = []
  const spares: Buffer[] = []
  /** How long the last chunk was that was built piece by piece: the next one will be as long. */
  let expected = 0
  /** Pooled buffers that were made and not let go of by `release`, those that were never given back included. */
  let made = 0
  let scratch = Buffer.alloc(0)

  function bufferFor(length: number): Buffer {
    if (length > pooledLength) return spareFor(length)
    const pooled = pool.pop()
    if (pooled !== undefined) return pooled
    if (length < worthLength && made >= maxPooled) return Buffer.allocUnsafeSlow(length)
    made++
    return Buffer.allocUnsafeSlow(pooledLength)
  }

  function spareFor(length: number): Buffer {
    const index = spares.findIndex((spare) => spare.length >= length)
    return index < 0 ? Buffer.allocUnsafeSlow(length) : spares.splice(index, 1)[0]!
  }

  function release(bytes: Uint8Array): void {
    const { byteLength } = bytes.buffer
    if (byteLength > pooledLength && byteLength <= longestSpare && spares.length < maxSpares) {
      spares.push(Buffer.from(bytes.buffer))
    }
    if (byteLength !== pooledLength) return
    if (pool.length < maxPooled) pool.push(Buffer.from(bytes.buffer))
    else made--
  }

  function encode(text: string): Uint8Array {
    if (isBinary) {
      const bytes = bufferFor(text.length)
      return bytes.subarray(0, bytes.write(text, 0, text.length, 'latin1'))
    }
    if (isEarly(text)) {
      textsEncoded++
      return Buffer.from(text)
    }
    if (!isOneByte(text)) return transcode === undefined ? Buffer.from(text) : throughUtf16(text, transcode)
    const bytes = bufferFor(text.length)
    const written = bytes.subarray(0, bytes.write(text, 0, text.length, 'latin1'))
    if (buffer.isAscii(written)) return written
    release(written)
    return Buffer.from(text)
  }

  function throughUtf16(text: string, convert: typeof buffer.transcode): Uint8Array {
    if (scratch.length < text.length * 2) scratch = Buffer.allocUnsafeSlow(Math.max(text.length * 2, 2 * pooledLength))
    const units = scratch.subarray(0, scratch.write(text, 0, text.length * 2, 'utf16le'))
    if (scratch.length > 4 * pooledLength) scratch = Buffer.alloc(0)
    try {
      return convert(units, 'utf16le', 'utf8')
    } catch {
      return Buffer.from(text) // half a character: the general way makes U+FFFD of it
    }
  }

  function append(open: OpenBytes | undefined, text: string): OpenBytes {
    if (open === undefined) return append({ bytes: bufferFor(Math.max(pooledLength, expected)), length: 0 }, text)
    const end = open.length + text.length
    if (end <= open.bytes.length && (isBinary || (!isEarly(text) && isOneByte(text)))) {
      const bytes = open.bytes as Buffer
      bytes.write(text, open.length, text.length, 'latin1')
      if (isBinary || buffer.isAscii(bytes.subarray(open.length, end))) {
        open.length = end
        return open
      }
    }
    return appendBytes(open, encode(text))
  }

  function appendBytes(open: OpenBytes, more: Uint8Array): OpenBytes {
    const end = open.length + more.length
    if (end > open.bytes.length) {
      const { bytes } = open
      const larger = bufferFor(end * 2)
      larger.set(bytes.subarray(0, open.length))
      open.bytes = larger
      release(bytes)
    }
    open.bytes.set(more, open.length)
    release(more)
    open.length = end
    return open
  }

  function finish({ bytes, length }: OpenBytes): Uint8Array {
    // With room for one that is a little longer.
    expected = Math.min(length + (length >> 3), longestSpare)
    const used = bytes.subarray(0, length)
    const isWorthIt =
      bytes.length === pooledLength ? length >= worthLength || made <= maxPooled : length * 2 > bytes.length
    if (isWorthIt) return used
    const own = Buffer.allocUnsafeSlow(length)
    own.set(used)
    release(used)
    return own
  }

  function decode(bytes: Uint8Array): string {
    return isBinary
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
      : decoder.decode(bytes)
  }

  return { encode, decode, append, finish, release }
}
