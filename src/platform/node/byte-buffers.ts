import * as buffer from 'node:buffer'
import type { ByteBuffers, OpenBytes } from '../../pipeline/batch-buffer.ts'
import { builtinModule } from './builtin-module.ts'

/**
 * The length of pooled buffers, in bytes. A batch has at most 68 Ki UTF-16 units by default, so nearly every ASCII batch fits.
 * Longer ones use spare buffers (`maxSpares`).
 */
export const pooledLength: number = 72 * 1024
/** The length, in bytes, from which a needed buffer is a pooled one, however many are in use. */
const alwaysPooledLength = 48 * 1024
/**
 * The maximum number of pooled buffers that are kept for reuse. While this many are in use, a buffer shorter than `alwaysPooledLength` is
 * allocated with the needed length.
 */
const maxPooled = 16
/** The maximum number of longer buffers that are kept for reuse, for exporters with larger batches. */
const maxSpares = 4
/** The maximum length of such a buffer, in bytes. */
const maxSpareLength = 1024 * 1024

/**
 * The number of texts that are encoded before `node:v8` is loaded, which takes 1 ms: a program that logs only a few lines never
 * loads it.
 */
const textsWithoutV8 = 16
/** The maximum length of such a text, in UTF-16 units. A longer one loads `node:v8` at once. */
const maxLengthWithoutV8 = 4096
let textsEncoded = 0

/** Returns whether to encode a text without `isOneByte`, which loads `node:v8`. */
function skipsOneByteTest(text: string): boolean {
  return textsEncoded < textsWithoutV8 && text.length <= maxLengthWithoutV8
}

/** Returns whether V8 stores a text as one byte per character, which includes Latin-1. */
let isOneByte = (text: string): boolean => {
  // Other runtimes may not provide this function. Then every text is treated as two-byte text.
  isOneByte = builtinModule('node:v8')?.isStringOneByteRepresentation ?? (() => false)
  return isOneByte(text)
}
const transcode: typeof buffer.transcode | undefined = buffer.transcode

// Keep a U+FEFF at the beginning of a text.
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/**
 * Creates buffers that encode texts into pooled memory: a steady stream of ASCII allocates nothing. Short texts use only a few
 * pooled buffers; if more are queued, each gets a buffer of its own length. So a queue of many short texts uses no more memory than
 * the number of bytes by which it is limited.
 *
 * Measured for batches of 230-byte records, per record: ASCII by `write` as `latin1` takes 22 ns, by `byteLength` and a write 44 ns.
 * Text that V8 stores as two bytes per character takes 70 ns by way of UTF-16, and 370 ns by `byteLength` and a write.
 *
 * @param form - `latin1`: the text represents bytes, one byte per character.
 */
export function byteBuffers(form: 'utf8' | 'latin1' = 'utf8'): ByteBuffers {
  const isBinary = form === 'latin1'
  const pool: Buffer[] = []
  const spares: Buffer[] = []
  /** The expected length of the next batch that `append` builds from parts: a little more than that of the last one. */
  let expectedLength = 0
  /** The number of pooled buffers that were created and not discarded by `release`, including those that were never returned. */
  let createdBuffers = 0
  /** Memory for texts as UTF-16, reused by `encodeThroughUtf16`. */
  let scratch = Buffer.alloc(0)

  function bufferFor(length: number): Buffer {
    if (length > pooledLength) return spareFor(length)
    const pooled = pool.pop()
    if (pooled !== undefined) return pooled
    if (length < alwaysPooledLength && createdBuffers >= maxPooled) return Buffer.allocUnsafeSlow(length)
    createdBuffers++
    return Buffer.allocUnsafeSlow(pooledLength)
  }

  function spareFor(length: number): Buffer {
    const index = spares.findIndex((spare) => spare.length >= length)
    return index < 0 ? Buffer.allocUnsafeSlow(length) : spares.splice(index, 1)[0]!
  }

  /** Keeps the buffer of these bytes for reuse, unless enough are kept. */
  function release(bytes: Uint8Array): void {
    const { byteLength } = bytes.buffer
    if (byteLength > pooledLength && byteLength <= maxSpareLength && spares.length < maxSpares) {
      spares.push(Buffer.from(bytes.buffer))
    }
    if (byteLength !== pooledLength) return
    if (pool.length < maxPooled) pool.push(Buffer.from(bytes.buffer))
    else createdBuffers--
  }

  function encode(text: string): Uint8Array {
    if (isBinary) {
      const bytes = bufferFor(text.length)
      return bytes.subarray(0, bytes.write(text, 0, text.length, 'latin1'))
    }
    if (skipsOneByteTest(text)) {
      textsEncoded++
      return Buffer.from(text)
    }
    if (!isOneByte(text)) return transcode === undefined ? Buffer.from(text) : encodeThroughUtf16(text, transcode)
    const bytes = bufferFor(text.length)
    const written = bytes.subarray(0, bytes.write(text, 0, text.length, 'latin1'))
    if (buffer.isAscii(written)) return written
    // Latin-1 characters that are not ASCII have two bytes in UTF-8.
    release(written)
    return Buffer.from(text)
  }

  function encodeThroughUtf16(text: string, convert: typeof buffer.transcode): Uint8Array {
    if (scratch.length < text.length * 2) scratch = Buffer.allocUnsafeSlow(Math.max(text.length * 2, 2 * pooledLength))
    const units = scratch.subarray(0, scratch.write(text, 0, text.length * 2, 'utf16le'))
    if (scratch.length > 4 * pooledLength) scratch = Buffer.alloc(0)
    try {
      return convert(units, 'utf16le', 'utf8')
    } catch {
      return Buffer.from(text) // a lone surrogate, which `Buffer.from` replaces with U+FFFD
    }
  }

  function append(open: OpenBytes | undefined, text: string): OpenBytes {
    if (open === undefined) return append({ bytes: bufferFor(Math.max(pooledLength, expectedLength)), length: 0 }, text)
    const end = open.length + text.length
    if (end <= open.bytes.length && (isBinary || (!skipsOneByteTest(text) && isOneByte(text)))) {
      const bytes = open.bytes as Buffer
      bytes.write(text, open.length, text.length, 'latin1')
      if (isBinary || buffer.isAscii(bytes.subarray(open.length, end))) {
        open.length = end
        return open
      }
    }
    return appendBytes(open, encode(text))
  }

  function appendBytes(open: OpenBytes, added: Uint8Array): OpenBytes {
    const end = open.length + added.length
    if (end > open.bytes.length) {
      const { bytes } = open
      const largerBuffer = bufferFor(end * 2)
      largerBuffer.set(bytes.subarray(0, open.length))
      open.bytes = largerBuffer
      release(bytes)
    }
    open.bytes.set(added, open.length)
    release(added)
    open.length = end
    return open
  }

  function finish({ bytes, length }: OpenBytes): Uint8Array {
    // Leave room for a batch that is a little longer.
    expectedLength = Math.min(length + (length >> 3), maxSpareLength)
    const content = bytes.subarray(0, length)
    const keepsBuffer =
      bytes.length === pooledLength
        ? length >= alwaysPooledLength || createdBuffers <= maxPooled
        : length * 2 > bytes.length
    if (keepsBuffer) return content
    const copy = Buffer.allocUnsafeSlow(length)
    copy.set(content)
    release(content)
    return copy
  }

  function decode(bytes: Uint8Array): string {
    return isBinary
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
      : decoder.decode(bytes)
  }

  return { encode, decode, append, finish, release }
}
